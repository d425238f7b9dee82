"""Proposals of which only some edits are accepted, in the console over a real engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.test_agents import editor_of, lab, pane_of, picture_of, readied
from tests.gui.composition.test_console import front
from tests.waiting import until

from starloom import events as ev
from starloom.agents.rules import RuleAgent
from starloom.constellation.edits import ALL_KINDS
from starloom.formats.rules import read_rules
from starloom_gui.dialogs.trust import TrustDialog

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop

    from starloom.orchestration.run import Run
    from starloom_gui.composition.console import Console
    from starloom_gui.panels.approval_page import ApprovalPage

SEVERAL = (
    {
        "on": {"task": "a", "status": "completed"},
        "do": [
            {"add_task": {"id": "x", "command": ["check", "it"], "needs": ["a"], "before": "c"}},
            {"update_task": {"task": "d", "timeout": 60}},
            {"remove_task": "c"},
        ],
    },
)


async def proposed(console: Console, *more: str, reads: bool = True) -> Run:
    """A run with a proposal of three parts that waits, chosen in the pane and read to its end; and as many like it."""
    run, pane = await readied(console, lab()), pane_of(console)
    for name in ("rules", *more):
        console.commands.attach_agent(run.id, RuleAgent(read_rules(list(SEVERAL)), name=name), ALL_KINDS)
    await until(lambda: len(run.agents) == 1 + len(more))
    console.actions["start"].trigger()
    await until(lambda: len(run.approvals) == 1 + len(more))
    pane.show_approval(run.approvals[0].number)
    await at_rest(console)
    if reads:
        await until(lambda: has_read(pane.approval))
    return run


def has_read(page: ApprovalPage) -> bool:
    """Scroll to the end of a proposal, and say whether it can be accepted by now."""
    bar = page.area.verticalScrollBar()
    bar.setValue(bar.maximum())
    return page.bar.accept.isEnabled()


def words(page: ApprovalPage) -> str:
    """What stands on the button that accepts, without the mark before its letter."""
    return page.bar.accept.text().replace("&", "")


def told(console: Console, kind: type[ev.Event]) -> list[ev.Event]:
    """The events of a kind that the console's log has."""
    return [event for _, event in console.bridge.log.since(0) if isinstance(event, kind)]


def test_what_is_not_ticked_is_neither_drawn_nor_applied(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await proposed(console)
            page = pane_of(console).approval
            assert [row.change.title for row in page.rows.rows] == ["x", "d", "c"]
            assert words(page) == "Accept"
            await until(lambda: "x" in picture_of(console).facts.graph)
            listed = front(console).views["outline"].widget.tree.model()
            assert {listed.data(index) for index in map(listed.index_of, range(9)) if index.isValid()} == set(
                run.facts.graph.place
            ), "what is only proposed is no task of the run"
            # by keys alone: the first is left out, and the ghost with it
            page.rows.rows[0].setFocus()
            QTest.keyClick(page.rows.rows[0], Qt.Key.Key_Space)
            tick = page.rows.rows[0].tick
            assert not tick.isChecked()
            seen, outline = tick.grab().toImage(), console.appearance.palette.outline.lower()
            across = [seen.pixelColor(x, seen.height() // 2).name() for x in range(seen.width())]
            assert across.count(outline) == 2, "its box is seen without a tick, too, and whole"
            assert page.rows.rows[0].accessibleName().startswith("Left out: ")
            assert words(page) == "Accept 2 of 3"
            assert page.runs.text() == ""
            await until(lambda: "x" not in picture_of(console).facts.graph)
            # by the mouse
            row = page.rows.rows[2]
            QTest.mouseClick(row.tick, Qt.MouseButton.LeftButton, pos=row.tick.rect().center())
            assert words(page) == "Accept 1 of 3"
            page.bar.accept.click()
            await until(lambda: not run.approvals)
            await at_rest(console)
            assert set(run.facts.graph.place) == {"a", "b", "c", "d"}
            changed = run.facts.graph.tasks[run.facts.graph.place["d"]]
            assert changed is not None
            assert changed.timeout == 60
            await until(lambda: told(console, ev.ApprovalAnswered))
            (answered,), (modified,) = told(console, ev.ApprovalAnswered), told(console, ev.ConstellationModified)
            assert isinstance(answered, ev.ApprovalAnswered)
            assert isinstance(modified, ev.ConstellationModified)
            assert set(answered.left_out) == {0, 1, 2, 4}, "the first and the last part"
            assert (modified.origin, len(modified.changes)) == ("rules", 1)
            await until(lambda: editor_of(console).ghosts is None)

    desktop.run(main)


def test_it_can_be_accepted_once_all_of_it_has_been_in_sight(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.window.resize(1000, 600)
            await proposed(console, "other", reads=False)
            page = pane_of(console).approval
            await until(lambda: page.area.verticalScrollBar().maximum() > 0)
            assert not page.bar.accept.isEnabled()
            assert "Scroll to its end" in page.bar.accept.toolTip()
            assert page.bar.reject.isEnabled()
            bar = page.area.verticalScrollBar()

            def is_enabled_at_the_end() -> bool:
                bar.setValue(bar.maximum())  # which may grow as rows are laid out
                return page.bar.accept.isEnabled()

            await until(is_enabled_at_the_end)
            bar.setValue(0)
            assert page.bar.accept.isEnabled(), "it was in sight"

    desktop.run(main)


def test_what_fits_no_more_says_so_and_can_be_left_out(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await proposed(console)
            page = pane_of(console).approval
            await run.skip("c")
            await until(lambda: [bool(row.change.problem) for row in page.rows.rows] == [True, False, True])
            assert not page.bar.accept.isEnabled()
            for row in (0, 2):
                page.rows.rows[row].tick.toggle()
            await until(page.bar.accept.isEnabled)  # once all of it was in sight
            assert words(page) == "Accept 1 of 3"
            page.rows.rows[1].tick.toggle()
            assert not page.bar.accept.isEnabled()
            assert page.bar.accept.toolTip() == "Nothing of approval 1 would be applied. Reject it instead."
            page.bar.reject.click()
            await until(lambda: not run.approvals)
            assert run.revision == 0
            assert front(console).pane("agents") is pane_of(console)

    desktop.run(main)


def test_what_waits_for_approval_can_be_changed_of_an_attached_agent(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await proposed(console)
            pane = pane_of(console)
            pane.show_agent("rules")
            await at_rest(console)
            assert pane.agent.change.isEnabled()
            await until(lambda: "x" not in picture_of(console).facts.graph)  # its proposal is not looked at any more
            pane.agent.change.click()
            dialog = console.window.findChildren(TrustDialog)[-1]
            assert not dialog.default.isEnabled()
            assert dialog.reason == "The same of its edits wait for approval already."
            dialog.trust.choose(1)
            for kind, switch in dialog.trust.kinds.items():
                switch.show_value(kind == "remove_task")
            dialog.trust.changed.emit()
            assert dialog.default.isEnabled(), dialog.reason
            dialog.default.click()
            await until(lambda: run.agents["rules"].asks == ("remove_task",))
            await until(lambda: pane.agent._trust.text().startswith("These wait for your approval: remove tasks."))
            assert "It is asked about completions of a." in pane.agent._trust.text(), "its rules say so"
            assert len(run.approvals) == 1, "what waits already still does"
            await until(lambda: told(console, ev.AgentTrusted))
            await run.answer_approval(1, accept=False)

    desktop.run(main)


def test_another_proposal_that_says_the_same_begins_with_everything_ticked(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await proposed(console, "other")
            page = pane_of(console).approval
            page.rows.rows[0].tick.toggle()
            pane_of(console).show_approval(run.approvals[-1].number)
            await at_rest(console)
            assert [row.tick.isChecked() for row in page.rows.rows] == [True, True, True]
            assert words(page) == "Accept"
            for approval in run.approvals:
                await run.answer_approval(approval.number, accept=False)

    desktop.run(main)

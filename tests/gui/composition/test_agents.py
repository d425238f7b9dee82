"""Agents in the console: a real engine, rules and a Python agent in a child process, answered as users do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front
from tests.gui.engines import orchestrator_of
from tests.integration.agents.llm_server import completion, endpoint
from tests.waiting import until

from starloom import events as ev
from starloom.agents.llm import LlmAgent
from starloom.agents.rules import RuleAgent
from starloom.constellation.edits import ALL_KINDS
from starloom.formats.rules import read_rules
from starloom.model.device import DeviceSpec
from starloom.model.status import Fence
from starloom.scheduling.commands import DetachAgent, PauseAgent, ResumeAgent
from starloom_gui.canvas.badges import Badge
from starloom_gui.dialogs.attach_agent import AttachAgentDialog
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.models.agent_stories import RoundOutcome
from starloom_gui.panels.agents import AgentsPane
from starloom_gui.panels.events import EventsPane
from starloom_gui.viewmodel.stage import Stage
from starloom_gui.widgets.offers import LookAtAgents

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.model.plan import Plan
    from starloom.orchestration.run import Run
    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.composition.console import Console

AGENT = """
import time

def propose(view, finished):
    time.sleep({seconds})
    ended = [one["id"] if "id" in one else one["task"]["id"] for one in finished]
    if "a" not in ended:
        return None
    edits = [{{"add_task": {{"id": "x", "command": ["check", "it"], "needs": ["a"], "before": "c"}}}}]
    return {{"edits": edits, "reason": "a has to be checked"}}
"""
RULES = (
    {"on": {"task": "a", "status": "completed"}, "do": [{"add_task": {"id": "y", "simulate": 3600, "needs": "a"}}]},
)


def lab(*rules: Any) -> Plan:
    """A task that ends at once, one that then runs for as long as the test, and one that waits for both."""
    steps = [task("a", simulate=0.01), task("b", simulate=LONG), task("c", simulate=LONG), task("d", simulate=LONG)]
    device = DeviceSpec(id="dev", kind="simulated", slots=2)
    return replace(plan(steps, ["a>b", "a>d", "b>c"]), name="lab", rules=rules, devices=(device,))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the agent's modules are."""
    (made := tmp_path / "modules").mkdir()
    for name, seconds in (("quick", 0), ("slow", 1), ("endless", 600)):
        (made / f"{name}.py").write_text(AGENT.format(seconds=seconds), encoding="utf-8")
    return made


async def readied(console: Console, wanted: Plan) -> Run:
    """A run that is in front with its Agents pane, and has not begun."""
    run = await orchestrator_of(console).start(wanted, paused=True)
    console.documents.put_run(run.id, None, "Lab")
    console.window.workbench.show_pane("agents")
    await at_rest(console)
    return run


def pane_of(console: Console) -> AgentsPane:
    found = front(console).pane("agents")
    assert isinstance(found, AgentsPane)
    return found


def dialog_of(console: Console) -> AttachAgentDialog:
    return console.window.findChildren(AttachAgentDialog)[-1]


async def attached(console: Console, run: Run, kind: str, trust: int = 0, **values: Any) -> None:
    """An agent attached by the dialog, as users do."""
    pane_of(console).attach.click()
    dialog, known = dialog_of(console), len(run.agents)
    dialog.kinds.choose(kind)
    dialog.kinds.form.fill(values)
    dialog.trust.choose(trust)
    assert dialog.default.isEnabled(), dialog.reason
    dialog.default.click()
    await until(lambda: len(run.agents) > known)
    await at_rest(console)


def badge_of(console: Console, name: str) -> int:
    picture = picture_of(console)
    row = picture.row(picture.facts.graph.place[name])
    assert row is not None
    return int(picture.badge[row])


def editor_of(console: Console) -> RunEditor:
    found = front(console).source.editor
    assert isinstance(found, RunEditor)
    return found


def picture_of(console: Console) -> GraphRenderModel:
    found = front(console).canvas.graph.picture
    assert found is not None
    return found


def fence_of(run: Run) -> Fence | None:
    return run.facts.cycles.fence if run.facts.cycles is not None else None


def _outcomes(pane: AgentsPane, name: str) -> list[RoundOutcome]:
    """What has become of the rounds of an agent, oldest first."""
    return [one.outcome for one in pane._stories.story(name).rounds]


def waiting(console: Console) -> str:
    """What the tab of the pane says of what waits; of nothing only its own name."""
    dock = console.window.workbench.dock_of("agents")
    at = dock.keys.index("agents")
    said = dock.tabs.tabToolTip(at)
    return said if said != dock.tabs.tabText(at) else ""


def test_a_proposal_waits_is_drawn_and_told_and_goes_on_when_it_is_accepted(desktop: Desktop, folder: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, pane = await readied(console, lab()), pane_of(console)
            assert not pane.entries.entries
            await attached(console, run, "python", target="quick:propose", cwd=str(folder))
            assert run.agents["quick:propose"].asks == ALL_KINDS
            console.actions["start"].trigger()
            # what waits because of it: told by the tab, the bell, the nodes and the inspector
            await until(lambda: waiting(console))
            await at_rest(console)
            assert len(run.approvals) == 1
            await until(lambda: console.notifications.notices.unseen == 1)
            await until(lambda: {badge_of(console, "b"), badge_of(console, "d")} == {Badge.FENCE})
            assert badge_of(console, "c") == Badge.NONE
            document_view = front(console)
            document_view.selection.select(run.facts.graph.place["b"])
            reasons = document_view.reader.why(run.id, "b")
            assert [reason.code for reason in reasons if reason.blocks] == ["approval"]
            assert "approval" in document_view.canvas.marks.description_of(run.facts.graph.place["b"])
            # looked at, it stands in words and as a ghost; nothing of what it would run is hidden
            console.window_actions.controllers.agents.look(LookAtAgents("", approval=run.approvals[0].number))
            await at_rest(console)
            assert [row.change.title for row in pane.approval.rows.rows] == ["x"]
            assert pane.approval.runs.text() == "x\n    Command: check it"
            editor = editor_of(console)
            await until(lambda: "x" in picture_of(console).facts.graph)
            assert Stage.ADDED in picture_of(console).stage
            assert editor.steps == ()
            assert "x" not in run.facts.graph
            # accepted, it is the agent's edit, the fence opens and the ghosts are the real thing
            pane.approval.bar.note.setText("quite right")
            pane.approval.bar.accept.click()
            await until(lambda: "x" in run.facts.graph and not run.approvals)
            await until(lambda: run.task("b").status == "running" and not waiting(console))
            await at_rest(console)
            await until(lambda: badge_of(console, "d") == Badge.NONE)
            assert editor.ghosts is None
            answered = [e for _, e in console.bridge.log.since(0) if isinstance(e, ev.ApprovalAnswered)]
            assert [(one.how, one.note) for one in answered] == [("accepted", "quite right")]
            pane.show_agent("quick:propose")
            await until(lambda: _outcomes(pane, "quick:propose") == [RoundOutcome.ACCEPTED])

    desktop.run(main)


def test_what_is_rejected_changes_nothing_and_all_can_be_answered_at_once(desktop: Desktop, folder: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, pane = await readied(console, lab(*RULES)), pane_of(console)
            await attached(console, run, "python", target="quick:propose", cwd=str(folder), name="quick")
            await attached_rules(console, run)
            console.actions["start"].trigger()
            await until(lambda: len(run.approvals) == 2 and not pane.accept_all.isHidden())
            assert not pane.accept_all.isHidden()
            kinds = ("approval", "approval", "agent", "agent")
            await until(lambda: tuple(entry.key[0] for entry in pane.entries.entries if entry.key) == kinds)
            pane.reject_all.click()
            await until(lambda: not run.approvals)
            assert run.revision == 0
            assert {"x", "y"}.isdisjoint(run.facts.graph.place)
            assert [agent.refused for agent in run.agents.values()] == [1, 1]

    desktop.run(main)


async def attached_rules(console: Console, run: Run, trust: int = 0) -> None:
    """The rules of the plan, attached as if the run had been started from it here."""
    console.commands.attach_agent(run.id, RuleAgent(read_rules(list(RULES))), ALL_KINDS if trust == 0 else ())
    await until(lambda: "rules" in run.agents)
    await at_rest(console)


def test_an_agent_can_be_paused_resumed_and_detached_and_what_it_did_stays_listed(
    desktop: Desktop, folder: Path
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, pane = await readied(console, lab()), pane_of(console)
            await attached(console, run, "python", 2, target="endless:propose", cwd=str(folder), name="ponderer")
            console.actions["start"].trigger()
            await until(lambda: _kept(console) == {"b", "d"})
            await until(lambda: any("Thinking" in entry.detail for entry in pane.entries.entries))
            await until(lambda: badge_of(console, "b") == Badge.FENCE)
            blocking = front(console).reader.why(run.id, "b")
            assert [reason.subject for reason in blocking if reason.code == "fence"] == ["ponderer"]
            pane.agent.buttons[PauseAgent].click()
            await until(lambda: run.agents["ponderer"].paused)
            await until(lambda: run.task("b").status == "running")
            await until(lambda: badge_of(console, "d") == Badge.NONE)
            await until(lambda: pane.agent.buttons[ResumeAgent].isVisible())
            pane.agent.buttons[ResumeAgent].click()
            await until(lambda: not run.agents["ponderer"].paused)
            pane.agent.buttons[DetachAgent].click()
            await until(lambda: not run.agents and any(e.detail.startswith("Detached") for e in pane.entries.entries))
            assert not pane.agent.buttons[DetachAgent].isVisible()
            assert _outcomes(pane, "ponderer") == [RoundOutcome.GIVEN_UP]

    desktop.run(main)


def _kept(console: Console) -> set[str]:
    """The ids of the tasks that the fence keeps back."""
    run = front(console).reader.facts()
    assert run is not None
    return {run.graph.ids[number] for number in front(console).reader.fenced()}


def test_the_fence_is_changed_while_an_agent_thinks_and_its_answer_then_comes_late(
    desktop: Desktop, folder: Path
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, pane = await readied(console, lab()), pane_of(console)
            await attached(console, run, "python", 2, target="slow:propose", cwd=str(folder), name="slow")
            menu = pane.fence.open_menu()
            menu.actions()[list(Fence).index(Fence.DESCENDANTS)].trigger()
            menu.close()
            await until(lambda: fence_of(run) is Fence.DESCENDANTS)
            console.actions["start"].trigger()
            await until(lambda: _kept(console) == {"b", "d"})
            await run.set_fence(modification_timeout=0.01)
            await until(lambda: run.agents["slow"].timeouts == 1)
            await until(lambda: run.task("b").status == "running")
            await until(lambda: run.agents["slow"].lates == 1)
            await until(lambda: "x" in run.facts.graph)  # judged like any edit, and it still fits
            pane.show_agent("slow")
            await until(lambda: _outcomes(pane, "slow") == [RoundOutcome.APPLIED])
            (only,) = pane._stories.story("slow").rounds
            assert (only.is_late, only.count) == (True, 3)
            assert pane._stories.story("slow").timed_out == 1

    desktop.run(main)


def test_an_agents_edit_is_reverted_as_one_step_until_the_run_has_overtaken_it(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await readied(console, lab(*RULES))
            await attached_rules(console, run, trust=2)
            console.actions["start"].trigger()
            await until(lambda: "y" in run.facts.graph)
            await until(lambda: run.task("d").status == "running")  # both slots are taken, so y waits
            console.window.workbench.show_pane("events")
            await at_rest(console)
            events = front(console).pane("events")
            assert isinstance(events, EventsPane)
            assert not events.revert.isEnabled()
            await _go_to_edit(events)
            assert events.revert.isEnabled(), events.revert.toolTip()
            assert "rules" in events.revert.text()
            events.revert.trigger()
            await until(lambda: "y" not in run.facts.graph)
            await until(console.actions["undo"].isEnabled)
            assert "Revert" in console.actions["undo"].text()
            await until(lambda: not events.revert.isEnabled())
            assert events.revert.toolTip() == "y is no longer there."
            console.actions["undo"].trigger()
            await until(lambda: "y" in run.facts.graph)
            await until(lambda: not console.actions["undo"].isEnabled())

    desktop.run(main)


async def _go_to_edit(events: EventsPane) -> None:
    """Choose the row of the edit, once there is one: the table is told with the next frame."""
    table = events._table

    def edits() -> list[int]:
        return [at for at in range(table.rowCount()) if isinstance(table.event_at(at), ev.ConstellationModified)]

    await until(edits)
    events.grid.setCurrentIndex(table.index(edits()[0], 0))


def test_what_the_run_has_overtaken_cannot_be_reverted_and_says_so_beforehand(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            roomy = replace(lab(*RULES), devices=(DeviceSpec(id="dev", kind="simulated", slots=9),))
            run = await readied(console, roomy)
            await attached_rules(console, run, trust=2)
            console.actions["start"].trigger()
            await until(lambda: "y" in run.facts.graph and run.task("y").status == "running")
            console.window.workbench.show_pane("events")
            await at_rest(console)
            events = front(console).pane("events")
            assert isinstance(events, EventsPane)
            await _go_to_edit(events)
            assert not events.revert.isEnabled()
            assert "is running" in events.revert.toolTip()

    desktop.run(main)


def test_the_pane_is_used_without_a_mouse_and_hides_its_ghosts_with_itself(desktop: Desktop, folder: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, pane = await readied(console, lab()), pane_of(console)
            await attached(console, run, "python", target="quick:propose", cwd=str(folder))
            console.actions["start"].trigger()
            await until(lambda: waiting(console))
            console.window.workbench.show_pane("agents")
            pane.show_agent("quick:propose")
            QTest.keyClick(pane.entries, Qt.Key.Key_Up)
            assert pane.entries.key == ("approval", 1), "the heading between them is passed over"
            assert editor_of(console).ghosts is not None
            console.window.workbench.show_pane("timeline")
            assert editor_of(console).ghosts is None
            console.window.workbench.show_pane("agents")
            assert editor_of(console).ghosts is not None
            pane.approval.bar.reject.setFocus()
            QTest.keyClick(pane.approval.bar.reject, Qt.Key.Key_Space)
            await until(lambda: not run.approvals)

    desktop.run(main)


def test_what_a_model_says_is_listed_with_its_tokens_and_never_taken_for_markup(desktop: Desktop) -> None:
    pytest.importorskip("pydantic_ai")

    async def main() -> None:
        said = completion("<b>Nothing</b> needs to change.", tokens=1234)
        async with endpoint(said) as there, desktop.console() as console:
            run, pane = await readied(console, lab()), pane_of(console)
            agent = LlmAgent("m", there.url, name="mind", key=lambda _: "k")
            await run.attach(agent)
            console.actions["start"].trigger()
            await until(lambda: agent.conversation(run.id) and run.agents["mind"].rounds)
            await until(lambda: _outcomes(pane, "mind") == [RoundOutcome.NOTHING])
            pane.show_agent("mind")
            assert pane.agent.tabs.isTabVisible(1)
            assert "1,234" in pane.agent.tabs.tabText(1)
            pane.agent.tabs.setCurrentIndex(1)
            assert pane.agent.said.isVisible()
            assert "<b>Nothing</b> needs to change." in pane.agent.said.toPlainText()
            assert "a completed" in pane.agent.said.toPlainText()

    desktop.run(main)


def test_a_fence_that_closes_over_tasks_in_line_is_drawn_although_nothing_else_has_changed(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            full = replace(lab(*RULES), devices=(DeviceSpec(id="dev", kind="simulated", slots=1),))
            run = await readied(console, full)
            await run.set_fence(Fence.NONE)
            await attached_rules(console, run)
            console.actions["start"].trigger()
            await until(lambda: waiting(console))
            await until(lambda: run.task("b").status == "running")
            await at_rest(console)
            assert badge_of(console, "d") == Badge.NONE
            await run.set_fence(Fence.GLOBAL)
            await until(lambda: badge_of(console, "d") == Badge.FENCE)
            await run.set_fence(Fence.NONE)
            await until(lambda: badge_of(console, "d") == Badge.NONE)

    desktop.run(main)

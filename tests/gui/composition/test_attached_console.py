"""A console over the engine of a server: it follows it, answers questions from its own copy, and sends commands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QTableView
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.constellation.edits import AddTask, UpdateTask
from starloom.model.device import DeviceSpec
from starloom.model.status import RunState
from starloom.scheduling import commands as c
from starloom_gui.app import attached
from starloom_gui.attachment import Attachment
from starloom_gui.editing.base import Step
from starloom_gui.gateway.attaching import attached_engine
from starloom_gui.panels.events import EventsPane
from starloom_gui.panels.figure_rows import FigureRow
from starloom_gui.panels.overview_sections import SpeedupsSection
from starloom_gui.shell.notice import Notice, NoticeKind

if TYPE_CHECKING:
    from starloom.model.plan import Plan
    from starloom_gui.composition.console import Console

pytestmark = pytest.mark.usefixtures("app")
LONG = 3600.0


def names(console: Console) -> list[str]:
    """The names of the tasks that the pane of tasks of the run in front lists."""
    assert console.views.front is not None
    table = console.views.front.pane("tasks").findChild(QTableView)
    assert table is not None
    model = table.model()
    headings = [model.headerData(at, Qt.Orientation.Horizontal) for at in range(model.columnCount())]
    return sorted(str(model.index(row, headings.index("Name")).data()) for row in range(model.rowCount()))


def made() -> Plan:
    tasks = [task("a", simulate=LONG), task("b", simulate=LONG), task("c", simulate=LONG)]
    return replace(plan(tasks), devices=(simulated("lab"),))


def simulated(name: str) -> DeviceSpec:
    return DeviceSpec(id=name, kind="simulated", slots=1)


def test_what_decides_the_finish_is_of_the_limits_and_devices_that_the_server_has(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.attached("r", made()) as console:
            await at_rest(console)
            view = console.views.front
            assert view is not None
            console.window.workbench.show_pane("inspector")
            section = view.pane("inspector").findChild(SpeedupsSection)
            assert section is not None

            def offers() -> list[str]:
                return [row.figure.name for row in section.findChildren(FigureRow) if row.isVisible()]

            await until(lambda: offers() == ["Slots of lab: 1 to 2"])
            await console.engine.command(c.SetSlots(device_id="lab", slots=2))
            await until(lambda: "Slots of lab: 1 to 2" not in offers())
            await until(lambda: offers() == ["Slots of lab: 2 to 3"])

    desktop.run(main)


def test_a_window_that_only_watches_is_told_from_others_and_takes_no_values(desktop: Desktop) -> None:
    async def main() -> None:
        tasks = [task("first", simulate=LONG), task("then", simulate=LONG)]
        async with desktop.attached("r", plan(tasks, ["first>then"]), watches=True) as console:
            await at_rest(console)
            assert "only watched" in console.window.windowTitle()
            view = console.views.front
            assert view is not None
            console.window.workbench.show_pane("inspector")
            view.selection.select_all([1])
            await at_rest(console)
            inspector = view.pane("inspector")
            assert any("Only watched" in label.text() for label in inspector.findChildren(QLabel))
            fields = inspector.findChildren(QLineEdit)
            assert not [one for one in fields if one.isVisible() and one.isEnabled() and not one.isReadOnly()]
            assert not console.actions["pin"].isEnabled()
            assert not console.actions["paste"].isEnabled()
            assert not console.actions["add_device"].isEnabled(), "nobody is to fill in a form for nothing"
            assert not console.monitor.panel.add_button.isEnabled()
            assert "only watches" in console.monitor.panel.add_button.toolTip()

    desktop.run(main)


def test_what_runs_at_a_server_is_shown_changed_and_undone(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.attached("r", made()) as console:
            await at_rest(console)
            front = console.views.front
            assert front is not None
            assert console.documents.front is not None
            there = orchestrator_of(console).run("r")
            console.window.workbench.show_pane("tasks")
            assert names(console) == ["a", "b", "c"]
            assert front.source.reader.why("r", "b"), "answered here"

            hold = c.HoldTasks(run_id="r", task_ids=("b",))
            assert console.commands.can(hold).ok
            console.commands.do(hold)
            await console.commands.answered()
            assert there.facts.held

            front.source.editor.do(Step(label="Add", edits=(AddTask(task("d")),)))
            await until(lambda: names(console) == ["a", "b", "c", "d"])
            await console.commands.answered()
            front.source.editor.undo()
            await until(lambda: names(console) == ["a", "b", "c"])
            assert not console.commands.can(c.RetryTasks(run_id="r", task_ids=("a",))).ok
            console.commands.do(c.CancelRun(run_id="r"))
            await until(lambda: there.state is RunState.CANCELLED)
            await at_rest(console)

    desktop.run(main)


def test_an_edit_of_what_somebody_else_has_changed_is_a_conflict(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.attached("r", made()) as console:
            await at_rest(console)
            facts = console.bridge.run("r")
            assert facts is not None
            there = orchestrator_of(console).run("r")
            base = facts.revision
            await there.edit(UpdateTask("b", name="theirs"), origin="somebody")
            from starloom.constellation.edits import EditBatch

            batch = EditBatch(edits=(UpdateTask("b", name="mine"),), base_revision=base, origin=console.commands.origin)
            refused: list[object] = []
            console.commands.refused.connect(refused.append)
            console.commands.do(c.EditConstellation(run_id="r", batch=batch))
            await console.commands.answered()
            assert refused
            assert there.task("b").task.name == "theirs"

    desktop.run(main)


def test_what_was_done_before_a_window_was_attached_is_flagged_too(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.attached("r", made()) as first:
            there = orchestrator_of(first).run("r")
            await there.pause()
            await there.resume()
            await first.engine.caught_up()  # type: ignore[attr-defined]  # it is elsewhere
            async with (
                attached_engine(Attachment("here")) as engine,
                attached(desktop.frame("here"), engine) as console,
            ):
                console.window.show()
                front = console.views.front
                assert front is not None
                told = lambda: [flag.text for flag in front.timeline.flags]  # noqa: E731
                await until(lambda: told() == ["The run was paused", "The run was resumed"])
                await there.pause()
                await until(lambda: told() == ["The run was paused", "The run was resumed", "The run was paused"])
                console.window.asks_before_closing = False
                console.window.close()
                await console.closed()

    desktop.run(main)


def test_who_has_begun_a_run_is_named(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.attached() as console:
            await orchestrator_of(console).start(plan([task("x", simulate=LONG)]), run_id="theirs", origin="carl")
            await until(lambda: console.strip.shown)
            assert console.strip.shown is not None
            assert console.strip.shown.reason == "carl has started “plan”."

    desktop.run(main)


def test_a_run_that_others_create_without_starting_it_is_told_and_so_is_its_start(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.attached() as console:
            strip, wanted = console.strip, plan([task("x", simulate=LONG)])
            run = await orchestrator_of(console).start(wanted, run_id="theirs", origin="carl", paused=True)
            await until(lambda: strip.shown)
            assert strip.shown is not None
            assert strip.shown.reason == "carl has created “plan”, which is not started."
            await run.start()
            await until(lambda: strip.shown is not None and strip.shown.reason == "carl has started “plan”.")

    desktop.run(main)


@pytest.mark.parametrize("by_notice", [False, True])
def test_a_run_of_others_that_is_opened_at_its_task_or_by_a_notice_is_called_as_it_is(
    desktop: Desktop, by_notice: bool
) -> None:
    async def main() -> None:
        async with desktop.attached() as console:
            wanted = replace(plan([task("x", simulate=LONG)]), name="slow")
            await orchestrator_of(console).start(wanted, run_id="theirs", origin="carl")
            await until(lambda: console.bridge.run("theirs"))
            if by_notice:
                console.notifications.show(Notice(number=1, kind=NoticeKind.ENDED, at=1.0, run_id="theirs"))
            else:
                console.show_task("theirs", 0)
            assert [tab.title for tab in console.documents.runs] == ["slow"]

    desktop.run(main)


def test_what_happened_before_a_window_was_attached_is_not_told_as_nothing(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.attached("r", made()) as console:
            await at_rest(console)
            assert console.views.front is not None
            pane = console.views.front.pane("events")
            assert isinstance(pane, EventsPane)
            console.window.workbench.show_pane("events")
            assert "No events yet" not in pane._sentence.text()
            assert (
                pane.notice.words.text() == "What happened earlier is told in the past of the run: turn on Time travel."
            )
            await orchestrator_of(console).start(plan([task("x", simulate=LONG)]), run_id="new")
            await until(lambda: console.bridge.run("new"))
            console.documents.put_run("new", None, "new")
            await at_rest(console)
            later = console.views.front.pane("events")
            assert isinstance(later, EventsPane)
            assert later.notice.words.text() == "", "all of it is told"

    desktop.run(main)

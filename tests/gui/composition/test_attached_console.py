"""A console over the engine of a server: it follows it, answers questions from its own copy, and sends commands."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest, served
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.constellation.edits import AddTask, UpdateTask
from starloom.journal.library import run_folder
from starloom.model.device import DeviceSpec
from starloom.model.status import RunState
from starloom.scheduling import commands as c
from starloom.settings import journal_path
from starloom_gui.app import attached
from starloom_gui.attachment import Attachment
from starloom_gui.editing.base import Step
from starloom_gui.gateway.attaching import attached_engine

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
    return replace(plan(tasks), devices=(DeviceSpec(id="lab", kind="simulated", slots=1),))


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


def test_the_tab_of_a_run_that_a_new_server_has_not_taken_up_is_closed(desktop: Desktop) -> None:
    async def main() -> None:
        async with AsyncExitStack() as stack:
            async with served("r", made()):
                engine = await stack.enter_async_context(attached_engine(Attachment("here")))
                console = await stack.enter_async_context(attached(desktop.frame("here"), engine))
                console.window.show()
                await at_rest(console)
            await until(lambda: engine.follower.lost_since is not None)
            (tab,) = console.documents.runs
            assert tab.folder is None, "it may be there again"
            async with served():
                await until(lambda: engine.follower.lost_since is None)
                assert not console.documents.runs
                said = console.strip.shown
                assert said is not None
                assert said.what == f"“{tab.title}” is not at the server any more"
                assert said.act is not None
                said.act()
                await until(lambda: console.documents.runs)
                assert console.documents.runs[0].folder == run_folder(journal_path(), "r")
                console.window.asks_before_closing = False
                console.window.close()
                await console.closed()

    desktop.run(main)

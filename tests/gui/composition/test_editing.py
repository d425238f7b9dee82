"""Edits of a run and of a plan in the console: made, taken back, gathered and committed together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.driver import task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front, small, started
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.constellation.edits import AddTask, EditBatch, UpdateTask
from starloom.scheduling.commands import EditConstellation
from starloom_gui.documents.document import Document
from starloom_gui.editing.base import Mode, Step
from starloom_gui.editing.run_editor import RunEditor

if TYPE_CHECKING:
    from starloom_gui.composition.console import Console


def longer(console: Console, timeout: float = 300.0) -> None:
    """Give the last task another time limit, as the inspector does."""
    view = front(console)
    run = view.reader.facts()
    assert run is not None
    batch = EditBatch(edits=(UpdateTask("c", timeout=timeout),))
    view.source.gateway.do(EditConstellation(run_id=run.run_id, batch=batch))


def limit_of(console: Console) -> float | None:
    run = front(console).reader.facts()
    assert run is not None
    limit: float | None = run.graph.task("c").timeout
    return limit


def test_an_edit_is_one_step_that_can_be_taken_back_and_made_again(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await started(console, small(seconds=LONG))
            await at_rest(console)
            assert not console.actions["undo"].isEnabled()
            longer(console)
            await until(lambda: limit_of(console) == 300.0)
            await until(console.actions["undo"].isEnabled)
            assert "c" in console.actions["undo"].text()
            console.actions["undo"].trigger()
            await until(lambda: limit_of(console) is None)
            await until(console.actions["redo"].isEnabled)
            console.actions["redo"].trigger()
            await until(lambda: limit_of(console) == 300.0)

    desktop.run(main)


def test_staged_edits_change_nothing_until_they_are_committed(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            await at_rest(console)
            console.actions["staged"].trigger()
            await until(lambda: console.actions["staged"].isChecked() and not console.actions["live"].isChecked())
            longer(console)
            editor = front(console).source.editor
            assert isinstance(editor, RunEditor)
            assert len(editor.steps) == 1
            assert limit_of(console) is None
            console.actions["live"].trigger()
            assert editor.mode is Mode.STAGED, "what is staged has to be committed or discarded first"
            editor.staging.commit()
            await until(lambda: limit_of(console) == 300.0)
            assert orchestrator_of(console).run(tab.run_id).revision == 1

    desktop.run(main)


def test_a_plan_is_edited_in_the_console_and_is_dirty_until_all_is_taken_back(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(small())
            await at_rest(console)
            longer(console)
            document = console.documents.front
            assert isinstance(document, Document)
            assert document.plan.tasks[2].timeout == 300.0
            await until(console.actions["undo"].isEnabled)
            assert not console.actions["staged"].isEnabled()
            console.actions["undo"].trigger()
            document = console.documents.front
            assert isinstance(document, Document)
            assert document.plan.tasks[2].timeout is None

    desktop.run(main)


def test_a_task_that_is_only_staged_can_be_looked_at(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await started(console, small(seconds=LONG))
            await at_rest(console)
            console.actions["staged"].trigger()
            view = front(console)
            view.source.editor.do(Step(label="Add x", edits=(AddTask(task("x", simulate=1)),)))
            facts = view.source.editor.facts()
            assert facts is not None
            for pane in ("inspector", "outline", "tasks", "output", "events", "queue"):
                console.window.workbench.turn_to(pane)
                view.selection.select(facts.graph.place["x"])
                await at_rest(console)
            assert view.target.task_ids == ("x",)

    desktop.run(main)


def test_the_edit_menu_copies_and_pastes_tasks_or_the_text_of_the_field_that_is_typed_in(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(small())
            await at_rest(console)
            actions, view = console.actions, front(console)
            assert "Ctrl+C" in actions["copy"].text()
            actions.refresh()
            assert not actions["copy"].isEnabled()
            view.selection.select(2)
            actions.refresh()
            for key in ("copy", "paste"):
                assert actions[key].isEnabled()
                actions[key].trigger()
            run = view.reader.facts()
            assert run is not None
            assert len(run.graph.place) == 4
            field = console.window.tool_bar.search
            field.setText("some")
            console.window.activateWindow()
            field.setFocus()
            await until(field.hasFocus)
            actions["select_all"].trigger()
            assert field.selectedText() == "some"
            actions["cut"].trigger()
            assert not field.text()
            assert len(run.graph.place) == 4

    desktop.run(main)

"""A plan begun in the console: seen in its panes after each edit, and run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import edge, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.waiting import until

from starloom.constellation.edits import AddDependency, AddTask, RemoveTask
from starloom.model.status import RunState
from starloom_gui.editing.base import Step
from starloom_gui.editing.plan_editor import PlanEditor

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication


@pytest.fixture
def desktop(app: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desktop:
    """Where consoles are opened whose journals and settings are the test's own."""
    monkeypatch.setenv("STARLOOM_JOURNAL", str(tmp_path / "journal"))
    return Desktop(app, tmp_path / "console.ini")


def test_a_plan_begun_from_nothing_is_drawn_as_it_is_edited_and_can_be_run(desktop: Desktop):
    async def main() -> None:
        async with desktop.console() as console:
            console.actions["new"].trigger()
            (document,) = console.documents.documents
            assert console.documents.front is document
            assert console.window.workbench.dock_of("palette").front == "palette"
            view = console.views.front
            assert view is not None
            await at_rest(console)
            editor = PlanEditor(console.documents, document.key, lambda: console.bridge.fleet, console)

            def drawn() -> set[str]:
                picture = view.canvas.graph.picture
                assert picture is not None
                ids = picture.facts.graph.ids
                return {ids[number] for number in picture.numbers[picture.present]}

            tasks = [AddTask(task(name, simulate=0.0)) for name in ("a", "b", "c")]
            editor.do(Step(label="Begin", edits=(*tasks, AddDependency(edge("a", "b")))))
            await until(lambda: drawn() == {"a", "b", "c"})
            editor.do(Step(label="Remove c", edits=(RemoveTask("c"),)))
            await until(lambda: drawn() == {"a", "b"})
            editor.undo()
            await until(lambda: drawn() == {"a", "b", "c"})
            console.starter.start_plan(document.key)
            await until(lambda: [run.state for run in console.bridge.all_runs()] == [RunState.COMPLETED])
            await at_rest(console)
            editor.close()

    desktop.run(main)

"""A plan is known by its name everywhere: one that nobody has named has that of its tab, then that of its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_drawing_and_starting import draw
from tests.gui.documents.plans import shown
from tests.gui.engines import orchestrator_of
from tests.gui.file_dialogs import name_file
from tests.waiting import until

from starloom.formats import load_plan
from starloom_gui.documents.document import RunTab

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.composition.console import Console


async def started(console: Console) -> str:
    """Start the plan in front; the name of its run."""
    console.actions.refresh()
    console.actions["start"].trigger()
    await until(lambda: isinstance(console.documents.front, RunTab))
    tab = console.documents.front
    assert isinstance(tab, RunTab)
    await until(lambda: orchestrator_of(console).run(tab.run_id).state.has_ended)
    return orchestrator_of(console).run(tab.run_id).facts.name


def test_plans_that_nobody_named_are_told_apart(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            names = []
            for _ in range(2):
                console.documents.put_new()
                await at_rest(console)
                draw(console, "a", "true")
                await at_rest(console)
                names.append(await started(console))
            assert names == ["New plan", "New plan 2"]
            console.documents.turn_to(console.documents.documents[1].key)
            console.actions["save"].trigger()
            await name_file(await shown(console.window, QFileDialog), tmp_path / "deploy.yaml")
            await console.files.saving.settled()
            document = console.documents.documents[1]
            assert (document.title, document.is_dirty, load_plan(tmp_path / "deploy.yaml").name) == (
                "deploy",
                False,
                "deploy",
            )
            assert "deploy" in console.window.windowTitle()
            assert await started(console) == "deploy"

    desktop.run(main)

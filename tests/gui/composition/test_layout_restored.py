"""Where nodes stand in a plan that was changed and not saved, once it is restored: as they stood on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gui.composition.test_arranging import places
from tests.gui.composition.test_console import LONG, small
from tests.gui.composition.test_last_tabs import begun
from tests.gui.composition.test_layout import document, drawn, move, rounded
from tests.gui.documents.plans import written
from tests.waiting import until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gui.composition.conftest import Desktop


def test_nodes_that_were_placed_and_not_saved_stand_there_when_the_plan_is_restored(
    desktop: Desktop, tmp_path: Path
) -> None:
    path = written(small(seconds=LONG), tmp_path / "small.yaml")

    async def main() -> None:
        async with desktop.console() as console:
            await begun(console, path)
            await drawn(console)
            saved = await move(console, "b", 30, 210)
            console.files.saving.save(document(console).key)
            await until(lambda: not document(console).is_dirty)
            stand = await move(console, "a", -55, 120)
            assert document(console).is_dirty
        async with desktop.console() as console:
            await begun(console)
            assert document(console).is_dirty
            assert document(console).plan.layout == rounded(stand)
            assert rounded(await drawn(console)) == rounded(stand) != rounded(saved)

    desktop.run(main)


def test_a_tidy_that_was_not_saved_is_there_when_the_plan_is_restored(desktop: Desktop, tmp_path: Path) -> None:
    path = written(small(seconds=LONG), tmp_path / "small.yaml")

    async def main() -> None:
        async with desktop.console() as console:
            await begun(console, path)
            await drawn(console)
            saved = await move(console, "b", 30, 210)
            console.files.saving.save(document(console).key)
            await until(lambda: not document(console).is_dirty)
            console.actions["tidy"].trigger()
            await until(lambda: places(console) != saved)
            stand = await drawn(console)
            await until(lambda: document(console).is_dirty)
        async with desktop.console() as console:
            await begun(console)
            assert document(console).is_dirty
            assert rounded(await drawn(console)) == rounded(stand) != rounded(saved)

    desktop.run(main)

"""Nobody in Python keeps a view's viewport: Qt makes and ends it, and PySide is not told when it has gone."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QAbstractScrollArea
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.test_last_tabs import begun, written

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gui.composition.conftest import Desktop


def keepers(areas: list[QAbstractScrollArea]) -> list[str]:
    """The objects whose attribute is the viewport of one of these."""
    ports = {id(port): port for port in (area.viewport() for area in areas)}
    return sorted(
        {
            f"{type(owner).__name__}.{name}"
            for owner in gc.get_objects()
            if str(type(owner).__module__).startswith("starloom_gui")  # of some of Qt's it is no string
            for name, value in getattr(owner, "__dict__", {}).items()
            if id(value) in ports
        }
    )


def test_no_object_of_the_console_keeps_a_viewport(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await begun(console, written(tmp_path, "plan"))
            await at_rest(console)
            areas = console.window.findChildren(QAbstractScrollArea)
            assert len(areas) > 5
            assert keepers(areas) == []

    desktop.run(main)

"""A canvas to look at; it is closed afterwards, and nothing of it moves by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gui.canvas.runs import NOW, firmware, path_of, picture_of

from starloom_gui.canvas.view import CanvasView
from starloom_gui.selection import Selection
from starloom_gui.theme.appearance import Appearance, Theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication


@pytest.fixture
def appearance(app: QApplication) -> Appearance:
    """Light, and nothing moves by itself."""
    return Appearance(app, Theme.LIGHT, reduced_motion=True)


@pytest.fixture
def view(appearance: Appearance) -> Iterator[CanvasView]:
    """The run of the mock-ups, as it is first seen."""
    made = CanvasView(appearance, Selection(), lambda: NOW)
    made.resize(904, 498)
    facts = firmware()
    made.set_critical_path(path_of(facts))
    made.show()
    made.show_run(picture_of(facts))
    yield made
    made.close()
    made.deleteLater()

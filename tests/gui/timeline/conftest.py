"""The look of the tests: dark, without motion, in UTC."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent
from tests.gui.timeline.screen import Scene

from starloom_gui.theme.appearance import Appearance, Theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication


@pytest.fixture
def appearance(app: QApplication) -> Iterator[Appearance]:
    made = Appearance(app, Theme.DARK, reduced_motion=True)
    yield made
    for widget in app.topLevelWidgets():
        widget.close()
        widget.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def scene(appearance: Appearance) -> Scene:
    return Scene(appearance)

"""The look of the tests, and an end for every dialog they have opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from PySide6.QtCore import QEvent, qInstallMessageHandler
from tests.gui.conftest import COMPLAINTS, HARMLESS
from tests.gui.dialogs.far_away import KINDS, FarAway

from starloom_gui.theme.appearance import Appearance, Theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication

OF_DIALOGS: Final = {"This plugin does not support raise()", "This plugin does not support grabbing the keyboard"}
"""What the offscreen platform says whenever a dialog or a list to choose from is shown."""


@pytest.fixture(autouse=True)
def no_complaint_of_qt() -> Iterator[None]:
    """As for all tests of the console, but dialogs may be shown."""
    complaints: list[str] = []

    def note(kind: Any, _context: Any, text: str) -> None:
        if kind in COMPLAINTS and text not in {HARMLESS, *OF_DIALOGS}:
            complaints.append(text)

    before = qInstallMessageHandler(note)
    yield
    qInstallMessageHandler(before)
    if complaints:
        pytest.fail(f"Qt complained: {complaints}")


@pytest.fixture
def appearance(app: QApplication) -> Iterator[Appearance]:
    made = Appearance(app, Theme.LIGHT, reduced_motion=True)
    yield made
    for widget in app.topLevelWidgets():
        widget.close()
        widget.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def far_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plug-in with a kind of device, as it is at first."""
    monkeypatch.setattr("starloom.devices.kinds.device_kinds", lambda: KINDS)
    FarAway.heard, FarAway.answer, FarAway.is_slow = [], None, False

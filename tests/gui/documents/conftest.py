"""The look of the tests, a window to ask over, and an end for every widget they have made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from PySide6.QtCore import QEvent, qInstallMessageHandler
from PySide6.QtWidgets import QWidget
from tests.gui.conftest import COMPLAINTS, HARMLESS

from starloom_gui.documents.desk import Desk
from starloom_gui.shell.settings import Settings
from starloom_gui.theme.appearance import Appearance, Theme

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

OF_DIALOGS: Final = {"This plugin does not support raise()", "This plugin does not support grabbing the keyboard"}
"""What the offscreen platform says whenever a dialog is shown."""


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
def window(appearance: Appearance) -> QWidget:
    made = QWidget()
    made.resize(900, 600)
    made.show()
    return made


@pytest.fixture
def settings(app: QApplication, tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings" / "console.ini")


@pytest.fixture
def desk(app: QApplication) -> Desk:
    return Desk()

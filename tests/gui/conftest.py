"""Qt without a screen, one application for all tests, and guards: what Qt complains about, or hides, fails a test."""

from __future__ import annotations

import os
import sys
import traceback
from typing import TYPE_CHECKING, Any

os.environ["QT_QPA_PLATFORM"] = "offscreen"  # read when the application is made

import pytest
from PySide6.QtCore import QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from collections.abc import Iterator

_LACKING = ("propagateSizeHints()", "raise()", "grabbing the keyboard")
COMPLAINTS = (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)
HARMLESS = frozenset(f"This plugin does not support {word}" for word in _LACKING)
"""What the offscreen platform says of each window, and whenever a menu or a dialog is shown."""


@pytest.fixture(scope="session")
def app() -> QApplication:
    """The application. Closing its last window ends nothing."""
    application = QApplication.instance() or QApplication(["starloom"])
    assert isinstance(application, QApplication)
    application.setQuitOnLastWindowClosed(False)
    return application


@pytest.fixture(autouse=True)
def no_exception_in_a_slot(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test in which Qt called something of ours that raised: nobody else would hear of it."""
    raised: list[str] = []

    def note(kind: type[BaseException], error: BaseException, trace: Any) -> None:
        raised.append("".join(traceback.format_exception(kind, error, trace)))

    monkeypatch.setattr(sys, "excepthook", note)
    yield
    if raised:
        pytest.fail("Something that Qt called raised:\n" + "\n".join(raised))


@pytest.fixture(autouse=True)
def no_complaint_of_qt() -> Iterator[None]:
    """Fail a test about which Qt has written a warning or worse."""
    complaints: list[str] = []

    def note(kind: QtMsgType, _context: Any, text: str) -> None:
        if kind in COMPLAINTS and text not in HARMLESS:
            complaints.append(text)

    before = qInstallMessageHandler(note)
    yield
    qInstallMessageHandler(before)
    if complaints:
        pytest.fail(f"Qt complained: {complaints}")

"""Qt without a display, one application for all tests, and a check that no message of Qt is missed.

That a warning of Qt's fails a test, and an exception in what Qt calls, is pytest-qt's work; pyproject.toml sets it up.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

os.environ["QT_QPA_PLATFORM"] = "offscreen"  # read when the application is made

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QtMsgType, QTranslator, qInstallMessageHandler
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from tests.gui.leftovers import Watch
from typing_extensions import override

from starloom_gui.text import translations

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from PySide6.QtWidgets import QWidget

COMPLAINTS = (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)


WINDOWS = pytest.StashKey[list["QWidget"]]()
WATCH = Watch()
PATIENCE = 60_000
"""Milliseconds in which anything must have come about, on a slow machine too."""


@pytest.fixture(scope="session")
def qapp(qapp: QApplication) -> QApplication:
    """The application. Closing its last window ends nothing."""
    qapp.setQuitOnLastWindowClosed(False)
    return qapp


@pytest.fixture(scope="session")
def app(qapp: QApplication) -> QApplication:
    """The application by its name of old."""
    return qapp


class PatientBot(QtBot):
    """A `QtBot` whose timeouts suit a slow machine."""

    @override
    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE) -> None:
        super().waitUntil(callback, timeout=timeout)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """What waits for Qt, and closes the widgets that it was given."""
    return PatientBot(request)


@pytest.fixture
def spoken(app: QApplication) -> Iterator[QApplication]:
    """The application, which has forgotten every language afterwards, English plurals too."""
    yield app
    for old in app.findChildren(QTranslator, translations._TRANSLATOR):
        app.removeTranslator(old)
        old.deleteLater()
    delete_what_is_to_go()


def delete_what_is_to_go() -> None:
    """Delete at once what was to be deleted later."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture(autouse=True)
def nothing_left_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a window, or a running timer, animation or thread of Qt."""
    WATCH.begin()
    yield
    request.node.stash[WINDOWS] = []
    if left := WATCH.left():
        pytest.fail("left behind:\n" + "\n".join(left), pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Hold a test's windows until its fixtures have closed them: Python may not end one that Qt is painting."""
    yield
    item.stash[WINDOWS] = QApplication.topLevelWidgets()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    """Fail a test of which Qt complains while its fixtures end: pytest-qt listens until then, and no longer."""
    complaints: list[str] = []
    excused = [re.compile(pattern) for pattern in item.config.getini("qt_log_ignore")]

    def note(kind: QtMsgType, _context: Any, text: str) -> None:
        if kind in COMPLAINTS and not any(pattern.search(text) for pattern in excused):
            complaints.append(text)

    before = qInstallMessageHandler(note)
    try:
        yield
    finally:
        qInstallMessageHandler(before)
    if complaints:
        pytest.fail(f"Qt complained while the test's fixtures ended: {complaints}", pytrace=False)

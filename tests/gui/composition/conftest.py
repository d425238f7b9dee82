"""Consoles over real engines, each in a window that nobody sees, and an end for everything they have made."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QEvent
from tests.gui.event_loop.loops import run_on
from tests.waiting import until

from starloom_gui.app import opened
from starloom_gui.event_loop import QtEventLoop
from starloom_gui.headless import is_told
from starloom_gui.settings import Settings
from starloom_gui.shell.frame import WindowFrame
from starloom_gui.theme.appearance import Theme

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from starloom_gui.composition.console import Console


class Desktop:
    """Opens consoles for a test.

    Attributes:
        application: Qt's.
        store: the file of the settings.
    """

    def __init__(self, application: QApplication, store: Path) -> None:
        self.application, self.store = application, store

    @asynccontextmanager
    async def console(self) -> AsyncIterator[Console]:
        """A console whose window is shown; it is closed afterwards."""
        settings = Settings(self.store)
        settings.theme = Theme.DARK
        settings.reduced_motion = True
        async with opened(WindowFrame(self.application, settings)) as console:
            console.window.show()
            console.window.activateWindow()
            await until(console.window.isActiveWindow)  # until then its keys reach no command
            yield console
            console.window.asks_before_closing = False
            console.window.close()
            await console.closed()

    def run(self, main: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run a scenario on the console's loop."""
        run_on(QtEventLoop, main)
        self.application.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def desktop(app: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desktop:
    """Where consoles are opened whose journals and settings are the test's own."""
    monkeypatch.setenv("STARLOOM_JOURNAL", str(tmp_path / "journal"))
    return Desktop(app, tmp_path / "console.ini")


async def at_rest(console: Console) -> None:
    """Return once every view has been notified of everything and the graph in front is drawn."""
    await until(lambda: is_told(console) and not console.commands.in_flight)
    document_view = console.views.front
    if document_view is not None:
        await until(lambda: document_view.canvas.graph.picture is not None)

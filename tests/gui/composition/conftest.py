"""Consoles over real engines, each in a window that nobody sees, and an end for everything they have made."""

from __future__ import annotations

import os
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QEvent
from tests.gui.composition.attached import reason_for
from tests.gui.engines import SERVED
from tests.gui.event_loop.loops import run_on
from tests.waiting import until

from starloom.journal.library import Library
from starloom.orchestration.orchestrator import Orchestrator
from starloom.server.feeds import RunFeeds
from starloom.server.listening import EngineServer
from starloom.server.server_lock import ServerLock
from starloom.settings import SchedulerSettings, journal_path
from starloom_gui.app import attached, opened
from starloom_gui.attachment import Attachment
from starloom_gui.event_loop import QtEventLoop
from starloom_gui.gateway.attaching import attached_engine
from starloom_gui.gateway.remote_engine import RemoteEngine
from starloom_gui.headless import is_told
from starloom_gui.settings import Settings
from starloom_gui.shell.frame import WindowFrame
from starloom_gui.theme.appearance import Theme

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from starloom.model.plan import Plan
    from starloom.orchestration.run import Run
    from starloom_gui.composition.console import Console
    from starloom_gui.theme.appearance import Appearance

ATTACHES = bool(os.environ.get("STARLOOM_ATTACHES"))
"""Whether the consoles of these tests are over engines of servers."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what is about an engine of a console's own, where consoles are attached."""
    for item in items if ATTACHES else ():
        if "gui/composition/" in item.nodeid and (reason := reason_for(item.nodeid)):
            item.add_marker(pytest.mark.skip(reason=reason))


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
        """A console whose window is shown; it is closed afterwards.

        Over an engine of its own or, where `ATTACHES` is set, over that of a server.
        """
        if ATTACHES:
            async with self.attached() as console:
                yield console
            return
        async with opened(self.frame()) as console:
            await self._shown(console)
            yield console
            await self._closed(console)

    def frame(self, elsewhere: str = "", appearance: Appearance | None = None) -> WindowFrame:
        """A window before there is an engine: its own, or one elsewhere; `appearance`: of what it is a page of."""
        settings = Settings(self.store, elsewhere)
        settings.theme = Theme.DARK
        settings.reduced_motion = True
        return WindowFrame(self.application, settings, appearance)

    async def _shown(self, console: Console) -> None:
        console.window.show()
        console.window.activateWindow()
        await until(console.window.isActiveWindow)  # until then its keys reach no command

    async def _closed(self, console: Console) -> None:
        console.window.asks_before_closing = False
        console.window.close()
        await console.closed()

    @asynccontextmanager
    async def attached(
        self, run_id: str = "", plan: Plan | None = None, *, watches: bool = False
    ) -> AsyncIterator[Console]:
        """A console over the engine of a server in this process, which runs a plan, if one is given.

        `watches`: it gives no commands.
        """
        async with AsyncExitStack() as stack:
            orchestrator = await stack.enter_async_context(served(run_id, plan))
            engine = await stack.enter_async_context(attached_engine(Attachment("here", watches=watches)))
            SERVED[engine] = orchestrator
            orchestrator.start = _heard_by(engine, orchestrator.start)  # type: ignore[assignment, method-assign]
            stack.callback(SERVED.pop, engine)
            console = await stack.enter_async_context(attached(self.frame("here"), engine))
            await self._shown(console)
            yield console
            await self._closed(console)

    def run(self, main: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run a scenario on the console's loop."""
        run_on(QtEventLoop, main)
        self.application.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@asynccontextmanager
async def served(run_id: str = "", plan: Plan | None = None, folder: Path | None = None) -> AsyncIterator[Orchestrator]:
    """The engine of a server in this process, which runs a plan, if one is given; both end at once afterwards.

    Its journals are in a folder, or the user's.
    """
    journals = folder or journal_path()
    async with AsyncExitStack() as stack:
        library = stack.enter_context(Library(journals))
        feeds = RunFeeds(library)
        orchestrator = await stack.enter_async_context(Orchestrator(settings=SchedulerSettings(), journal=library))
        stack.push_async_callback(orchestrator.shutdown, "now")
        if plan is not None:
            await orchestrator.start(plan, run_id=run_id)
        stack.enter_context(ServerLock(journals))
        await stack.enter_async_context(EngineServer(orchestrator, journals, feeds))
        yield orchestrator


@pytest.fixture
def desktop(app: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desktop:
    """Where consoles are opened whose journals and settings are the test's own."""
    monkeypatch.setenv("STARLOOM_JOURNAL", str(tmp_path / "journal"))
    return Desktop(app, tmp_path / "console.ini")


def _heard_by(engine: RemoteEngine, start: Callable[..., Awaitable[Run]]) -> Callable[..., Awaitable[Run]]:
    """A start that returns once the console knows of the run, as it does of one that it has started itself."""

    async def started(*given: Any, **named: Any) -> Run:
        run = await start(*given, **named)
        await engine.caught_up()
        return run

    return started


async def at_rest(console: Console) -> None:
    """Return once every view has been notified of everything and the graph in front is drawn."""
    if isinstance(console.engine, RemoteEngine):
        await console.engine.caught_up()
    await until(lambda: is_told(console) and not console.commands.in_flight)
    document_view = console.views.front
    if document_view is not None:
        await until(lambda: document_view.canvas.graph.picture is not None)

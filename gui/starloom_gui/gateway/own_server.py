"""Serving a console's own engine to other programs of its user: at once, or when another console serves no more."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Final, Self

from starloom.errors import CommandRefused, StarloomError
from starloom.scheduling.commands import OPERATOR
from starloom.server.listening import EngineServer
from starloom.server.people import Presence
from starloom.server.server_lock import ServerLock

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType

    from starloom.orchestration.orchestrator import Orchestrator
    from starloom.server.feeds import RunFeeds
    from starloom.server.listings import Person

AGAIN: Final = 2.0
"""Seconds between two looks for whether the other console has gone."""
_log = logging.getLogger(__name__)


class OwnServer:
    """Serves an open engine to other programs, such as `starloom watch`; an async context manager.

    Where another console serves already, this one does as soon as that has gone.

    Args:
        engine: which.
        journals: the folder of its journals.
        feeds: of its runs.

    Attributes:
        on_submitted: is told the run and the name of whoever has submitted its plan.
        on_people: is told who is connected whenever that changes.
        on_taken_over: is called once this console serves in the place of another one.
    """

    def __init__(self, engine: Orchestrator, journals: Path, feeds: RunFeeds) -> None:
        self.on_submitted: Callable[[str, str], object] = lambda _run_id, _name: None
        self.on_people: Callable[[tuple[Person, ...]], object] = lambda _people: None
        self.on_taken_over: Callable[[], object] = lambda: None
        self._engine, self._journals, self._feeds = engine, journals, feeds
        self._stack = AsyncExitStack()
        self._waiting: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        if not await self._serve():
            self._waiting = asyncio.get_running_loop().create_task(self._wait(), name="console: wait to serve")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            await asyncio.gather(self._waiting, return_exceptions=True)
        await self._stack.aclose()

    async def _wait(self) -> None:
        while not await self._serve():  # noqa: ASYNC110 - the other program tells nobody
            await asyncio.sleep(AGAIN)
        self.on_taken_over()

    async def _serve(self) -> bool:
        async with AsyncExitStack() as stack:
            try:
                stack.enter_context(ServerLock(self._journals))
                server = await stack.enter_async_context(EngineServer(self._engine, self._journals, self._feeds))
            except StarloomError as error:  # nothing in this console depends on it
                _log.debug("This console is not served to other programs: %s", error)
                return False
            server.on_stop = _refuse_to_stop
            server.on_submitted = lambda run_id, name: self.on_submitted(run_id, name)
            server.on_people = lambda people: self.on_people(people)
            server.own = Presence(OPERATOR, "", reads_only=False, follows="the engine")
            self._stack = stack.pop_all()
        return True


def _refuse_to_stop(_cancel: bool) -> None:
    raise CommandRefused("console", "A console has these runs.", "Close its window.")

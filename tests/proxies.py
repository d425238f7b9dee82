"""A proxy on loopback that simulates a bad link: slow, stalled, cut, or for one connection only."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from types import TracebackType

_PIECE: Final = 4096


class Proxy:
    """Forwards the traffic between a server on loopback and its clients; a context in which it listens.

    Attributes:
        port: where it listens.
        made: how many connections there were.
        standing: how many of them stand still now.
        up, down: bytes that were passed on to the server, and from it.

    Args:
        server: the port of the server.
        rate: bytes a second that all connections together get from the server; None: as fast as it comes.
        rate_up: likewise what they say to the server.
        most: bytes that each connection gets from the server before it stands still; None: any number.
        most_up: likewise what each connection says to the server.
        links: connections that there may be at once; others are closed as soon as they are made. None: any number.
        port: where it listens; 0: anywhere.
    """

    def __init__(
        self,
        server: int,
        *,
        rate: float | None = None,
        rate_up: float | None = None,
        most: int | None = None,
        most_up: int | None = None,
        links: int | None = None,
        port: int = 0,
    ) -> None:
        self.port = port
        self.made = 0
        self.standing = 0
        self.up = 0
        self.down = 0
        self._server = server
        self._rate = rate
        self._rate_up = rate_up
        self._most = most
        self._most_up = most_up
        self._links = links
        self._turn = asyncio.Lock()
        self._turn_up = asyncio.Lock()
        self._released = asyncio.Event()
        self._passing: dict[asyncio.Task[None], bool] = {}
        self._listening: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._listening = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        self.port = self._listening.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        assert self._listening is not None
        self._listening.close()
        await self._end(list(self._passing))
        await self._listening.wait_closed()

    @property
    def passing(self) -> int:
        """The number of open connections."""
        return len(self._passing)

    def release(self) -> None:
        """Forward everything from now on without a delay."""
        self._rate = self._rate_up = None
        self._released.set()

    async def cut(self, *, standing: bool) -> None:
        """Close the stalled connections, or the others."""
        await self._end([task for task, stands in self._passing.items() if stands is standing])

    async def close_off(self) -> None:
        """Close all connections, and accept none."""
        self._links = 0
        await self._end(list(self._passing))

    def open_up(self) -> None:
        """Accept connections again."""
        self._links = None

    async def _end(self, passing: list[asyncio.Task[None]]) -> None:
        for task in passing:
            task.cancel()
        await asyncio.gather(*passing, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        if self._links is not None and len(self._passing) >= self._links:
            writer.transport.abort()
            return
        self._passing[task] = False
        self.made += 1
        try:
            with contextlib.suppress(OSError, asyncio.CancelledError):
                await self._pass_on(reader, writer, task)
        finally:
            self._stand(task, False)
            del self._passing[task]
            writer.transport.abort()

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, task: asyncio.Task[None]
    ) -> None:
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self._server)
        up = asyncio.ensure_future(self._up(reader, to_server, task))
        down = asyncio.ensure_future(self._down(from_server, writer, task))
        try:
            await asyncio.wait((up, down), return_when=asyncio.FIRST_COMPLETED)
        finally:
            to_server.transport.abort()  # at once: we may be cancelled again while the two end
            up.cancel()
            down.cancel()
            await asyncio.gather(up, down, return_exceptions=True)

    async def _up(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, task: asyncio.Task[None]) -> None:
        passed = 0
        while data := await reader.read(_PIECE):
            if self._most_up is not None and passed + len(data) > self._most_up:
                await self._stand_still(task)
            if self._rate_up is not None:
                async with self._turn_up:
                    await asyncio.sleep(len(data) / self._rate_up)
            passed += len(data)
            self.up += len(data)
            writer.write(data)
            await writer.drain()

    async def _down(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, task: asyncio.Task[None]) -> None:
        passed = 0
        while data := await reader.read(_PIECE):
            if self._most is not None and passed + len(data) > self._most:
                await self._stand_still(task)
            if self._rate is not None:
                async with self._turn:
                    await asyncio.sleep(len(data) / self._rate)
            passed += len(data)
            self.down += len(data)
            writer.write(data)
            await writer.drain()

    async def _stand_still(self, task: asyncio.Task[None]) -> None:
        if not self._released.is_set():
            self._stand(task, True)
            await self._released.wait()
            self._stand(task, False)

    def _stand(self, task: asyncio.Task[None], stands: bool) -> None:
        self.standing += stands - self._passing[task]
        self._passing[task] = stands

"""A connection to a server: made, made anew when it is lost, and one message after the other."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any, Final

from starloom.errors import CommandRefused, EditRefused, StarloomError
from starloom.events import FORMAT_VERSION
from starloom.server.engine_clock import EngineClock
from starloom.server.messages import Hello, RequestRefusal, Welcome
from starloom.server.socket_path import ServerError
from starloom.server.wire import REPLIES, WELCOME, WIRE_VERSION, WireError, frame, read_message, starloom_version

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starloom.server.links import OpenLink, ServerLink
    from starloom.server.messages import WireMessage

AGAIN: Final = 0.1
"""Seconds until a server is looked for again."""
LONGEST_PAUSE: Final = 5.0
"""Seconds between two looks for one that is not found for long."""
_SLOWER: Final = 1.3


class ServerConnection:
    """A connection to a server.

    Args:
        link: the way there.
        name: in whose name commands are given.
        patience: seconds for which a server is looked for after the connection was lost.
        lost: is told, as a sentence, that it was lost and for how long a server is looked for.

    Attributes:
        link: likewise.
        welcome: what the server says of itself.
        clock: of the engine.
    """

    def __init__(self, link: ServerLink, name: str, patience: float, lost: Callable[[str], object]) -> None:
        self.welcome: Welcome
        self.link = link
        self._open: OpenLink
        self.clock = EngineClock()
        self._name = name
        self._patience, self._tell_lost = patience, lost
        self._number = 0

    async def connect(self) -> None:
        """Connect to the server.

        Raises:
            NoServerError: none runs.
            ServerError: it does not answer, or is not ours.
        """
        self._open = await self.link.open()
        try:
            self.clock.begin_anew()
            asked = self.clock.here()
            host = socket.gethostname()
            await self.send(Hello(WIRE_VERSION, FORMAT_VERSION, starloom_version(), self._name, host))
            self.welcome = await self.next(WELCOME)
            self.clock.measure(asked, self.welcome.now)
        except BaseException:
            self.abort()
            raise

    async def connect_again(self, lost: ServerError) -> None:
        """Make a lost connection anew.

        Raises:
            ServerError: that it is lost, as there is no server within the patience.
        """
        self.abort()
        pause = AGAIN
        self._tell_lost(f"The connection to the server is lost; for {self._patience:g} s it is looked for.")
        try:
            async with asyncio.timeout(self._patience):
                while True:
                    try:
                        return await self.connect()
                    except ServerError:
                        await asyncio.sleep(pause)
                        pause = min(LONGEST_PAUSE, pause * _SLOWER)
        except TimeoutError:
            raise lost from None

    def abort(self) -> None:
        """Close the connection."""
        self._open.abort()

    async def closed(self) -> None:
        """Return once the server has closed the connection; what comes until then is dropped."""
        await self._open.reader.read()

    # ---- messages

    def next_number(self) -> int:
        """A number for the next request."""
        self._number += 1
        return self._number

    async def ask(self, request: WireMessage) -> Any:
        """Ask for something, and wait for the answer, which has to be the next message.

        Raises:
            ServerError: the connection is lost.
            CommandRefused: it was refused.
        """
        await self.send(request)
        reply = await self.next()
        if isinstance(reply, RequestRefusal):
            raise refused(reply)
        return reply

    async def send(self, message: WireMessage) -> None:
        """Send a message.

        Raises:
            ServerError: the connection is lost.
        """
        if self._open.writer.is_closing():  # asyncio would only log what is written
            raise self._lost("the connection is closed")
        try:
            self._open.writer.write(frame(message))
            await self._open.writer.drain()
        except OSError as error:
            raise self._lost(str(error)) from None

    async def next(self, known: Mapping[int, type[Any]] = REPLIES) -> Any:
        """The next message, of these kinds.

        Raises:
            ServerError: the connection is lost, or something else came.
        """
        try:
            message = await read_message(self._open.reader, known)
        except (WireError, OSError) as error:
            raise self._lost(str(error)) from None
        if message is None:
            raise self._lost("it has closed the connection")
        return message

    def _lost(self, why: str) -> ServerError:
        return ServerError(
            f"The server of {self.link.where} is gone: {why}. `starloom runs` lists what is kept of its runs."
        )


def refused(reply: RequestRefusal) -> StarloomError:
    """What a refusal is raised as."""
    if reply.problems:
        return EditRefused(reply.problems)
    return CommandRefused(reply.code, reply.reason, reply.hint)

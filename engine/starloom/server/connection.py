"""A connection to the server of a journal folder: made, made anew when it is lost, and one message after the other."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any, Final

from starloom.errors import CommandRefused, EditRefused, StarloomError
from starloom.events import FORMAT_VERSION
from starloom.server.engine_clock import EngineClock
from starloom.server.peers import credentials
from starloom.server.sessions import starloom_version
from starloom.server.socket_path import ServerError, noted_socket
from starloom.server.wire import (
    REPLIES,
    WELCOME,
    WIRE_VERSION,
    Hello,
    Message,
    RequestRefusal,
    Welcome,
    WireError,
    frame,
    read_message,
)

if TYPE_CHECKING:
    from asyncio import StreamWriter
    from collections.abc import Callable, Mapping
    from pathlib import Path

AGAIN: Final = 0.1
"""Seconds between two looks for a server."""


class NoServerError(ServerError):
    """No server runs for a folder of journals."""


class ServerConnection:
    """A connection to the server of a journal folder.

    Args:
        journals: the folder.
        name: in whose name commands are given.
        patience: seconds for which a server is looked for after the connection was lost.
        lost: is told, as a sentence, that it was lost and for how long a server is looked for.

    Attributes:
        journals: likewise.
        welcome: what the server says of itself.
        clock: of the engine.
    """

    def __init__(self, journals: Path, name: str, patience: float, lost: Callable[[str], object]) -> None:
        self.welcome: Welcome
        self.journals = journals
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
        path = noted_socket(self.journals)
        if path is None:
            raise self._no_server()
        try:
            self._reader, self._writer = await asyncio.open_unix_connection(path)
        except (FileNotFoundError, ConnectionRefusedError):  # it was killed
            raise self._no_server() from None
        except OSError as error:
            raise ServerError(f"The server of {self.journals} does not answer ({error.strerror}).") from None
        try:
            _check_is_ours(self._writer, path)
            self.clock.begin_anew()
            asked = self.clock.here()
            await self.send(Hello(WIRE_VERSION, FORMAT_VERSION, starloom_version(), self._name))
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
        self._tell_lost(f"The connection to the server is lost; for {self._patience:g} s it is looked for.")
        try:
            async with asyncio.timeout(self._patience):
                while True:
                    try:
                        return await self.connect()
                    except ServerError:
                        await asyncio.sleep(AGAIN)
        except TimeoutError:
            raise lost from None

    def abort(self) -> None:
        """Close the connection."""
        self._writer.transport.abort()

    async def closed(self) -> None:
        """Return once the server has closed the connection; what comes until then is dropped."""
        await self._reader.read()

    def _no_server(self) -> NoServerError:
        return NoServerError(f"No server runs for the journals in {self.journals}. Start one: `starloom serve`.")

    # ---- messages

    def next_number(self) -> int:
        """A number for the next request."""
        self._number += 1
        return self._number

    async def ask(self, request: Message) -> Any:
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

    async def send(self, message: Message) -> None:
        """Send a message.

        Raises:
            ServerError: the connection is lost.
        """
        try:
            self._writer.write(frame(message))
            await self._writer.drain()
        except OSError as error:
            raise self._lost(str(error)) from None

    async def next(self, known: Mapping[int, type[Any]] = REPLIES) -> Any:
        """The next message, of these kinds.

        Raises:
            ServerError: the connection is lost, or something else came.
        """
        try:
            message = await read_message(self._reader, known)
        except (WireError, OSError) as error:
            raise self._lost(str(error)) from None
        if message is None:
            raise self._lost("it has closed the connection")
        return message

    def _lost(self, why: str) -> ServerError:
        return ServerError(
            f"The server of {self.journals} is gone: {why}. `starloom runs` lists what is kept of its runs."
        )


def _check_is_ours(writer: StreamWriter, path: Path) -> None:
    """Refuse a server of another user, who may have put a socket where ours was."""
    if credentials(writer.get_extra_info("socket")).uid != os.getuid():
        raise ServerError(f"The server at {path} belongs to another user.")


def refused(reply: RequestRefusal) -> StarloomError:
    """What a refusal is raised as."""
    if reply.problems:
        return EditRefused(reply.problems)
    return CommandRefused(reply.code, reply.reason, reply.hint)

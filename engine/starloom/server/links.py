"""The ways to a server: its socket here, or a program such as ssh that speaks to it on another machine."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import signal
from asyncio.subprocess import PIPE
from typing import TYPE_CHECKING, Final, Protocol

from typing_extensions import override

from starloom.server.peers import credentials
from starloom.server.server_lock import is_served
from starloom.server.socket_path import ServerError, noted_socket

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter
    from asyncio.subprocess import Process
    from collections.abc import Sequence
    from pathlib import Path

MARKER: Final = b"\n-- starloom attached --\n"
"""What `starloom attach --stdio` writes before the server's first byte: a shell may greet before it."""
ATTACH: Final = ("starloom", "attach", "--stdio")
_LONGEST_GREETING: Final = 65_536
"""Bytes of other text before the marker."""
_PATIENCE: Final = 60.0
"""Seconds in which a program has to reach a server: a person may have to type something."""
_GOODBYE: Final = 2.0
"""Seconds that a program may take to say why it ends, and to end."""


class NoServerError(ServerError):
    """No server runs there."""


class OpenLink(Protocol):
    """The protocol of an open way to a server."""

    reader: StreamReader
    writer: StreamWriter

    def abort(self) -> None:
        """Close it; returns at once."""


class ServerLink(Protocol):
    """The protocol of a way to a server.

    Attributes:
        where: what it leads to, for sentences.
    """

    where: str

    async def open(self) -> OpenLink:
        """Open it.

        Raises:
            NoServerError: no server runs there.
            ServerError: it does not answer, or is not ours.
        """

    def leads_anywhere(self) -> bool:
        """Whether a server may be there, as far as that is known here without asking it."""

    def has_left(self) -> bool:
        """Whether it is known here, without asking, that no server is there."""


class _OpenSocket:
    def __init__(self, reader: StreamReader, writer: StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    def abort(self) -> None:
        self.writer.transport.abort()


class SocketLink(ServerLink):
    """The way to the server of a folder of journals on this machine."""

    def __init__(self, journals: Path) -> None:
        self.where = str(journals)
        self._journals = journals

    @override
    async def open(self) -> OpenLink:
        path = noted_socket(self._journals)
        if path is None:
            raise self._no_server()
        try:
            made = _OpenSocket(*await asyncio.open_unix_connection(path))
        except (FileNotFoundError, ConnectionRefusedError):  # it was killed
            raise self._no_server() from None
        except OSError as error:
            raise ServerError(f"The server of {self._journals} does not answer ({error.strerror}).") from None
        # Another user may have put a socket where ours was.
        if credentials(made.writer.get_extra_info("socket")).uid != os.getuid():
            made.abort()
            raise ServerError(f"The server at {path} belongs to another user.")
        return made

    def _no_server(self) -> NoServerError:
        return NoServerError(f"No server runs for the journals in {self._journals}. Start one: `starloom serve`.")

    @override
    def leads_anywhere(self) -> bool:
        return is_served(self._journals)

    @override
    def has_left(self) -> bool:
        return not is_served(self._journals)


class _OpenProgram:
    """A program that speaks to a server."""

    def __init__(self, program: Process) -> None:
        assert program.stdout is not None
        assert program.stdin is not None
        self.reader, self.writer = program.stdout, program.stdin
        self._program = program

    def abort(self) -> None:
        if not self.writer.is_closing():  # else the transport may be gone
            self.writer.transport.abort()
        if self._program.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                # not `terminate`, which looks whether it has ended, and takes that from asyncio, which then warns
                os.kill(self._program.pid, signal.SIGTERM)


class ProgramLink(ServerLink):
    """The way through a program that has `starloom attach --stdio` run elsewhere, and passes on what that says.

    Args:
        command: the program and its arguments, to which those words are added.
        where: what it leads to; empty: the command itself.
        journals: the folder of the journals there; None: the user's.
    """

    def __init__(self, command: Sequence[str], where: str = "", journals: str | None = None) -> None:
        self.where = where or shlex.join(command)
        there = () if journals is None else ("--journal", shlex.quote(journals))
        self._command = *command, *ATTACH, *there

    @override
    async def open(self) -> OpenLink:
        try:
            program = await asyncio.create_subprocess_exec(*self._command, stdin=PIPE, stdout=PIPE, stderr=PIPE)
        except OSError as error:
            raise ServerError(f"{self._command[0]!r} cannot be started ({error.strerror}).") from None
        made = _OpenProgram(program)
        try:
            async with asyncio.timeout(_PATIENCE):
                await _skip_greeting(made.reader)
        except TimeoutError:
            made.abort()
            raise ServerError(f"{self.where} has not answered within {_PATIENCE:.0f} s.") from None
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            why = await _said(program)
            made.abort()
            raise NoServerError(f"No server answers at {self.where}. {why}".rstrip()) from None
        except BaseException:
            made.abort()
            raise
        return made

    @override
    def leads_anywhere(self) -> bool:
        return False

    @override
    def has_left(self) -> bool:
        return False


def ssh_link(machine: str, journals: str | None = None, port: int | None = None) -> ProgramLink:
    """The way to a machine by the user's own ssh.

    Args:
        machine: as ssh takes it.
        journals: the folder of the journals there; None: the user's.
        port: of its SSH server; None: as ssh knows it.
    """
    # Else a network may be gone unnoticed.
    alive = ["-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=2"]
    return ProgramLink(["ssh", "-T", *alive, *(["-p", str(port)] if port else []), "--", machine], machine, journals)


async def _skip_greeting(reader: StreamReader) -> None:
    """Read up to the marker.

    Raises:
        IncompleteReadError: it ends before that.
        LimitOverrunError: it is not among the first bytes.
    """
    seen = b""
    while not seen.endswith(MARKER):
        if len(seen) > _LONGEST_GREETING:
            raise asyncio.LimitOverrunError("no marker", len(seen))
        seen += await reader.readuntil(b"\n")


async def _said(program: Process) -> str:
    """The last line that a program has said of its errors."""
    assert program.stderr is not None
    try:
        async with asyncio.timeout(_GOODBYE):
            told = await program.stderr.read()
    except TimeoutError:
        return ""
    lines = told.decode("utf-8", "replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")

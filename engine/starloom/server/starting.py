"""Starting a server as a process of its own, which outlives whoever starts it, and may go on with its runs."""

from __future__ import annotations

import asyncio
import os
import subprocess
from typing import IO, TYPE_CHECKING, Final

import msgspec

from starloom.orchestration.handover import hand_over
from starloom.private_files import FILE_MODE, make_folder
from starloom.server.listening import is_served
from starloom.server.program import program
from starloom.server.socket_path import ServerError

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from starloom.orchestration.orchestrator import Orchestrator

IDLE_EXIT: Final = "10m"
"""After how long without clients and runs a server ends that nobody has started by name."""
PATIENCE: Final = 120.0
"""Seconds in which a server that was started has to listen; it reaches for its devices first."""
LOOK_EVERY: Final = 0.05
"""Seconds between two looks for it."""
_READ_BY_SERVERS: Final[list[IO[bytes]]] = []
"""Pipes that stay open as long as this program lives."""


def log_of(journals: Path) -> Path:
    """The file with what servers of a folder of journals say that nobody has started by name."""
    return journals / "server.log"


def start_server(journals: Path, *options: str, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    """Start a server in a session of its own, which gives way to a console; returns at once.

    Args:
        journals: the folder.
        *options: more of `starloom serve`.
        stdin: its standard input, as `subprocess.Popen` takes it.

    Raises:
        ServerError: it cannot be started.
    """
    own = "--journal", str(journals.absolute()), "--idle-exit", IDLE_EXIT, "--give-way"
    command = *program(), "serve", *own, *options
    try:
        make_folder(journals)
        log = os.open(log_of(journals), os.O_WRONLY | os.O_CREAT | os.O_APPEND, FILE_MODE)
        try:
            return subprocess.Popen(command, stdin=stdin, stdout=log, stderr=log, start_new_session=True)
        finally:
            os.close(log)
    except OSError as error:
        raise ServerError(f"No server can be started: {error.strerror or error}.") from None


async def hand_over_to_server(orchestrator: Orchestrator, journals: Path, paused: Collection[str] = ()) -> None:
    """Hand all runs over to a server that is started for them.

    This program has to end by `os._exit` then. The server goes on as soon as it has, as its standard input ends.

    Args:
        orchestrator: the engine that has them.
        journals: the folder of their journals.
        paused: the runs that were paused to be handed over, and are to go on.

    Raises:
        ServerError: no server can be started, or there is one; nothing has changed.
        CommandRefused: an attempt would end with this program; nothing has changed.
    """
    server = start_server(journals, "--take-over", stdin=subprocess.PIPE)
    try:
        await _until_served(journals, server)
        handover = await hand_over(orchestrator, paused)
    except BaseException:
        server.terminate()
        await asyncio.to_thread(server.communicate)
        raise
    assert server.stdin is not None
    server.stdin.write(msgspec.json.encode(handover))
    server.stdin.flush()
    _READ_BY_SERVERS.append(server.stdin)


async def _until_served(journals: Path, server: subprocess.Popen[bytes]) -> None:
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while not (is_served(journals) and server.poll() is None):
        if server.poll() is not None or asyncio.get_running_loop().time() > deadline:
            raise not_up(journals)
        await asyncio.sleep(LOOK_EVERY)


def not_up(journals: Path) -> ServerError:
    """The error of a server that was started and has ended, or takes too long."""
    return ServerError(f"The server does not come up. See {log_of(journals)} for why.")

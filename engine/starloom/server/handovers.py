"""Runs that change hands between a console and a server: handed to one that is started for them, and taken back."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Final

import msgspec

from starloom.orchestration.handover import Handover, check_nothing_ends, hand_over
from starloom.server.client import EngineClient
from starloom.server.links import NoServerError
from starloom.server.server_lock import is_served
from starloom.server.socket_path import ServerError
from starloom.server.starting import LOOK_EVERY, PATIENCE, READY, not_up, start_server

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Collection
    from pathlib import Path

    from starloom.orchestration.orchestrator import Orchestrator

_ANSWER: Final = 20.0
"""Seconds in which a server has to answer, and to end once it has handed over."""
_BEGINNING: Final = 15.0
"""Seconds for which a server is waited for that has its folder, and does not listen yet."""
_SERVERS: Final[list[subprocess.Popen[bytes]]] = []
"""Those that wait for the end of this program, by the pipes to them."""


class ServerElsewhereError(ServerError):
    """A server gives way, but relative paths of its tasks begin in another folder than this program's.

    Attributes:
        folder: which one.
    """

    def __init__(self, folder: str) -> None:
        super().__init__(f"The server runs in {folder}, where relative paths of its tasks begin.")
        self.folder = folder


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
    check_nothing_ends(orchestrator)  # before anything is started for it
    server = start_server(journals, "--take-over", talks=True)
    try:
        await _until_ready(journals, server)
        handover = await hand_over(orchestrator, paused)
    except BaseException:
        server.terminate()
        await asyncio.to_thread(server.communicate)
        raise
    assert server.stdin is not None
    server.stdin.write(msgspec.json.encode(handover))
    server.stdin.flush()
    _SERVERS.append(server)


async def _until_ready(journals: Path, server: subprocess.Popen[bytes]) -> None:
    assert server.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE):
            line = await asyncio.to_thread(server.stdout.readline)
    except TimeoutError:
        line = b""
    if line.strip() != READY.encode():
        raise not_up(journals)


async def take_over_from_server(journals: Path) -> Handover:
    """Take the runs over from a server that gives way, which has ended then; nothing, where there is none such.

    Args:
        journals: the folder of the journals.

    Raises:
        ServerElsewhereError: it runs in another folder.
        ServerError: it does not answer.
        CommandRefused: something would be interrupted; nothing has changed.
    """
    deadline = asyncio.get_running_loop().time() + _BEGINNING
    while is_served(journals):
        try:
            async with asyncio.timeout(_ANSWER), EngineClient(journals, "console") as client:
                if not client.welcome.gives_way:
                    break
                if client.welcome.folder != os.getcwd():
                    raise ServerElsewhereError(client.welcome.folder)
                return await client.take_over()
        except TimeoutError:
            raise ServerError("The server does not answer.") from None
        except NoServerError:  # it begins, or is about to end
            if asyncio.get_running_loop().time() > deadline:
                raise
            await asyncio.sleep(LOOK_EVERY)
    return Handover()

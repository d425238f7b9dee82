"""`starloom attach --stdio`: the server of this machine for a program elsewhere, over the streams of a login."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING, Final

from starloom.errors import SettingsError
from starloom.orchestration.closing import first_of
from starloom.server.links import MARKER, SocketLink
from starloom.settings import journal_path

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter
    from pathlib import Path

_AT_ONCE: Final = 65_536
"""Bytes that are passed on at once."""


def attach(journal: Path | None, *, stdio: bool) -> int:
    """Pass on what comes from the standard input to the server, and what it says to the standard output.

    Args:
        journal: the folder of its journals; None: the user's.
        stdio: whether that is wanted: a person at a terminal would read bytes.

    Raises:
        StarloomError: no server runs, or it is not ours.
    """
    if not stdio:
        raise SettingsError("attach: this is for other programs; give --stdio. `starloom ps --at HOST` uses it.")
    asyncio.run(_attach(journal or journal_path()))
    return 0


async def _attach(journals: Path) -> None:
    link = await SocketLink(journals).open()
    try:
        loop = asyncio.get_running_loop()
        given = asyncio.StreamReader()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(given), sys.stdin)
        os.write(sys.stdout.fileno(), MARKER)
        await first_of(_pass_on(given, link.writer), _tell(link.reader))
    finally:
        link.abort()


async def _pass_on(given: StreamReader, server: StreamWriter) -> None:
    while data := await given.read(_AT_ONCE):
        server.write(data)
        await server.drain()


async def _tell(server: StreamReader) -> None:
    """Write what the server says; in a thread, as whoever reads it may take his time."""
    while data := await server.read(_AT_ONCE):
        await asyncio.to_thread(_write, data)


def _write(data: bytes) -> None:
    while data:
        data = data[os.write(sys.stdout.fileno(), data) :]

"""A second login for bulk data, output and files, so that urgent requests do not wait for it.

What is asked over one login is answered in order. Where the link is slow, a sign of life or the order to end a task
would stand behind minutes of output that had been asked for before.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starloom.devices.copying import LARGEST_PIECE as LARGEST_COPY
from starloom.devices.copying import Turns
from starloom.devices.pace import Pace
from starloom.devices.ssh.session import SshSession, as_bytes
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from starloom.devices.ssh.options import Route

LARGEST_PIECE: Final = 256 * 1024
"""How much output is fed at once before others get their turn."""
_PAUSE: Final = 15.0
"""Seconds after which a second login is tried again that was refused."""


async def read_piece(session: SshSession, pace: Pace, path: str, place: int, left: int) -> bytes:
    """The next piece of a file from an offset on; less at its end.

    Args:
        session: over which it is asked for.
        pace: how much at once, which learns from it.
        path: of the file.
        place: of the piece's first byte.
        left: bytes that there are from there on.

    Raises:
        LinkLost: the link broke.
        OSError: it cannot be read.
    """
    clock = asyncio.get_running_loop().time
    began = clock()
    with session.links():
        async with session.sftp.open(path, "rb") as file:
            opened = clock()
            data = await file.read(min(pace.size, left), place)
            took = clock() - opened
    pace.note(len(data), took, opened - began)
    return as_bytes(data)


class Bulk:
    """The login for bulk data, opened on first use, and again when it breaks.

    Attributes:
        pace: how much output is read over it at once.
        copying: likewise of files.
        turns: who makes which file on the machine.
    """

    def __init__(self, route: Route) -> None:
        self.pace = Pace(LARGEST_PIECE)
        self.copying = Pace(LARGEST_COPY)
        self.turns = Turns()
        self._route = route
        self._session: SshSession | None = None
        self._opening: asyncio.Task[None] | None = None
        self._refused_until = 0.0
        self._is_closed = False

    async def beside(self, session: SshSession) -> SshSession:
        """A login besides this one; this one itself where the machine accepts no second one, or once it is closed."""
        if self._session is None or not self._session.is_up:
            self._session = None
            loop = asyncio.get_running_loop()
            if self._opening is None and not self._is_closed and loop.time() >= self._refused_until:
                self._opening = loop.create_task(self._open(), name=f"starloom ssh bulk {self._route.address}")
            if self._opening is not None:
                opening = self._opening
                await asyncio.wait((opening,))  # who is cancelled meanwhile leaves it to the others
                if not opening.cancelled():
                    opening.result()
        return self._session or session

    async def _open(self) -> None:
        try:
            self._session = await SshSession.open(self._route)
        except DeviceError:
            self._refused_until = asyncio.get_running_loop().time() + _PAUSE
        finally:
            self._opening = None

    def cut(self) -> None:
        """Abort the login, as the link broke; its users get the error, and may log in again."""
        session, self._session = self._session, None
        if session is not None:
            session.cut()

    async def close(self) -> None:
        """Log out, and do not log in again."""
        self._is_closed = True
        if self._opening is not None:
            self._opening.cancel()
            await asyncio.gather(self._opening, return_exceptions=True)
        session, self._session = self._session, None
        if session is not None:
            await session.close()

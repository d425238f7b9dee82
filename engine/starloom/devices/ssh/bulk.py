"""A second login for what is large: what attempts print, and files. So that what is urgent waits for none of it.

What is asked over one login is answered in order. Where the link is slow, a sign of life or the order to end a task
would stand behind minutes of output that had been asked for before.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starloom.devices.ssh.session import Session, as_bytes
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from starloom.devices.ssh.options import Route

FIRST_PIECE: Final = 32 * 1024
LEAST_PIECE: Final = 4 * 1024
LARGEST_PIECE: Final = 256 * 1024
"""How much is fed at once before others get their turn."""
_SECONDS: Final = 0.5
"""For how long one piece may be under way."""
_PAUSE: Final = 15.0
"""Seconds after which a second login is tried again that was refused."""


class Pace:
    """How much is read at once, so that it is under way for half a second at most, however slow the link is.

    Attributes:
        size: of the next piece, in bytes.
    """

    def __init__(self) -> None:
        self.size = FIRST_PIECE

    async def read(self, session: Session, path: str, place: int, left: int) -> bytes:
        """The next piece of a file from some place on; less at its end.

        Args:
            session: over which it is asked for.
            path: of the file.
            place: of the piece's first byte.
            left: bytes that there are from there on.

        Raises:
            LinkLost: the link broke.
            OSError: it cannot be read.
        """
        clock = asyncio.get_running_loop().time
        size, began = min(self.size, left), clock()
        with session.links():
            async with session.sftp.open(path, "rb") as file:
                opened = clock()
                data = await file.read(size, place)
                took = clock() - opened
        self.note(len(data), took, opened - began)
        return as_bytes(data)

    def note(self, got: int, seconds: float, round_trip: float) -> None:
        """Learn from a piece.

        Args:
            got: bytes that came.
            seconds: how long that took, with the way there and back.
            round_trip: seconds that an answer takes which holds nothing.
        """
        under_way = seconds - round_trip
        if got >= self.size or under_way > _SECONDS:
            fits = got / under_way * _SECONDS if under_way > 0 else LARGEST_PIECE
            self.size = int(min(LARGEST_PIECE, 2 * self.size, max(LEAST_PIECE, fits)))


class Bulk:
    """The login for what is large, made when somebody wants it, and made anew when it breaks.

    Attributes:
        pace: how much is read over it at once.
    """

    def __init__(self, route: Route) -> None:
        self.pace = Pace()
        self._route = route
        self._session: Session | None = None
        self._opening: asyncio.Task[None] | None = None
        self._refused_until = 0.0
        self._is_closed = False

    async def beside(self, session: Session) -> Session:
        """A login beside this one; this one itself where the machine lets nobody in twice, or once it is closed."""
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
            self._session = await Session.open(self._route)
        except DeviceError:
            self._refused_until = asyncio.get_running_loop().time() + _PAUSE
        finally:
            self._opening = None

    def cut(self) -> None:
        """End the login without asking, as the link broke; who uses it is told, and may log in anew."""
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

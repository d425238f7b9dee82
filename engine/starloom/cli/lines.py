"""Lines from a terminal or a pipe, one at a time and without blocking the loop."""

from __future__ import annotations

import asyncio
import os
import threading
from contextlib import suppress
from typing import Final

_STDIN: Final = 0
_PIECE: Final = 4096


class Lines:
    """Reads lines from a descriptor, from the first call of `next` on.

    Nothing can break off the reading of a terminal: the thread that does it lives until the program ends or the input
    does. It reads the descriptor itself, as one that holds the lock of `sys.stdin` would not let the program end.
    """

    def __init__(self, descriptor: int = _STDIN) -> None:
        self._descriptor = descriptor
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._reader: threading.Thread | None = None
        self._is_over = False

    async def next(self) -> str | None:
        """The next line without its end; None: there are no more."""
        if self._is_over:
            return None
        if self._reader is None:
            loop = asyncio.get_running_loop()
            self._reader = threading.Thread(target=self._read, args=(loop,), name="starloom input", daemon=True)
            self._reader.start()
        line = await self._lines.get()
        self._is_over = line is None
        return line

    async def next_or(self, changed: asyncio.Event) -> str | None:
        """The next line, empty if something has changed meanwhile; None: there are no more."""
        line = asyncio.ensure_future(self.next())
        change = asyncio.ensure_future(changed.wait())
        try:
            await asyncio.wait({line, change}, return_when=asyncio.FIRST_COMPLETED)
            return line.result() if line.done() else ""
        finally:
            line.cancel()
            change.cancel()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        rest = b""
        with suppress(RuntimeError):  # the loop is closed: nobody wants to know any more
            while data := self._piece():
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    loop.call_soon_threadsafe(self._lines.put_nowait, line.decode(errors="replace").rstrip("\r"))
            if rest:
                loop.call_soon_threadsafe(self._lines.put_nowait, rest.decode(errors="replace"))
            loop.call_soon_threadsafe(self._lines.put_nowait, None)

    def _piece(self) -> bytes:
        try:
            return os.read(self._descriptor, _PIECE)
        except OSError:  # closed, or a terminal that went away
            return b""

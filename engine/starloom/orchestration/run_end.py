"""Waiting for the end of a run."""

from __future__ import annotations

import asyncio


class RunEnd:
    """Wakes those who wait for the end of a run, to check whether it has come.

    Attributes:
        is_closed: whether nothing more will happen.
    """

    def __init__(self) -> None:
        self.is_closed = False
        self._woken: asyncio.Future[None] | None = None

    async def woken(self) -> None:
        """Return at the next `wake`."""
        if self._woken is None or self._woken.done():
            self._woken = asyncio.get_running_loop().create_future()
        await asyncio.shield(self._woken)

    def wake(self) -> None:
        """Wake all who wait."""
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(None)

    def close(self) -> None:
        """Wake those who wait, as no more events will come."""
        self.is_closed = True
        self.wake()

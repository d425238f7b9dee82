"""A timer of the loop for a time on the engine's clock."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.orchestration.clock import Clock


_LATE: Final = 0.1
"""Seconds by which a loop is late that was busy, and which it is then given to hear what happened meanwhile."""


class Alarm:
    """Calls back once when the clock has reached a time; never earlier, though loop and clock may differ a little.

    A loop that was busy hears first what happened meanwhile: what ended in time is not to be told to stop as too late.

    Args:
        clock: of the engine.
        ring: called then.
    """

    def __init__(self, clock: Clock, ring: Callable[[], object]) -> None:
        self._clock = clock
        self._ring = ring
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None

    def set(self, at: float | None) -> None:
        """Call back at this time in seconds, instead of the one set before; None: not at all."""
        self.cancel()
        if at is not None:
            self._timer = self._loop.call_later(max(0.0, at - self._clock()), self._due, at)

    def cancel(self) -> None:
        """Cancel the callback."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _due(self, at: float) -> None:
        self._timer = None
        early = at - self._clock()
        if early > 0:
            self._timer = self._loop.call_later(early, self._due, at)
        elif early < -_LATE:
            self._timer = self._loop.call_later(_LATE, self._ring)
        else:
            self._ring()

"""Measures the lag of the event loop, only while there are events."""

from __future__ import annotations

import asyncio
from typing import Final

from starloom.telemetry.durations import DELAYS, Durations

AHEAD: Final = 0.05
"""Seconds between the arming of a probe and the moment it is due."""


class LagProbe:
    """Measures how late a timer fires, with one timer whenever there are events.

    The timer does not set itself again: a loop in which nothing happens is woken once more at most, and then never.
    Even an idle loop rings up to a millisecond late, as selectors count in milliseconds.

    Attributes:
        lags: seconds the loop was late.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.lags = Durations(DELAYS)
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None

    def arm(self) -> None:
        """Measure soon, unless a measurement is due already."""
        if self._timer is None:
            due = self._loop.time() + AHEAD
            self._timer = self._loop.call_at(due, self._ring, due)

    def _ring(self, due: float) -> None:
        self._timer = None
        self.lags.note(max(0.0, self._loop.time() - due))

    async def measure(self) -> None:
        """Measure now how long one iteration of the loop takes."""
        begun = self._loop.time()
        await asyncio.sleep(0)
        self.lags.note(self._loop.time() - begun)

    def close(self) -> None:
        """Stop measuring."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

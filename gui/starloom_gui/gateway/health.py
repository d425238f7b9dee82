"""Measures the delay of the console by its frames, without a timer."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

REMEMBERED: Final = 240
"""Frames, some four seconds of them."""
LONGEST: Final = 0.1
"""Seconds between two frames at most, however long they take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Figures for the status bar. Times are in seconds; 0 where nothing has been measured yet.

    Attributes:
        backlog: events and changes that no view has been told yet.
        lag: how much later than due the last frame began: what a click would have had to wait.
        flush: how long views took to take in what they were told in the last frame.
        frame: from the beginning of the last frame until Qt had painted it.
        worst_frame: the longest of the last few seconds of frames.
        missed: events that were lost, because the console was too slow; views were told to read everything anew.
    """

    backlog: int = 0
    lag: float = 0.0
    flush: float = 0.0
    frame: float = 0.0
    worst_frame: float = 0.0
    missed: int = 0


class Frames:
    """Measures the last frames: how long they took, and how late they were.

    Attributes:
        lag, flush: as in `Health`, of the last frame.
        flushes: how many frames there were in all.
    """

    def __init__(self) -> None:
        self.lag = 0.0
        self.flush = 0.0
        self.flushes = 0
        self._frames: deque[float] = deque([0.0], maxlen=REMEMBERED)

    def note_flush(self, lag: float, seconds: float) -> None:
        """Record that the views were notified.

        Args:
            lag: seconds that the oldest event had waited for it.
            seconds: how long telling took.
        """
        self.lag, self.flush = max(0.0, lag), seconds
        self.flushes += 1

    def note_frame(self, seconds: float) -> None:
        """Record that the frame was painted."""
        self._frames.append(seconds)

    def apart(self, least: float) -> float:
        """Seconds from the beginning of the last frame to that of the next where frames take half of the time at most.

        The other half is the engine's if it wants it: a console that is slow to paint would slow its runs down.

        Args:
            least: seconds between two frames that take no time.
        """
        return min(LONGEST, max(least, 2 * self._frames[-1]))

    def health(self, backlog: int, missed: int) -> Health:
        """All figures at this moment.

        Args:
            backlog: how many events wait.
            missed: how many events were lost since the beginning.
        """
        return Health(
            backlog=backlog,
            lag=self.lag,
            flush=self.flush,
            frame=self._frames[-1],
            worst_frame=max(self._frames),
            missed=missed,
        )

"""The load of this machine's processors; psutil's own share is that since anybody's last call in the program."""

from __future__ import annotations

import psutil


class ProcessorLoad:
    """Measures the busy share of the processors between two readings."""

    def __init__(self) -> None:
        self._busy, self._all = _times()
        self._share = 0.0

    def read(self) -> float:
        """The share since the last reading, 0 to 1; the same again where the counters have not moved."""
        busy, every = _times()
        if every > self._all:
            self._share = min(1.0, max(0.0, (busy - self._busy) / (every - self._all)))
            self._busy, self._all = busy, every
        return self._share


def _times() -> tuple[float, float]:
    """Seconds that the processors were busy, and all seconds of theirs, since the machine was started."""
    times = psutil.cpu_times()
    of_guests = getattr(times, "guest", 0.0) + getattr(times, "guest_nice", 0.0)  # counted among the rest already
    every = sum(times) - of_guests
    return every - times.idle - getattr(times, "iowait", 0.0), every

"""The engine's clock: seconds that never go back, on from where a journal ended when there is one."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], float]
"""Returns seconds on a clock that is monotonic within the process."""


def monotonic_clock(start_at: float | None = None) -> Clock:
    """A clock that reads `start_at` now; None: the system's monotonic clock as it is."""
    monotonic = time.monotonic
    if start_at is None:
        return monotonic
    offset = start_at - monotonic()
    return lambda: monotonic() + offset

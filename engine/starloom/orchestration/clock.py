"""The engine's clock: seconds that never go back, from 0 when the engine starts or on from where a journal ended."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], float]
"""Returns seconds on a clock that is monotonic within the process."""


def monotonic_clock(start_at: float = 0.0) -> Clock:
    """A clock that reads `start_at` now."""
    monotonic = time.monotonic
    offset = start_at - monotonic()
    return lambda: monotonic() + offset

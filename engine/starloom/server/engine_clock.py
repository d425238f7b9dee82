"""The clock of an engine in another program, as far as round trips tell of it."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_DRIFT: Final = 1e-4
"""Seconds a second by which two clocks may part: more than those of any two computers do."""


class EngineClock:
    """Tells the time on the clock of an engine.

    It never goes back but where another engine is asked, or where one of the two computers has slept, whose clock has
    stood still meanwhile.

    Args:
        here: seconds on a clock of this program that never goes back.

    Attributes:
        error: by how many seconds it was off at most when it was measured last; infinity: it was not.
    """

    def __init__(self, here: Callable[[], float] = time.monotonic) -> None:
        self.here = here
        self.error = math.inf
        self._offset = 0.0
        self._measured = -math.inf
        self._told = -math.inf

    def begin_anew(self) -> None:
        """Forget what is known, as another engine is asked from now on."""
        self.error, self._told = math.inf, -math.inf

    def measure(self, asked: float, told: float) -> None:
        """Take the answer to a question for the time, which has just come; a worse one than is known is passed over.

        Args:
            asked: when it was asked, in seconds on the clock of this program.
            told: seconds on the engine's clock when it was answered.
        """
        heard = self.here()
        error, offset = (heard - asked) / 2, told - (asked + heard) / 2
        known = self.error + _DRIFT * (heard - self._measured)
        is_another = math.isinf(self.error)  # which was asked for the time meanwhile as if it were the one before
        has_jumped = is_another or abs(offset - self._offset) > known + error
        if error <= known or has_jumped:
            self.error, self._measured, self._offset = error, heard, offset
        if has_jumped:
            self._told = -math.inf

    def now(self) -> float:
        """Seconds on the engine's clock."""
        self._told = max(self._told, self.here() + self._offset)
        return self._told

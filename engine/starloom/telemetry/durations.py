"""Histograms of durations in little memory: all of them counted in buckets, the last ones kept for quantiles."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import deque
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

RECENT: Final = 1_024
"""How many of the last durations the quantiles are of."""
WAITS: Final = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0, 300.0, 1_800.0)
"""Bucket bounds, in seconds, for how long tasks wait."""
DELAYS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)
"""Bucket bounds, in seconds, for how late the loop is."""
COMMITS: Final = (0.00001, 0.00002, 0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0)
"""Bucket bounds, in seconds, for how long commits take."""


class DurationsReading(msgspec.Struct, frozen=True, rename="camel"):
    """A reading of durations, in seconds.

    Attributes:
        count: how many there were in all.
        sum: all of them together.
        last: the latest; None, like the others, when there was none.
        p50, p99, max: of the last `RECENT`.
        buckets: (bound, how many were not longer), cumulative; the rest was longer than the last bound.
    """

    count: int
    sum: float
    last: float | None
    p50: float | None
    p99: float | None
    max: float | None
    buckets: tuple[tuple[float, int], ...]


class Durations:
    """A histogram of durations in constant time and memory.

    Args:
        bounds: the upper bounds of the buckets in seconds, ascending.
    """

    __slots__ = ("_bounds", "_counts", "_recent", "_sum")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = tuple(bounds)
        self._counts = [0] * (len(self._bounds) + 1)
        self._recent: deque[float] = deque(maxlen=RECENT)
        self._sum = 0.0

    def note(self, seconds: float) -> None:
        """Add a duration."""
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._recent.append(seconds)
        self._sum += seconds

    def reading(self) -> DurationsReading:
        """The present reading."""
        recent = sorted(self._recent)
        return DurationsReading(
            count=sum(self._counts),
            sum=self._sum,
            last=self._recent[-1] if recent else None,
            p50=_quantile(recent, 0.5),
            p99=_quantile(recent, 0.99),
            max=recent[-1] if recent else None,
            buckets=tuple(zip(self._bounds, accumulate(self._counts[:-1]), strict=True)),
        )


def _quantile(ascending: Sequence[float], share: float) -> float | None:
    """The smallest value that at least this share of the values does not exceed."""
    return ascending[max(0, math.ceil(share * len(ascending)) - 1)] if ascending else None

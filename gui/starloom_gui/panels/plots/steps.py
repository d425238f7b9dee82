"""Step functions of time in numpy buffers that grow, and thinning them to two points a pixel. No Qt here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_FIRST_ROOM: Final = 256
_EXACT: Final = 2
"""Up to so many changes a pixel are drawn one by one; above, each pixel shows its least and its greatest value."""


class Gap(NamedTuple):
    """A stretch of time for which a curve has no value.

    Attributes:
        begin, end: seconds on the engine's clock.
        word: why, to be read in the gap.
    """

    begin: float
    end: float
    word: str


class Steps:
    """A step function of time.

    Attributes:
        adds: see the argument.

    Args:
        adds: what is given are differences, as of a count; else the new values, of which the last of a moment holds.
    """

    __slots__ = ("_size", "_times", "_values", "adds")

    def __init__(self, *, adds: bool = True) -> None:
        self.adds = adds
        self._times, self._values = np.empty(_FIRST_ROOM), np.empty(_FIRST_ROOM)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def times(self) -> Floats:
        """The times of the changes, in order: a view that is valid until the next addition."""
        return self._times[: self._size]

    @property
    def values(self) -> Floats:
        """The values from these times on: a view that is valid until the next addition."""
        return self._values[: self._size]

    @property
    def top(self) -> float:
        """The greatest value there ever was; 0 if there was none."""
        return float(np.nanmax(self.values, initial=0.0)) if self._size else 0.0

    def add(self, times: Floats, changes: Floats) -> None:
        """Add changes in any order. Only values not earlier than the first of them are recomputed.

        Args:
            times: seconds on the engine's clock.
            changes: one for each time: a difference, or a new value.
        """
        if not len(times):
            return
        begin = int(np.searchsorted(self.times, np.min(times), "left"))
        before = float(self._values[begin - 1]) if begin else 0.0
        late = self.values[begin:]
        known = np.diff(late, prepend=before) if self.adds else late
        times, changes = np.concatenate((self.times[begin:], times)), np.concatenate((known, changes))
        order = np.argsort(times, kind="stable")
        times, changes = times[order], changes[order]
        firsts = np.flatnonzero(np.diff(times, prepend=-np.inf) > 0)
        if self.adds:
            values = before + np.cumsum(np.add.reduceat(changes, firsts))
        else:
            values = changes[np.append(firsts[1:], len(changes)) - 1]
        self._write(begin, times[firsts], values)

    def lift(self, by: float) -> None:
        """Add a constant to every value there is."""
        self._values[: self._size] += by

    def begin_at(self, moment: float) -> None:
        """Drop the changes before a moment, except the value that holds at it."""
        place = int(np.searchsorted(self.times, moment, "right")) - 1
        if place < 0 or (place == 0 and self._times[0] == moment):
            return
        count = self._size - place
        self._times[:count], self._values[:count] = self.times[place:].copy(), self.values[place:].copy()
        self._times[0], self._size = moment, count

    def at(self, moment: float) -> float:
        """The value that holds at a moment; not a number before the first one."""
        place = int(np.searchsorted(self.times, moment, "right")) - 1
        return float(self._values[place]) if place >= 0 else float("nan")

    def _write(self, begin: int, times: Floats, values: Floats) -> None:
        size = begin + len(times)
        if size > len(self._times):
            room = max(size, 2 * len(self._times))
            for name in ("_times", "_values"):
                larger = np.empty(room)
                larger[:begin] = getattr(self, name)[:begin]
                setattr(self, name, larger)
        self._times[begin:size], self._values[begin:size] = times, values
        self._size = size


class CurvePoints:
    """The points of one curve in a stretch of time, in buffers that are used again and again.

    Attributes:
        x, y: pixels from the left, and values; views that hold until the next call. Not a number: the line is broken.
        is_thinned: whether points stand for several changes.
    """

    __slots__ = ("_x", "_y", "is_thinned", "x", "y")

    def __init__(self) -> None:
        self._x, self._y = np.empty(_FIRST_ROOM), np.empty(_FIRST_ROOM)
        self.x, self.y = self._x[:0], self._y[:0]
        self.is_thinned = False

    def show(
        self, steps: Steps, left: float, per_px: float, width: int, until: float, gaps: Sequence[Gap] = ()
    ) -> None:
        """Compute the points of a range of time.

        Args:
            steps: the curve.
            left: the time at the left edge, in seconds.
            per_px: seconds a pixel stands for.
            width: pixels.
            until: the moment up to which the last value holds, as the present.
            gaps: in order; there the line is broken.
        """
        right = min(left + width * per_px, until)
        times, values = steps.times, steps.values
        begin = max(0, int(np.searchsorted(times, left, "right")) - 1)
        end = int(np.searchsorted(times, right, "right"))
        times, values = times[begin:end], values[begin:end]
        if not len(times) or right <= left:
            self.x, self.y = self._x[:0], self._y[:0]
            return
        if gaps:
            times, values = _broken(times, values, gaps)
        self.is_thinned = len(times) > _EXACT * width
        if self.is_thinned:
            self._thin(times, values, left, per_px, int(np.ceil((right - left) / per_px)))
        else:
            self._copy(times, values, left, per_px, right)

    def _copy(self, times: Floats, values: Floats, left: float, per_px: float, right: float) -> None:
        """Write every change as two points: the old and the new value."""
        count = len(times)
        x, y = self._room(2 * count)
        pixels = np.maximum((times - left) / per_px, 0.0)
        x[0:-1:2], y[0::2] = pixels, values
        x[1:-1:2], x[-1] = pixels[1:], (right - left) / per_px
        y[1::2] = values

    def _thin(self, times: Floats, values: Floats, left: float, per_px: float, columns: int) -> None:
        """Each pixel as two points: the least and the greatest of the values that held in it."""
        edges = np.searchsorted(times, left + np.arange(columns + 1) * per_px, "left")
        held = np.maximum(edges - 1, 0)
        inner = np.minimum(held, len(values) - 1)
        x, y = self._room(2 * columns)
        x[0::2] = x[1::2] = np.arange(columns) + 0.5
        last = values[inner[1:]]
        y[0::2] = np.fmin(np.fmin.reduceat(values, inner)[:-1], last)
        y[1::2] = np.fmax(np.fmax.reduceat(values, inner)[:-1], last)
        nothing_yet = np.repeat(edges[1:] == 0, 2)
        y[nothing_yet] = np.nan

    def _room(self, points: int) -> tuple[Floats, Floats]:
        if points > len(self._x):
            self._x, self._y = np.empty(2 * points), np.empty(2 * points)
        self.x, self.y = self._x[:points], self._y[:points]
        return self.x, self.y


def _broken(times: Floats, values: Floats, gaps: Sequence[Gap]) -> tuple[Floats, Floats]:
    """The same without a value in the gaps."""
    for gap in gaps:
        if gap.end <= times[0] or gap.begin > times[-1] + (gap.end - gap.begin):
            continue
        first, last = (int(np.searchsorted(times, edge, "left")) for edge in (gap.begin, gap.end))
        after = int(np.searchsorted(times, gap.end, "right"))
        resumed = values[after - 1] if after else np.nan
        rest = slice(after, None) if after > last else slice(last, None)
        times = np.concatenate((times[:first], (gap.begin, gap.end), times[rest]))
        values = np.concatenate((values[:first], (np.nan, resumed), values[rest]))
    return times, values

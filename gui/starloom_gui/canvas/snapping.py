"""Snaps dragged nodes to the sides and middles of others, and to equal gaps between them. Pure."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.layout.values import FloatArray, IntArray

SNAP: Final = 6.0
"""Nodes are drawn to a line by at most so many logical pixels."""
_SAME: Final = 0.01
Segment = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Snapped:
    """The result of snapping.

    Attributes:
        offset: how far what is dragged is from where it was.
        lines: what it is in line with: from x and y to x and y in the scene.
        gaps: the equal gaps beside it, each from box to box.
    """

    offset: tuple[float, float]
    lines: tuple[Segment, ...] = ()
    gaps: tuple[Segment, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Lines:
    """The coordinates of boxes along an axis in ascending order, and the box of each."""

    at: FloatArray
    box: IntArray

    @classmethod
    def of(cls, *coordinates: FloatArray) -> _Lines:
        every = np.concatenate(coordinates)
        order = np.argsort(every, kind="stable")
        return cls(every[order], order % max(1, len(coordinates[0])))

    def nearest(self, to: float) -> float:
        """The distance to the nearest line; infinite where there is none."""
        place = int(np.searchsorted(self.at, to))
        ways = [float(self.at[each]) - to for each in (place - 1, place) if 0 <= each < len(self.at)]
        return min(ways, key=abs, default=float("inf"))

    def on(self, line: float) -> IntArray:
        """The boxes that have this line."""
        begin, end = np.searchsorted(self.at, (line - _SAME, line + _SAME))
        return self.box[begin:end]


class Snapper:
    """Snaps dragged nodes to those that are not dragged. What takes linear time is computed here, once a press.

    Sides are lined up with sides and middles with middles, of all that is dragged as one box.

    Args:
        middles: (N, 2) of the boxes that stand.
        sizes: (N, 2) of these.
        moved: left, top, right and bottom of the box that is dragged, where it was.
    """

    def __init__(self, middles: FloatArray, sizes: FloatArray, moved: Segment) -> None:
        self._begin, self._end = middles - sizes / 2, middles + sizes / 2
        self._box = np.array(moved).reshape(2, 2)
        self._sides = [_Lines.of(self._begin[:, axis], self._end[:, axis]) for axis in (0, 1)]
        self._middles = [_Lines.of(middles[:, axis]) for axis in (0, 1)]

    def at(self, offset: tuple[float, float], reach: float) -> Snapped:
        """The result of a drag by an offset.

        Args:
            offset: how far the pointer is from where it took hold.
            reach: how far the box may be drawn to a line.
        """
        box = self._box + offset
        step, kept = np.zeros(2), list[tuple[int, tuple[int, int, int]]]()
        for axis in (0, 1):
            lined = self._to_line(box, axis)
            spaced = min(self._to_gap(box, axis, reach), key=lambda found: abs(found[0]), default=None)
            if spaced is not None and abs(spaced[0]) < min(abs(lined), reach) - _SAME:
                step[axis] = spaced[0]
                kept.append((axis, spaced[1]))
            elif abs(lined) <= reach:
                step[axis] = lined
        box += step
        lines = tuple(line for axis in (0, 1) for line in self._lines(box, axis))
        gaps = tuple(gap for axis, three in kept for gap in self._gaps(box, axis, three))
        return Snapped((offset[0] + float(step[0]), offset[1] + float(step[1])), lines, gaps)

    # ---- lines

    def _to_line(self, box: FloatArray, axis: int) -> float:
        """The distance from a box to the nearest line of the same kind."""
        begin, end = box[:, axis].tolist()
        ways = (self._middles[axis].nearest((begin + end) / 2), *map(self._sides[axis].nearest, (begin, end)))
        return min(ways, key=abs)  # of equals the middles, which say the most

    def _lines(self, box: FloatArray, axis: int) -> Iterator[Segment]:
        """The lines that a box is on; its sides are left out where its middle is on one."""
        begin, end = box[:, axis].tolist()
        middle = (begin + end) / 2
        found = [(middle, self._middles[axis].on(middle))]
        if not len(found[0][1]):
            found = [(side, self._sides[axis].on(side)) for side in (begin, end)]
        for line, others in found:
            if len(others):
                yield self._segment(box, axis, line, others)

    def _segment(self, box: FloatArray, axis: int, line: float, others: IntArray) -> Segment:
        """The guide from the box to the nearest box on the same line, extended past both."""
        across = 1 - axis
        begin, end = box[:, across].tolist()
        away = np.maximum(self._begin[others, across] - end, begin - self._end[others, across])
        nearest = others[np.argmin(away)]
        first, last = min(begin, float(self._begin[nearest, across])), max(end, float(self._end[nearest, across]))
        return (line, first, line, last) if axis == 0 else (first, line, last, line)

    # ---- gaps

    def _to_gap(self, box: FloatArray, axis: int, reach: float) -> Iterator[tuple[float, tuple[int, int, int]]]:
        """The snaps to equal gaps: the distance, and the boxes in order, with -1 for the dragged one."""
        across = 1 - axis
        beside = np.flatnonzero((self._begin[:, across] < box[1, across]) & (self._end[:, across] > box[0, across]))
        begin, end = self._begin[beside, axis], self._end[beside, axis]
        low, high = box[:, axis].tolist()
        before, after = beside[end <= low + reach], beside[begin >= high - reach]
        first = self._next_before(before, axis, np.inf)
        last = self._next_after(after, axis, -np.inf)
        if first is not None and last is not None:
            room = float(self._begin[last, axis] - self._end[first, axis]) - (high - low)
            if room > 0:
                yield float(self._end[first, axis]) + room / 2 - low, (first, -1, last)
        if first is not None:
            earlier = self._next_before(before, axis, float(self._begin[first, axis]))
            if earlier is not None:
                gap = float(self._begin[first, axis] - self._end[earlier, axis])
                yield float(self._end[first, axis]) + gap - low, (earlier, first, -1)
        if last is not None:
            later = self._next_after(after, axis, float(self._end[last, axis]))
            if later is not None:
                gap = float(self._begin[later, axis] - self._end[last, axis])
                yield float(self._begin[last, axis]) - gap - high, (-1, last, later)

    def _next_before(self, boxes: IntArray, axis: int, limit: float) -> int | None:
        """The box with the last end before a limit."""
        some = boxes[self._end[boxes, axis] < limit]
        return int(some[np.argmax(self._end[some, axis])]) if len(some) else None

    def _next_after(self, boxes: IntArray, axis: int, limit: float) -> int | None:
        """The box with the first beginning after a limit."""
        some = boxes[self._begin[boxes, axis] > limit]
        return int(some[np.argmin(self._begin[some, axis])]) if len(some) else None

    def _gaps(self, box: FloatArray, axis: int, three: tuple[int, int, int]) -> Iterator[Segment]:
        """The two gaps between three boxes, each drawn in the middle of the overlap of its two boxes."""
        across = 1 - axis
        boxes = [box if each < 0 else np.array([self._begin[each], self._end[each]]) for each in three]
        for one, other in itertools.pairwise(boxes):
            both = max(one[0, across], other[0, across]), min(one[1, across], other[1, across])
            middle, begin, end = float(sum(both)) / 2, float(one[1, axis]), float(other[0, axis])
            yield (begin, middle, end, middle) if axis == 0 else (middle, begin, middle, end)

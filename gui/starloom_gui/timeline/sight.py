"""The visible bars as columns of numbers, found by one bisection for each lane. No Qt here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from starloom_gui.timeline.density import Narrow
from starloom_gui.viewmodel.lane_bars import BarKey

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from starloom_gui.viewmodel.lane_bars import LaneBars
    from starloom_gui.viewmodel.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """The visible bars, and one more on either side of each lane for the lines that belong to it.

    Columns are of one length, in the order of rows and starts.

    Attributes:
        parts: lane, begin and end of each part that is in sight.
        span: which time is shown.
        row: of each bar, counted from the first row in sight.
        x0, x1: from and to which logical pixel of the plot; what runs ends at the present.
        before: up to where the bars before it reach.
        following: where the next bar of its lane begins.
        kind: see `kinds`, or the flags of `projected`.
    """

    parts: list[tuple[LaneBars, int, int]]
    span: Span
    row: NDArray[np.intp]
    x0: NDArray[np.float64]
    x1: NDArray[np.float64]
    before: NDArray[np.float64]
    following: NDArray[np.float64]
    kind: NDArray[np.uint8]

    def narrow(self, chosen: NDArray[np.bool_], ratio: float) -> Narrow:
        """Some of the bars for `density`, in device pixels.

        Args:
            chosen: (N,) which of the bars.
            ratio: device pixels a logical pixel.
        """
        row, x0, x1 = self.row[chosen], self.x0[chosen], self.x1[chosen]
        return Narrow(row, x0 * ratio, x1 * ratio, self.following[chosen] * ratio, self.kind[chosen])

    def column(self, name: str) -> NDArray[np.float64]:
        """Another column of the bars; see `LaneBars`."""
        return np.concatenate([getattr(lane, name)[begin:end] for lane, begin, end in self.parts])

    def x_column(self, name: str) -> NDArray[np.float64]:
        """A column of times as pixels."""
        return (self.column(name) - self.span.left) / self.span.per_px

    def keys(self, chosen: NDArray[np.intp]) -> list[BarKey]:
        """The keys of some of the bars, in that order."""
        columns = (self.column(name)[chosen].tolist() for name in ("run", "number", "attempt"))
        return [BarKey(*key) for key in zip(*columns, strict=True)]


def sight_of(lanes: Callable[[int], LaneBars], rows: range, span: Span, width: float, now: float) -> Sight | None:
    """The visible bars; None: there are none.

    Args:
        lanes: the bars of a row.
        rows: the rows in sight.
        span: which time is shown.
        width: of the plot, in pixels.
        now: where what runs ends.
    """
    chosen, parts = _parts(lanes, rows, span.left, span.time_at(width))
    if not parts:
        return None
    counts = np.array([end - begin for _, begin, end in parts])
    left, scale = span.left, 1 / span.per_px
    return Sight(
        parts=parts,
        span=span,
        row=np.repeat(np.array(chosen), counts),
        x0=(np.concatenate([lane.start[begin:end] for lane, begin, end in parts]) - left) * scale,
        x1=(np.minimum(np.concatenate([lane.end[begin:end] for lane, begin, end in parts]), now) - left) * scale,
        before=(np.concatenate([lane.reach[begin:end] for lane, begin, end in parts]) - left) * scale,
        following=(np.concatenate([lane.start[begin + 1 : end + 1] for lane, begin, end in parts]) - left) * scale,
        kind=np.concatenate([lane.kind[begin:end] for lane, begin, end in parts]),
    )


def _parts(
    lanes: Callable[[int], LaneBars], rows: range, first: float, last: float
) -> tuple[list[int], list[tuple[LaneBars, int, int]]]:
    chosen: list[int] = []
    parts: list[tuple[LaneBars, int, int]] = []
    for row in rows:
        lane = lanes(row)
        begin, end = lane.between(first, last)
        begin, end = max(0, begin - 1), min(lane.size, end + 1)
        if end > begin:
            chosen.append(row - rows.start)
            parts.append((lane, begin, end))
    return chosen, parts

"""Paints bars too narrow to be drawn one by one as columns of pixels, as opaque as the lane was busy.

Pure numbers in and out: an image of one row of pixels a lane.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from starloom_gui.timeline.kinds import FAILED

if TYPE_CHECKING:
    from numpy.typing import NDArray

FAINTEST: Final = 0.35
"""How opaque a column is in which hardly anything ran."""
_SEEN: Final = 0.02


class Narrow(NamedTuple):
    """Bars to be drawn as columns, lane by lane in the order of their starts.

    Attributes:
        row: the row of pixels of each.
        x0, x1: from and to which pixel, as fractions.
        following: where the next bar of the lane begins.
        kind: see `kinds`.
    """

    row: NDArray[np.intp]
    x0: NDArray[np.float64]
    x1: NDArray[np.float64]
    following: NDArray[np.float64]
    kind: NDArray[np.uint8]

    def columns(self, width: int, least: float) -> range:
        """The columns of pixels that may have a value; see `density`.

        Args:
            width: of the plot, in device pixels.
            least: device pixels a bar is wide at least.
        """
        last = max(float(self.x1.max()), float(self.x0.max()) + least)
        return range(max(0, int(min(self.x0.min(), width))), max(0, min(width, int(last) + 1)))

    def rows(self) -> NDArray[np.intp]:
        """The rows in which there is anything, in order."""
        return self.row[np.flatnonzero(np.diff(self.row, prepend=-1))]

    def within(self, columns: range, rows: NDArray[np.intp]) -> Narrow:
        """The same in a picture of only these columns and rows; see `columns` and `rows`."""
        first, place = columns.start, np.zeros(int(rows[-1]) + 1, np.intp)
        place[rows] = np.arange(len(rows))
        return Narrow(place[self.row], self.x0 - first, self.x1 - first, self.following - first, self.kind)


def density(bars: Narrow, rows: int, width: int, least: float, colours: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Premultiplied ARGB of `rows` by `width` pixels.

    Args:
        bars: what is to be seen.
        rows: how many lanes.
        width: how many pixels.
        least: pixels a bar is wide at least, unless the next one begins before; a failure always.
        colours: red, green and blue of each kind.
    """
    kinds = np.unique(bars.kind)
    covered = coverage(bars, kinds, rows, width, least)
    total = np.minimum(covered.sum(axis=0), 1.0)
    winner = covered.argmax(axis=0)
    alpha = np.where(total > 0, np.maximum(total, FAINTEST), 0.0)
    if kinds[-1] == FAILED:
        failed = covered[-1] > _SEEN
        winner[failed], alpha[failed] = len(kinds) - 1, 1.0
    return _argb(alpha, colours[kinds][winner])


def coverage(bars: Narrow, kinds: NDArray[np.uint8], rows: int, width: int, least: float) -> NDArray[np.float64]:
    """The share of each pixel that bars of each kind cover, 0 to about 1; (kinds, `rows`, `width`).

    Args:
        bars: in device pixels.
        kinds: (K,) the kinds among them, ascending.
        rows: how many lanes.
        width: of the plot, in device pixels.
        least: pixels a bar is wide at least, unless the next one begins before; a failure always.
    """
    has_room = (bars.following - bars.x0 >= least) | (bars.kind == FAILED)
    x0 = np.clip(bars.x0, 0, width)
    x1 = np.clip(np.where(has_room, np.maximum(bars.x1, bars.x0 + least), bars.x1), 0, width)
    first, last = x0.astype(np.intp), x1.astype(np.intp)
    line = (np.searchsorted(kinds, bars.kind) * rows + bars.row) * (width + 2)
    size = len(kinds) * rows * (width + 2)
    spans = last > first
    covered = _sums(line + first, np.where(spans, first + 1 - x0, x1 - x0), size)
    if spans.any():
        line, first, last, x1 = line[spans], first[spans], last[spans], x1[spans]
        ones = np.ones(len(line))
        covered += _sums(line + last, x1 - last, size)
        covered += np.cumsum(_sums(line + first + 1, ones, size) - _sums(line + last, ones, size))
    result: NDArray[np.float64] = covered.reshape(len(kinds), rows, width + 2)[:, :, :width]
    return result


def _sums(places: NDArray[np.intp], weights: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    return np.bincount(places, weights, size).astype(np.float64, copy=False)


def _argb(alpha: NDArray[np.float64], rgb: NDArray[np.uint8]) -> NDArray[np.uint32]:
    scaled = (rgb * alpha[..., None] + 0.5).astype(np.uint32)
    opacity = (alpha * 255 + 0.5).astype(np.uint32)
    return np.ascontiguousarray(opacity << 24 | scaled[..., 0] << 16 | scaled[..., 1] << 8 | scaled[..., 2])

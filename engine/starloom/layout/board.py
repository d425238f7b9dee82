"""Placed boxes, and free space beside them, as a warm layout and pinned nodes need."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from starloom.layout.values import BoolArray, FloatArray, IntArray, Spacing


@dataclass(slots=True, eq=False)
class LayoutState:
    """The placed boxes of a layout in the making, along and across.

    Attributes:
        middle: (N, 2) the middle of each box.
        size: (N, 2) its size.
        rank: (N,) its rank.
        pinned: (N,) whether it must not move.
        stands: (N,) whether it has its place already; the others are air.
        touched: (N,) whether it is elsewhere, or of another size, than in the layout before.
        lines: (R,) the middle of each rank.
        spacing: the distances to keep.
    """

    middle: FloatArray
    size: FloatArray
    rank: IntArray
    pinned: BoolArray
    stands: BoolArray
    touched: BoolArray
    lines: FloatArray
    spacing: Spacing

    def beside(self, along: float, thickness: float) -> IntArray:
        """The rows of placed boxes that a box at this place along could overlap."""
        reach = (self.size[:, 0] + thickness) / 2
        return np.flatnonzero(self.stands & (np.abs(self.middle[:, 0] - along) < reach))

    def covered_by(self, row: int) -> IntArray:
        """The rows of placed boxes that this one overlaps, without itself."""
        near = self.beside(float(self.middle[row, 0]), float(self.size[row, 0]))
        reach = (self.size[near, 1] + self.size[row, 1]) / 2
        near = near[np.abs(self.middle[near, 1] - self.middle[row, 1]) < reach]
        return np.asarray(near[near != row])

    def room(self, row: int, along: float, wanted: float) -> float:
        """The free place across, nearest to the wanted one, for this row's box at a place along."""
        near = self.beside(along, float(self.size[row, 0]))
        near = near[near != row]
        reach = (self.size[near, 1] + self.size[row, 1]) / 2 + self.spacing.row_gap
        return nearest_free(self.middle[near, 1] - reach, self.middle[near, 1] + reach, wanted)

    def put(self, row: int, along: float, across: float) -> None:
        """Place a box."""
        self.middle[row] = along, across
        self.stands[row] = True
        self.touched[row] = True

    def squeeze_in(self, row: int, along: float, wanted: float) -> bool:
        """Place a box near the wanted place, if boxes of its rank can move aside; they move as little as possible.

        Returns:
            Whether it stands now; if not, nothing has moved.
        """
        near = self.beside(along, float(self.size[row, 0]))
        near = near[np.argsort(self.middle[near, 1], kind="stable")]
        at = int(np.searchsorted(self.middle[near, 1], wanted))
        down = self._pushed(row, near[at:], near[:at], wanted, 1.0)
        up = self._pushed(row, near[:at][::-1], near[at:][::-1], wanted, -1.0)
        options = [option for option in (down, up) if option is not None]
        if not options:
            return False
        across, rows, places = min(
            options, key=lambda option: float(np.abs(self.middle[option[1], 1] - option[2]).sum())
        )
        self.middle[rows, 1] = places
        self.touched[rows] = True
        self.put(row, along, across)
        return True

    def _pushed(
        self, row: int, ahead: IntArray, behind: IntArray, wanted: float, sign: float
    ) -> tuple[float, list[int], list[float]] | None:
        """The places of the box and of the others it moves, those ahead giving way; None: one cannot move."""
        gap, half = self.spacing.row_gap, self.size[:, 1] / 2
        place = sign * wanted
        if len(behind):
            least = (sign * self.middle[behind, 1] + half[behind]).max() + gap + half[row]
            place = max(place, float(least))
        place = float(np.ceil(place))
        across, edge = sign * place, place + float(half[row])
        stays = self.pinned[ahead] | (self.rank[ahead] != self.rank[row])
        # plain numbers: one by one they are many times as fast as entries of arrays
        those = zip(
            ahead.tolist(), (sign * self.middle[ahead, 1]).tolist(), half[ahead].tolist(), stays.tolist(), strict=True
        )
        rows: list[int] = []
        places: list[float] = []
        for other, now, halved, must_stay in those:
            least = float(ceil(edge + gap + halved))
            if now >= least:
                break
            if must_stay:
                return None
            rows.append(other)
            places.append(sign * least)
            edge = least + halved
        return across, rows, places


def nearest_free(low: FloatArray, high: FloatArray, wanted: float) -> float:
    """The whole number nearest to the wanted place that is strictly inside none of the intervals; of two the lower."""
    low, high = np.floor(low), np.ceil(high)
    wanted = float(np.floor(wanted + 0.5))
    if not ((low < wanted) & (wanted < high)).any():
        return wanted
    order = np.argsort(low, kind="stable")
    low, reach = low[order], np.maximum.accumulate(high[order])
    free = reach[:-1] <= low[1:]
    ends = np.concatenate((low[:1], reach[:-1][free], low[1:][free], reach[-1:]))
    ends.sort()
    return float(ends[np.argmin(np.abs(ends - wanted))])

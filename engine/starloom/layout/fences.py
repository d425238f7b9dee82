"""Separation constraints of blocks, and the freedom they leave.

A pass over all pairs takes each after those it depends on. It is a plain loop over plain numbers: on every graph that
was tried that was as fast as arrays, level by level, and it needs no levels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from starloom.layout.neighbours import topological

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.layout.ranked import Ranked
    from starloom.layout.values import FloatArray, IntArray


GRID: Final = 8.0
"""Coordinates are multiples of so many pixels: what is nearly in line is in line."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Pairs of blocks and the least distance of each in pixels, as three flat lists."""

    first: list[int]
    second: list[int]
    distance: list[float]

    @classmethod
    def of(cls, first: IntArray, second: IntArray, distance: FloatArray) -> Pairs:
        """Pairs from arrays."""
        return cls(first.tolist(), second.tolist(), distance.tolist())

    def __iter__(self) -> Iterator[tuple[int, int, float]]:
        return zip(self.first, self.second, self.distance, strict=True)


@dataclass(frozen=True, slots=True, eq=False)
class Fences:
    """The separation constraints of blocks: the second of each pair is at least so far beyond the first.

    Attributes:
        part: (B,) the component of each block.
        forward: first and second block and the pixels from one to the other, so ordered that all pairs that end in a
            block come before those that begin there.
        backward: the same, all that begin in a block before those that end there.
    """

    part: IntArray
    forward: Pairs
    backward: Pairs

    @classmethod
    def between(cls, ranked: Ranked, place: IntArray, block: IntArray, half: FloatArray, gap: FloatArray) -> Fences:
        """The constraints between neighbours of one rank and one component.

        Args:
            ranked: the vertices.
            place: their places.
            block: their blocks.
            half: (V,) half of what each takes across its rank.
            gap: (V,) what each wants free beside it; the smaller of two holds.
        """
        at = np.empty(len(place), dtype=np.int64)
        at[ranked.starts[ranked.rank] + place] = np.arange(len(place))
        left, right = at[:-1], at[1:]
        beside = (ranked.rank[left] == ranked.rank[right]) & (ranked.part[left] == ranked.part[right])
        left, right = left[beside], right[beside]
        distance = half[left] + half[right] + np.minimum(gap[left], gap[right])
        distance = GRID * np.ceil(distance / GRID)  # so that they hold when coordinates are rounded, too
        first, second, distance = _strongest(block[left], block[right], distance)
        part = np.zeros(int(block.max(initial=-1)) + 1, dtype=np.int64)
        part[block] = ranked.part
        turn = np.empty(len(part), dtype=np.int64)
        turn[topological(len(part), first, second)] = np.arange(len(part))
        forward, backward = np.argsort(turn[first], kind="stable"), np.argsort(-turn[second], kind="stable")
        return cls(part, *(Pairs.of(first[o], second[o], distance[o]) for o in (forward, backward)))

    def kept(self, wanted: FloatArray) -> FloatArray:
        """Coordinates that satisfy all constraints, near the wanted ones; the same ones if these do already."""
        low, high = wanted.tolist(), wanted.tolist()
        for a, b, distance in self.forward:
            least = low[a] + distance
            if low[b] < least:
                low[b] = least
        for a, b, distance in self.backward:
            most = high[b] - distance
            if high[a] > most:
                high[a] = most
        return (np.asarray(low, dtype=np.float64) + np.asarray(high, dtype=np.float64)) / 2

    def height(self) -> float:
        """The least height of the highest component, from the middle of the first box to that of the last."""
        return float(self.highest().max(initial=0.0))

    def limits(self) -> tuple[FloatArray, FloatArray]:
        """The range of each block when each component has the least possible height."""
        top = self.highest()
        height = np.zeros(int(self.part.max(initial=-1)) + 1)
        np.maximum.at(height, self.part, top)
        bottom = height[self.part].tolist()
        for a, b, distance in self.backward:
            most = bottom[b] - distance
            if bottom[a] > most:
                bottom[a] = most
        return top, np.asarray(bottom)

    def highest(self) -> FloatArray:
        """The least coordinate of each block when none is negative."""
        top = [0.0] * len(self.part)
        for a, b, distance in self.forward:
            least = top[a] + distance
            if top[b] < least:
                top[b] = least
        return np.asarray(top)


def _strongest(first: IntArray, second: IntArray, distance: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    if not len(first):
        return first, second, distance
    order = np.lexsort((distance, second, first))
    first, second, distance = first[order], second[order], distance[order]
    last = np.append((first[1:] != first[:-1]) | (second[1:] != second[:-1]), True)
    return first[last], second[last], distance[last]

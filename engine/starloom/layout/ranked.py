"""Vertices numbered by rank, as ordering and coordinate assignment use them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from starloom.layout.values import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """Vertices numbered by rank, their segments in both directions, and the slices of both.

    Attributes:
        rank, part: (V,) rank of each vertex, and the component it belongs to, from 0.
        starts: (R + 1,) where the vertices of each rank begin.
        downward: (S, 2) segments by lower end; upward: (S, 2) by upper end, the ends in the same order.
        downward_starts, upward_starts: (R + 1,) where the segments into, and out of, each rank begin.
    """

    rank: IntArray
    part: IntArray
    starts: IntArray
    downward: IntArray
    upward: IntArray
    downward_starts: IntArray
    upward_starts: IntArray

    @classmethod
    def of(cls, rank: IntArray, part: IntArray, segments: IntArray) -> Ranked:
        """From vertices that are already numbered by rank."""
        bounds = np.arange(int(rank.max(initial=-1)) + 2)
        downward = segments[np.lexsort((segments[:, 0], segments[:, 1]))]
        upward = segments[np.lexsort((segments[:, 1], segments[:, 0]))]
        return cls(
            rank,
            part,
            np.searchsorted(rank, bounds),
            downward,
            upward,
            np.searchsorted(rank[downward[:, 1]], bounds),
            np.searchsorted(rank[upward[:, 0]], bounds),
        )

    def __len__(self) -> int:
        return len(self.rank)

    def crossings(self, place: IntArray) -> int:
        """The number of segments that cross at these places."""
        return count_crossings(self.downward, self.rank, place)


def count_crossings(segments: IntArray, rank: IntArray, place: IntArray) -> int:
    """The number of pairs of segments that cross with the vertices at these places of their ranks.

    Args:
        segments: (S, 2) vertices of lower and higher rank.
        rank: (V,) rank of each vertex; a segment's ends are in neighbouring ranks.
        place: (V,) place of each vertex within its rank, from 0.
    """
    if not len(segments):
        return 0
    span = int(place.max()) + 1
    above = rank[segments[:, 0]] * span + place[segments[:, 0]]
    below = rank[segments[:, 1]] * span + place[segments[:, 1]]
    return inversions(below[np.lexsort((below, above))])


def inversions(values: IntArray) -> int:
    """The number of pairs of numbers in the wrong order; equal ones do not count. None is negative.

    A radix sort from the highest bit: at each bit, within values that agree in all higher bits, every zero that comes
    after a one is an inversion.
    """
    current = values
    total = 0
    for bit in range(int(current.max()).bit_length() - 1, -1, -1):
        ones = (current >> bit) & 1
        prefix = current >> (bit + 1)
        group = np.flatnonzero(np.concatenate(([True], prefix[1:] != prefix[:-1])))
        sizes = np.diff(np.append(group, len(current)))
        before = np.cumsum(ones) - ones
        ones_before = before - np.repeat(before[group], sizes)
        total += int(ones_before[ones == 0].sum())
        start = np.repeat(group, sizes)
        zeros_before = np.arange(len(current)) - start - ones_before
        zeros = np.repeat(sizes - np.add.reduceat(ones, group), sizes)
        moved = np.empty_like(current)
        moved[start + np.where(ones == 1, zeros + ones_before, zeros_before)] = current
        current = moved
    return total

"""Vertices by rank, as the order within each rank and the places across are found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from starloom.layout.crossings import count_crossings

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
        """How many segments cross at these places."""
        return count_crossings(self.downward, self.rank, place)

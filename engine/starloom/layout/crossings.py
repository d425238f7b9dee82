"""Counting crossings between neighbouring ranks: all ranks at once, in O(S log S), without a loop over segments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from starloom.layout.values import IntArray


def count_crossings(segments: IntArray, rank: IntArray, place: IntArray) -> int:
    """How many pairs of segments cross when vertices stand at these places of their ranks.

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
    """How many pairs of numbers stand in the wrong order; equal ones don't count. None is negative.

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

"""Alignment of vertices of neighbouring ranks, so that chains and long edges are straight.

Of the segments that lead from a vertex to the middle one of its neighbours and back, the heaviest set without crossings
is taken; what hangs together by them is a *block* with one coordinate.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from enum import Enum
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.layout.ranked import Ranked
    from starloom.layout.values import BoolArray, IntArray

_PASSAGES: Final = 8
"""The weight of a segment between two passages: a long edge is straight wherever that is possible."""
_LINK: Final = 4
"""Of one between the only child and the only parent."""
_MIDDLE: Final = 2
"""Of any other."""


class Straight(Enum):
    """The vertices that are aligned."""

    EVERYTHING = 0
    NODES = 1
    NOTHING = 2


def blocks(ranked: Ranked, place: IntArray, is_passage: BoolArray, straight: Straight) -> IntArray:
    """The block of each vertex, from 0, by first vertex."""
    if straight is Straight.NOTHING:
        return np.arange(len(ranked))
    upper, lower = ranked.downward.T
    weight = _weights(ranked, place, is_passage)
    if straight is Straight.NODES:
        weight *= ~(is_passage[upper] | is_passage[lower])
    chosen = np.flatnonzero(weight)
    order = np.lexsort((-place[lower[chosen]], place[upper[chosen]], ranked.rank[lower[chosen]]))
    chosen = chosen[order]
    gap = np.searchsorted(ranked.rank[lower[chosen]], np.arange(int(ranked.rank.max(initial=-1)) + 2)).tolist()
    weights, ends = weight[chosen].tolist(), place[lower[chosen]].tolist()
    kept: list[int] = []
    for low, high in itertools.pairwise(gap):
        kept += [low + one for one in _heaviest_increasing(ends[low:high], weights[low:high])]
    above = np.arange(len(ranked))
    above[lower[chosen[kept]]] = upper[chosen[kept]]
    return _roots(above)


def _roots(above: IntArray) -> IntArray:
    while True:
        higher = above[above]
        if np.array_equal(higher, above):
            break
        above = higher
    _, block = np.unique(above, return_inverse=True)
    return block.astype(np.int64)


def _weights(ranked: Ranked, place: IntArray, is_passage: BoolArray) -> IntArray:
    """The weight of each downward segment when straight; 0: it does not join two centres."""
    upper, lower = ranked.downward.T
    from_above, parents = _is_middle(lower, upper, place, is_passage)
    from_below, children = _is_middle(upper, lower, place, is_passage)
    odd = (parents % 2 == 1) & (children % 2 == 1)  # of two in the middle neither is: the vertex goes between them
    link = (parents == 1) & (children == 1)
    weight = np.where(link, _LINK, _MIDDLE) * (from_above & from_below & odd)
    return np.where(is_passage[upper] & is_passage[lower], _PASSAGES, weight)


def _is_middle(own: IntArray, other: IntArray, place: IntArray, is_passage: BoolArray) -> tuple[BoolArray, IntArray]:
    """Whether each segment leads to the middle one, or two, of the neighbours of its end, and how many these are.

    Where there are nodes among the neighbours, the others don't count: a chain is straight, what runs beside it bends.
    """
    degree, nodes = np.bincount(own), np.bincount(own, ~is_passage[other]).astype(np.int64)
    counts = np.where(nodes > 0, nodes, degree)[own]
    order = np.lexsort((place[other], is_passage[other], own))
    first = np.cumsum(degree) - degree
    at = np.empty(len(own), dtype=np.int64)
    at[order] = np.arange(len(own))
    at -= first[own]
    return (at == (counts - 1) // 2) | (at == counts // 2), counts


def _heaviest_increasing(ends: Sequence[int], weights: Sequence[int]) -> list[int]:
    """The places of the heaviest strictly increasing subsequence, last first."""
    # The ends at which a subsequence can stop, and the weight of the heaviest that stops there: both ascending.
    front: list[int] = []
    best: list[int] = []
    who: list[int] = []
    before = [-1] * len(ends)
    for one, (end, weight) in enumerate(zip(ends, weights, strict=True)):
        at = bisect_left(front, end)
        total = weight
        if at:
            total += best[at - 1]
            before[one] = who[at - 1]
        beyond = at
        while beyond < len(front) and best[beyond] <= total:
            beyond += 1
        if beyond > at or at == len(front) or front[at] > end:
            front[at:beyond] = [end]
            best[at:beyond] = [total]
            who[at:beyond] = [one]
    found: list[int] = []
    last = who[-1] if who else -1
    while last >= 0:
        found.append(last)
        last = before[last]
    return found

"""Swapping neighbours of a rank where that removes crossings, after the sweeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.layout.ranked import Ranked
    from starloom.layout.values import IntArray


def switch(ranked: Ranked, place: IntArray, rounds: int, should_stop: Callable[[], bool]) -> IntArray:
    """Swap neighbours until no crossing is removed or so many rounds are over; never adds crossings.

    In one step every second rank stands still and, in the others, every second pair of neighbours is judged: no two of
    these swaps know of each other, so all are done at once.
    """
    place = place.copy()
    idle = 0
    for step in range(4 * rounds):
        if should_stop():
            break
        gained = _swap_pairs(ranked, place, step & 1, (step >> 1) & 1)
        idle = 0 if gained else idle + 1
        if idle == 4:
            break
    return place


def _swap_pairs(ranked: Ranked, place: IntArray, rank_parity: int, pair_parity: int) -> bool:
    at = np.empty(
        len(place), dtype=np.int64
    )  # the vertex at each position; positions are numbered by rank, as vertices are
    at[ranked.starts[ranked.rank] + place] = np.arange(len(place))
    first = np.flatnonzero((ranked.rank[:-1] == ranked.rank[1:]) & (ranked.rank[1:] % 2 == rank_parity))
    left, right = at[first], at[first + 1]
    mine = (place[left] % 2 == pair_parity) & (ranked.part[left] == ranked.part[right])
    left, right = left[mine], right[mine]
    gain = _gain(ranked.downward[:, 1], ranked.downward[:, 0], left, right, place)
    gain += _gain(ranked.upward[:, 0], ranked.upward[:, 1], left, right, place)
    left, right = left[gain > 0], right[gain > 0]
    place[left] += 1
    place[right] -= 1
    return len(left) > 0


def _gain(own: IntArray, other: IntArray, left: IntArray, right: IntArray, place: IntArray) -> IntArray:
    """By how many crossings on one side each pair has fewer when it is swapped.

    Args:
        own: one end of each segment, ascending.
        other: the other end.
        left: the first vertex of each pair.
        right: the second.
        place: the place of each vertex.
    """
    span = int(place.max()) + 2
    key = own * span + place[other]
    key.sort()
    begin, end = np.searchsorted(own, left), np.searchsorted(own, left, side="right")
    counts = end - begin
    pair = np.repeat(np.arange(len(left)), counts)
    mine = key[np.repeat(begin - np.cumsum(counts) + counts, counts) + np.arange(len(pair))] - (left * span)[pair]
    base = (right * span)[pair]
    before, upto = np.searchsorted(key, base + mine), np.searchsorted(key, base + mine, side="right")
    first, last = np.searchsorted(key, base), np.searchsorted(key, base + span - 1)
    crossing = (before - first) - (last - upto)  # now, less when swapped
    return np.bincount(pair, crossing, len(left)).astype(np.int64)

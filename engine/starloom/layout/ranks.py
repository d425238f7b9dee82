"""Rank assignment of a new layout: each child after its parents, edges short, no rank far too wide."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Final

import numpy as np

from starloom.layout.layers import trunks

if TYPE_CHECKING:
    from starloom.layout.neighbours import Neighbours
    from starloom.layout.values import IntArray, LayoutGraph

_TIGHTENINGS: Final = 4
"""Rounds of shortening edges; nothing changes any more after two or three on every graph that was tried."""
_WIDE: Final = 64
"""A rank of so many nodes may be as tall as it is, whatever the rest of the graph looks like."""
_TOO_WIDE: Final = 3.0
"""How many times as wide as in a picture of good proportions a rank has to be before it is folded."""
_LENGTHENING: Final = 3.0
"""How many times as long in all the edges may become by folding, beyond one passage a node."""


def assign_ranks(graph: LayoutGraph, near: Neighbours, part: IntArray, proportion: float) -> IntArray:
    """The rank of each row, from 0 in each component.

    A component with a rank that is absurdly wide is folded: its tasks fill ranks of a sensible width, one after the
    other. That is only done where edges don't become much longer by it, as with a thousand tasks between two others.

    Args:
        graph: what is ranked.
        near: its neighbours.
        part: (N,) the component of each row, from 0.
        proportion: ranks over rows in a picture of good proportions that is filled to the last place.
    """
    rank = np.asarray(_tightened(near, longest_paths(near)), dtype=np.int64)
    if not len(rank):
        return rank
    ranks = int(rank.max()) + 1
    widest = np.bincount(part * ranks + rank, minlength=ranks * (int(part.max()) + 1)).reshape(-1, ranks).max(axis=1)
    ideal = np.sqrt(np.bincount(part) / proportion)
    for one in np.flatnonzero(widest > np.maximum(_WIDE, _TOO_WIDE * ideal)).tolist():
        folds = np.ceil(widest[one] / ideal[one])  # all folds as full as the last
        rows, edges = np.flatnonzero(part == one), graph.edges[part[graph.edges[:, 0]] == one]
        folded = rank.copy()
        folded[rows] = _list_scheduled(near, rows.tolist(), int(np.ceil(widest[one] / folds)))
        if _passages(edges, folded) <= _LENGTHENING * _passages(edges, rank) + len(rows):
            rank = folded
    return rank


def longest_paths(near: Neighbours) -> list[int]:
    """The number of edges on the longest path to each row."""
    rank = [0] * len(near.order)
    for row in near.order:
        after = rank[row] + 1
        for child in near.children(row):
            if rank[child] < after:
                rank[child] = after
    return rank


def _tightened(near: Neighbours, rank: list[int]) -> list[int]:
    """Move nodes within their slack to where their edges are shorter in all: sources towards what needs them."""
    later = [row for row in reversed(near.order) if len(near.children(row)) > len(near.parents(row))]
    earlier = [row for row in near.order if len(near.children(row)) < len(near.parents(row))]
    for _ in range(_TIGHTENINGS):
        before = list(rank)
        for row in later:
            rank[row] = min(rank[child] for child in near.children(row)) - 1
        for row in earlier:
            rank[row] = max(rank[parent] for parent in near.parents(row)) + 1
        if rank == before:
            break
    return rank


def _list_scheduled(near: Neighbours, rows: list[int], width: int) -> list[int]:
    """Ranks of at most so many of a component's rows: filled in turn, with children of what was placed last first.

    So parallel chains become bands that follow each other, and one task's thousand children a block.
    """
    depth: dict[int, int] = dict.fromkeys(rows, 0)
    for row in reversed(near.order):
        if row in depth:
            depth[row] = max((depth[child] + 1 for child in near.children(row)), default=0)
    rank: dict[int, int] = {}
    unmet = {row: len(near.parents(row)) for row in rows}
    ready = [(0, -depth[row], row) for row, count in unmet.items() if not count]
    heapq.heapify(ready)
    now = 0
    while ready:
        taken = [heapq.heappop(ready)[2] for _ in range(min(width, len(ready)))]
        for row in taken:
            rank[row] = now
            for child in near.children(row):
                unmet[child] -= 1
                if not unmet[child]:
                    heapq.heappush(ready, (-now - 1, -depth[child], child))
        now += 1
    return [rank[row] for row in rows]


def _passages(edges: IntArray, rank: IntArray) -> int:
    """The number of edges that pass a rank; those of one node that run side by side count once."""
    return int(trunks(edges, rank).length.sum())

"""The proper layered graph: long edges are split at each rank they pass, and those of one node are bundled.

The long edges of one parent share a *trunk*, a chain of passages from which each leaves before its child; so do those
of one child where they come from more parents than theirs have children. A fan of ten thousand long edges costs one
passage a rank instead of ten thousand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from starloom.layout.values import BoolArray, IntArray

MOST_PASSAGES: Final = 2_000
"""So many passages are always found room for, and one more for each node; the longest trunks go without."""


@dataclass(frozen=True, slots=True, eq=False)
class Trunks:
    """Bundles of long edges.

    Attributes:
        of_edge: (E,) the trunk of each edge, -1: it has none.
        owner: (T,) the row whose edges it bundles.
        outgoing: (T,) whether these are the owner's edges to children, or from parents.
        first: (T,) the first rank it passes.
        length: (T,) how many ranks it passes.
    """

    of_edge: IntArray
    owner: IntArray
    outgoing: BoolArray
    first: IntArray
    length: IntArray


def trunks(edges: IntArray, ranks: IntArray) -> Trunks:
    """The trunks of all edges that pass at least one rank."""
    parent, child = edges[:, 0], edges[:, 1]
    size = len(ranks)
    long = ranks[child] - ranks[parent] > 1
    out = np.bincount(parent[long], minlength=size)
    into = np.bincount(child[long], minlength=size)
    outgoing = out[parent] >= into[child]
    key = np.where(outgoing, parent, size + child)
    of_edge = np.full(len(edges), -1, dtype=np.int64)
    keys, of_edge[long] = np.unique(key[long], return_inverse=True)
    first = np.full(len(keys), np.iinfo(np.int64).max)
    last = np.full(len(keys), -1)
    np.minimum.at(first, of_edge[long], ranks[parent[long]] + 1)
    np.maximum.at(last, of_edge[long], ranks[child[long]] - 1)
    return Trunks(of_edge, keys % max(size, 1), keys < size, first, last - first + 1)


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """Vertices by rank, and segments between neighbouring ranks.

    Vertices 0 … N-1 are the nodes by row, the rest are passages, those of one trunk in a row.

    Attributes:
        nodes: how many vertices are nodes.
        rank: (V,) the rank of each vertex.
        owner: (V,) the row of the node itself, or of the one that the trunk belongs to.
        outgoing: (V,) whether a passage belongs to a trunk of edges to children.
        segments: (S, 2) the vertices of each segment, that of the lower rank first; each pair once.
        via: (E, 2) the first passage of each edge and how many follow, itself included; none: 0 0.
    """

    nodes: int
    rank: IntArray
    owner: IntArray
    outgoing: BoolArray
    segments: IntArray
    via: IntArray

    def __len__(self) -> int:
        return len(self.rank)


def layers(edges: IntArray, ranks: IntArray) -> Layers:
    """Split the long edges of a ranked graph; edges of bundles without room get neither passages nor segments."""
    bundle = trunks(edges, ranks)
    kept = _affordable(bundle.length, len(ranks) + MOST_PASSAGES)
    length = np.where(kept, bundle.length, 0)
    base = len(ranks) + np.cumsum(length) - length
    trunk = np.repeat(np.arange(len(length)), length)
    passage_rank = np.arange(len(trunk)) - (base - len(ranks))[trunk] + bundle.first[trunk]
    rank = np.concatenate([ranks, passage_rank])
    via = _via(edges, ranks, bundle, kept, base)
    return Layers(
        nodes=len(ranks),
        rank=rank,
        owner=np.concatenate([np.arange(len(ranks)), bundle.owner[trunk]]),
        outgoing=np.concatenate([np.zeros(len(ranks), dtype=np.bool_), bundle.outgoing[trunk]]),
        segments=_segments(edges, rank, via),
        via=via,
    )


def _affordable(length: IntArray, most: int) -> BoolArray:
    kept = np.zeros(len(length), dtype=np.bool_)
    short_first = np.argsort(length, kind="stable")
    kept[short_first] = np.cumsum(length[short_first]) <= most
    return kept


def _via(edges: IntArray, ranks: IntArray, bundle: Trunks, kept: BoolArray, base: IntArray) -> IntArray:
    via = np.zeros((len(edges), 2), dtype=np.int64)
    if not len(bundle.owner):
        return via
    passing = (bundle.of_edge >= 0) & kept[bundle.of_edge]
    trunk = bundle.of_edge[passing]
    after_parent = ranks[edges[passing, 0]] + 1
    via[passing, 0] = base[trunk] + after_parent - bundle.first[trunk]
    via[passing, 1] = ranks[edges[passing, 1]] - after_parent
    return via


def _segments(edges: IntArray, rank: IntArray, via: IntArray) -> IntArray:
    passing = via[:, 1] > 0
    first, last = via[passing, 0], via[passing].sum(axis=1) - 1
    between = np.zeros(len(rank) + 1, dtype=np.int64)  # how many edges go on from a passage to the next
    np.add.at(between, first, 1)
    np.add.at(between, last, -1)
    goes_on = np.flatnonzero(np.cumsum(between)[:-1] > 0)
    short = edges[~passing & (rank[edges[:, 1]] - rank[edges[:, 0]] == 1)]
    every = np.vstack(
        [
            short,
            np.column_stack([edges[passing, 0], first]),
            np.column_stack([goes_on, goes_on + 1]),
            np.column_stack([last, edges[passing, 1]]),
        ]
    )
    key = np.unique(every[:, 0] * len(rank) + every[:, 1])  # as one number: sorting rows is ten times as slow
    return np.column_stack(np.divmod(key, max(len(rank), 1)))

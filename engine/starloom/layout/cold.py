"""Cold layout: ranks, layers, order, coordinates, components, each from the result of the one before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from starloom.layout.alignment import Straight, blocks
from starloom.layout.coordinates import coordinates
from starloom.layout.fences import Fences
from starloom.layout.layers import Layers, layers
from starloom.layout.neighbours import Neighbours
from starloom.layout.ordering import best_order
from starloom.layout.packing import components, shelves
from starloom.layout.ranked import Ranked
from starloom.layout.ranks import assign_ranks
from starloom.layout.values import LayoutStopped

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.layout.values import BoolArray, FloatArray, IntArray, LayoutGraph, Spacing

_HIGHER: Final = 1.3
"""How many times as high the whole may become for straight lines."""
_ROUNDS: Final = ((300, 60), (4_000, 24))
"""Up to so many vertices, so many rounds of pulling."""
_FEWEST_ROUNDS: Final = 16
_STRENGTH: Final = (1.0, 2.0, 4.0)
"""How hard a segment pulls that joins two nodes, a node and a passage, two passages."""


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A layout without edge routes: the ranks of the rows, and the places of nodes and passages across."""

    layers: Layers
    ranks: IntArray
    across: FloatArray


def place_all(
    graph: LayoutGraph, size: FloatArray, spacing: Spacing, proportion: float, should_stop: Callable[[], bool]
) -> Placed:
    """Rank and place all nodes and passages.

    Args:
        graph: what is laid out.
        size: (N, 2) what each box takes along and across.
        spacing: the distances to keep.
        proportion: ranks over rows that are wanted.
        should_stop: asked between steps.

    Raises:
        LayoutStopped: it said yes.
        ValueError: the graph has a cycle.
    """
    near = Neighbours(graph)
    part = components(len(graph), graph.edges)
    layered = layers(graph.edges, assign_ranks(graph, near, part, proportion))
    _go_on(should_stop)
    vertex_part = part[layered.owner]
    across = _across(layered, vertex_part, size[:, 1], spacing, should_stop)
    _go_on(should_stop)
    half = np.zeros(len(layered))
    half[: layered.nodes] = size[:, 1] / 2
    pitch = float(size[:, 0].mean()) + spacing.rank_gap
    wanted = proportion * pitch / (float(size[:, 1].mean()) + spacing.row_gap)
    first, top = _arranged(layered, vertex_part, across, half, pitch, wanted, spacing)
    moved = Layers(
        layered.nodes, layered.rank + first[vertex_part], layered.owner, layered.outgoing, layered.segments, layered.via
    )
    return Placed(moved, moved.rank[: layered.nodes], across + top[vertex_part])


def _go_on(should_stop: Callable[[], bool]) -> None:
    if should_stop():
        raise LayoutStopped


def _across(
    layered: Layers, part: IntArray, height: FloatArray, spacing: Spacing, should_stop: Callable[[], bool]
) -> FloatArray:
    by_rank = np.argsort(layered.rank, kind="stable")
    back = np.empty_like(by_rank)
    back[by_rank] = np.arange(len(by_rank))
    ranked = Ranked.of(layered.rank[by_rank], part[by_rank], back[layered.segments])
    place = best_order(ranked, should_stop)
    is_passage = by_rank >= layered.nodes
    half = np.zeros(len(layered))
    half[: layered.nodes] = height / 2
    gap = np.where(is_passage, spacing.edge_gap, spacing.row_gap)
    block, fences = _straight_but_low(ranked, place, is_passage, half[by_rank], gap)
    strength = np.asarray(_STRENGTH)[is_passage[ranked.downward].sum(axis=1)]
    return coordinates(ranked, block, fences, strength, _rounds(len(layered)), should_stop)[back]


def _rounds(vertices: int) -> int:
    return next((rounds for most, rounds in _ROUNDS if vertices <= most), _FEWEST_ROUNDS)


def _straight_but_low(
    ranked: Ranked, place: IntArray, is_passage: BoolArray, half: FloatArray, gap: FloatArray
) -> tuple[IntArray, Fences]:
    """Blocks as straight as they can be without making the whole much higher."""

    def tried(straight: Straight) -> tuple[IntArray, Fences]:
        block = blocks(ranked, place, is_passage, straight)
        return block, Fences.between(ranked, place, block, half, gap)

    _, free = tried(Straight.NOTHING)
    for straight in (Straight.EVERYTHING, Straight.NODES):
        block, fences = tried(straight)
        if fences.height() <= _HIGHER * free.height():
            return block, fences
    return tried(Straight.NOTHING)


def _arranged(
    layered: Layers, part: IntArray, across: FloatArray, half: FloatArray, pitch: float, wanted: float, spacing: Spacing
) -> tuple[IntArray, FloatArray]:
    """By how much each component's ranks and coordinates change so that components stand side by side."""
    count = int(part.max(initial=-1)) + 1
    first, last = np.full(count, np.iinfo(np.int64).max), np.full(count, -1)
    upper, lower = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(first, part, layered.rank)
    np.maximum.at(last, part, layered.rank)
    np.minimum.at(upper, part, across - half)
    np.maximum.at(lower, part, across + half)
    nodes = np.bincount(part[: layered.nodes], minlength=count)
    gap = spacing.row_gap if count == layered.nodes else spacing.part_gap
    begin, top = shelves(last - first + 1, lower - upper, nodes, pitch, gap, wanted)
    return begin - first, top - upper

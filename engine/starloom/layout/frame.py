"""The frame of reference of layouts: `along` the dependencies and `across` them, whatever their direction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from starloom.layout.values import Direction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.layout.values import FloatArray, IntArray, LayoutGraph, Spacing


def turned(points: FloatArray, direction: Direction) -> FloatArray:
    """Swap x and y with along and across as needed: it is its own inverse."""
    return points if direction is Direction.RIGHT else points[..., ::-1]


def box_sizes(graph: LayoutGraph, sizes: Mapping[int, tuple[float, float]] | None, spacing: Spacing) -> FloatArray:
    """(N, 2) width and height of each row's box."""
    found = np.tile(np.asarray(spacing.size, dtype=np.float64), (len(graph), 1))
    if sizes:
        for row, number in enumerate(graph.numbers.tolist()):
            if number in sizes:
                found[row] = sizes[number]
    return found


def proportion(box: tuple[float, float], spacing: Spacing, direction: Direction, wanted: float) -> float:
    """Ranks over rows of boxes of this size in a full picture that is `wanted` times as wide as high."""
    width, height = box
    if direction is Direction.RIGHT:
        return wanted * (height + spacing.row_gap) / (width + spacing.rank_gap)
    return (width + spacing.row_gap) / (wanted * (height + spacing.rank_gap))


def rank_lines(along: FloatArray, ranks: IntArray, gap: float) -> FloatArray:
    """The middle of each rank along the dependencies, each as thick as its thickest box; the first begins at 0.

    Args:
        along: (N,) what each box takes along the dependencies.
        ranks: (N,) its rank.
        gap: between ranks.
    """
    thick = np.zeros(int(ranks.max(initial=-1)) + 1)
    np.maximum.at(thick, ranks, along)
    begin = np.cumsum(thick + gap) - thick - gap
    return np.asarray(np.floor(begin + thick / 2))

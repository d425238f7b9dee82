"""The curves of all edges at once, from the boxes and the passages of long edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from starloom.layout.values import Routes

if TYPE_CHECKING:
    from starloom.layout.values import FloatArray, IntArray

_STRAIGHT: Final = 0.5
"""Passages that differ by less than so many pixels are drawn as one line."""
_BACK: Final = 48.0
"""How far an edge goes on before it turns back, when its child is not after its parent."""


def routes(
    edges: IntArray, middle: FloatArray, size: FloatArray, via: IntArray, passage: FloatArray, thickness: FloatArray
) -> Routes:
    """Smooth curves from the end of each parent's box to the start of its child's, in along and across.

    Args:
        edges: (E, 2) rows of parent and child.
        middle: (N, 2) the middle of each box.
        size: (N, 2) its size.
        via: (E, 2) first passage and number of passages of each edge.
        passage: (D, 2) where each passage is.
        thickness: (D,) how long it is straight there: as long as its rank is thick.
    """
    knots, starts = _knots(edges, middle, size, via, passage, thickness)
    knots, starts = _without_needless(knots, starts)
    return _curves(knots, starts)


def _knots(
    edges: IntArray, middle: FloatArray, size: FloatArray, via: IntArray, passage: FloatArray, thickness: FloatArray
) -> tuple[FloatArray, IntArray]:
    counts = 2 + 2 * via[:, 1]
    starts = np.concatenate(([0], np.cumsum(counts)))
    knots = np.empty((int(starts[-1]), 2))
    knots[starts[:-1]] = middle[edges[:, 0]] + size[edges[:, 0]] * (0.5, 0.0)
    knots[starts[1:] - 1] = middle[edges[:, 1]] - size[edges[:, 1]] * (0.5, 0.0)
    edge = np.repeat(np.arange(len(edges)), via[:, 1])
    step = np.arange(len(edge)) - np.repeat(np.cumsum(via[:, 1]) - via[:, 1], via[:, 1])
    which = via[edge, 0] + step
    at = starts[edge] + 1 + 2 * step
    half = np.column_stack([thickness[which] / 2, np.zeros(len(which))])
    knots[at], knots[at + 1] = passage[which] - half, passage[which] + half
    return knots, starts


def _without_needless(knots: FloatArray, starts: IntArray) -> tuple[FloatArray, IntArray]:
    """Leave out what lies on the straight line between its neighbours."""
    needed = np.ones(len(knots), dtype=np.bool_)
    level = np.abs(np.diff(knots[:, 1])) < _STRAIGHT
    needed[1:-1] = ~(level[:-1] & level[1:])
    needed[starts[:-1]] = True
    needed[starts[1:] - 1] = True
    return knots[needed], np.concatenate(([0], np.cumsum(needed)))[starts]


def _curves(knots: FloatArray, starts: IntArray) -> Routes:
    """The curves between successive knots, which leave and arrive along the dependencies."""
    edges = len(starts) - 1
    inner = np.ones(len(knots), dtype=np.bool_)
    inner[starts[1:] - 1] = False
    begin = np.flatnonzero(inner)
    a, b = knots[begin], knots[begin + 1]
    step = b[:, 0] - a[:, 0]
    reach = np.where(step > 0, step / 2, np.minimum(_BACK, 8.0 - step))
    counts = np.diff(starts) - 1
    ends = np.concatenate(([0], np.cumsum(1 + 3 * counts)))
    points = np.empty((int(ends[-1]), 2))
    points[ends[:-1]] = knots[starts[:-1]]
    at = (
        ends[np.repeat(np.arange(edges), counts)]
        + 1
        + 3 * (np.arange(len(begin)) - np.repeat(starts[:-1] - np.arange(edges), counts))
    )
    ahead = np.column_stack([reach, np.zeros(len(reach))])
    points[at], points[at + 1], points[at + 2] = a + ahead, b - ahead, b
    return Routes(points, ends)

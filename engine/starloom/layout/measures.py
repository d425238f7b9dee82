"""Quality measures of a layout: crossings, edge length, area, aspect. For tests and comparisons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from starloom.layout.values import FloatArray, IntArray, Layout

_AT_ONCE: Final = 1_000_000
"""Pairs of lines that are compared in one go: what bounds the memory."""


@dataclass(frozen=True, slots=True)
class Quality:
    """The quality measures of one layout.

    Attributes:
        crossings: how often two edges cross; edges that run together count as one while they do.
        edge_length: pixels of all edges, knot to knot.
        area: square pixels of the smallest rectangle around everything.
        aspect: its width over its height; 0 when there is nothing.
        boxes: the share of the area that boxes take.
    """

    crossings: int
    edge_length: float
    area: float
    aspect: float
    boxes: float


def quality(layout: Layout) -> Quality:
    """All measures of a layout; O(lines²) for crossings, but only of lines that are beside each other."""
    left, top, right, bottom = layout.bounds()
    area = (right - left) * (bottom - top)
    return Quality(
        crossings=crossings(layout),
        edge_length=edge_length(layout),
        area=area,
        aspect=(right - left) / (bottom - top) if area else 0.0,
        boxes=float(layout.sizes.prod(axis=1).sum()) / area if area else 0.0,
    )


def edge_length(layout: Layout) -> float:
    """The length of all edges in pixels, measured from knot to knot."""
    lines = _lines(layout)
    return float(np.hypot(*(lines[:, 2:] - lines[:, :2]).T).sum())


def crossings(layout: Layout) -> int:
    """The number of crossings of edges in a layout; edges count as one where they run together."""
    return line_crossings(np.unique(_lines(layout), axis=0))


def _lines(layout: Layout) -> FloatArray:
    knots, starts = layout.routes.knots()
    inner = np.ones(len(knots), dtype=np.bool_)
    inner[starts[1:] - 1] = False
    begin = np.flatnonzero(inner)
    return np.hstack([knots[begin], knots[begin + 1]])


def line_crossings(lines: FloatArray) -> int:
    """The number of pairs of straight lines that cross in their interiors; touching or overlapping does not count.

    Args:
        lines: (L, 4) x1 y1 x2 y2.
    """
    low, high = np.minimum(lines[:, :2], lines[:, 2:]), np.maximum(lines[:, :2], lines[:, 2:])
    order = np.argsort(low[:, 0], kind="stable")
    lines, low, high = lines[order], low[order], high[order]
    upto = np.searchsorted(low[:, 0], high[:, 0])  # beyond, lines begin after this one has ended
    counts = np.maximum(0, upto - np.arange(len(lines)) - 1)
    total, begin = 0, 0
    while begin < len(lines):
        end = max(begin + 1, int(np.searchsorted(np.cumsum(counts[begin:]), _AT_ONCE)) + begin)
        a, b = _pairs(begin, counts[begin:end])
        near = (low[a, 1] < high[b, 1]) & (low[b, 1] < high[a, 1])
        total += int(_cross(lines[a[near]], lines[b[near]]).sum())
        begin = end
    return total


def _pairs(begin: int, counts: IntArray) -> tuple[IntArray, IntArray]:
    a = np.repeat(np.arange(begin, begin + len(counts)), counts)
    within = np.arange(len(a)) - np.repeat(np.cumsum(counts) - counts, counts)
    return a, a + 1 + within


def _cross(one: FloatArray, other: FloatArray) -> FloatArray:
    sides = [
        _side(one[:, :2], one[:, 2:], other[:, :2]) * _side(one[:, :2], one[:, 2:], other[:, 2:]),
        _side(other[:, :2], other[:, 2:], one[:, :2]) * _side(other[:, :2], other[:, 2:], one[:, 2:]),
    ]
    return np.asarray((sides[0] < 0) & (sides[1] < 0))


def _side(start: FloatArray, end: FloatArray, point: FloatArray) -> FloatArray:
    ahead, to = end - start, point - start
    return np.asarray(np.sign(ahead[:, 0] * to[:, 1] - ahead[:, 1] * to[:, 0]))

"""Adjacency as plain numbers in flat lists, for the few steps that walk the graph.

Thousands of small lists would do the same, but they wake Python's collector of garbage, which then looks at everything
the program has while nothing else can run: beside a window, a user would feel that (a loop was late by 30 to 46 ms;
with the collector switched off by 4 to 9).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from starloom.layout.values import IntArray, LayoutGraph


class Followers:
    """The successors of each vertex, in flat lists."""

    __slots__ = ("_ends", "_starts")

    def __init__(self, size: int, begin: IntArray, end: IntArray) -> None:
        order = np.argsort(begin, kind="stable")
        self._ends: list[int] = end[order].tolist()
        self._starts: list[int] = np.searchsorted(begin[order], np.arange(size + 1)).tolist()

    def of(self, vertex: int) -> list[int]:
        """The successors of a vertex, in the order they were given."""
        return self._ends[self._starts[vertex] : self._starts[vertex + 1]]


def topological(size: int, begin: IntArray, end: IntArray) -> list[int]:
    """The vertices in topological order; those on cycles, and behind them, are missing."""
    after = Followers(size, begin, end)
    unmet: list[int] = np.bincount(end, minlength=size).tolist()
    order = [vertex for vertex, count in enumerate(unmet) if not count]
    for vertex in order:
        for other in after.of(vertex):
            unmet[other] -= 1
            if not unmet[other]:
                order.append(other)
    return order


class Neighbours:
    """Parents and children of each row, and the rows in topological order.

    Raises:
        ValueError: the edges form a cycle.
    """

    __slots__ = ("children", "order", "parents")

    def __init__(self, graph: LayoutGraph) -> None:
        size = len(graph)
        parent, child = graph.edges[:, 0], graph.edges[:, 1]
        self.parents = Followers(size, child, parent).of
        self.children = Followers(size, parent, child).of
        self.order = topological(size, parent, child)
        if len(self.order) < size:
            left = min(set(range(size)).difference(self.order))
            raise ValueError(f"The edges around {graph.ids[left]!r} form a cycle. Lay out a graph without cycles.")

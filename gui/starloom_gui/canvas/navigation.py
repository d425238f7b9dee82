"""Finds the node that a navigation key goes to: along dependencies, or within a rank."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

import numpy as np

from starloom.layout import Direction

if TYPE_CHECKING:
    from starloom.layout.values import IntArray
    from starloom_gui.canvas.render_model import GraphRenderModel


class NavigationStep(Enum):
    """A step of keyboard navigation."""

    PARENT = auto()
    CHILD = auto()
    BEFORE = auto()
    """The sibling above, or to the left where dependencies point down."""
    AFTER = auto()
    FIRST = auto()
    LAST = auto()


def first(picture: GraphRenderModel) -> int | None:
    """The row of the first node of the first rank, where navigation begins."""
    rows = _in_order(picture)
    return int(rows[0]) if len(rows) else None


def _in_order(picture: GraphRenderModel) -> IntArray:
    """The rows that are present, rank by rank."""
    rows, layout = np.flatnonzero(picture.present), picture.layout
    return np.asarray(rows[np.lexsort((layout.order[rows], layout.ranks[rows]))])


def step(picture: GraphRenderModel, row: int, way: NavigationStep) -> int:
    """The row after a step of navigation; the same one where there is none in its direction.

    Args:
        picture: what is shown.
        row: of the node to start from.
        way: along the dependencies, beside them, or to an end.
    """
    if way in (NavigationStep.PARENT, NavigationStep.CHILD):
        return _along(picture, row, forward=way is NavigationStep.CHILD)
    if way in (NavigationStep.FIRST, NavigationStep.LAST):
        return int(_in_order(picture)[0 if way is NavigationStep.FIRST else -1])
    return _sibling(picture, row, 1 if way is NavigationStep.AFTER else -1)


def _along(picture: GraphRenderModel, row: int, *, forward: bool) -> int:
    """The parent or child that is nearest across the direction of the dependencies."""
    mine, other = (0, 1) if forward else (1, 0)
    found = picture.edges[(picture.edges[:, mine] == row) & picture.linked, other]
    if not len(found):
        return row
    return int(found[np.argmin(_away(picture, found, row))])


def _away(picture: GraphRenderModel, rows: IntArray, row: int) -> IntArray:
    distance = np.abs(picture.layout.positions[rows] - picture.layout.positions[row])
    across = 1 if picture.layout.direction is Direction.RIGHT else 0
    return np.asarray(distance[:, across] + distance[:, 1 - across] * 1e-3)


def _sibling(picture: GraphRenderModel, row: int, by: int) -> int:
    layout = picture.layout
    rank = np.flatnonzero((layout.ranks == layout.ranks[row]) & picture.present)
    ordered = rank[np.argsort(layout.order[rank])]
    place = int(np.flatnonzero(ordered == row)[0]) + by
    return int(ordered[min(max(place, 0), len(ordered) - 1)])

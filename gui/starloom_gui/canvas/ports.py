"""Computes the ports of nodes and the ends of edges, and finds those near a point. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from starloom.layout import Direction
from starloom_gui.canvas.hit_test import node_at

if TYPE_CHECKING:
    from starloom.layout.values import FloatArray, IntArray
    from starloom_gui.canvas.render_model import GraphRenderModel

REACH: Final = 10.0
"""So many pixels from the middle of a port still are the port."""
HANDLE: Final = 34.0
"""So many pixels from the end of a dependency one takes hold of that end."""


@dataclass(frozen=True, slots=True)
class Port:
    """One of the two ports of a task.

    Attributes:
        number: of the task.
        outgoing: whether dependencies begin there; else they end there.
    """

    number: int
    outgoing: bool


@dataclass(frozen=True, slots=True)
class EdgeEnd:
    """An end of a dependency that can be dragged; both tasks as numbers.

    Attributes:
        parent: where it begins.
        child: where it ends.
        forward: whether the end is the one at the child.
    """

    parent: int
    child: int
    forward: bool


def port_places(picture: GraphRenderModel, rows: IntArray, *, outgoing: bool) -> FloatArray:
    """The positions of ports in the scene; (N, 2)."""
    along = 0 if picture.layout.direction is Direction.RIGHT else 1
    places = picture.layout.positions[rows].copy()
    places[:, along] += picture.layout.sizes[rows, along] / 2 * (1 if outgoing else -1)
    return places


def port_place(picture: GraphRenderModel, row: int, *, outgoing: bool) -> tuple[float, float]:
    """The position of one port in the scene.

    Args:
        picture: what is shown.
        row: of the node.
        outgoing: whether the port is meant where dependencies leave; else the one where they arrive.
    """
    x, y = port_places(picture, np.array([row]), outgoing=outgoing)[0].tolist()
    return x, y


def port_at(picture: GraphRenderModel, x: float, y: float, reach: float) -> Port | None:
    """The port at a point; all in the scene. Folded groups have none.

    Args:
        picture: what is shown.
        x: in the scene.
        y: in the scene.
        reach: how far away the port may be, in the scene.
    """
    row = node_at(picture, x, y, reach)
    if row is None or not picture.plain[row]:
        return None
    for outgoing in (True, False):
        port_x, port_y = port_place(picture, row, outgoing=outgoing)
        if abs(port_x - x) <= reach and abs(port_y - y) <= reach:
            return Port(int(picture.numbers[row]), outgoing)
    return None


def port_near(picture: GraphRenderModel, x: float, y: float, reach: float, *, outgoing: bool) -> int | None:
    """The row of the task whose port is nearest to a point, among those of one side; all in the scene.

    Args:
        picture: what is painted.
        x: of the point.
        y: likewise.
        reach: how far away the middle of a port may be.
        outgoing: whether dependencies begin at the ports that are meant; else they end there.
    """
    rows = np.flatnonzero(picture.plain & picture.present & picture.real)
    if not len(rows):
        return None
    away = np.hypot(*(port_places(picture, rows, outgoing=outgoing) - (x, y)).T)
    nearest = int(np.argmin(away))
    return int(rows[nearest]) if away[nearest] <= reach else None


def ends_of(picture: GraphRenderModel, edge: int) -> tuple[int, int] | None:
    """The numbers of a dependency's parent and child; None where the edge represents several, or a removed one.

    Args:
        picture: what is shown.
        edge: its place among the edges of the picture.
    """
    ends = picture.edges[edge]
    parent, child = ends.tolist()
    if not (picture.plain[ends] & picture.real[ends]).all():
        return None
    return int(picture.numbers[parent]), int(picture.numbers[child])


def edge_between(picture: GraphRenderModel, parent: int, child: int) -> int | None:
    """The drawn edge between two tasks.

    Args:
        picture: what is shown.
        parent: number of the task that is waited for.
        child: number of the task that waits.
    """
    rows = picture.row(parent), picture.row(child)
    if rows[0] is None or rows[1] is None:
        return None
    found = np.flatnonzero((picture.edges == rows).all(axis=1) & picture.linked)
    return int(found[0]) if len(found) else None


def end_at(picture: GraphRenderModel, edge: int, x: float, y: float, reach: float) -> EdgeEnd | None:
    """The end of an edge that is within reach of a point; all in the scene.

    Args:
        picture: what is shown.
        edge: its place among the edges of the picture.
        x: in the scene.
        y: in the scene.
        reach: how far away the end may be, in the scene.
    """
    ends = ends_of(picture, edge)
    points = picture.layout.routes.of(edge)
    away = [float(np.hypot(*(points[at] - (x, y)))) for at in (0, -1)]
    if ends is None or min(away) > reach:
        return None
    return EdgeEnd(*ends, forward=away[1] <= away[0])

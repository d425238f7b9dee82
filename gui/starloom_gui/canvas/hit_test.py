"""Finds nodes and edges at a point of the scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from starloom_gui.canvas.atlas import BADGE, BADGE_INSET, BADGE_RIM

if TYPE_CHECKING:
    from starloom.layout.values import FloatArray, IntArray
    from starloom_gui.canvas.render_model import GraphRenderModel


def node_at(picture: GraphRenderModel, x: float, y: float, slack: float = 0.0) -> int | None:
    """The row of the node at a point of the scene that can be dragged; of several, the one that is painted last.

    Args:
        picture: what is painted.
        x: in the scene.
        y: likewise.
        slack: how far outside a node still counts, in the scene; the nearest one wins then.
    """
    half = picture.layout.sizes / 2
    away = np.abs(picture.layout.positions - (x, y))
    near = np.flatnonzero((away <= half + slack).all(axis=1) & picture.present & picture.real)
    if not len(near):
        return None
    inside = near[(away[near] <= half[near]).all(axis=1)]
    if len(inside):
        return int(inside[-1])
    return int(near[np.argmin((away[near] - half[near]).clip(0).sum(axis=1))])


def badge_at(picture: GraphRenderModel, x: float, y: float, zoom: float) -> int | None:
    """The row of the task whose badge is at a point of the scene; of several, the one that is painted last.

    Args:
        picture: what is painted.
        x: in the scene.
        y: likewise.
        zoom: pixels of the viewport to each one of the scene; badges keep their size.
    """
    rows = np.flatnonzero(((picture.badge > 0) | (picture.stage > 0)) & picture.present & picture.real & picture.plain)
    corners = picture.layout.positions[rows] + picture.layout.sizes[rows] * (0.5, -0.5)
    away = ((x, y) - corners) * zoom + (BADGE_INSET, BADGE_RIM / 2)
    hit = rows[np.hypot(away[:, 0], away[:, 1]) <= BADGE / 2 + BADGE_RIM]
    return int(hit[-1]) if len(hit) else None


def nodes_in(picture: GraphRenderModel, left: float, top: float, right: float, bottom: float) -> IntArray:
    """The rows of nodes that reach into a rectangle of the scene.

    Args:
        picture: what is shown.
        left: of the rectangle, in the scene, as are the others.
        top: its upper side.
        right: its right side.
        bottom: its lower side.
    """
    x, y = picture.layout.positions[:, 0], picture.layout.positions[:, 1]
    wide, high = picture.layout.sizes[:, 0] / 2, picture.layout.sizes[:, 1] / 2
    touching = (x >= left - wide) & (x <= right + wide) & (y >= top - high) & (y <= bottom + high)
    rows: IntArray = np.flatnonzero(touching & picture.present)
    return rows


def edge_at(picture: GraphRenderModel, x: float, y: float, slack: float) -> int | None:
    """The edge nearest to a point that can be selected, at most `slack` away; both in the scene.

    Args:
        picture: what is shown.
        x: in the scene.
        y: in the scene.
        slack: how far away the edge may be, in the scene.
    """
    routes = picture.layout.routes
    if not len(picture.edges):
        return None
    begin = routes.starts[:-1]
    low = np.minimum.reduceat(routes.points, begin) - slack
    high = np.maximum.reduceat(routes.points, begin) + slack
    near = ((low <= (x, y)) & (high >= (x, y))).all(axis=1) & picture.linked
    best: tuple[float, int | None] = (slack, None)
    for edge in np.flatnonzero(near).tolist():
        if not picture.real[picture.edges[edge]].all():
            continue
        away = _distance(_polyline(routes.of(edge)), x, y)
        if away <= best[0]:
            best = (away, edge)
    return best[1]


def _polyline(points: FloatArray, pieces: int = 12) -> FloatArray:
    t = np.linspace(0.0, 1.0, pieces + 1)[:, None]
    weights = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
    corners = np.array([points[at : at + 4] for at in range(0, len(points) - 1, 3)])
    return np.asarray(np.einsum("tk,ckd->ctd", weights, corners).reshape(-1, 2))


def _distance(line: FloatArray, x: float, y: float) -> float:
    a, b = line[:-1], line[1:]
    step = b - a
    length = (step**2).sum(axis=1)
    along = ((np.array((x, y)) - a) * step).sum(axis=1)
    t = np.divide(along, length, out=np.zeros_like(along), where=length > 0).clip(0.0, 1.0)
    return float(np.hypot(*(a + step * t[:, None] - (x, y)).T).min())

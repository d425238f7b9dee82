"""Finds the nearest selectable node in the direction of an arrow key. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from starloom.layout.values import BoolArray
    from starloom_gui.canvas.render_model import GraphRenderModel

Way = tuple[int, int]
"""A direction on the screen: x to the right, y down."""
_ASIDE: Final = 2.0
"""How much further it counts to be aside than to be away."""


def next_that_way(picture: GraphRenderModel, chosen: BoolArray, row: int, way: Way) -> int | None:
    """The nearest node that may be chosen and lies in a direction from another one; None: there is none.

    Args:
        picture: what is shown.
        chosen: (N,) which nodes may be chosen.
        row: where to start.
        way: which direction.
    """
    rows = np.flatnonzero(chosen & picture.present)
    step = picture.layout.positions[rows] - picture.layout.positions[row]
    along = step @ np.array(way, dtype=np.float64)
    there = along > 1.0
    if not there.any():
        return None
    aside = np.abs(step[there] @ np.array((way[1], way[0]), dtype=np.float64))
    return int(rows[there][np.argmin(along[there] + _ASIDE * aside)])


def nearest(picture: GraphRenderModel, chosen: BoolArray, row: int, way: Way) -> int | None:
    """The nearest node that may be chosen, rather one that lies in a direction; None: none may be."""
    found = next_that_way(picture, chosen, row, way)
    rows = np.flatnonzero(chosen & picture.present)
    if found is not None or not len(rows):
        return found
    away = np.abs(picture.layout.positions[rows] - picture.layout.positions[row]).sum(axis=1)
    return int(rows[np.argmin(away)])

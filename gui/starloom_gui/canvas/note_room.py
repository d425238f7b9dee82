"""Places notes that would cover nodes beside them, as near as possible, when a drawing is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QRectF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.layout.values import BoolArray, FloatArray
    from starloom_gui.canvas.render_model import GraphRenderModel

GAP: Final = 8.0
"""Between a note that has moved aside and whatever it would have covered."""
_MOST: Final = 24
"""So many of the nearest boxes decide on the places that are tried; all of them on whether one is free."""


def boxes_in_the_way(picture: GraphRenderModel) -> FloatArray:
    """The left, top, right and bottom of all present nodes; (N, 4)."""
    middle, half = picture.layout.positions[picture.present], picture.layout.sizes[picture.present] / 2
    return np.hstack([middle - half, middle + half])


def with_room(box: QRectF, others: FloatArray) -> QRectF:
    """A note's box at the nearest position where it covers none of the others; unchanged if it covers none.

    Args:
        box: where it is wanted.
        others: (N, 4) left, top, right and bottom of what it must not cover.
    """
    width, height = box.width(), box.height()
    wanted = np.array([[box.left(), box.top()]])
    if not _covers(wanted, width, height, others).any():
        return box
    middle = (others[:, :2] + others[:, 2:]) / 2
    way = np.abs(middle - (box.center().x(), box.center().y())).sum(axis=1)
    near = others[np.argsort(way, kind="stable")[:_MOST]]
    across = np.concatenate(([box.left()], near[:, 0] - width - GAP, near[:, 2] + GAP))
    down = np.concatenate(([box.top()], near[:, 1] - height - GAP, near[:, 3] + GAP))
    tried = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    tried = tried[np.argsort(np.hypot(*(tried - wanted).T), kind="stable")]
    for begin in range(0, len(tried), 64):
        some = tried[begin : begin + 64]
        free = ~_covers(some, width, height, others)
        if free.any():
            left, top = some[int(np.argmax(free))].tolist()
            return QRectF(left, top, width, height)
    return QRectF(box.left(), float(others[:, 3].max()) + GAP, width, height)  # below everything


def _covers(corners: FloatArray, width: float, height: float, others: FloatArray) -> BoolArray:
    """Whether each box of this size, given their upper left corners, covers another one; (M,)."""
    x, y = corners[:, 0, None], corners[:, 1, None]
    overlaps = (x < others[:, 2]) & (x + width > others[:, 0]) & (y < others[:, 3]) & (y + height > others[:, 1])
    return np.asarray(overlaps.any(axis=1), dtype=np.bool_)


def all_with_room(boxes: Sequence[QRectF], others: FloatArray) -> list[QRectF]:
    """The boxes of notes, moved so that none covers a node, and no moved one covers another note.

    Args:
        boxes: where they are wanted.
        others: (N, 4) left, top, right and bottom of the nodes.
    """
    found: list[QRectF] = []
    for place, box in enumerate(boxes):
        made = with_room(box, others) if len(others) else box
        if made != box:  # it moves anyway, so it need not come to lie on another note
            stand = [*found, *boxes[place + 1 :]]
            taken = np.array([[one.left(), one.top(), one.right(), one.bottom()] for one in stand]).reshape(-1, 4)
            made = with_room(box, np.vstack([others, taken]))
        found.append(made)
    return found

"""Connects tasks by keys: arrows choose among the allowed targets, Enter adds the dependency."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QPointF, Qt

from starloom.layout import Direction
from starloom_gui.canvas.tools.connecting import Connecting

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.layout.values import BoolArray
    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.canvas.surface import Surface
    from starloom_gui.canvas.tools.connecting import Loose
    from starloom_gui.editing.base import Editor
    from starloom_gui.editing.trial import Trial

_Way = tuple[int, int]
"""A direction on the screen: x to the right, y down."""
_ASIDE: Final = 2.0
"""How much further it counts to be aside than to be away."""
WAYS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


def _next_that_way(picture: GraphRenderModel, chosen: BoolArray, row: int, way: _Way) -> int | None:
    """The nearest allowed node in a direction from another one; None: there is none.

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


def _nearest(picture: GraphRenderModel, chosen: BoolArray, row: int, way: _Way) -> int | None:
    """The nearest allowed node, preferably in a direction; None: there is none."""
    found = _next_that_way(picture, chosen, row, way)
    rows = np.flatnonzero(chosen & picture.present)
    if found is not None or not len(rows):
        return found
    away = np.abs(picture.layout.positions[rows] - picture.layout.positions[row]).sum(axis=1)
    return int(rows[np.argmin(away)])


class ConnectKeys:
    """Connects a dependency by keys, from the first key to Enter or Escape.

    Args:
        surface: the parts of the canvas.
        editor: of its graph.
        loose: the dependency.
        reveal: brings a task into sight.
        trial: says what it would change once the keys rest; None: nothing is foreseen.
    """

    def __init__(
        self,
        surface: Surface,
        editor: Editor,
        loose: Loose,
        reveal: Callable[[int], None],
        trial: Trial | None = None,
    ) -> None:
        self._surface, self._reveal = surface, reveal
        self.connecting = Connecting(surface, editor, loose, trial)
        self._begin()

    @property
    def aimed(self) -> int | None:
        """The chosen task."""
        return self.connecting.aimed

    def _begin(self) -> None:
        """Choose the nearest task, preferably in the direction of dependencies."""
        loose, picture = self.connecting.loose, self._surface.graph.picture
        start = loose.fixed if loose.moving is None else loose.moving
        row = picture.row(start) if picture is not None else None
        if picture is None or row is None:
            return
        sign = 1 if loose.forward else -1
        way = (0, sign) if picture.layout.direction is Direction.DOWN else (sign, 0)
        found = _nearest(picture, self.connecting.chosen, row, way)
        self._aim(int(picture.numbers[found]) if found is not None else start)

    def key(self, key: Qt.Key) -> bool:
        """Handle a key; returns whether it was the last one."""
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.connecting.finish()
            return True
        if key == Qt.Key.Key_Escape:
            self.connecting.end()
            return True
        picture = self._surface.graph.picture
        row = picture.row(self.aimed) if picture is not None else None
        if picture is not None and row is not None and key in WAYS:
            found = _next_that_way(picture, self.connecting.chosen, row, WAYS[key])
            if found is not None:
                self._aim(int(picture.numbers[found]))
        return False

    def _aim(self, number: int) -> None:
        picture = self._surface.graph.picture
        row = picture.row(number) if picture is not None else None
        if picture is None or row is None:
            return
        self._reveal(number)
        x, y = picture.layout.positions[row].tolist()
        self.connecting.aim(number, QPointF(x, y + picture.layout.sizes[row, 1] / 2))

    def cancel(self) -> None:
        """Cancel the connection; nothing has changed."""
        self.connecting.end()

    def renew(self) -> None:
        """Continue on another render model."""
        self.connecting.renew()

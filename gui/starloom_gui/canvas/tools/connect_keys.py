"""Connects tasks by keys: arrows choose among the allowed targets, Enter adds the dependency."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, Qt

from starloom.layout import Direction
from starloom_gui.canvas.aiming import nearest, next_that_way
from starloom_gui.canvas.tools.connecting import Connecting

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.canvas.surface import Surface
    from starloom_gui.canvas.tools.connecting import Loose
    from starloom_gui.editing.base import Editor
    from starloom_gui.editing.trial import Trial

WAYS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class ConnectKeys:
    """A dependency that is connected by keys, from the first key to Enter or Escape.

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
        """The task that is chosen."""
        return self.connecting.aimed

    def _begin(self) -> None:
        """Choose the nearest one, rather where dependencies point."""
        loose, picture = self.connecting.loose, self._surface.graph.picture
        start = loose.fixed if loose.moving is None else loose.moving
        row = picture.row(start) if picture is not None else None
        if picture is None or row is None:
            return
        sign = 1 if loose.forward else -1
        way = (0, sign) if picture.layout.direction is Direction.DOWN else (sign, 0)
        found = nearest(picture, self.connecting.chosen, row, way)
        self._aim(int(picture.numbers[found]) if found is not None else start)

    def key(self, key: Qt.Key) -> bool:
        """Take a key; whether that was the last one."""
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.connecting.finish()
            return True
        if key == Qt.Key.Key_Escape:
            self.connecting.end()
            return True
        picture = self._surface.graph.picture
        row = picture.row(self.aimed) if picture is not None else None
        if picture is not None and row is not None and key in WAYS:
            found = next_that_way(picture, self.connecting.chosen, row, WAYS[key])
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
        """Give it up; nothing has changed."""
        self.connecting.end()

    def renew(self) -> None:
        """Go on in another picture."""
        self.connecting.renew()

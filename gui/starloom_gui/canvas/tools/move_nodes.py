"""Dragging nodes: they stay where they are put. That is how the graph is seen and no edit of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QApplication

from starloom_gui.canvas.sketch import NOTHING_SKETCHED, Sketch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QPoint

    from starloom_gui.canvas.tools.gesture import Surface


class MoveNodes:
    """Moves nodes with the pointer; a press that goes nowhere is a click.

    Args:
        surface: the canvas.
        numbers: of the nodes.
        at: where the press was.
        clicked: what a click does.
    """

    def __init__(self, surface: Surface, numbers: Sequence[int], at: QPoint, clicked: Callable[[], None]) -> None:
        self._surface, self._numbers, self._start, self._clicked = surface, tuple(numbers), at, clicked
        self._held_at = surface.scene_at(at)
        self._offset: tuple[float, float] | None = None

    @property
    def scrolls(self) -> bool:
        """Whether they have left where they were."""
        return self._offset is not None

    def move(self, at: QPoint) -> None:
        """Have them follow the pointer."""
        if self._offset is None:
            if (at - self._start).manhattanLength() < QApplication.startDragDistance():
                return
            self._set_apart()
        step = self._surface.scene_at(at) - self._held_at
        self._offset = (step.x(), step.y())
        self._surface.show_sketch(Sketch(moved=dict.fromkeys(self._numbers, self._offset)))

    def _set_apart(self) -> None:
        """Let them recede where they still are."""
        picture = self._surface.picture
        if picture is not None:
            apart = np.zeros(len(picture), dtype=np.bool_)
            apart[[row for number in self._numbers if (row := picture.row(number)) is not None]] = True
            self._surface.set_apart(apart)

    def release(self, at: QPoint) -> None:
        """Put them there; or click."""
        self.move(at)
        offset, self._offset = self._offset, None
        if offset is None:
            self._clicked()
            return
        self._end()
        self._surface.move_tasks(dict.fromkeys(self._numbers, offset))

    def cancel(self) -> None:
        """Leave them where they were."""
        if self._offset is not None:
            self._offset = None
            self._end()

    def _end(self) -> None:
        self._surface.set_apart(None)
        self._surface.show_sketch(NOTHING_SKETCHED)

    def renew(self) -> None:
        """Go on in another picture."""
        if self._offset is not None:
            self._set_apart()

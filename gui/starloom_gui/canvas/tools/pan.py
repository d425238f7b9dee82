"""Pans the view by dragging the background; a press without a drag is a click."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QPoint


class Movable(Protocol):
    """The protocol of a view that can be panned."""

    def scroll_by(self, dx: int, dy: int) -> None:
        """Move what is seen by logical pixels."""


class Pan:
    """Moves the view; clicks if the pointer stays where it was."""

    def __init__(self, view: Movable, at: QPoint, clicked: Callable[[], None]) -> None:
        self._view = view
        self._start = self._last = at
        self._clicked = clicked
        self._moved = False

    @property
    def scrolls(self) -> bool:
        """It moves the view itself."""
        return False

    def move(self, at: QPoint) -> None:
        """Have the ground stay under the pointer."""
        far = (at - self._start).manhattanLength() >= QApplication.startDragDistance()
        self._moved = self._moved or far
        if self._moved:
            self._view.scroll_by(self._last.x() - at.x(), self._last.y() - at.y())
            self._last = at

    def release(self, at: QPoint) -> None:
        """Stay here; or click."""
        self.move(at)
        if not self._moved:
            self._clicked()

    def cancel(self) -> None:
        """Go back to where the drag began."""
        back = self._last - self._start
        self._view.scroll_by(back.x(), back.y())
        self._moved = True

    def renew(self) -> None:
        """Go on: what is dragged is the view, whatever it shows."""

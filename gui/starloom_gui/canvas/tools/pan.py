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
        """Scroll the view by logical pixels."""


class Pan:
    """Pans the view; a press without a drag is a click."""

    def __init__(self, view: Movable, at: QPoint, clicked: Callable[[], None]) -> None:
        self._view = view
        self._start = self._last = at
        self._clicked = clicked
        self._moved = False

    @property
    def scrolls(self) -> bool:
        """False, as it moves the view itself."""
        return False

    def move(self, at: QPoint) -> None:
        """Scroll the view with the pointer."""
        far = (at - self._start).manhattanLength() >= QApplication.startDragDistance()
        self._moved = self._moved or far
        if self._moved:
            self._view.scroll_by(self._last.x() - at.x(), self._last.y() - at.y())
            self._last = at

    def release(self, at: QPoint) -> None:
        """End the pan, or click."""
        self.move(at)
        if not self._moved:
            self._clicked()

    def cancel(self) -> None:
        """Scroll back to where the drag began."""
        back = self._last - self._start
        self._view.scroll_by(back.x(), back.y())
        self._moved = True

    def renew(self) -> None:
        """Continue unchanged, as the view is dragged."""

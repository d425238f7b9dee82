"""A press on a badge: a click shows what it is about, a drag moves its node as from anywhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QPoint

    from starloom_gui.canvas.tools.gesture import Gesture


class PressBadge:
    """Begins another gesture, and adds to it what a click on the badge does.

    Args:
        gesture: what the press would begin beside the badge.
        at: where the press was.
        clicked: what a click does, after that of the gesture.
    """

    def __init__(self, gesture: Gesture, at: QPoint, clicked: Callable[[], None]) -> None:
        self._gesture, self._start, self._clicked = gesture, at, clicked
        self._is_dragged = False

    @property
    def scrolls(self) -> bool:
        """Whether the view scrolls now while the pointer is at its border."""
        return self._gesture.scrolls

    def move(self, at: QPoint) -> None:
        """Follow the pointer."""
        self._is_dragged |= (at - self._start).manhattanLength() >= QApplication.startDragDistance()
        self._gesture.move(at)

    def release(self, at: QPoint) -> None:
        """End the drag, or click."""
        self._is_dragged |= (at - self._start).manhattanLength() >= QApplication.startDragDistance()
        self._gesture.release(at)
        if not self._is_dragged:
            self._clicked()

    def cancel(self) -> None:
        """Cancel the gesture."""
        self._gesture.cancel()

    def renew(self) -> None:
        """Continue on another render model."""
        self._gesture.renew()

"""The base class of gestures: a press creates one, it follows the pointer, and a release or a cancel ends it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint


class Gesture(Protocol):
    """One gesture from press to release; positions are those of the viewport, in logical pixels."""

    @property
    def scrolls(self) -> bool:
        """Whether the view scrolls now while the pointer is at its border."""

    def move(self, at: QPoint) -> None:
        """Follow the pointer; also called when the view has moved under it."""

    def release(self, at: QPoint) -> None:
        """End the gesture and carry it out."""

    def cancel(self) -> None:
        """End the gesture and restore the state before the press, where that is possible."""

    def renew(self) -> None:
        """Continue on another render model of the same run, which is shown now."""

"""What every gesture is: it is made by a press, follows the pointer, and ends by a release or by being given up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint


class Gesture(Protocol):
    """One gesture from press to release; positions are those of the viewport, in logical pixels."""

    @property
    def scrolls(self) -> bool:
        """Whether the view scrolls for it now where the pointer is at its border."""

    def move(self, at: QPoint) -> None:
        """Follow the pointer; also said again when the view has moved under it."""

    def release(self, at: QPoint) -> None:
        """End, and do what was meant."""

    def cancel(self) -> None:
        """End, and leave everything as it was before the press where that is possible."""

    def renew(self) -> None:
        """Go on with another picture of the same run, which is shown now."""

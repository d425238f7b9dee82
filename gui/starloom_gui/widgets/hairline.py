"""A moment that several views of time point at together."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Hairline(QObject):
    """The moment under the pointer, or the one that keys have moved to, shared by views of time.

    Attributes:
        at: seconds on the engine's clock; None: nowhere.
        is_shared: whether more than one view shows it, so that each has to tell the others where its pointer is.

    Signals:
        moved(): it is elsewhere.
    """

    moved = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.at: float | None = None
        self.is_shared = False

    def move_to(self, at: float | None) -> None:
        """Point at another moment; None: at none."""
        if at != self.at:
            self.at = at
            self.moved.emit()

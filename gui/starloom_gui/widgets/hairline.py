"""The moment that several views of time mark together."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Hairline(QObject):
    """The moment under the pointer, or selected by keys, which all views of time share.

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
        """Move to another moment; None: to none."""
        if at != self.at:
            self.at = at
            self.moved.emit()

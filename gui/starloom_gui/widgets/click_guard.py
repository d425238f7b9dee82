"""Buttons that change their meaning under a resting pointer take no click meant for what stood there before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QElapsedTimer, QEvent, QObject
from PySide6.QtGui import QCursor
from typing_extensions import override

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractButton, QWidget

MILLISECONDS: Final = 700
"""In which a hand that was about to click notices that something else stands there."""
_CLICKS: Final = {QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick, QEvent.Type.MouseButtonRelease}


class ClickGuard(QObject):
    """Keeps the mouse's clicks from a button for a moment from now on; keys work.

    Args:
        button: which one; the guard's parent, too.
    """

    def __init__(self, button: QAbstractButton) -> None:
        super().__init__(button)
        self._since = QElapsedTimer()
        self._since.start()
        button.setDown(False)
        button.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self._since.hasExpired(MILLISECONDS):
            watched.removeEventFilter(self)
            self.deleteLater()
            return False
        return event.type() in _CLICKS


def is_pointed_at(widget: QWidget) -> bool:
    """Whether the pointer is over a widget in sight, or would be, were nothing above it."""
    return widget.isVisible() and widget.rect().contains(widget.mapFromGlobal(QCursor.pos()))

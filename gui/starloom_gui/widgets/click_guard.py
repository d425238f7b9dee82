"""Protects a button that changes its meaning from clicks that were meant for its old one."""

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
    """An event filter that blocks mouse clicks on a button for a moment; keys work.

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
    """Whether the pointer is over a visible widget; others above it do not matter."""
    return widget.isVisible() and widget.rect().contains(widget.mapFromGlobal(QCursor.pos()))

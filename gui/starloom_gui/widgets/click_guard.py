"""Protects a button that changes its meaning, or appears, from clicks that were meant for what stood there before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QElapsedTimer, QEvent, QObject
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QAbstractButton
from typing_extensions import override

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

MILLISECONDS: Final = 700
"""In which a hand that was about to click notices that something else stands there."""
_PRESSES: Final = {QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick}
_CLICKS: Final = {*_PRESSES, QEvent.Type.MouseButtonRelease}


class ClickGuard(QObject):
    """An event filter that blocks mouse clicks on a button for a moment; keys work.

    Args:
        button: which one; the guard's parent, too.
    """

    def __init__(self, button: QAbstractButton) -> None:
        super().__init__(button)
        self._since = QElapsedTimer()
        self._since.start()
        self._is_pressed = False
        button.setDown(False)
        button.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self._is_pressed and event.type() == QEvent.Type.MouseButtonRelease:
            self._is_pressed = False
            return True  # the button knows of no press
        if self._since.hasExpired(MILLISECONDS) and not self._is_pressed:
            watched.removeEventFilter(self)
            self.deleteLater()
            return False
        self._is_pressed = self._is_pressed or event.type() in _PRESSES
        return event.type() in _CLICKS


class DoubleClickGuard(QObject):
    """An event filter that blocks the second click of a double click on a button: one act was meant.

    Args:
        button: which one; the guard's parent, too.
    """

    def __init__(self, button: QAbstractButton) -> None:
        super().__init__(button)
        button.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return event.type() == QEvent.Type.MouseButtonDblClick


def is_pointed_at(widget: QWidget) -> bool:
    """Whether the pointer is over a visible widget; others above it do not matter."""
    return widget.isVisible() and widget.rect().contains(widget.mapFromGlobal(QCursor.pos()))


def guard_appeared(bar: QWidget) -> None:
    """Guard the button of a bar that has appeared under the pointer: the click was meant for what the bar covers."""
    for button in bar.findChildren(QAbstractButton):
        if is_pointed_at(button):
            ClickGuard(button)

"""Dragging a tab out of its row with the mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QToolTip
from typing_extensions import override

from starloom_gui.text.words import tip

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QTabBar, QWidget

_PULL: Final = 20
"""So many pixels beyond the row a tab is dragged: who slips with the pointer drags nothing."""
_LEFT: Final = Qt.MouseButton.LeftButton


class TabDrag(QObject):
    """Watches a row of tabs for one that the mouse drags out of it; Escape cancels.

    No `QDrag`, whose loop would run within the loop of the program.

    Args:
        tabs: the tabs, which own this.
        key_of: the name of the tab of an index.
        said: what dropping the tab of this name at a point of the desktop would do, as told at the pointer.

    Signals:
        dropped(str, QPoint): the tab of this name was dropped at a point of the desktop, outside its row.
    """

    dropped = Signal(str, QPoint)
    _released = Signal(str, QPoint)

    def __init__(self, tabs: QTabBar, key_of: Callable[[int], str], said: Callable[[str, QPoint], str]) -> None:
        super().__init__(tabs)
        self._tabs, self._key_of, self._said = tabs, key_of, said
        self._key, self._is_dragged = "", False
        tabs.installEventFilter(self)
        self._released.connect(self.dropped, Qt.ConnectionType.QueuedConnection)  # the tabs handle the release first

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            return self._cancel(event)
        if watched is not self._tabs or not isinstance(event, QMouseEvent):
            return False
        if event.type() == QEvent.Type.MouseButtonPress and event.button() == _LEFT:
            at = self._tabs.tabAt(event.position().toPoint())
            self._key = self._key_of(at) if at >= 0 else ""
        elif event.type() == QEvent.Type.MouseMove:
            return self._move(event)
        elif event.type() == QEvent.Type.MouseButtonRelease and event.button() == _LEFT:
            key, is_dropped = self._key, self._is_dragged
            self._end()
            place = event.globalPosition().toPoint()
            if is_dropped and not self._row.contains(place):
                self._released.emit(key, place)
        return False

    @property
    def _row(self) -> QRect:
        """Where the row is on the desktop, with all that stands in it."""
        row = self._tabs.parentWidget() or self._tabs
        return on_desktop(row)

    def _move(self, event: QMouseEvent) -> bool:
        """Drag the tab that was pressed; returns whether one is dragged."""
        if not event.buttons() & _LEFT:  # it was released where nobody heard of it
            self._end()
        place = event.globalPosition().toPoint()
        if self._key and not self._is_dragged and not self._row.adjusted(-_PULL, -_PULL, _PULL, _PULL).contains(place):
            self._is_dragged = True
            self._tabs.setCursor(Qt.CursorShape.ClosedHandCursor)
            QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]  # for Escape, wherever the keyboard is
        if self._is_dragged:
            words = "" if self._row.contains(place) else self._said(self._key, place)
            spot = QRect(
                event.position().toPoint(), QSize(1, 1)
            )  # without one it stays where the words were first shown
            QToolTip.showText(place, tip(words), self._tabs, spot)
        return self._is_dragged

    def _cancel(self, event: QKeyEvent) -> bool:
        """End the drag by Escape; returns whether it was that key."""
        if not self._is_dragged or event.key() != Qt.Key.Key_Escape:
            return False
        event.accept()
        if event.type() == QEvent.Type.KeyPress:
            self._end()
        return True

    def _end(self) -> None:
        if self._is_dragged:
            QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]  # there is one
            self._tabs.unsetCursor()
            QToolTip.hideText()
        self._key, self._is_dragged = "", False


def on_desktop(widget: QWidget) -> QRect:
    """Where a widget is on the desktop."""
    return QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())

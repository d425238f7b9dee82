"""Keeping the content below a changing part of a pane from moving under the pointer."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication
from typing_extensions import override

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

REST: Final = 1.0
"""Seconds that a pointer has to rest outside before nobody is taken to be on the way."""


class HeldStill(QObject):
    """Keeps the height of a widget while keyboard or pointer are in its pane, or the pointer moves in its window.

    A keyboard that came from the part, as its button is gone, is not there for what is below.

    Args:
        pane: in which nothing is to move.
        part: what gets shorter, or is hidden.

    Attributes:
        clock: gives seconds.
    """

    def __init__(self, pane: QWidget, part: QWidget) -> None:
        super().__init__(pane)
        self._pane, self._part = pane, part
        self._place = QCursor.pos()
        self._focused: QWidget | None = None
        self._was_in_part = self._is_sent = False
        self.clock = time.monotonic
        self._moved: float | None = None
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(round(REST * 1000))
        self._again.timeout.connect(self.hold)
        pane.installEventFilter(self)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow_keyboard)

    def hold(self) -> None:
        """Keep the present height, or release it if keyboard and pointer are elsewhere; called before a change."""
        now = self._part.height() if self._part.isVisible() else 0
        room = max(now, self._part.minimumHeight())
        moves, is_in_use = self._moves(), self._is_in_use()
        self._keep(room if moves or is_in_use else 0)
        if moves and room:
            self._again.start()

    def let_go(self) -> None:
        """Release the height, as other content is shown."""
        self._keep(0)

    def _follow_keyboard(self) -> None:
        """Release the height once the keyboard has gone elsewhere, as no event of the run may come any more."""
        if self._part.minimumHeight():
            self.hold()

    def _is_in_use(self) -> bool:
        before, focus = self._focused, QApplication.focusWidget()
        if focus is not before:
            self._is_sent, self._was_in_part = self._was_in_part, focus is not None and self._part.isAncestorOf(focus)
            self._focused = focus
        has_keyboard = focus is not None and self._pane.isAncestorOf(focus) and not self._is_sent
        return self._pane.underMouse() or has_keyboard

    def _moves(self) -> bool:
        """Whether the pointer has moved in the window since this was asked, or shortly before."""
        place = QCursor.pos()
        if place != self._place and self._pane.window().frameGeometry().contains(place):
            self._moved = self.clock()
        self._place = place
        return self._moved is not None and self.clock() - self._moved < REST

    def _keep(self, room: int) -> None:
        policy = self._part.sizePolicy()
        policy.setRetainSizeWhenHidden(room > 0)
        self._part.setSizePolicy(policy)
        self._part.setMinimumHeight(room)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.hold()
        elif event.type() == QEvent.Type.Hide:
            self._again.stop()
        return super().eventFilter(watched, event)

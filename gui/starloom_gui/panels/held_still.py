"""Keeping the content below a changing part of a pane from moving under the pointer."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPoint, QTimer
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QAbstractButton, QApplication
from shiboken6 import isValid
from typing_extensions import override

from starloom_gui.widgets.click_guard import ClickGuard

if TYPE_CHECKING:
    from PySide6.QtWidgets import QScrollArea, QWidget

REST: Final = 1.0
"""Seconds that a pointer has to rest outside before nobody is taken to be on the way."""
PATIENCE: Final = 4.0
"""Seconds that pointer and keys have to rest in the pane before an empty room is closed under them."""


class HeldStill(QObject):
    """Keeps the height of a widget while keyboard or pointer are in its pane, or the pointer moves in its window.

    Where pointer and keys rest in the pane an empty room is closed late, and what slides up takes no click at first.
    A keyboard that came from the part, as its button is gone, is not there for what is below. Where something above the
    pointer, or above the field with the keyboard, gets longer or shorter, the pane scrolls with it as far as it can.

    Args:
        pane: in which nothing is to move; scrolls.
        part: what gets shorter, or is hidden.

    Attributes:
        clock: gives seconds.
    """

    def __init__(self, pane: QScrollArea, part: QWidget) -> None:
        super().__init__(pane)
        self._pane, self._part = pane, part
        self._place = QCursor.pos()
        self._focused: QWidget | None = None
        self._was_in_part = self._is_sent = False
        self.clock = time.monotonic
        self._moved: float | None = None
        self._empty_since: float | None = None
        self._pointed_at: tuple[QWidget, int, int] | None = None
        """What the user is at before a change, where in the pane it is, and how far that is scrolled."""
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
        self._note_pointed_at()
        now = self._part.height() if self._part.isVisible() else 0
        room = max(now, self._part.minimumHeight())
        moves, has_keyboard, has_pointer = self._moves(), self._has_keyboard(), self._pane.underMouse()
        if self._was_awaited(room) and not moves:
            if has_pointer:
                self._guard()
            has_pointer = has_keyboard = False
        self._keep(room if moves or has_keyboard or has_pointer else 0)
        if room and (moves or has_pointer or has_keyboard):
            self._again.start()

    def let_go(self) -> None:
        """Release the height, as other content is shown."""
        self._pointed_at = None
        self._keep(0)

    def _note_pointed_at(self) -> None:
        """Note what the pointer is over, or has the keyboard, to scroll by as much as it moves with the change."""
        is_pointed = self._pane.underMouse()
        found = QApplication.widgetAt(QCursor.pos()) if is_pointed else QApplication.focusWidget()
        content = self._pane.widget()
        if self._pointed_at is None and found is not None and content is not None and content.isAncestorOf(found):
            scrolled = self._pane.verticalScrollBar().value()
            self._pointed_at = found, found.mapTo(self._pane, QPoint()).y(), scrolled
            QTimer.singleShot(0, self, self._follow_pointed_at)

    def _follow_pointed_at(self) -> None:
        noted, self._pointed_at = self._pointed_at, None
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)  # what gets shorter is laid out after timers
        bar = self._pane.verticalScrollBar()
        if noted is None or bar.value() != noted[2] or not isValid(noted[0]) or not noted[0].isVisible():
            return
        bar.setValue(bar.value() + noted[0].mapTo(self._pane, QPoint()).y() - noted[1])

    def _follow_keyboard(self) -> None:
        """Release the height once the keyboard has gone elsewhere, as no event of the run may come any more."""
        if self._part.minimumHeight():
            self.hold()

    def _was_awaited(self, room: int) -> bool:
        """Whether the room has been empty, and pointer and keys at rest, for so long that nobody is about to press."""
        part = self._part
        needed = part.heightForWidth(part.width()) if part.hasHeightForWidth() else part.sizeHint().height()
        if not room or (not part.isHidden() and needed >= room):
            self._empty_since = None
            return False
        if self._empty_since is None:
            self._empty_since = self.clock()
        since = self._empty_since if self._moved is None else max(self._empty_since, self._moved)
        return self.clock() - since >= PATIENCE

    def _guard(self) -> None:
        """Guard what is about to slide up under the pointer against a click that was meant for what stood there."""
        top = self._part.mapTo(self._pane, QPoint()).y()
        for button in self._pane.findChildren(QAbstractButton):
            if button.isVisible() and button.mapTo(self._pane, QPoint()).y() >= top:
                ClickGuard(button)

    def _has_keyboard(self) -> bool:
        before, focus = self._focused, QApplication.focusWidget()
        if focus is not before:
            self._listen(before, focus)
            self._is_sent, self._was_in_part = self._was_in_part, focus is not None and self._part.isAncestorOf(focus)
            self._focused = focus
        return focus is not None and self._pane.isAncestorOf(focus) and not self._is_sent

    def _listen(self, before: QWidget | None, focus: QWidget | None) -> None:
        """Hear the keys of what has the keyboard, if that is in the pane."""
        if before is not None and isValid(before) and before is not self._pane:
            before.removeEventFilter(self)
        if focus is not None and focus is not self._pane and self._pane.isAncestorOf(focus):
            focus.installEventFilter(self)

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
        if event.type() == QEvent.Type.KeyPress:
            self._moved = self.clock()
        elif watched is not self._pane:
            return super().eventFilter(watched, event)
        elif event.type() == QEvent.Type.Leave:
            self.hold()
        elif event.type() == QEvent.Type.Hide:
            self._again.stop()
        return super().eventFilter(watched, event)

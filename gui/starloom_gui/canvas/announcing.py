"""Announces the current node to screen readers: at once when the user moves there, else at most once a second."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

REST: Final = 1.0
"""Seconds between two things that are said unasked."""


class Announcer(QObject):
    """Announces the current node while its widget has the focus; does nothing without a screen reader."""

    def __init__(
        self,
        widget: QWidget,
        words: Callable[[], str],
        *,
        tell: Callable[[QAccessibleEvent], None] = QAccessible.updateAccessibility,
        is_heard: Callable[[], bool] = QAccessible.isActive,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Announce nothing yet.

        Args:
            widget: the one whose node is told of; its accessible interface knows which child has the focus.
            words: what there is to say of that node now; empty: there is none.
            tell: passes an event on to screen readers.
            is_heard: whether there are any.
            clock: seconds.
        """
        super().__init__(widget)
        self._widget, self._words = widget, words
        self._tell, self._is_heard, self._clock = tell, is_heard, clock
        self._said, self._last = "", -REST
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._resting.timeout.connect(self.changed)

    def _may_speak(self) -> bool:
        return self._widget.hasFocus() and self._is_heard()

    def went(self) -> None:
        """Announce another current node at once, as the user has moved there."""
        self._resting.stop()
        if self._may_speak():
            self._said = self._words()
            child = QAccessible.queryAccessibleInterface(self._widget).focusChild()
            if child is not None:
                self._tell(QAccessibleEvent(child, QAccessible.Event.Focus))

    def say(self, words: str) -> None:
        """Announce a text at once, as an answer to what the user has just done."""
        if words and self._may_speak():
            self._tell(QAccessibleAnnouncementEvent(self._widget, words))

    def changed(self) -> None:
        """Announce a change of the current node, at most once a second."""
        words = self._words() if self._may_speak() else ""
        if not words or words == self._said:
            return
        now = self._clock()
        left = self._last + REST - now
        if left > 0:
            if not self._resting.isActive():
                self._resting.start(int(left * 1000) + 1)
            return
        self._said, self._last = words, now
        self._tell(QAccessibleAnnouncementEvent(self._widget, words))

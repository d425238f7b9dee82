"""Returning the keyboard focus when the button that has it is removed."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtWidgets import QWidget


class KeyboardReturn(QObject):
    """Returns the keyboard focus to the view it came from when the focused widget of a pane is rebuilt.

    Qt would give it to whatever comes next, and the next key would be typed there.

    Args:
        pane: what the keyboard came to.
        parts: of the pane, whose buttons are made anew.
    """

    def __init__(self, pane: QWidget, parts: Sequence[QWidget]) -> None:
        super().__init__(pane)
        self._pane, self._parts = pane, parts
        self._origin: QWidget | None = None
        application = QApplication.instance()
        assert isinstance(application, QApplication), "there are widgets"
        application.focusChanged.connect(self._turned)

    def _turned(self, old: QWidget | None, new: QWidget | None) -> None:
        if self._has(new) and old is not None and not self._has(old):
            self._origin = old

    def _has(self, widget: QWidget | None) -> bool:
        return widget is not None and (widget is self._pane or self._pane.isAncestorOf(widget))

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Restore the keyboard focus after what is done meanwhile."""
        before = QApplication.focusWidget()
        part = self._part_of(before)
        yield
        after = QApplication.focusWidget()
        if part is not None and after is not before and self._part_of(after) is not part:
            self._give_back()

    def _part_of(self, widget: QWidget | None) -> QWidget | None:
        return next((part for part in self._parts if widget is not None and part.isAncestorOf(widget)), None)

    def _give_back(self) -> None:
        origin = self._origin
        is_there = origin is not None and isValid(origin) and origin.isVisible() and origin.isEnabled()
        (origin if is_there and origin is not None else self._pane).setFocus(Qt.FocusReason.OtherFocusReason)

"""Asks before a dialog is closed with something in it that was not kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from shiboken6 import isValid

from starloom_gui.widgets.click_guard import ClickGuard
from starloom_gui.widgets.controls import button

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from starloom_gui.widgets.dialog import Dialog


class TypedGuard(QObject):
    """Keeps what was typed into a dialog: whatever rejects it asks first, and a second Escape goes on.

    Args:
        dialog: asks it before it is rejected.
        is_changed: gives whether something was typed that closing would lose.

    Attributes:
        discard: gives up what was typed; seen while that is asked.
    """

    def __init__(self, dialog: Dialog, is_changed: Callable[[], bool]) -> None:
        super().__init__(dialog)
        self._dialog, self._is_changed = dialog, is_changed
        self._is_asking = False
        self._noted = ""
        self._typed_in: QWidget | None = None
        self.discard = button(self.tr("Discard"))
        self.discard.clicked.connect(dialog.close_anyway)
        self.discard.setAutoDefault(True)  # Enter does what the frame is around
        self.discard.hide()
        dialog.aside.addWidget(self.discard)
        dialog.lets_close = self._lets_close
        # a shortcut, as fields of several lines and tables take the key
        QShortcut(QKeySequence(Qt.Key.Key_Escape), dialog, dialog.reject)

    def go_on(self) -> None:
        """Ask no more, as the user goes on editing; to be called at each edit, before anything is noted."""
        if self._is_asking:
            self._ask(asks=False)

    def _ask(self, *, asks: bool) -> None:
        self._is_asking = asks
        self.discard.setVisible(asks)
        self._dialog.cancel.setText(self.tr("Go on") if asks else self.tr("Cancel"))
        self._dialog.cancel.setAutoDefault(asks)
        if asks:
            self._noted = self._dialog.reason
        self._dialog.give_reason(self.tr("What you typed is not kept yet.") if asks else self._noted)

    def _lets_close(self) -> bool:
        """Whether nothing would be lost; else it asks, or goes on if it was asking."""
        if not self._is_changed():
            return True
        if self._is_asking:
            self._ask(asks=False)
            if self._typed_in is not None and isValid(self._typed_in):
                self._typed_in.setFocus()
        else:
            self._typed_in = self._dialog.focusWidget()
            self._ask(asks=True)
            ClickGuard(self.discard)  # another button stood there
            self._dialog.cancel.setFocus()  # Enter loses nothing
        return False

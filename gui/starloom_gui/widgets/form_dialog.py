"""The base of dialogs that are filled in: what was typed into one is not lost by closing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from shiboken6 import isValid
from typing_extensions import override

from starloom_gui.widgets.controls import button
from starloom_gui.widgets.dialog import Dialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom_gui.theme.appearance import Appearance


class FormDialog(Dialog):
    """A dialog that asks before it is closed with something in it that was not kept; a second Escape goes on.

    Subclasses override `is_changed`, and call `go_on` at each edit, before they note anything.

    Attributes:
        discard: gives up what was typed; seen while that is asked.

    Args:
        appearance: the colours.
        title: what it is for.
        does: what stands on its default button.
        width: of the dialog, on a screen that has it.
        parent: the window it stands over.
    """

    def __init__(
        self, appearance: Appearance, title: str, does: str, *, width: int = 460, parent: QWidget | None = None
    ) -> None:
        super().__init__(appearance, title, does, width=width, parent=parent)
        self._is_asking = False
        self._noted, self._typed_in = "", self.focusWidget()
        self.discard = button(self.tr("Discard"))
        self.discard.clicked.connect(self._discard)
        self.discard.setAutoDefault(True)  # Enter does what the frame is around
        self.discard.hide()
        self.aside.addWidget(self.discard)
        # a shortcut, as fields of several lines and tables take the key
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.reject)

    @property
    def is_changed(self) -> bool:
        """Whether something was typed that closing would lose."""
        raise NotImplementedError

    def go_on(self) -> None:
        """Ask no more, as the user goes on editing."""
        if self._is_asking:
            self._ask(asks=False)

    def _ask(self, *, asks: bool) -> None:
        self._is_asking = asks
        self.discard.setVisible(asks)
        self.cancel.setText(self.tr("Go on") if asks else self.tr("Cancel"))
        if asks:
            self._noted = self.reason
        self.give_reason(self.tr("What you typed is not kept yet.") if asks else self._noted)

    def _discard(self) -> None:
        super().reject()

    @override
    def reject(self) -> None:
        """Close the dialog if nothing would be lost; else ask first, and continue editing at a second Escape."""
        if not self.is_changed:
            super().reject()
        elif self._is_asking:
            self._ask(asks=False)
            if self._typed_in is not None and isValid(self._typed_in):
                self._typed_in.setFocus()
        else:
            self._typed_in = self.focusWidget()
            self._ask(asks=True)
            self.discard.setFocus()

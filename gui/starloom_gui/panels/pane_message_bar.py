"""The message bar of a pane: one sentence that can be copied, and buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.controls import button, mark, text

if TYPE_CHECKING:
    from collections.abc import Callable

_BUTTON = 22


class PaneMessageBar(QFrame):
    """The message bar of a pane; hidden while it is empty.

    Args:
        look: of its sentence, as in the panes' style sheet.
        parent: the widget it lies in.
    """

    def __init__(self, look: str = "muted", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("strip")
        mark(self, "strip")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(GAPS[2], 3, GAPS[1], 3)
        self._row.setSpacing(GAPS[1])
        self.words = text(role=Role.SMALL, look=look)
        self.words.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._row.addWidget(self.words, 1)
        self.hide()

    def offer(self, act: Callable[[], object]) -> QPushButton:
        """Append a button; the caller sets its text."""
        made = button("", height=_BUTTON)
        made.clicked.connect(lambda *_: act())
        self._row.addWidget(made)
        return made

    def say(self, words: str) -> None:
        """Show a sentence; empty: hide the bar."""
        if words != self.words.text():
            self.words.setText(words)
            self.setAccessibleName(words)
        self.setVisible(bool(words))

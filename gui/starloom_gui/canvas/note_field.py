"""The field that edits a note in place. Ctrl+Enter or a click elsewhere keeps the text, Escape restores the old one.

Escape throws nothing away without a word: of a text that was changed, the first one says that another one does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPlainTextEdit, QToolTip
from typing_extensions import override

from starloom.model.note import LONGEST_NOTE
from starloom_gui.text.words import fill
from starloom_gui.theme.fonts import font
from starloom_gui.theme.metrics import RADIUS

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QFocusEvent, QKeyEvent
    from PySide6.QtWidgets import QWidget

    from starloom_gui.theme.palette import Palette

LEAST: Final = (200, 96)
"""Pixels that one can write in."""


def end_writing(window: QWidget) -> None:
    """Commit the note that is being edited in a window, if one is, so that what follows has its text."""
    field = window.focusWidget()
    if isinstance(field, NoteField):
        field.keep()


class NoteField(QPlainTextEdit):
    """A field for one note. It ends once, and takes no more text than a note may have.

    Signals:
        ended(str | None): what is wanted; None: what was.
    """

    ended = Signal(object)

    def __init__(self, text: str, box: QRectF, palette: Palette, parent: QWidget) -> None:
        super().__init__(text, parent)
        self._below, self._before, self._is_over, self._is_warned = parent, text, False, False
        self.setAccessibleName(self.tr("Text of the note"))
        self.setPlaceholderText(self.tr("Write a note. Ctrl+Enter keeps it."))
        self.setToolTip(self.tr("Ctrl+Enter keeps what is written, Escape what was."))
        self.setTabChangesFocus(True)
        self.setFont(font())
        self.setStyleSheet(
            f"QPlainTextEdit {{ border: 2px solid {palette.text}; border-radius: {RADIUS}px; padding: 2px;"
            f" color: {palette.text}; background: {palette.raised};"
            f" selection-background-color: {palette.text}; selection-color: {palette.panel}; }}"
        )
        self.textChanged.connect(self._cut)
        self.stand_over(box)
        self.selectAll()
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def is_changed(self) -> bool:
        """Whether something else stands in it than at first."""
        return self.toPlainText() != self._before

    def say_of(self, task: str) -> None:
        """Say, while nothing is written, to which task the note will belong."""
        self.setPlaceholderText(fill(self.tr("Write a note on %1. Ctrl+Enter keeps it."), task))
        self.setAccessibleName(fill(self.tr("Text of the note on %1"), task))

    def stand_over(self, box: QRectF) -> None:
        """Cover a note, with a least size for typing."""
        width, high = max(LEAST[0], round(box.width())), max(LEAST[1], round(box.height()))
        self.setGeometry(round(box.left()), round(box.top()), width, high)

    def _cut(self) -> None:
        """Truncate a text that is longer than a note may be, as after pasting; undo restores the one before."""
        self._is_warned = False
        text = self.toPlainText()
        if len(text) > LONGEST_NOTE:
            cursor = self.textCursor()
            place = min(cursor.position(), LONGEST_NOTE)
            self.setPlainText(text[:LONGEST_NOTE])
            cursor = self.textCursor()
            cursor.setPosition(min(place, len(self.toPlainText())))
            self.setTextCursor(cursor)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() == Qt.Key.Key_Escape:
            self._give_up()
        elif control and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._end(self.toPlainText())
        else:
            super().keyPressEvent(event)
        event.accept()  # the canvas must not take what was written for its own keys

    def _give_up(self) -> None:
        """Restore the old text; a first Escape warns of what would be lost."""
        if self._is_warned or not self.is_changed:
            self._end(None)
            return
        self._is_warned = True
        words = self.tr("Escape once more throws away what is written, Ctrl+Enter keeps it.")
        self.setAccessibleDescription(words)
        QToolTip.showText(self.mapToGlobal(self.rect().bottomLeft()), words, self)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:  # its own menu
            self._end(self.toPlainText())

    def keep(self) -> None:
        """Keep the text."""
        self._end(self.toPlainText())

    def _end(self, text: str | None) -> None:
        if self._is_over:
            return
        self._is_over = True
        if self.window().focusWidget() is self:
            self._below.setFocus()
        self.hide()
        self.ended.emit(text)
        self.deleteLater()

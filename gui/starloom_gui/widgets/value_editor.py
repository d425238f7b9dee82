"""The editor of a value in place, and the hint for when somebody else changes it meanwhile."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QPainter, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStyle, QStyleOptionFrame, QWidget
from typing_extensions import override

from starloom_gui.text.words import translate
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.widgets.controls import button, mark, text
from starloom_gui.widgets.field_draft import FieldDraft
from starloom_gui.widgets.list_completer import OF_LIST

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QPaintEvent

    from starloom_gui.widgets.list_completer import ListCompleter

_HIGH: Final = 24
_INSET: Final = 2
"""Pixels that Qt leaves at each side of the text of a field."""


class Value(QLineEdit):
    """The editable value of one field in a line. Return or the loss of focus sends the text, Escape discards it.

    Attributes:
        draft: what is typed and not sent, and what becomes of it.
        offers: what completes what is typed; None: nothing does.

    Args:
        code: whether it is read by programs.

    Signals:
        room_wanted(): Ctrl+E was pressed: it is to be edited in more room.
    """

    room_wanted = Signal()

    def __init__(self, *, code: bool = False) -> None:
        super().__init__()
        self.setFixedHeight(_HIGH)
        self.setFont(font(Role.MONOSPACE if code else Role.BODY))
        self.offers: ListCompleter | None = None
        self.draft = FieldDraft(self, self)
        self._note = text(role=Role.SMALL, look="muted", wraps=False)
        inside = QHBoxLayout(self)
        inside.setContentsMargins(0, 0, 8, 0)
        inside.addStretch(1)
        inside.addWidget(self._note)
        self._note.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.textEdited.connect(self.draft.edited)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the value, elided in the middle while it has no focus, as both ends identify it."""
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        inside = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        inside = inside.marginsRemoved(self.textMargins()).adjusted(_INSET, 0, -_INSET, 0)
        shown = elided(self.text(), QFontMetricsF(self.font()), inside.width())
        if self.hasFocus() or shown == self.text():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
        painter.setPen(self.palette().color(QPalette.ColorRole.Text))
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)
        painter.end()

    @property
    def is_edited(self) -> bool:
        """Whether the field has unsent text."""
        return self.draft.is_edited

    def finish(self) -> None:
        """Send the typed text, if there is any."""
        self.draft.finish()

    # ---- for the draft

    def put(self, words: str) -> None:
        """Set the text, and clear the undo history; an equal one is left alone, with cursor and selection."""
        if self.text() == words and not self.isUndoAvailable():
            return
        is_same, at, chosen = self.text() == words, self.cursorPosition(), len(self.selectedText())
        begin = self.selectionStart()
        with QSignalBlocker(self):
            self.setText(words)
        self.setCursorPosition(at if is_same else 0)
        if is_same and chosen:
            self.setSelection(begin, chosen)

    def set_hint(self, words: str) -> None:
        """Set the placeholder text."""
        self.setPlaceholderText(words)

    def set_wrong(self, wrong: bool) -> None:
        """Outline the field as invalid, or as usual."""
        mark(self, "wrong" if wrong else "")

    def lock(self, reason: str) -> None:
        """Disable editing with a reason; empty: enable it."""
        self.setReadOnly(bool(reason))
        self.setAccessibleDescription(reason)

    def remind(self, words: str) -> None:
        """Show a reminder behind the text; empty: none."""
        self._note.setText(words)
        self.setTextMargins(0, 0, self._note.sizeHint().width() + 4 if words else 0, 0)

    def is_active(self) -> bool:
        """Whether the field has the keyboard focus."""
        return self.hasFocus()

    def write(self, words: str) -> None:
        """Set the text as if the user had typed it."""
        self.setText(words)
        self.textEdited.emit(words)

    # ---- its author

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in OF_LIST and self.offers is not None and self.offers.is_open:
            event.ignore()  # Enter takes what is chosen there, and Escape puts it away
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.draft.enter()
        elif event.key() == Qt.Key.Key_E and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.room_wanted.emit()
        elif event.key() != Qt.Key.Key_Escape or not self.draft.escape():
            super().keyPressEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.draft.leave()


class ValueHint(QWidget):
    """The hint below a field in use, with a button for each thing that can be done about it, in a place of its own.

    Attributes:
        button: takes the present value, or copies what was typed.
        set_it: makes what was typed the value.

    Signals:
        taken(): the value as it is now is wanted instead of what was typed.
        wanted(): what was typed is to be the value.
    """

    taken = Signal()
    wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, 0, 2)
        row.setSpacing(6)
        self.words = text(role=Role.SMALL, look="muted")
        row.addWidget(self.words, 1)
        self.button = button(translate("Inspector", "Take it"), height=_HIGH)
        self.set_it = button(translate("Inspector", "Set it"), height=_HIGH)
        for one in (self.button, self.set_it):
            mark(one, "verb")
            one.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keys do the same, and the field is still in use
            row.addWidget(one, 0, Qt.AlignmentFlag.AlignTop)
        self._act: Callable[[], object] = self.taken.emit
        self.button.clicked.connect(lambda: self._act())
        self.set_it.clicked.connect(lambda: self.wanted.emit())
        self.hide()

    def say(self, words: str, copied: str = "", *, sets: bool = False) -> None:
        """Show a hint about the value.

        Args:
            words: what is said; empty: nothing, and the line is gone.
            copied: what the button puts on the clipboard; empty: it takes the value as it is now.
            sets: whether what was typed can be made the value.
        """
        self._act = partial(QGuiApplication.clipboard().setText, copied) if copied else self.taken.emit
        self.words.setText(words)
        self.words.setAccessibleName(words)
        self.button.setText(translate("Inspector", "Copy") if copied else translate("Inspector", "Take it"))
        self.button.setVisible(bool(words))
        self.set_it.setVisible(sets)
        self.setVisible(bool(words))

    def say_unset(self, words: str) -> None:
        """Show that what was typed is not the value yet, with a button that makes it that."""
        self.say(words, sets=bool(words))
        self.button.hide()

    def report(self, words: str) -> None:
        """Show a report of what was done, without the button."""
        self.say(words)
        self.button.hide()

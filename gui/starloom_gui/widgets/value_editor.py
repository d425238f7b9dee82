"""A value that is changed where it stands, and what is said when somebody else changes it meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QPainter, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStyle, QStyleOptionFrame, QWidget
from typing_extensions import override

from starloom_gui.text.words import tip, translate
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.viewmodel.task_fields import placeholder
from starloom_gui.widgets.controls import button, mark, text

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QPaintEvent

    from starloom_gui.viewmodel.task_fields import FieldValue

_HIGH: Final = 24
_INSET: Final = 2
"""Pixels that Qt leaves at each side of the text of a field."""
_OF_LIST: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, Qt.Key.Key_Tab})


class Offers(Protocol):
    """The completion list below a field."""

    @property
    def is_open(self) -> bool:
        """Whether anything is offered now, so that Enter, Tab and Escape are the list's."""


class Value(QLineEdit):
    """The editable value of one field. Return or leaving it sends what was typed, Escape takes it back.

    Of a task that has ended a new value runs it again: only Return asks for that, never leaving the field. Nor does
    leaving it send what a run that goes on would execute: that stays as it was typed until Return or Escape.

    While it has the focus, or holds what was typed and not sent, nothing is written into it; what the value has become
    meanwhile is told by `news`. Return then overwrites that, Escape takes it, and leaving the field does neither.

    Attributes:
        seen: the revision in which its author saw the value.
        offers: what completes what is typed; None: nothing does.

    Signals:
        wanted(str): this is to be the value.
        again_wanted(): what was typed in this field and in others is to hold, and the task to run again.
        news(): what can be told about the value beside what stands in the field has changed; see `other`.
    """

    wanted = Signal(str)
    again_wanted = Signal()
    news = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(_HIGH)
        self.seen = 0
        self.offers: Offers | None = None
        self._written = ""
        self._latest: FieldValue | None = None
        self._revision = 0
        self._sent: tuple[str, str] | None = None
        self._other: str | None = None
        self._lock = ""
        self._note = text(role=Role.SMALL, look="muted", wraps=False)
        inside = QHBoxLayout(self)
        inside.setContentsMargins(0, 0, 8, 0)
        inside.addStretch(1)
        inside.addWidget(self._note)
        self._note.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        """Leave out the middle of what is too long, while nobody is at it: both its ends tell what it is."""
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

    # ---- what there is

    @property
    def is_edited(self) -> bool:
        """Whether something was typed that has not been sent."""
        return self.text() != self._written

    @property
    def waits(self) -> bool:
        """Whether leaving the field does not send what was typed."""
        return self._latest is not None and self._latest.by_enter

    @property
    def other(self) -> str | None:
        """What the value has become while this field was in use; None: it is what its author saw."""
        return self._other

    @property
    def lock(self) -> str:
        """Why what was typed can be sent no more; empty: it can, or nothing was typed."""
        return self._lock if self.is_edited else ""

    # ---- being told

    def show_value(self, value: FieldValue, revision: int) -> None:
        """Show a value, unless the field is in use: then only tell what it has become.

        Args:
            value: as it is now.
            revision: of the run, as of which it is so.
        """
        self._latest, self._revision = value, revision
        self.setReadOnly(bool(value.locked))
        self.setAccessibleName(value.label)
        self.setAccessibleDescription(value.locked)
        if self.hasFocus() or (self.is_edited and self._sent is None):
            self._compare(value)
        else:
            self._write(value)

    def _compare(self, value: FieldValue) -> None:
        """See what has become of the value while the field is in use."""
        other: str | None = None
        if self._sent is not None:
            sent, before = self._sent
            if value.text != before and self.text() == sent:  # what was sent has come true, perhaps in other words
                self._write(value)
                return
            if value.text != before:
                self._sent, self._written = None, value.text
        if self.is_edited and value.text == self.text():
            self._write(value)
            return
        if value.text not in (self._written, self.text()) and self._sent is None:
            other = value.text
        elif value.text == self._written:
            self.seen = self._revision
        self._tell(other, value.locked)

    def _tell(self, other: str | None, lock: str) -> None:
        before = self._other, self._lock
        self._other, self._lock = other, lock
        if before != (other, lock) or other is not None or lock:  # how long ago changes, too
            self.news.emit()

    def _write(self, value: FieldValue) -> None:
        """Have a value stand in the field; with it, what could be taken back in the field is gone."""
        self.setFont(font(Role.MONOSPACE if value.code else Role.BODY))
        self.setPlaceholderText(value.hint or placeholder(value.name))
        keys = translate("Inspector", "Enter changes it and runs the task again.") if value.again else ""
        said = value.locked or "\n".join(filter(None, (value.text or value.hint, keys)))
        self.setToolTip(tip(said))
        self._note.setText(value.note)
        self.setTextMargins(0, 0, self._note.sizeHint().width() + 4 if value.note else 0, 0)
        self._sent, self._written, self.seen = None, value.text, self._revision
        if self.text() != value.text or self.isUndoAvailable():
            is_same, at, chosen = self.text() == value.text, self.cursorPosition(), len(self.selectedText())
            begin = self.selectionStart()
            with QSignalBlocker(self):
                self.setText(value.text)
            self.setCursorPosition(at if is_same else 0)
            if is_same and chosen:
                self.setSelection(begin, chosen)
        self._tell(None, "")

    # ---- its author

    def take(self) -> None:
        """Have the value as it is now stand there, whatever was typed."""
        if self._latest is not None:
            self._sent = None
            self._write(self._latest)
        self.textEdited.emit(self.text())

    def finish(self) -> None:
        """Send what was typed, if anything was; over what it has become meanwhile."""
        if not self.isReadOnly() and (self.is_edited or self._other is not None):
            if self._other is not None:
                self.seen = self._revision  # its author has been told, and wants it all the same
            self.wanted.emit(self.text())

    def accept(self) -> None:
        """What stands there was sent."""
        before = self._latest.text if self._latest is not None else ""
        self._sent, self._written = (self.text(), before), self.text()
        self._tell(None, self._lock)

    @property
    def _runs_again(self) -> bool:
        return self._latest is not None and self._latest.again and not self._latest.locked

    def write(self, words: str) -> None:
        """Have something stand in the field as if it had been typed."""
        self.setText(words)
        self.textEdited.emit(words)

    def _remind(self) -> None:
        """Say in the field that it holds what was not sent."""
        self._note.setText(translate("Inspector", "Enter: change"))
        self.setTextMargins(0, 0, self._note.sizeHint().width() + 4, 0)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _OF_LIST and self.offers is not None and self.offers.is_open:
            event.ignore()  # Enter takes what is chosen there, and Escape puts it away
        elif event.key() == Qt.Key.Key_Escape and (self.is_edited or self._other is not None):
            self.take()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            if self._runs_again:
                self.again_wanted.emit()
            else:
                self.finish()
        else:
            super().keyPressEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() == Qt.FocusReason.PopupFocusReason:
            return
        if self.is_edited and (self._runs_again or self.waits):
            self._remind()
            return
        if self._other is None and self.is_edited:
            self.finish()
        elif self._latest is not None and not self.is_edited and self._sent is None:
            self._write(self._latest)


class ValueHint(QWidget):
    """The hint below a field in use, with a button.

    Signals:
        taken(): the value as it is now is wanted instead of what was typed.
    """

    taken = Signal()

    def __init__(self) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, 0, 2)
        row.setSpacing(6)
        self.words = text(role=Role.SMALL, look="muted")
        self.button = button(translate("Inspector", "Take it"), height=_HIGH)
        mark(self.button, "verb")
        self.button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Escape does the same, and the field is still in use
        row.addWidget(self.words, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        self._copied = ""
        self.button.clicked.connect(self._act)
        self.hide()

    def say(self, words: str, copied: str = "") -> None:
        """Say something of the value.

        Args:
            words: what is said; empty: nothing, and the line is gone.
            copied: what the button puts on the clipboard; empty: it takes the value as it is now.
        """
        self._copied = copied
        self.words.setText(words)
        self.words.setAccessibleName(words)
        self.button.setText(translate("Inspector", "Copy") if copied else translate("Inspector", "Take it"))
        self.button.setVisible(bool(words))
        self.setVisible(bool(words))

    def report(self, words: str) -> None:
        """Say what was done; there is nothing to take."""
        self.say(words)
        self.button.hide()

    def _act(self) -> None:
        if self._copied:
            QGuiApplication.clipboard().setText(self._copied)
        else:
            self.taken.emit()

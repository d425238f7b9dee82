"""The fields of a task, or of several, as a form: a value that can be changed is changed where it stands."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit
from typing_extensions import override

from starloom_gui.panels.bulk import common_fields, free_of
from starloom_gui.panels.dress import mark, text
from starloom_gui.panels.scope_row import ScopeRow
from starloom_gui.panels.sections import Section
from starloom_gui.panels.task_fields import fields_of, placeholder, why_locked
from starloom_gui.theme.fonts import Role, font
from starloom_gui.words import amount, fill, tip

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Sequence

    from PySide6.QtGui import QFocusEvent, QKeyEvent
    from PySide6.QtWidgets import QLabel

    from starloom.scheduling.run_facts import RunFacts
    from starloom_gui.panels.task_fields import FieldValue
    from starloom_gui.theme.palette import Palette

_HIGH = 24
_LABELS = 72


class Value(QLineEdit):
    """One value. Return or leaving it sends what was typed, Escape takes it back; what is new is not written over it.

    Attributes:
        seen: the revision of which its author saw the value.

    Signals:
        wanted(str): this is to be the value.
    """

    wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(_HIGH)
        self._known = ""
        self.seen = 0
        self._note = text(role=Role.SMALL, look="muted", wraps=False)
        inside = QHBoxLayout(self)
        inside.setContentsMargins(0, 0, 8, 0)
        inside.addStretch(1)
        inside.addWidget(self._note)
        self._note.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    @property
    def is_edited(self) -> bool:
        """Whether something was typed that has not been sent."""
        return self.text() != self._known

    def show_value(self, value: FieldValue, revision: int) -> None:
        """Show a value, unless somebody is writing another one."""
        self.setFont(font(Role.MONOSPACE if value.code else Role.BODY))
        self.setReadOnly(bool(value.locked))
        self.setPlaceholderText(value.hint or placeholder(value.name))
        self.setToolTip(tip(value.locked or value.text or value.hint))
        self.setAccessibleName(value.label)
        self.setAccessibleDescription(value.locked)
        self._note.setText(value.note)
        self.setTextMargins(0, 0, self._note.sizeHint().width() + 4 if value.note else 0, 0)
        is_sent = self.text() == value.text
        if is_sent or not self.is_edited:
            place = self.cursorPosition() if is_sent else 0
            self.take_back(value.text)  # what was typed on the way there is no longer to be taken back in the field
            self.setCursorPosition(place)
            self.seen = revision
        self._known = value.text

    def take_back(self, words: str | None = None) -> None:
        """Show this, or the value that was last shown, whatever was typed."""
        with QSignalBlocker(self):
            self.setText(self._known if words is None else words)
            self.setCursorPosition(0)
        self._known = self.text()

    def finish(self) -> None:
        """Send what was typed, if anything was."""
        if self.is_edited and not self.isReadOnly():
            self.wanted.emit(self.text())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.is_edited:
            self.take_back()
            self.textEdited.emit(self.text())
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.finish()
        else:
            super().keyPressEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.finish()


class Change(Protocol):
    """Asks for a field's new value; the answer is why not, empty if it was sent."""

    def __call__(self, numbers: tuple[int, ...], name: str, words: str, seen: int) -> str:
        """Of the tasks with these numbers; its author saw this revision."""


class FieldsSection(Section):
    """The form.

    Attributes:
        fixed: gives why no field of any task can be changed; empty: it depends on the task.
        scope: says, and asks, for which tasks values are meant.

    Args:
        colours: gives the palette.
        change: is asked for every new value.
    """

    def __init__(self, colours: Callable[[], Palette], change: Change) -> None:
        super().__init__(colours)
        self._change = change
        self.fixed: Callable[[], str] = lambda: ""
        self.scope = ScopeRow()
        self.inner.insertWidget(self.inner.count() - 1, self.scope)
        self._numbers: tuple[int, ...] = ()
        self._values: dict[str, Value] = {}
        self._errors: dict[str, QLabel] = {}

    def show_fields(self, run: RunFacts, number: int) -> None:
        """Show these fields.

        Args:
            run: the facts.
            number: of the task; what is being typed for another one is sent first.
        """
        locked = self.fixed() or why_locked(run, number)
        self.title(self.tr("Fields"), locked or self.tr("Editable until it starts"))
        self._show(fields_of(run, number), run, (number,))

    def show_several(self, run: RunFacts, numbers: Collection[int], chosen: Hashable = None) -> None:
        """Show what these tasks have in common, to be changed for all of them in one step.

        Args:
            run: the facts.
            numbers: of the tasks.
            chosen: what made these the ones that are meant; others that follow from the same do not take away what is
                being typed.
        """
        free = free_of(run, numbers)
        aside = self.fixed() or self.tr("Editable until they start")
        if not self.fixed() and len(free) < len(numbers):
            aside = fill(self.tr("For %1 not started"), amount(len(free)))
        self.title(self.tr("Fields of all"), aside)
        self._show(common_fields(run, numbers), run, tuple(sorted(numbers)), chosen)

    def _show(
        self, fields: Sequence[FieldValue], run: RunFacts, numbers: tuple[int, ...], chosen: Hashable = None
    ) -> None:
        is_new = self.has_new(run.run_id, numbers if chosen is None else chosen, tuple(one.name for one in fields))
        self._numbers = numbers  # not before: what was being typed was for those from before
        if is_new:
            self._build(fields)
        for one in fields:
            self._values[one.name].show_value(one, run.revision)

    def value(self, name: str) -> Value:
        """The place of a field's value."""
        return self._values[name]

    def reason(self, name: str) -> str:
        """What stands under a field: why what was typed there was not done; empty: nothing was refused."""
        return self._errors[name].text()

    def _build(self, fields: Sequence[FieldValue]) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnMinimumWidth(0, _LABELS)
        grid.setColumnStretch(1, 1)
        self._values = {one.name: Value() for one in fields}
        self._errors = {one.name: text(role=Role.SMALL, look="wrong") for one in fields}
        widest = _LABELS
        for at, one in enumerate(fields):
            value, error = self._values[one.name], self._errors[one.name]
            label = text(one.label, look="muted", wraps=False)
            label.setBuddy(value)
            widest = max(widest, label.sizeHint().width())
            grid.addWidget(label, 2 * at, 0)
            grid.addWidget(value, 2 * at, 1)
            grid.addWidget(error, 2 * at + 1, 1)
            error.hide()
            value.wanted.connect(partial(self._send, one.name))
            value.textEdited.connect(partial(self._clear, one.name))
        self.rows.addLayout(grid)
        self.scope.align(widest)

    def _send(self, name: str, words: str) -> None:
        reason = self._change(self._numbers, name, words, self._values[name].seen)
        value, error = self._values[name], self._errors[name]
        error.setText(fill(self.tr("%1 Nothing was changed."), reason) if reason else "")
        error.setVisible(bool(reason))
        mark(value, "wrong" if reason else "")
        value.setAccessibleDescription(error.text())
        if not reason:
            value.take_back(words)

    def _clear(self, name: str, _words: str) -> None:
        self._errors[name].hide()
        self._errors[name].clear()
        mark(self._values[name], "")

"""A form made from field specifications, with labels, editors, help, and an error under each invalid field."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from starloom_gui.text.words import fill
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import CONTROL, GAPS
from starloom_gui.widgets.controls import button, mark, text
from starloom_gui.widgets.dialog import as_wide_as_there_is_room
from starloom_gui.widgets.editor import FieldEditor, FieldSpec, ValueType
from starloom_gui.widgets.editors import editor_for
from starloom_gui.widgets.field_error import FieldErrorLabel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.field_error import ErrorRemedy

LABELS: Final = 104


class Form(QWidget):
    """A form of fields. Values are read on demand; an error is shown under its field.

    Signals:
        edited: something else stands in a field.

    Args:
        fields: the description.
        colours: gives the palette.
    """

    edited = Signal()

    def __init__(self, fields: Sequence[FieldSpec], colours: Callable[[], Palette]) -> None:
        super().__init__()
        self._fields, self._colours = tuple(fields), colours
        self._editors: dict[str, FieldEditor] = {}
        self._troubles: dict[str, FieldErrorLabel] = {}
        self._more = button("")
        self._rare = QWidget()
        self._untouched = dict[str, Any]()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._build([spec for spec in fields if not spec.is_rare]))
        if any(spec.is_rare for spec in fields):
            self._furnish_more(column)
            self._rare.setLayout(self._build([spec for spec in fields if spec.is_rare]))
        self._untouched = self._standing()

    def _furnish_more(self, column: QVBoxLayout) -> None:
        mark(self._more, "flat")
        self._more.setCheckable(True)
        self._more.setToolTip(self.tr("Options that are seldom needed"))
        self._more.toggled.connect(self._turn_more)
        row = QHBoxLayout()
        row.setContentsMargins(0, GAPS[1], 0, GAPS[0])
        row.addWidget(self._more)
        row.addStretch(1)
        column.addLayout(row)
        column.addWidget(self._rare)
        self._turn_more(False)

    def _turn_more(self, shown: bool) -> None:
        """Show or hide the rare fields."""
        self._rare.setVisible(shown)
        self._more.setText(self.tr("Fewer options") if shown else self.tr("More options"))
        self._more.setIcon(icon(Icon.EXPANDED if shown else Icon.COLLAPSED, self._colours()))

    def _build(self, fields: Sequence[FieldSpec]) -> QGridLayout:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(GAPS[1])
        grid.setVerticalSpacing(0)
        grid.setColumnMinimumWidth(0, LABELS)
        grid.setColumnStretch(1, 1)
        row: QHBoxLayout | None = None
        for at, spec in enumerate(fields):
            editor = self._editors[spec.name] = editor_for(spec)
            editor.edited.connect(lambda name=spec.name: self._touched(name))
            editor.apply_theme(self._colours())
            label = _label(spec, editor)
            if spec.beside and row is not None:
                row.insertWidget(row.count() - 1, label)
                row.insertWidget(row.count() - 1, editor)
            else:
                row = self._row(grid, 3 * at, label, editor, spec)
            trouble = self._troubles[spec.name] = FieldErrorLabel(self._colours)
            grid.addWidget(trouble, 3 * at + 1, 1)
            if spec.help:
                helping = text(spec.help, Role.SMALL, "muted")
                as_wide_as_there_is_room(helping)
                grid.addWidget(helping, 3 * at + 2, 1)
        return grid

    @staticmethod
    def _row(grid: QGridLayout, at: int, label: QLabel, editor: FieldEditor, spec: FieldSpec) -> QHBoxLayout:
        if spec.make is not None:  # it may be of any height
            label.setMinimumHeight(CONTROL + 2 * GAPS[0])
        if spec.label:
            beside = Qt.AlignmentFlag.AlignVCenter if spec.make is None else Qt.AlignmentFlag.AlignTop
            grid.addWidget(label, at, 0, beside)
        row = QHBoxLayout()
        row.setContentsMargins(0, GAPS[0], 0, GAPS[0])
        row.setSpacing(GAPS[2])
        is_wide = spec.is_long or spec.sort in {ValueType.TAGS, ValueType.SWITCH}
        row.addWidget(editor, 1 if is_wide else 0)
        if spec.unit and spec.sort is not ValueType.SWITCH:
            row.addWidget(text(spec.unit, look="muted", wraps=False))
        row.addStretch(0 if is_wide else 1)
        grid.addLayout(row, at, 1 if spec.label else 0, 1, 1 if spec.label else 2)
        return row

    # ---- values

    def show_more(self) -> None:
        """Show the rare fields, if there are any."""
        self._more.setChecked(True)

    def editor(self, name: str) -> FieldEditor:
        """The editor of a field.

        Raises:
            KeyError: there is no such field.
        """
        return self._editors[name]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all fields, from top to bottom."""
        return tuple(self._editors)

    def values(self) -> dict[str, Any] | None:
        """All values by name; None: some are invalid, and have their errors under them."""
        found: dict[str, Any] = {}
        is_good = True
        for spec in self._fields:
            try:
                value = self._editors[spec.name].value()
            except ValueError as error:
                self.explain(spec.name, str(error))
                is_good = False
                continue
            found[spec.name] = value
        return found if is_good else None

    def fill(self, values: dict[str, Any]) -> None:
        """Set the values of the fields that exist; other names are ignored."""
        for name, value in values.items():
            if name in self._editors:
                self._editors[name].show_value(value)
        self._untouched = self._standing()

    @property
    def is_changed(self) -> bool:
        """Whether something else stands in it than when it was made or filled."""
        return self._standing() != self._untouched

    def _standing(self) -> dict[str, Any]:
        """What stands in each field: its value, or what is wrong with that."""
        return {name: _standing_in(editor) for name, editor in self._editors.items()}

    def missing(self) -> str:
        """A sentence about the first required field that is empty; empty: none is."""
        for spec in self._fields:
            if spec.required and self._is_empty(spec):
                return fill(self.tr("%1 is missing"), spec.label)
        return ""

    def _is_empty(self, spec: FieldSpec) -> bool:
        try:
            return self._editors[spec.name].value() in (None, "", frozenset())
        except ValueError:
            return False

    # ---- what is wrong

    def explain(self, name: str, words: str, facts: str = "", remedies: Sequence[ErrorRemedy] = ()) -> None:
        """Show an error under a field.

        Args:
            name: of the field.
            words: the sentence; empty: there is no error.
            facts: the values it is about, one line.
            remedies: the buttons below it.
        """
        self._troubles[name].show_trouble(words, facts, remedies)
        self._editors[name].set_wrong(bool(words))
        if words and self._editors[name].spec.is_rare:
            self.show_more()

    def reason(self, name: str) -> str:
        """The error under a field; empty: none."""
        return self._troubles[name].words.text()

    @property
    def errors_height(self) -> int:
        """The height of all errors that are shown, in logical pixels."""
        shown = [one for one in self._troubles.values() if not one.isHidden()]
        return sum(one.heightForWidth(one.width()) if one.hasHeightForWidth() else one.height() for one in shown)

    def clear(self) -> None:
        """Remove all errors."""
        for name in self._editors:
            self.explain(name, "")

    def _touched(self, name: str) -> None:
        self.explain(name, "")
        self.edited.emit()

    def apply_theme(self, palette: Palette) -> None:
        """Set the colours."""
        self._turn_more(self._more.isChecked())
        for editor in self._editors.values():
            editor.apply_theme(palette)


def _standing_in(editor: FieldEditor) -> Any:
    try:
        return editor.value()
    except ValueError as error:
        return "", str(error)


def _label(spec: FieldSpec, editor: FieldEditor) -> QLabel:
    made = text(spec.label, wraps=False)
    made.setBuddy(editor)
    made.setMinimumHeight(CONTROL)
    made.setSizePolicy(
        QSizePolicy.Policy.Fixed if spec.beside else QSizePolicy.Policy.Preferred, made.sizePolicy().verticalPolicy()
    )
    return made


def first_named(words: str, names: Iterable[str]) -> str | None:
    """The first name that occurs in a message as a whole word; None: none does.

    Args:
        words: the message.
        names: to be searched for, in this order.
    """
    return next((name for name in names if re.search(rf"\b{re.escape(name)}\b", words)), None)

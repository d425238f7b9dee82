"""Editors of form fields, one class for each type of value."""

from __future__ import annotations

import json
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit
from typing_extensions import override

from starloom_gui.text.words import fill, translate
from starloom_gui.theme import glyphs
from starloom_gui.theme.fonts import elided
from starloom_gui.theme.icons import Icon, drawing
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.widgets.controls import mark
from starloom_gui.widgets.editor import FieldEditor, FieldSpec, ValueType
from starloom_gui.widgets.tags_editor import TagsEditor

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from starloom_gui.theme.palette import Palette

SHORT: Final = 70
MEDIUM: Final = 200
_BOX: Final = 16
_GAP: Final = 8
_PAD: Final = 2


class TextEditor(FieldEditor):
    """The editor of a text or a number."""

    def __init__(self, spec: FieldSpec) -> None:
        super().__init__(spec)
        self.line = QLineEdit()
        self.line.setPlaceholderText(spec.hint)
        is_number = spec.sort is not ValueType.TEXT
        self.adopt(self.line, None if spec.is_long else SHORT if is_number else MEDIUM)
        self.line.textChanged.connect(self.edited)

    @override
    def value(self) -> Any:
        words = self.line.text().strip()
        if not words:
            return self.spec.default if self.spec.sort is not ValueType.TEXT else None
        try:
            return {ValueType.TEXT: str, ValueType.WHOLE: int, ValueType.NUMBER: float}[self.spec.sort](words)
        except ValueError:
            text = translate("Forms", "“%1” is no whole number.")
            if self.spec.sort is ValueType.NUMBER:
                text = translate("Forms", "“%1” is no number.")
            raise ValueError(fill(text, words)) from None

    @override
    def show_value(self, value: Any) -> None:
        self.line.setText("" if value is None else f"{value:g}" if isinstance(value, float) else str(value))

    @override
    def set_wrong(self, wrong: bool) -> None:
        mark(self.line, "wrong" if wrong else "")


class SwitchEditor(FieldEditor):
    """The editor of a boolean; its unit is the label of the check box."""

    def __init__(self, spec: FieldSpec) -> None:
        super().__init__(spec)
        self.box = CheckBox(spec.unit)
        self.adopt(self.box, None)
        self.box.toggled.connect(self.edited)

    @override
    def value(self) -> bool:
        return self.box.isChecked()

    @override
    def show_value(self, value: Any) -> None:
        self.box.setChecked(bool(value))

    @override
    def apply_theme(self, palette: Palette) -> None:
        self.box.colours = palette
        self.box.update()


class CheckBox(QCheckBox):
    """A check box that paints its own box and tick.

    Attributes:
        colours: what it is painted with; to be set before it is shown, and whenever that changes.
    """

    colours: Palette | None = None

    @override
    def sizeHint(self) -> QSize:
        words = ceil(QFontMetricsF(self.font()).horizontalAdvance(self.text()))
        return super().sizeHint().expandedTo(QSize(_BOX + (_GAP + _PAD + words if words else 0), _BOX))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.colours
        if palette is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(0.5, (self.height() - _BOX) / 2 + 0.5, _BOX - 1, _BOX - 1)
        painter.setPen(QPen(colour(palette.text if self.isChecked() else palette.outline), 1.0))
        painter.setBrush(colour(palette.text if self.isChecked() else palette.panel))
        painter.drawRoundedRect(box, 3, 3)
        if self.isChecked():
            glyphs.STATUS[StatusForm.COMPLETED].paint(painter, box, colour(palette.panel))
        painter.setPen(colour(palette.text))
        painter.setFont(self.font())
        room = QRectF(_BOX + _GAP, 0, self.width() - _BOX - _GAP - _PAD, self.height())
        words = elided(self.text(), QFontMetricsF(self.font()), room.width(), Qt.TextElideMode.ElideRight)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, words)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour(palette.text), 1.0, Qt.PenStyle.DashLine))
            painter.drawRect(room.adjusted(-4, 4, -1, -4))
        painter.end()


class ChoiceEditor(FieldEditor):
    """The editor of one of several values. A value that is none of them is shown as it is written, and kept."""

    def __init__(self, spec: FieldSpec) -> None:
        super().__init__(spec)
        self.box = _Chooser()
        self._values = [value for value, _ in spec.choices]
        self.box.addItems([words for _, words in spec.choices])
        self._offered = len(self._values)
        self.adopt(self.box, None if spec.is_long else MEDIUM)
        self.box.currentIndexChanged.connect(self.edited)

    @override
    def value(self) -> Any:
        return self._values[at] if (at := self.box.currentIndex()) >= 0 else None

    @override
    def show_value(self, value: Any) -> None:
        while len(self._values) > self._offered:
            self._values.pop()
            self.box.removeItem(self.box.count() - 1)
        if value not in self._values and value not in (None, ""):
            self._values.append(value)
            self.box.addItem(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        self.box.setCurrentIndex(self._values.index(value) if value in self._values else 0)

    @override
    def apply_theme(self, palette: Palette) -> None:
        self.box.ink = palette.text
        self.box.update()


class _Chooser(QComboBox):
    """A combo box that paints its own arrow."""

    ink = "#000000"

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        place = QRectF(self.width() - 24, (self.height() - 16) / 2, 16, 16)
        drawing(Icon.EXPANDED).paint(painter, place, colour(self.ink))
        painter.end()


def editor_for(spec: FieldSpec) -> FieldEditor:
    """Make the editor of a field."""
    kinds: dict[ValueType, type[TextEditor | SwitchEditor | ChoiceEditor | TagsEditor]] = {
        ValueType.SWITCH: SwitchEditor,
        ValueType.CHOICE: ChoiceEditor,
        ValueType.TAGS: TagsEditor,
    }
    made = (spec.make or kinds.get(spec.sort, TextEditor))(spec)
    made.show_value(spec.default)
    return made

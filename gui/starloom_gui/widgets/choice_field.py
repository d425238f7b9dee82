"""Editors of values from a small set: a combo box and a switch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSignalBlocker, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QStyle, QStyleOptionComboBox, QStylePainter
from typing_extensions import override

from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.icons import Icon, drawing
from starloom_gui.theme.metrics import RADIUS
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.widgets.controls import set_style_sheet
from starloom_gui.widgets.editors import CheckBox
from starloom_gui.widgets.typed_editor import ENTER, TypedEditor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QPaintEvent, QWheelEvent
    from PySide6.QtWidgets import QWidget

    from starloom_gui.theme.palette import Palette

_HIGH: Final = 24
_AROUND: Final = 34
"""Pixels beside the word: frame, arrow and what Qt leaves free."""
ON: Final = "true"
OFF: Final = "false"


def _lay(editor: TypedEditor, box: QWidget) -> None:
    """Add a widget as the only content of an editor."""
    box.setFont(font(Role.BODY))
    box.setFixedHeight(_HIGH)
    row = QHBoxLayout(editor)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(box, 1)
    editor.setFocusProxy(box)


class ChoiceField(TypedEditor):
    """A combo box of several words; `text` is the value of the chosen one, empty while none is chosen.

    Attributes:
        box: what it is chosen in.

    Args:
        choices: each value with its word, in their order.
    """

    def __init__(self, choices: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self.box = _Box()
        _lay(self, self.box)
        for value, word in choices:
            self.box.addItem(word, value)
        self.box.setCurrentIndex(-1)
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setMinimumContentsLength(4)
        self.box.activated.connect(self._chosen)

    @override
    def text(self) -> str:
        return str(self.box.currentData() or "") if self.box.currentIndex() >= 0 else ""

    @override
    def is_active(self) -> bool:
        """Whether its list is open: what is chosen is sent at once, so with the keyboard alone nothing is half done."""
        return self.box.view().isVisible()

    @override
    def put(self, words: str) -> None:
        with QSignalBlocker(self.box):
            self.box.setCurrentIndex(self.box.findData(words))
        self.box.update()

    @override
    def set_hint(self, words: str) -> None:
        self.box.setPlaceholderText(words)

    @override
    def lock(self, reason: str) -> None:
        super().lock(reason)
        self.box.setEnabled(not reason)

    @override
    def set_wrong(self, wrong: bool) -> None:
        self.box.is_wrong = wrong
        self.box.restyle()

    @override
    def apply_theme(self, palette: Palette) -> None:
        self.box.colours = palette
        self.box.restyle()

    def _chosen(self, _at: int) -> None:
        self.edited.emit()
        self.entered.emit()


class _Box(QComboBox):
    """A combo box that paints its own arrow, and ignores the wheel."""

    def __init__(self) -> None:
        super().__init__()
        self.colours: Palette | None = None
        self.is_wrong = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def restyle(self) -> None:
        """Update colours and outline."""
        palette = self.colours
        if palette is None:
            return
        wrong = palette.status[StatusForm.FAILED].shape
        edge = f"2px solid {wrong}" if self.is_wrong else f"1px solid {palette.raised}"
        set_style_sheet(
            self,
            f"QComboBox {{ border: {edge}; border-radius: {RADIUS}px; padding: 0 7px;"
            f" color: {palette.text}; background: {palette.raised}; placeholder-text-color: {palette.muted}; }}"
            f"QComboBox:hover {{ border-color: {palette.outline}; }}"
            f"QComboBox:focus {{ border: 1px solid {palette.text}; }}"
            f"QComboBox:disabled {{ color: {palette.muted}; border-color: {palette.raised}; }}"
            "QComboBox::drop-down { border: none; width: 20px; } QComboBox::down-arrow { image: none; }"
            f"QComboBox QAbstractItemView {{ background: {palette.panel}; color: {palette.text};"
            f" border: 1px solid {palette.border}; selection-background-color: {palette.selected};"
            f" selection-color: {palette.text}; outline: none; }}",
        )

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        if self.currentIndex() < 0:
            option.currentText = self.placeholderText()
        option.currentText = elided(option.currentText, QFontMetricsF(self.font()), self.width() - _AROUND)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        if self.colours is not None:
            place = QRectF(self.width() - 20, (self.height() - 14) / 2, 14, 14)
            ink = self.colours.text if self.isEnabled() else self.colours.muted
            drawing(Icon.EXPANDED).paint(painter, place, colour(ink))
        painter.end()

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        editor = self.parentWidget()
        if event.key() in ENTER and isinstance(editor, TypedEditor) and editor.waits():
            event.ignore()  # the editor confirms what was chosen
        elif event.key() in ENTER:
            self.showPopup()
        else:
            super().keyPressEvent(event)


class SwitchField(TypedEditor):
    """A check box; `text` is `true` or `false`, empty while it shows several values.

    Attributes:
        box: what is turned.

    Args:
        words: what is read behind the switch: what holds while it is on.
    """

    def __init__(self, words: str) -> None:
        super().__init__()
        self.box = CheckBox(words)
        _lay(self, self.box)
        self._is_mixed = False
        self.box.clicked.connect(self._turned_over)

    @override
    def text(self) -> str:
        return "" if self._is_mixed else ON if self.box.isChecked() else OFF

    @override
    def is_active(self) -> bool:
        """Never: a switch that is turned is sent at once."""
        return False

    @override
    def put(self, words: str) -> None:
        self._is_mixed = not words
        self.box.setChecked(words == ON)
        self.box.update()

    @override
    def lock(self, reason: str) -> None:
        super().lock(reason)
        self.box.setEnabled(not reason)

    @override
    def set_hint(self, words: str) -> None:
        self.box.setAccessibleDescription(words)

    @override
    def apply_theme(self, palette: Palette) -> None:
        self.box.colours = palette
        self.box.update()

    def _turned_over(self, _on: bool) -> None:
        self._is_mixed = False
        self.edited.emit()
        self.entered.emit()

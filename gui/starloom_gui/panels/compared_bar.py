"""The bar of a comparison over the timeline, with buttons to choose another run and to end it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import CONTROL, GAPS
from starloom_gui.widgets.controls import Elided, button, mark, sheet
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

HIGH: Final = CONTROL
_BUTTON: Final = 22


class ComparedStrip(QFrame):
    """The bar of a comparison of two runs: one line and two buttons; hidden until a run is compared.

    Args:
        appearance: the colours.
        parent: the widget it lies in.

    Attributes:
        other: the user wants to compare with another run.
        off: ends it.

    Signals:
        other_asked(), off_asked(): the same.
    """

    other_asked = Signal()
    off_asked = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._words = Elided(ends=True)
        self._words.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.other, self.off = button("", height=_BUTTON), button("", height=_BUTTON)
        self.setFixedHeight(HIGH)
        row = QHBoxLayout(self)
        row.setContentsMargins(GAPS[2], 0, GAPS[1], 1)
        row.setSpacing(GAPS[1])
        row.addWidget(self._words, 1)
        for each in (self.other, self.off):
            mark(each, "flat")
            each.setIconSize(QSize(16, 16))
            row.addWidget(each)
        self.other.clicked.connect(self.other_asked)
        self.off.clicked.connect(self.off_asked)
        Restyling(self, appearance, self._apply_theme)
        self._say()
        self.hide()

    @property
    def said(self) -> str:
        """The sentence on the bar."""
        return self._words.text()

    def show_words(self, words: str) -> None:
        """Show the sentence of the comparison."""
        if words != self._words.text():
            self._words.setText(words)
            self.setAccessibleName(words)

    def _say(self) -> None:
        self.other.setText(self.tr("Another run…"))
        self.other.setToolTip(self.tr("Compare with another run (Ctrl+Shift+D)"))
        self.off.setText(self.tr("Stop comparing"))
        self.off.setToolTip(self.tr("Show this run alone again"))

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(
            sheet(palette)
            + f"QFrame#pane {{ background: {palette.raised}; border-bottom: 1px solid {palette.border}; }}"
            f"QPushButton[look='flat'] {{ background: transparent; }}"
            f"QPushButton[look='flat']:hover {{ background: {palette.selected}; }}"
        )
        self.off.setIcon(icon(Icon.CLOSE, palette))

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._say()
        super().changeEvent(event)

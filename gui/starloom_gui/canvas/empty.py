"""What stands on a canvas without tasks: one sentence saying what will be here, and one button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from starloom_gui.theme.fonts import font
from starloom_gui.theme.metrics import CONTROL, RADIUS

if TYPE_CHECKING:
    from starloom_gui.theme.palette import Palette


class EmptyNote(QWidget):
    """Says that there are no tasks yet.

    Signals:
        open_asked(): the button was pressed.
    """

    open_asked = Signal()

    def __init__(self, palette: Palette, parent: QWidget) -> None:
        super().__init__(parent)
        self._sentence = QLabel(self.tr("No tasks yet. The graph will be drawn here."))
        self._sentence.setFont(font())
        self.button = QPushButton(self.tr("Open…"))
        self.button.setToolTip(self.tr("Open a plan from a file"))
        self.button.setFixedHeight(CONTROL)
        self.button.clicked.connect(self.open_asked)
        column = QVBoxLayout(self)
        column.setSpacing(12)
        column.addWidget(self._sentence)
        column.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignHCenter)
        self.set_palette(palette)

    def set_palette(self, palette: Palette) -> None:
        """Use other colours."""
        self.setStyleSheet(
            f"QLabel {{ color: {palette.muted}; }}"
            f"QPushButton {{ color: {palette.text}; background: {palette.panel}; padding: 0 12px;"
            f" border: 1px solid {palette.outline}; border-radius: {RADIUS}px; }}"
            f"QPushButton:hover {{ background: {palette.raised}; }}"
            f"QPushButton:focus {{ border: 2px solid {palette.text}; }}"
        )

"""Placeholders of empty panes and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.controls import sheet, text
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLabel, QPushButton

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette


class PanePlaceholder(QWidget):
    """The muted sentence of an empty pane.

    Args:
        appearance: the colours.
        words: the sentence.
        remedy: a button below it; None: there is none.
    """

    def __init__(self, appearance: Appearance, words: str, remedy: QPushButton | None = None) -> None:
        super().__init__()
        self.setObjectName("pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        said = text(words, look="muted")
        said.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(GAPS[4], GAPS[4], GAPS[4], GAPS[4])
        column.addStretch(1)
        column.addWidget(said)
        if remedy is not None:
            column.addWidget(remedy, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(2)
        self.setAccessibleName(words)
        Restyling(self, appearance, self._apply_theme)

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(sheet(palette))


def empty_page(sentence: QLabel, remedy: QPushButton) -> QWidget:
    """The page of an empty list: one sentence and one button."""
    page = QWidget()
    page.setObjectName("pane")
    sentence.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    column = QVBoxLayout(page)
    column.setContentsMargins(GAPS[3], GAPS[0], GAPS[3], GAPS[0])  # above and below there is what is left over
    column.setSpacing(GAPS[1])
    column.addStretch(1)
    column.addWidget(sentence)
    column.addWidget(remedy, 0, Qt.AlignmentFlag.AlignHCenter)
    column.addStretch(2)
    return page

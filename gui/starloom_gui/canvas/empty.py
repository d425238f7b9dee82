"""The placeholder of a canvas without tasks, with a button that adds the first task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from starloom_gui.text.words import fill
from starloom_gui.theme.fonts import font
from starloom_gui.theme.metrics import CONTROL, RADIUS
from starloom_gui.viewmodel.keys import Scope, shown

if TYPE_CHECKING:
    from PySide6.QtCore import QRect

    from starloom_gui.theme.palette import Palette


class EmptyNote(QWidget):
    """The placeholder of an empty canvas; it has a button that adds a task where the graph can be edited.

    Attributes:
        button: adds the first task; only there after `offer_adding`.
        is_covered: whether a new task is being written where this would stand.

    Signals:
        add_asked(): the button was pressed.
    """

    add_asked = Signal()

    def __init__(self, palette: Palette, parent: QWidget) -> None:
        super().__init__(parent)
        self.is_covered = False
        self._sentence = QLabel(self.tr("No tasks yet. The graph will be drawn here."))
        self._sentence.setFont(font())
        self.button = QPushButton(self.tr("Add task…"))
        self.button.setToolTip(fill(self.tr("Choose what the first task does (%1)"), shown(Scope.GRAPH, "insert_kind")))
        self.button.setFixedHeight(CONTROL)
        self.button.clicked.connect(self.add_asked)
        self.button.hide()
        column = QVBoxLayout(self)
        column.setSpacing(12)
        column.addWidget(self._sentence)
        column.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignHCenter)
        self.set_palette(palette)

    def offer_adding(self) -> None:
        """Show the button, and a text about the other ways to add a task."""
        self._sentence.setText(self.tr("No tasks yet. Double-click here, or drag one from the palette."))
        self.button.show()

    def stand_in(self, room: QRect, *, is_wanted: bool) -> None:
        """Centre the placeholder in a rectangle, if it is wanted and no field is open."""
        is_shown = is_wanted and not self.is_covered
        self.setVisible(is_shown)
        if not is_shown:
            return
        self.adjustSize()
        self.move(room.center() - self.rect().center())

    def set_palette(self, palette: Palette) -> None:
        """Change the palette."""
        self.setStyleSheet(
            f"QLabel {{ color: {palette.muted}; }}"
            f"QPushButton {{ color: {palette.text}; background: {palette.panel}; padding: 0 12px;"
            f" border: 1px solid {palette.outline}; border-radius: {RADIUS}px; }}"
            f"QPushButton:hover {{ background: {palette.raised}; }}"
            f"QPushButton:focus {{ border: 2px solid {palette.text}; }}"
        )

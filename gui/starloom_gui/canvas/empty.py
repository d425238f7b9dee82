"""The placeholder of a canvas without tasks, with a button that adds the first task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from starloom_gui.text.words import fill
from starloom_gui.theme.fonts import font
from starloom_gui.theme.metrics import CONTROL, RADIUS
from starloom_gui.viewmodel.keys import Scope, shown

if TYPE_CHECKING:
    from starloom_gui.theme.palette import Palette


class EmptyNote(QWidget):
    """The placeholder of an empty canvas; a button below it adds a task where the graph can be edited.

    The pointer passes through the sentence, as a double click there means the canvas; the button is its sibling, as it
    would not be pressed in a widget that the pointer passes through.

    Attributes:
        button: adds the first task; only there after `offer_adding`.
        is_covered: whether a new task is being written where this would stand.

    Signals:
        add_asked(): the button was pressed.
    """

    add_asked = Signal()

    def __init__(self, palette: Palette, parent: QWidget) -> None:
        super().__init__(parent)
        self.is_covered = self._offers = False
        self._room = QRect()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._sentence = QLabel(self.tr("No tasks yet. The graph will be drawn here."))
        self._sentence.setFont(font())
        self.button = QPushButton(self.tr("Add task…"), parent)
        self.button.setToolTip(fill(self.tr("Choose what the first task does (%1)"), shown(Scope.GRAPH, "insert_kind")))
        self.button.setFixedHeight(CONTROL)
        self.button.clicked.connect(self.add_asked)
        self.button.hide()
        QVBoxLayout(self).addWidget(self._sentence)
        self.set_palette(palette)
        self.hide()

    def offer_adding(self) -> None:
        """Show the button, and a text about the other ways to add a task."""
        self._sentence.setText(self.tr("No tasks yet. Double-click here, or drag one from the palette."))
        self._offers = True
        self.stand_in(self._room, is_wanted=not self.isHidden())

    def stand_in(self, room: QRect, *, is_wanted: bool) -> None:
        """Centre sentence and button in a rectangle, if they are wanted and no field is open."""
        self._room, is_shown = room, is_wanted and not self.is_covered
        self.setVisible(is_shown)
        self.button.setVisible(is_shown and self._offers)
        if not is_shown:
            return
        box = QRect(QPoint(), self.sizeHint())
        box.moveCenter(room.center() - QPoint(0, CONTROL // 2 if self._offers else 0))
        self.setGeometry(box)
        self.button.adjustSize()
        self.button.move(box.center().x() - self.button.width() // 2, box.bottom() + 1)

    def set_palette(self, palette: Palette) -> None:
        """Change the palette."""
        self.setStyleSheet(f"QLabel {{ color: {palette.muted}; }}")
        self.button.setStyleSheet(
            f"QPushButton {{ color: {palette.text}; background: {palette.panel}; padding: 0 12px;"
            f" border: 1px solid {palette.outline}; border-radius: {RADIUS}px; }}"
            f"QPushButton:hover {{ background: {palette.raised}; }}"
            f"QPushButton:focus {{ border: 2px solid {palette.text}; }}"
        )

"""The fold control of a large graph: nodes show groups, levels or tasks; it also shows the number of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget
from typing_extensions import override

from starloom_gui.canvas.folding_choice import FoldBy
from starloom_gui.text.words import amount, fill, tasks
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import CONTROL, RADIUS
from starloom_gui.theme.palette import colour
from starloom_gui.viewmodel.keys import Scope, shown

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from starloom_gui.theme.palette import Palette

_GAP: Final = 8


class FoldBox(QFrame):
    """Three buttons, one of them checked, and the numbers of tasks and nodes. It is hidden until the first update.

    Signals:
        chosen(FoldBy): what nodes are wanted to stand for.
    """

    chosen = Signal(FoldBy)

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Nodes of the graph"))
        self.setFixedHeight(CONTROL)
        self._count = QLabel()
        self._count.setFont(font(Role.SMALL))
        self._buttons = {
            FoldBy.GROUP: self._button(
                self.tr("Groups"),
                self.tr("One node for each group of tasks; tasks whose names differ in their numbers are one, too"),
                "fold_groups",
            ),
            FoldBy.LEVEL: self._button(
                self.tr("Levels"),
                self.tr("One node for tasks that are as far from the beginning and whose names begin alike"),
                "fold_levels",
            ),
            FoldBy.NOTHING: self._button(self.tr("Tasks"), self.tr("One node for each task"), "unfold_all"),
        }
        for way, button in self._buttons.items():
            button.clicked.connect(lambda _=False, chosen=way: self._choose(chosen))
        row = QHBoxLayout(self)
        row.setContentsMargins(1, 1, 1, 1)
        row.setSpacing(1)
        for button in self._buttons.values():
            row.addWidget(button)
        row.addSpacing(_GAP)
        row.addWidget(self._count)
        self.set_palette(palette)
        self.hide()

    def _button(self, word: str, tells: str, key: str) -> QToolButton:
        made = QToolButton()
        made.setText(word)
        made.setFont(font())
        made.setCheckable(True)
        made.setAutoRaise(True)
        made.setFixedHeight(CONTROL - 2)
        made.setToolTip(fill(self.tr("%1 (%2)"), tells, shown(Scope.GRAPH, key)))
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the canvas is one tab stop, and there are keys for all of this
        return made

    def _choose(self, way: FoldBy) -> None:
        self._buttons[way].setChecked(True)  # a click on what is down leaves it there
        self.chosen.emit(way)

    def show_folding(self, way: FoldBy, nodes: int, of: int) -> None:
        """Show the way of folding and the numbers of nodes and tasks.

        Args:
            way: what nodes stand for.
            nodes: how many there are.
            of: how many tasks these are.
        """
        for one, button in self._buttons.items():
            button.setChecked(one is way)
        nodes_of = self.tr("%1 in %2 nodes")
        self._count.setText(fill(nodes_of, tasks(of), amount(nodes)) if nodes < of else tasks(of))

    @property
    def text(self) -> str:
        """The displayed numbers of tasks and nodes."""
        return self._count.text()

    @property
    def way(self) -> FoldBy:
        """The way of folding whose button is checked."""
        return next(way for way, button in self._buttons.items() if button.isChecked())

    def fit(self, room: int) -> None:
        """Hide the numbers if they do not fit into a width.

        Args:
            room: how wide it may be.
        """
        self._count.show()
        self.adjustSize()
        if self.width() > room:
            self._count.hide()
            self.adjustSize()

    def set_palette(self, palette: Palette) -> None:
        """Change the palette."""
        self._palette = palette
        self.setStyleSheet(
            f"QLabel {{ color: {palette.muted}; }}"
            f"QToolButton {{ border: none; border-radius: {RADIUS - 1}px; padding: 0 8px; color: {palette.text};"
            " background: transparent; }"
            f"QToolButton:hover {{ background: {palette.raised}; }}"
            f"QToolButton:checked {{ background: {palette.selected}; }}"
        )

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        first, last = self._buttons[FoldBy.GROUP].geometry(), self._buttons[FoldBy.NOTHING].geometry()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour(self._palette.border), 1))
        painter.setBrush(colour(self._palette.panel))
        box = QRectF(first.united(last)).adjusted(-0.5, -0.5, 0.5, 0.5)
        painter.drawRoundedRect(box, RADIUS, RADIUS)
        painter.end()

"""A list of items in a dialog, each with a check box."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import CONTROL, GAPS
from starloom_gui.widgets.controls import text
from starloom_gui.widgets.editors import CheckBox

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.rows import ListRow

_MOST_SHOWN: Final = 340
"""Pixels it is high before it scrolls."""
_USUAL: Final = 462
"""The width of a list in a question, without its scroll bar."""
_UNDER_TICK: Final = 24


class TickList(QScrollArea):
    """A list of check boxes, each with its lines below it; all are checked at first.

    Args:
        appearance: the colours.
        lines: what there is.
        name: what a screen reader calls it.

    Attributes:
        ticks: in the order of the lines.

    Signals:
        ticked(): others are chosen now.
    """

    ticked = Signal()

    def __init__(self, appearance: Appearance, lines: Sequence[ListRow], name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        inside.setObjectName("fields")
        column = self._column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.ticks = tuple(self._tick(line, column) for line in lines)
        column.addStretch(1)
        self.setWidget(inside)
        appearance.changed.connect(self._apply_theme)
        self._apply_theme(appearance.palette)

    def _tick(self, line: ListRow, column: QVBoxLayout) -> CheckBox:
        made = CheckBox(line.title)
        made.setChecked(True)
        made.setFixedHeight(CONTROL)
        made.setAccessibleDescription("\n".join(line.lines))
        made.toggled.connect(lambda _: self.ticked.emit())
        column.addWidget(made)
        for each in line.lines:
            below = text(each, Role.SMALL, "muted")
            below.setContentsMargins(_UNDER_TICK, 0, 0, GAPS[1])
            column.addWidget(below)
        return made

    def _apply_theme(self, palette: Palette) -> None:
        for tick in self.ticks:
            tick.colours = palette
            tick.update()

    @property
    def chosen(self) -> list[int]:
        """The places of those that are ticked."""
        return [place for place, tick in enumerate(self.ticks) if tick.isChecked()]

    @override
    def sizeHint(self) -> QSize:
        return QSize(_USUAL, min(_MOST_SHOWN, self._column.heightForWidth(_USUAL) + 4))

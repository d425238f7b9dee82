"""A part of a form that folds: its heading with a summary while it is folded, and its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.text.words import fill, translate
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.controls import Elided, empty, line, mark

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent

    from starloom_gui.theme.palette import Palette

_HIGH = 24
_ARROW = 14


class FoldingPart(QWidget):
    """A part of a form that can be folded.

    Attributes:
        head: folds and unfolds it.
        summary: what is said of it while it is folded.
        grid: where its fields stand.
        is_open: whether its fields are in sight.

    Signals:
        turned(): its user has folded or unfolded it.
    """

    turned = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.is_open = False
        self._shown: tuple[object, ...] = ()
        self.head = QPushButton()
        self.head.setFlat(True)
        self.head.setFont(font(Role.SECTION))
        self.head.setFixedHeight(_HIGH)
        self.head.setIconSize(QSize(_ARROW, _ARROW))
        mark(self.head, "fold")
        self.head.clicked.connect(self._turn)
        self.summary = Elided("", Role.SMALL, "muted", ends=True)
        self.summary.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        top = QHBoxLayout()
        top.setSpacing(GAPS[1])
        top.setContentsMargins(0, 2, 0, 2)
        top.addWidget(self.head)
        top.addWidget(self.summary, 1)
        self._body = QWidget()
        self.grid = QGridLayout(self._body)
        self.grid.setContentsMargins(0, 0, 0, GAPS[1])
        self.grid.setHorizontalSpacing(GAPS[1])
        self.grid.setVerticalSpacing(GAPS[0])
        self.grid.setColumnStretch(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(line())
        column.addLayout(top)
        column.addWidget(self._body)
        self._body.hide()

    def show_head(self, title: str, summary: str, palette: Palette) -> None:
        """Set the title, and the summary that is shown while the part is folded."""
        shown = (title, summary, self.is_open, palette.name)
        if shown == self._shown:
            return
        self._shown = shown
        self.head.setText(title)
        self.head.setIcon(icon(Icon.EXPANDED if self.is_open else Icon.COLLAPSED, palette))
        self.summary.setText("" if self.is_open else summary)
        words = translate("Inspector", "Fold %1") if self.is_open else translate("Inspector", "Unfold %1")
        self.head.setAccessibleName(fill(words, title))
        self.head.setAccessibleDescription(summary)

    def unfold(self, is_open: bool = True) -> None:
        """Show its fields, or put them away."""
        self.is_open = is_open
        self._body.setVisible(is_open)

    def clear(self) -> None:
        """Remove all fields; one with the focus loses it first."""
        empty(self.grid)

    def _turn(self, _checked: bool = False) -> None:
        self.unfold(not self.is_open)
        self.turned.emit()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and event.position().y() <= _HIGH + 4:
            self._turn()
        else:
            super().mousePressEvent(event)

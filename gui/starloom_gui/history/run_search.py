"""The search field of the runs; the keys Up and Down move through the rows while the user types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLineEdit
from typing_extensions import override

from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import CONTROL

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from starloom_gui.history.grid import RunGrid


class RunSearch(QLineEdit):
    """The search field of the runs; the keys for finding lead here from anywhere in the dialog.

    Args:
        grid: the rows.
    """

    def __init__(self, grid: RunGrid) -> None:
        super().__init__()
        self._grid = grid
        self.setFont(font(Role.BODY))
        self.setFixedHeight(CONTROL)
        self.setClearButtonEnabled(True)
        self.setPlaceholderText(self.tr("Search by name, state, day or remark"))
        self.setAccessibleName(self.tr("Search runs"))
        self.setToolTip(self.tr("Search by name, state, day or remark (Ctrl+F)"))
        shortcut = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self.setFocus)
        shortcut.setContext(Qt.ShortcutContext.WindowShortcut)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._grid.setFocus()
            self._grid.keyPressEvent(event)
        else:
            super().keyPressEvent(event)

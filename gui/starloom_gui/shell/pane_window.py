"""The window of a pane that is in none of the docks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
from typing_extensions import override

from starloom_gui.shell.panes import Dock
from starloom_gui.shell.perspectives import pane_name

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent, QKeyEvent

FIRST: Final = QSize(900, 600)
"""The size of a new window of a pane."""
_LEAST: Final = QSize(240, 160)


class PaneWindow(QMainWindow):
    """A window with a pane below the same tab that it has in a dock.

    Args:
        pane: the key of the pane.
        bench: its parent, whose style sheets it shares.
        main: the console that it is part of.

    Attributes:
        pane: as given.
        dock: holds the pane.

    Signals:
        left(str): it was closed by its user.
    """

    left = Signal(str)

    def __init__(self, pane: str, bench: QWidget, main: QWidget) -> None:
        super().__init__(bench, Qt.WindowType.Window)
        self.pane, self._main = pane, main
        self.setObjectName(f"{pane}_window")
        self.setFont(self._main.font())  # unlike style sheets, fonts end at windows
        self.setMinimumSize(_LEAST)
        self.resize(FIRST)
        self.dock = Dock(f"{pane}_window_dock", FIRST, self)
        self.dock.setFeatures(Dock.DockWidgetFeature.NoDockWidgetFeatures)
        self.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, self.dock)

    def show_title(self, title: str) -> None:
        """Say what the pane shows, as the main window does."""
        self.setWindowTitle(f"{pane_name(self.pane)} — {title}")

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.left.emit(self.pane)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        QApplication.sendEvent(self._main, event)  # which says why a key does nothing now

"""Saves where window, docks and panes are while they are in use, as a console that is killed saves nothing then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from starloom_gui.shell.main_window import MainWindow

EVERY: Final = 30
"""Seconds between two saves while the console is in use; what has not changed is not written again."""


class LayoutAutosave(QObject):
    """Saves the layout now and then while the console is in use, and when another program is turned to.

    Args:
        window: whose layout it is; it owns this, and saves the layout itself as it is closed.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.VeryCoarseTimer)
        self._timer.setInterval(1000 * EVERY)
        self._timer.timeout.connect(self._save)

    def begin(self) -> None:
        """Begin, once what was saved earlier is restored."""
        application = QApplication.instance()
        assert isinstance(application, QApplication), "there is a window"
        states = application.applicationStateChanged
        states.connect(self.turn)
        self._window.closed.connect(lambda: states.disconnect(self.turn))
        self._window.closed.connect(self._timer.stop)
        self.turn(application.applicationState())

    def turn(self, state: Qt.ApplicationState) -> None:
        """Handle that the console is in use from now on, or no more."""
        if state is Qt.ApplicationState.ApplicationActive:
            self._timer.start()
        elif self._timer.isActive():
            self._timer.stop()
            self._save()

    def _save(self) -> None:
        if self._window.isVisible():  # else another engine's page is in front, which has the same docks
            self._window.save_layout()

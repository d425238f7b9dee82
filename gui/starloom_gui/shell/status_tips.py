"""Removes what the status bar says of an action once that is no longer so, though the pointer still rests on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QStatusBar

    from starloom_gui.widgets.actions import Actions


class StatusTips(QObject):
    """Clears the status bar when an action has another status tip than the shown one; Qt waits for the pointer to move.

    Args:
        actions: the window's.
        status: where Qt shows their status tips; it owns this.
    """

    def __init__(self, actions: Actions, status: QStatusBar) -> None:
        super().__init__(status)
        self._all, self._status = [actions[key] for key in actions.keys], status
        self._tip = ""
        self._saying: list[QAction] = []
        status.messageChanged.connect(self._take)
        for action in self._all:
            action.changed.connect(self._look)

    def _take(self, tip: str) -> None:
        self._tip, self._saying = tip, [one for one in self._all if one.statusTip() == tip] if tip else []

    def _look(self) -> None:
        if any(one.statusTip() != self._tip for one in self._saying):
            self._status.clearMessage()

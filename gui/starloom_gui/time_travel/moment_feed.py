"""Notifies the views of a run of another shown moment: visible ones at once, others once they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from typing_extensions import override

from starloom_gui.gateway.changes import Changes

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from starloom_gui.time_travel.time_travel_reader import TimeTravelReader


class MomentFeed(QObject):
    """Notifies one view of the moments a reader shows. It ends with the widget.

    Args:
        widget: costs nothing while it cannot be seen.
        take: tells the view what has changed.
        reader: whose moments.
    """

    def __init__(self, widget: QWidget, take: Callable[[Changes], None], reader: TimeTravelReader) -> None:
        super().__init__(widget)
        self._widget, self._take, self._run_id = widget, take, reader.run_id
        self._is_stale = False
        widget.installEventFilter(self)
        reader.moved.connect(self._tell)
        reader.passed.connect(self._tell)

    def _tell(self, changes: Changes) -> None:
        if self._widget.isVisible():
            self._take(changes)
        else:
            self._is_stale = True

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self._is_stale and watched is self._widget and event.type() == QEvent.Type.Show:
            self._is_stale = False
            self._take(Changes(run_id=self._run_id, everything=True, log=True))
        return False

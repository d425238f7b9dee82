"""Has a journal read on as it grows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

from starloom.events import RunEnded

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.journal.recording import Recording
    from starloom_gui.time_travel.time_travel_reader import TimeTravelReader

_EVERY: Final = 1000
"""Milliseconds between two looks."""


class JournalFollower(QObject):
    """Has the journal of a run read each second while the run goes on, and again once one that has ended is reopened.

    Args:
        reader: knows the run as it is now, if anything does.
        recording: gives what was read; None: nothing yet.
        read: reads what is new; false: it cannot now.
        parent: of the object.
    """

    def __init__(
        self,
        reader: TimeTravelReader,
        recording: Callable[[], Recording | None],
        read: Callable[[], bool],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._reader, self._recording, self._read = reader, recording, read
        self._seq = -1
        """The last event of the run when the journal was read last."""
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        """Look each second, if more can be written."""
        if self._reader.has_present or self._goes_on_elsewhere():
            self._timer.start()

    def stop(self) -> None:
        """Look no more."""
        self._timer.stop()

    def look(self) -> None:
        """Have new events read, if there can be any."""
        goes_on = self._reader.present_time() is not None or self._goes_on_elsewhere()
        seq = self._reader.present_seq()
        if not (goes_on or self._reader.has_present):
            self._timer.stop()
        if (goes_on or seq != self._seq) and self._read():
            self._seq = seq

    def _goes_on_elsewhere(self) -> bool:
        """Whether another program may write more of a run that is only read here."""
        read = self._recording()
        return not self._reader.has_present and read is not None and not isinstance(read.events[-1], RunEnded)

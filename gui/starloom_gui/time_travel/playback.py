"""Playing the past of a run, at a speed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal

if TYPE_CHECKING:
    from starloom_gui.specs.action_spec import Verdict

FRAME_MS: Final = 33


class Moments(Protocol):
    """The protocol that shows moments of a run; times are in seconds on its clock."""

    @property
    def begin(self) -> float:
        """The first moment there is."""

    @property
    def end(self) -> float:
        """The last moment there is."""

    @property
    def at(self) -> float:
        """The moment that is shown."""

    @property
    def is_present(self) -> bool:
        """Whether the present is shown, or how the run ended."""

    @property
    def is_busy(self) -> bool:
        """Whether a moment is being read."""

    def verdict(self) -> Verdict:
        """Whether another moment can be shown."""

    def show_moment(self, at: float) -> None:
        """Show the run as it was at a time."""

    def go_to_end(self) -> None:
        """Show the last moment, and stop."""


class Playback(QObject):
    """Plays a run from the moment that is shown to its end.

    Args:
        moments: shows them.
        parent: of the object.

    Attributes:
        speed: how many seconds of the run pass in one.

    Signals:
        changed(): it plays now or does not any more, or has another speed.
    """

    changed = Signal()

    def __init__(self, moments: Moments, parent: QObject) -> None:
        super().__init__(parent)
        self._moments = moments
        self.speed = 1
        self._at = 0.0
        self._timer, self._elapsed = QTimer(self), QElapsedTimer()
        self._timer.setInterval(FRAME_MS)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._go_on)

    @property
    def is_on(self) -> bool:
        """Whether it is playing."""
        return self._timer.isActive()

    def set_speed(self, speed: int) -> None:
        """Play so many seconds in one."""
        self.speed = speed
        self.changed.emit()

    def play(self) -> None:
        """Play; from the beginning if the end is shown."""
        moments = self._moments
        if self.is_on or not moments.verdict().ok:
            return
        is_at_end = moments.is_present or moments.at >= moments.end
        self._at = moments.begin if is_at_end else moments.at
        self._elapsed.start()
        self._timer.start()
        moments.show_moment(self._at)

    def pause(self) -> None:
        """Pause."""
        if self.is_on:
            self._timer.stop()
            self.changed.emit()

    def toggle(self) -> None:
        """Play, or pause."""
        if self.is_on:
            self.pause()
        else:
            self.play()

    def _go_on(self) -> None:
        self._at += self._elapsed.restart() / 1000 * self.speed
        if self._at >= self._moments.end:
            self._moments.go_to_end()
        elif not self._moments.is_busy:  # a moment that takes long is not overtaken
            self._moments.show_moment(self._at)

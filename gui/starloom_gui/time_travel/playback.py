"""Time that passes by itself: a run's past is played, at a speed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal

if TYPE_CHECKING:
    from starloom_gui.time_travel.travel import Travel

FRAME_MS: Final = 33


class Playback(QObject):
    """Plays a run from the moment that is shown to its end.

    Args:
        travel: shows the moments; it owns this.

    Attributes:
        speed: how many seconds of the run pass in one.

    Signals:
        changed(): it plays now or does not any more, or has another speed.
    """

    changed = Signal()

    def __init__(self, travel: Travel) -> None:
        super().__init__(travel)
        self._travel = travel
        self.speed = 1
        self._at = 0.0
        self._timer, self._elapsed = QTimer(self), QElapsedTimer()
        self._timer.setInterval(FRAME_MS)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._go_on)

    @property
    def is_on(self) -> bool:
        """Whether time passes."""
        return self._timer.isActive()

    def set_speed(self, speed: int) -> None:
        """Play so many seconds in one."""
        self.speed = speed
        self.changed.emit()

    def play(self) -> None:
        """Let time pass; from the beginning if the end is shown."""
        travel = self._travel
        if self.is_on or not travel.verdict().ok:
            return
        is_at_end = travel.reader.past is None or travel.at >= travel.end
        self._at = travel.begin if is_at_end else travel.at
        self._elapsed.start()
        self._timer.start()
        travel.show_moment(self._at)

    def pause(self) -> None:
        """Let time stand still."""
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
        if self._at >= self._travel.end:
            self._travel.go_to_end()
        elif not self._travel.is_busy:  # a moment that takes long is not overtaken
            self._travel.show_moment(self._at)

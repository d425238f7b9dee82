"""The two animations of the canvas: the view moves to another position, and an old status fades out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEasingCurve, QElapsedTimer, QObject, QTimer, QVariantAnimation

from starloom_gui.theme.metrics import FADE_MS, MOVE_MS

if TYPE_CHECKING:
    from collections.abc import Callable

FRAME_MS: Final = 16


@dataclass(frozen=True, slots=True)
class ViewPosition:
    """The position of a view.

    Attributes:
        scale: logical pixels for each unit of the scene.
        x: the middle of the viewport, in the scene.
        y: likewise.
    """

    scale: float
    x: float
    y: float


def between(one: ViewPosition, other: ViewPosition, share: float) -> ViewPosition:
    """A position between two others; the zoom is interpolated geometrically, and the centre with it.

    Args:
        one: where it begins.
        other: where it ends.
        share: 0 to 1.
    """
    if abs(one.scale - other.scale) < 1e-9:
        at = share
    else:
        at = (1 - (one.scale / other.scale) ** share) / (1 - one.scale / other.scale)
    scale = math.exp((1 - share) * math.log(one.scale) + share * math.log(other.scale))
    return ViewPosition(scale, one.x + (other.x - one.x) * at, one.y + (other.y - one.y) * at)


class Glide:
    """Moves a view to another position in 180 ms; stops at once when the user does something else."""

    def __init__(self, parent: QObject, go: Callable[[ViewPosition], None]) -> None:
        self._go = go
        self._ends: tuple[ViewPosition, ViewPosition] | None = None
        self._animation = QVariantAnimation(parent)
        self._animation.setDuration(MOVE_MS)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.valueChanged.connect(self._step)

    def start(self, begin: ViewPosition, end: ViewPosition) -> None:
        """Start an animation in place of the present one."""
        self.stop()
        self._ends = (begin, end)
        self._animation.start()

    def stop(self) -> None:
        """Stop the view where it is."""
        self._animation.stop()
        self._ends = None

    @property
    def is_moving(self) -> bool:
        """Whether the view is moving."""
        return self._ends is not None

    def _step(self, share: float) -> None:
        if self._ends is None:
            return
        begin, end = self._ends
        if share >= 1.0:
            self._ends = None
        self._go(end if share >= 1.0 else between(begin, end, share))


class Fades:
    """Fades the old status of nodes out for 120 ms after it has changed."""

    def __init__(self, parent: QObject, show: Callable[[dict[int, tuple[int, float]]], None]) -> None:
        self._show = show
        self._since: dict[int, tuple[int, int]] = {}
        self._clock = QElapsedTimer()
        self._clock.start()
        self._timer = QTimer(parent)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self._step)

    def start(self, before: dict[int, int]) -> None:
        """Fade these rows from their old statuses."""
        now = self._clock.elapsed()
        self._since |= {row: (status, now) for row, status in before.items()}
        if self._since:
            self._timer.start()
            self._step()

    def stop(self) -> None:
        """Stop all fades."""
        self._since.clear()
        self._step()

    def _step(self) -> None:
        now = self._clock.elapsed()
        self._since = {row: (status, at) for row, (status, at) in self._since.items() if now - at < FADE_MS}
        if not self._since:
            self._timer.stop()
        self._show({row: (status, 1 - (now - at) / FADE_MS) for row, (status, at) in self._since.items()})

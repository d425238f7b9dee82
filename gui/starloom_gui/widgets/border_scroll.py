"""Scrolls a view during a drag at its border, the faster the deeper the pointer is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QElapsedTimer, QObject, QPointF, Qt, QTimer

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QRectF

INSIDE: Final = 24.0
"""How far the border reaches into a view, in logical pixels; never more than a quarter of it."""
OUTSIDE: Final = 24.0
"""How far it reaches out of it; who drags further has left."""
FASTEST: Final = 1200.0
"""Logical pixels a second, at the border's far side."""
_TICK_MS: Final = 16
_LONGEST: Final = 0.05
"""Seconds that count as one step at most: a view that was held up does not leap."""


def depth(at: float, low: float, high: float) -> float | None:
    """The depth of a position in the border of a range: negative at its low side, 0 inside; None: beyond the border.

    Args:
        at: the place.
        low: where the stretch begins.
        high: where it ends.
    """
    if not low - OUTSIDE <= at <= high + OUTSIDE:
        return None
    inside = min(INSIDE, (high - low) / 4)
    return min(0.0, at - low - inside) + max(0.0, at - high + inside)


def speed(deep: float) -> float:
    """The scroll speed at a depth, in logical pixels per second; quadratic, so that it is low at the inner edge.

    Args:
        deep: see `depth`.
    """
    share = min(1.0, abs(deep) / (INSIDE + OUTSIDE))
    return FASTEST * share * share * (1 if deep > 0 else -1)


def _rested(deep: float, rest: float) -> float:
    """The part of a resting depth that still counts: none of it beyond the pointer's present depth."""
    return 0.0 if deep * rest <= 0 else min(deep, rest, key=abs)


class BorderScroll(QObject):
    """Scrolls a view during a drag, as long as the pointer is in the border.

    Where a drag begins in the border, it first has to go deeper: who takes hold of something there, or comes in from
    outside, means that and no scrolling.

    Args:
        scroll: is told how far to scroll, right and down in logical pixels, and goes on with the drag.
        parent: of the object.
    """

    def __init__(self, scroll: Callable[[int, int], None], parent: QObject) -> None:
        super().__init__(parent)
        self._scroll = scroll
        self._rest: tuple[float, float] | None = None
        self._speed = self._owed = QPointF()
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._tick)

    @property
    def is_scrolling(self) -> bool:
        """Whether the view is being scrolled."""
        return self._timer.isActive()

    def follow(self, at: QPointF, room: QRectF) -> None:
        """Update the scroll speed for a position of the pointer.

        Args:
            at: where.
            room: what is scrolled, in the same logical pixels.
        """
        x, y = depth(at.x(), room.left(), room.right()), depth(at.y(), room.top(), room.bottom())
        if x is None or y is None:
            self._halt()
            return
        rest = self._rest if self._rest is not None else (x, y)
        self._rest = (_rested(x, rest[0]), _rested(y, rest[1]))
        self._speed = QPointF(speed(x - self._rest[0]), speed(y - self._rest[1]))
        if self._speed.isNull():
            self._halt()
        elif not self._timer.isActive():
            self._owed = QPointF()
            self._clock.start()
            self._timer.start()

    def stop(self) -> None:
        """End the drag."""
        self._rest = None
        self._halt()

    def _halt(self) -> None:
        self._timer.stop()

    def _tick(self) -> None:
        self._owed += self._speed * min(_LONGEST, self._clock.restart() / 1000)
        dx, dy = int(self._owed.x()), int(self._owed.y())
        self._owed -= QPointF(dx, dy)
        if dx or dy:
            self._scroll(dx, dy)

"""Moves a bar of the timeline by keys; no command is sent before Return, and Escape moves it back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.timeline.move_bar import MoveBar

CARRIES: Final[dict[int, int]] = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
}
"""Where each key takes a bar: up and down to other devices, left and right past other bars."""
_ALONG: Final = frozenset({Qt.Key.Key_Left, Qt.Key.Key_Right})


class KeyCarry:
    """Moves a bar by keys.

    Args:
        ended: is called when it is held no more.

    Attributes:
        bar: the one that is held; None: none is.
    """

    def __init__(self, ended: Callable[[], None]) -> None:
        self._ended = ended
        self.bar: MoveBar | None = None

    def move(self, key: int) -> None:
        """Move the bar to the next device, or past the next bar."""
        if self.bar is not None:
            (self.bar.shift if key in _ALONG else self.bar.step)(CARRIES[key])

    def put_back(self) -> bool:
        """Cancel the move; returns whether there was one."""
        was, self.bar = self.bar, None
        if was is not None:
            was.cancel()
            self._ended()
        return was is not None

    def put_down(self) -> bool:
        """Drop the bar at its place; returns whether there was one."""
        was, self.bar = self.bar, None
        if was is not None:
            was.commit()
            self._ended()
        return was is not None

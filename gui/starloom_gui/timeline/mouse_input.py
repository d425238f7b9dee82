"""Handles the mouse on the timeline: a click, or a gesture once it has moved or a modifier is pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, Qt

from starloom_gui.timeline.gestures import TimelinePan, ZoomArea

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.timeline.gestures import TimelineGesture, TimelineSurface

_SLIP: Final = 4.0
"""Pixels the pointer may move within a click."""
_BUTTONS: Final = (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton)


class MouseInput:
    """Keeps the gesture that is active, if any.

    Attributes:
        gesture: what goes on while a button is held; None: nothing.

    Args:
        surface: what gestures act on.
        grab: gives the gesture that moves what is at a point; None: there the whole picture is moved.
    """

    def __init__(
        self, surface: TimelineSurface, grab: Callable[[QPointF], TimelineGesture | None] = lambda _: None
    ) -> None:
        self.gesture: TimelineGesture | None = None
        self._grab = grab
        self._surface = surface
        self._pressed: QPointF | None = None

    def press(self, at: QPointF, button: Qt.MouseButton, modifiers: Qt.KeyboardModifier) -> None:
        """Handle a press: Shift draws an area, the middle button pans, the left one may become either."""
        if button not in _BUTTONS or self.gesture is not None:
            return
        self._pressed = at
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            self.gesture = ZoomArea(self._surface, at)
        elif button == Qt.MouseButton.MiddleButton:
            self.gesture = TimelinePan(self._surface, at)

    def move(self, at: QPointF) -> bool:
        """Handle a move of the pointer; returns whether a gesture is active."""
        if self.gesture is None and self._pressed is not None:
            moved = at - self._pressed
            if max(abs(moved.x()), abs(moved.y())) > _SLIP:
                self.gesture = self._grab(self._pressed) or TimelinePan(self._surface, self._pressed)
        if self.gesture is not None:
            self.gesture.move(at)
        return self.gesture is not None

    def release(self) -> bool:
        """Handle a release; returns whether it was a click."""
        gesture, pressed = self.gesture, self._pressed
        self.gesture = self._pressed = None
        if gesture is not None:
            gesture.commit()
        return gesture is None and pressed is not None

    def cancel(self) -> bool:
        """Cancel the gesture; returns whether there was one."""
        gesture = self.gesture
        self.gesture = self._pressed = None
        if gesture is not None:
            gesture.cancel()
        return gesture is not None

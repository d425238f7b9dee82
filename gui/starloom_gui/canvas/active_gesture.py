"""The gesture that is active while a button is pressed; the view scrolls when the pointer is at its border."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, QRectF

from starloom_gui.widgets.border_scroll import BorderScroll

if TYPE_CHECKING:
    from PySide6.QtWidgets import QGraphicsView

    from starloom_gui.canvas.pan_zoom import PanZoom
    from starloom_gui.canvas.tools.gesture import Gesture


class ActiveGesture:
    """Forwards pointer events to the active gesture.

    Args:
        view: the canvas.
        pan_zoom: what scrolls it.
    """

    def __init__(self, view: QGraphicsView, pan_zoom: PanZoom) -> None:
        self._view, self._pan_zoom = view, pan_zoom
        self._gesture: Gesture | None = None
        self._at = QPoint()
        self._border = BorderScroll(self._scroll, view)

    @property
    def is_on(self) -> bool:
        """Whether a gesture is active."""
        return self._gesture is not None

    def take(self, gesture: Gesture | None) -> None:
        """Set the gesture that a press has begun; None: none."""
        self._gesture = gesture

    def move(self, at: QPoint) -> None:
        """Forward the position of the pointer in the viewport."""
        self._at = at
        if self._gesture is not None:
            self._gesture.move(at)
            if self._gesture.scrolls:
                self._border.follow(QPointF(at), QRectF(self._view.viewport().rect()))
            else:
                self._border.stop()

    def again(self) -> None:
        """Forward the last position again, as its meaning has changed."""
        if self._gesture is not None and self._gesture.scrolls:
            self._gesture.move(self._at)

    def _scroll(self, dx: int, dy: int) -> None:
        """Scroll the view, and forward the last position again."""
        if self._gesture is not None:
            self._pan_zoom.scroll_at_border(dx, dy)
            self._gesture.move(self._at)
            if not self._gesture.scrolls:
                self._border.stop()

    def release(self, at: QPoint) -> None:
        """Forward the release of the button."""
        gesture = self._let_go()
        if gesture is not None:
            gesture.release(at)

    def cancel(self) -> bool:
        """Cancel the gesture; returns whether there was one."""
        gesture = self._let_go()
        if gesture is not None:
            gesture.cancel()
        return gesture is not None

    def _let_go(self) -> Gesture | None:
        self._border.stop()
        gesture, self._gesture = self._gesture, None
        return gesture

    def renew(self) -> None:
        """Let the gesture continue on another render model."""
        if self._gesture is not None:
            self._gesture.renew()

"""Moves a note by dragging, or its right side; on release it is attached to the nearest task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QApplication

from starloom.model.note import NARROWEST, WIDEST

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QPoint

    from starloom_gui.canvas.note_layer import NoteLayer
    from starloom_gui.canvas.pan_zoom import PanZoom


class MoveNote:
    """Moves the selected note with the pointer, or resizes it; a press without a drag does nothing.

    Args:
        notes: of the canvas.
        pan_zoom: says where it looks.
        box: where the note stands.
        at: where the press was.
        done: is told where it was put.
        widens: whether its right side is what is held.
    """

    def __init__(
        self,
        notes: NoteLayer,
        pan_zoom: PanZoom,
        box: QRectF,
        at: QPoint,
        done: Callable[[QRectF], None],
        *,
        widens: bool = False,
    ) -> None:
        self._notes, self._pan_zoom = notes, pan_zoom
        self._box, self._start, self._done, self._widens = box, at, done, widens
        self._from = pan_zoom.scene_at(at)
        self._now: QRectF | None = None

    @property
    def scrolls(self) -> bool:
        """Whether the drag has begun."""
        return self._now is not None

    def move(self, at: QPoint) -> None:
        """Move or resize the note to the pointer."""
        if self._now is None and (at - self._start).manhattanLength() < QApplication.startDragDistance():
            return
        step = self._pan_zoom.scene_at(at) - self._from
        if self._widens:
            width = min(max(self._box.width() + step.x(), NARROWEST), WIDEST)
            self._now = QRectF(self._box.left(), self._box.top(), round(width), self._box.height())
        else:
            self._now = self._box.translated(step)
        self._notes.hold(self._now)

    def release(self, at: QPoint) -> None:
        """Set the note's new box."""
        self.move(at)
        now, self._now = self._now, None
        self._notes.hold(None)
        if now is not None:
            self._done(now)

    def cancel(self) -> None:
        """Cancel the move."""
        self._now = None
        self._notes.hold(None)

    def renew(self) -> None:
        """Continue unchanged, as the note is dragged in the scene."""

"""Moves nodes by dragging, which is no edit; released over a device, their tasks are pinned to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QApplication

from starloom_gui.canvas.gesture_preview import NO_PREVIEW, GesturePreview
from starloom_gui.canvas.snapping import SNAP, Snapped, Snapper

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QPoint

    from starloom_gui.canvas.surface import Surface


class PinDropTarget(Protocol):
    """The protocol of a target that pins tasks which are dragged onto a device."""

    def move(self, numbers: Sequence[int], screen: QPoint) -> bool:
        """Follow the pointer on the screen with these tasks; returns whether it is over a device."""

    def drop(self) -> None:
        """Pin the tasks to the device they are over, if that is possible."""

    def end(self) -> None:
        """Hide the message; nothing has changed."""


class MoveNodes:
    """Moves nodes with the pointer, snapped to others; a press without a drag is a click.

    Args:
        surface: the parts of the canvas.
        numbers: of the nodes.
        at: where the press was.
        clicked: what a click does.
        pins: pins their tasks to the device they are let go of on; None: nodes are only moved.
    """

    def __init__(
        self,
        surface: Surface,
        numbers: Sequence[int],
        at: QPoint,
        clicked: Callable[[], None],
        pins: PinDropTarget | None = None,
    ) -> None:
        self._surface, self._numbers, self._start, self._clicked = surface, tuple(numbers), at, clicked
        self._held_at = surface.pan_zoom.scene_at(at)
        self._offset: tuple[float, float] | None = None
        self._snapper: Snapper | None = None
        self._around = QRectF()
        self._pins, self._is_over_device = pins, False
        self._tasks: tuple[int, ...] | None = None

    @property
    def scrolls(self) -> bool:
        """Whether the drag has begun, and is not over a device."""
        return self._offset is not None and not self._is_over_device

    def move(self, at: QPoint) -> None:
        """Move the nodes to the pointer."""
        if self._offset is None:
            if (at - self._start).manhattanLength() < QApplication.startDragDistance():
                return
            self._set_apart()
        if self._over_device(at):
            self._offset = self._offset or (0.0, 0.0)
            self._surface.overlay.show_preview(NO_PREVIEW)  # they stay where they are
            return
        step = self._surface.pan_zoom.scene_at(at) - self._held_at
        found = self._snapped((step.x(), step.y()))
        self._offset = found.offset
        self._surface.overlay.show_preview(
            GesturePreview(moved=dict.fromkeys(self._numbers, found.offset), lines=found.lines, gaps=found.gaps)
        )

    def _over_device(self, at: QPoint) -> bool:
        """Whether the pointer is over a device, beside the canvas."""
        if self._pins is not None:
            self._tasks = self._tasks if self._tasks is not None else self._meant()
            self._is_over_device = self._pins.move(self._tasks, self._surface.view.viewport().mapToGlobal(at))
        return self._is_over_device

    def _meant(self) -> tuple[int, ...]:
        """The tasks of the nodes."""
        picture = self._surface.graph.picture
        rows = [row for number in self._numbers if picture is not None and (row := picture.row(number)) is not None]
        return tuple(number for row in rows if picture is not None for number in picture.numbers_at(row))

    def _snapped(self, offset: tuple[float, float]) -> Snapped:
        """The offset after snapping to visible nodes, or that of the pointer."""
        surface = self._surface
        if not surface.layout_controller.snaps:
            return Snapped(offset)
        if self._snapper is None or not self._around.contains(surface.pan_zoom.seen):
            self._snapper = self._new_snapper()
        return self._snapper.at(offset, SNAP / surface.pan_zoom.zoom) if self._snapper is not None else Snapped(offset)

    def _new_snapper(self) -> Snapper | None:
        """A snapper of the nodes in the viewport and up to its width and height around it."""
        picture, seen = self._surface.graph.picture, self._surface.pan_zoom.seen
        wide, high = seen.width(), seen.height()
        self._around = seen.adjusted(-wide, -high, wide, high)
        rows = [row for number in self._numbers if (row := picture.row(number)) is not None] if picture else []
        if picture is None or not rows:
            return None
        positions, sizes = picture.layout.positions, picture.layout.sizes
        stands = picture.present & (
            abs(positions - (seen.center().x(), seen.center().y())) < (1.5 * wide, 1.5 * high)
        ).all(axis=1)
        stands[rows] = False
        half = sizes[rows] / 2
        places = np.array([self._surface.layout_controller.place_of(int(picture.numbers[row])) for row in rows])
        (left, top), (right, bottom) = (places - half).min(axis=0).tolist(), (places + half).max(axis=0).tolist()
        return Snapper(positions[stands], sizes[stands], (left, top, right, bottom))

    def _set_apart(self) -> None:
        """Dim the nodes at their old positions."""
        picture = self._surface.graph.picture
        if picture is not None:
            apart = np.zeros(len(picture), dtype=np.bool_)
            apart[[row for number in self._numbers if (row := picture.row(number)) is not None]] = True
            self._surface.overlay.set_apart(apart)

    def release(self, at: QPoint) -> None:
        """Move the nodes, pin their tasks to the device under the pointer, or click."""
        self.move(at)
        offset, self._offset = self._offset, None
        if offset is None:
            self._clicked()
            return
        if self._pins is not None and self._is_over_device:
            self._surface.overlay.set_apart(None)
            self._pins.drop()
            return
        self._end()
        self._surface.layout_controller.move_tasks(dict.fromkeys(self._numbers, offset))

    def cancel(self) -> None:
        """Cancel the move."""
        if self._offset is not None:
            self._offset = None
            self._end()

    def _end(self) -> None:
        if self._pins is not None:
            self._pins.end()
        self._surface.overlay.set_apart(None)
        self._surface.overlay.show_preview(NO_PREVIEW)

    def renew(self) -> None:
        """Continue on another render model."""
        self._snapper, self._tasks = None, None
        if self._offset is not None:
            self._set_apart()

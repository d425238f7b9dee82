"""Rubber-band selection: the nodes that the rectangle touches are selected on release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QApplication

from starloom_gui.canvas.gesture_preview import NO_PREVIEW, Caption, GesturePreview
from starloom_gui.canvas.hit_test import nodes_in
from starloom_gui.text.words import tasks

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QPoint

    from starloom.layout.values import IntArray
    from starloom_gui.canvas.surface import Surface


class Band:
    """Selects nodes by a rectangle; a press without a drag is a click.

    Args:
        surface: the parts of the canvas.
        at: where the press was.
        chosen: is told the tasks, when it ends.
        clicked: what a click does.
    """

    def __init__(
        self, surface: Surface, at: QPoint, chosen: Callable[[list[int]], None], clicked: Callable[[], None]
    ) -> None:
        self._surface, self._start = surface, at
        self._corner = surface.pan_zoom.scene_at(at)
        self._chosen, self._clicked = chosen, clicked
        self._band: QRectF | None = None

    @property
    def scrolls(self) -> bool:
        """Whether there is a rectangle already."""
        return self._band is not None

    def move(self, at: QPoint) -> None:
        """Stretch the rectangle to the pointer."""
        far = (at - self._start).manhattanLength() >= QApplication.startDragDistance()
        if self._band is None and not far:
            return
        self._band = QRectF(self._corner, self._surface.pan_zoom.scene_at(at)).normalized()
        self._show()

    def _show(self) -> None:
        picture, rows = self._surface.graph.picture, self._rows()
        if picture is None or rows is None or self._band is None:
            return
        count = sum(len(picture.numbers_at(row)) for row in rows.tolist()) if picture.tallies else len(rows)
        note = Caption(tasks(count), self._band.bottomRight()) if count else None
        marked = tuple(picture.numbers[rows].tolist())
        self._surface.overlay.show_preview(GesturePreview(band=self._band, marked=marked, note=note))

    def _rows(self) -> IntArray | None:
        picture, band = self._surface.graph.picture, self._band
        if picture is None or band is None:
            return None
        return nodes_in(picture, band.left(), band.top(), band.right(), band.bottom())

    def release(self, at: QPoint) -> None:
        """Select the nodes that the rectangle touches, or click."""
        self.move(at)
        picture, rows = self._surface.graph.picture, self._rows()
        self.cancel()
        if picture is None or rows is None:
            self._clicked()
        else:
            self._chosen([number for row in rows.tolist() for number in picture.numbers_at(row)])

    def cancel(self) -> None:
        """Hide the rectangle; the selection stays."""
        self._band = None
        self._surface.overlay.show_preview(NO_PREVIEW)

    def renew(self) -> None:
        """Continue on another render model."""
        self._show()

"""The gestures of the timeline, one class each: panning, and zooming into a stretch of time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from starloom_gui.theme.metrics import LANE_COLUMN
from starloom_gui.theme.palette import colour
from starloom_gui.timeline.geometry import AXIS
from starloom_gui.viewmodel.span import Span

if TYPE_CHECKING:
    from starloom_gui.theme.palette import Palette

_LEAST_AREA: float = 6.0
"""Pixels: a smaller area was hardly meant."""


class TimelineSurface(Protocol):
    """The protocol of the timeline that gestures act on."""

    @property
    def span(self) -> Span:
        """The shown range of time."""

    def pan_to(self, span: Span, top: int) -> None:
        """Show the span to which the user has moved."""

    def zoom_to(self, span: Span) -> None:
        """Show an area the user has chosen."""

    def scrolled(self) -> int:
        """The scroll position of the lanes, in pixels."""

    def plot_width(self) -> int:
        """Pixels to the right of the column."""


class TimelineGesture(Protocol):
    """The protocol of a gesture, which lasts while a button is held.

    Attributes:
        cursor: what the pointer looks like.
        scrolls: whether the lanes scroll for it where the pointer is at their upper or lower end.
    """

    cursor: Qt.CursorShape
    scrolls: bool

    def move(self, at: QPointF) -> None:
        """Follow the pointer; also called when the lanes have moved under it."""

    def commit(self) -> None:
        """Carry out the gesture, as the button was released."""

    def cancel(self) -> None:
        """Cancel the gesture: all is as it was before."""

    def paint(self, painter: QPainter, height: int, palette: Palette) -> None:
        """Paint the effect of the gesture."""


class TimelinePan:
    """Moves time and lanes with the pointer."""

    cursor = Qt.CursorShape.ClosedHandCursor
    scrolls = False

    def __init__(self, surface: TimelineSurface, at: QPointF) -> None:
        self._surface = surface
        self._from = at
        self._span, self._top = surface.span, surface.scrolled()

    def move(self, at: QPointF) -> None:
        """Pan so that the time under the pointer stays under it."""
        by = self._from - at
        self._surface.pan_to(self._span.panned(by.x()), self._top + round(by.y()))

    def commit(self) -> None:
        """End the pan where it is."""

    def cancel(self) -> None:
        """Restore the position before the pan."""
        self._surface.pan_to(self._span, self._top)

    def paint(self, painter: QPainter, height: int, palette: Palette) -> None:
        """Paint nothing, as the moved timeline shows the pan."""


class ZoomArea:
    """Selects a stretch of time with the pointer, which fills the plot afterwards."""

    cursor = Qt.CursorShape.CrossCursor
    scrolls = False

    def __init__(self, surface: TimelineSurface, at: QPointF) -> None:
        self._surface = surface
        self._from = self._to = max(at.x(), LANE_COLUMN)

    def move(self, at: QPointF) -> None:
        """Extend the area to the pointer."""
        self._to = min(max(at.x(), LANE_COLUMN), LANE_COLUMN + self._surface.plot_width())

    def commit(self) -> None:
        """Zoom to the area, if it is wide enough to be meant."""
        left, right = sorted((self._from, self._to))
        if right - left >= _LEAST_AREA:
            span = self._surface.span
            first, last = span.time_at(left - LANE_COLUMN), span.time_at(right - LANE_COLUMN)
            self._surface.zoom_to(Span.between(first, last, self._surface.plot_width()))

    def cancel(self) -> None:
        """Drop the area."""

    def paint(self, painter: QPainter, height: int, palette: Palette) -> None:
        """Paint the area between two lines."""
        left, right = sorted((self._from, self._to))
        painter.fillRect(QRectF(left, AXIS, right - left, height - AXIS), colour(palette.text, 0.08))
        painter.setPen(QPen(colour(palette.text), 1))
        for x in (left, right):
            painter.drawLine(QPointF(round(x) + 0.5, AXIS), QPointF(round(x) + 0.5, height))

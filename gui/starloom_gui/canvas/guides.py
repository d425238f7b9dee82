"""Paints the alignment guides of a dragged node, and the equal gaps beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QPen

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QColor, QPainter, QTransform

    from starloom_gui.canvas.snapping import Segment

_PAST: Final = 8.0
"""A line goes on by so many pixels past the boxes that are on it."""
_TICK: Final = 4.0


def paint_guides(
    painter: QPainter, transform: QTransform, lines: Iterable[Segment], gaps: Iterable[Segment], ink: QColor
) -> None:
    """Paint lines that extend past both ends, and gaps with a bar at each end."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(ink, 1, Qt.PenStyle.DashLine))
    for segment in lines:
        line = transform.map(QLineF(*segment))
        length = max(1.0, line.length())
        line.setLength(length + _PAST)
        line.setPoints(line.p2(), line.p1())
        line.setLength(length + 2 * _PAST)
        painter.drawLine(line)
    painter.setPen(QPen(ink, 1))
    for segment in gaps:
        line = transform.map(QLineF(*segment))
        aside = QPointF(0, _TICK) if line.dy() == 0 else QPointF(_TICK, 0)
        painter.drawLine(line)
        for end in (line.p1(), line.p2()):
            painter.drawLine(end - aside, end + aside)

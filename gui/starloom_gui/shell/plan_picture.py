"""A small picture of a plan's graph: its boxes and edges as plain data, and their painting."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainterPath, QPen, QPolygonF

from starloom_gui.theme.palette import colour

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from starloom_gui.theme.palette import Palette

BOX: Final = (26.0, 13.0)
"""The width and height of a task, where nothing has to be made smaller."""
_RADIUS: Final = 3.0
_MARK: Final = 3.5
_LEGIBLE: Final = 0.6
"""From this scale on edges have arrowheads and the marks of their kinds."""


class EdgeMark(StrEnum):
    """The way an edge is drawn."""

    NONE = "none"
    DASHED = "dashed"
    CIRCLE = "circle"
    DIAMOND = "diamond"


class PictureEdge(NamedTuple):
    """An edge as a chain of cubic Bézier curves.

    Attributes:
        points: a start, and three more points for each curve.
        mark: how it is told from others.
    """

    points: tuple[tuple[float, float], ...]
    mark: EdgeMark


class PlanPicture(NamedTuple):
    """The picture of a plan's graph; its top left corner is at 0, 0.

    Attributes:
        tasks: how many the plan has.
        size: width and height.
        boxes: the top left corners of the tasks, each as large as `BOX`.
        edges: what lies between them.
    """

    tasks: int
    size: tuple[float, float]
    boxes: tuple[tuple[float, float], ...]
    edges: tuple[PictureEdge, ...]


def paint_picture(painter: QPainter, picture: PlanPicture, room: QRectF, palette: Palette) -> None:
    """Paint a picture centred in a rectangle, scaled down to fit."""
    width, height = picture.size
    scale = min(1.0, room.width() / max(width, 1.0), room.height() / max(height, 1.0))
    left = room.center().x() - scale * width / 2
    top = room.center().y() - scale * height / 2

    def at(x: float, y: float) -> QPointF:
        return QPointF(left + scale * x, top + scale * y)

    ink = colour(palette.muted)
    for edge in picture.edges:
        _paint_edge(painter, QPolygonF([at(*point) for point in edge.points]), edge.mark, QPen(ink, scale**0.5), scale)
    painter.setPen(QPen(colour(palette.outline), max(0.7, scale**0.5)))
    painter.setBrush(colour(palette.panel))
    radius = _RADIUS * scale
    for x, y in picture.boxes:
        corner = at(x, y)
        painter.drawRoundedRect(QRectF(corner.x(), corner.y(), BOX[0] * scale, BOX[1] * scale), radius, radius)


def _paint_edge(painter: QPainter, points: QPolygonF, mark: EdgeMark, pen: QPen, scale: float) -> None:
    path = QPainterPath(points.at(0))
    for first in range(1, points.count(), 3):
        path.cubicTo(points.at(first), points.at(first + 1), points.at(first + 2))
    if mark is EdgeMark.DASHED:
        pen.setDashPattern([2.5, 2.0])
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen)
    painter.drawPath(path)
    if scale < _LEGIBLE:
        return
    painter.setBrush(pen.color())
    painter.setPen(Qt.PenStyle.NoPen)
    end = points.at(points.count() - 1)
    painter.drawPolygon(QPolygonF([end, end + QPointF(-4.5, -2.5), end + QPointF(-4.5, 2.5)]))
    if mark is EdgeMark.CIRCLE:
        painter.drawEllipse(path.pointAtPercent(0.5), _MARK - 1, _MARK - 1)
    elif mark is EdgeMark.DIAMOND:
        middle = path.pointAtPercent(0.5)
        ways = (QPointF(0, -_MARK), QPointF(_MARK, 0), QPointF(0, _MARK), QPointF(-_MARK, 0))
        painter.drawPolygon(QPolygonF([middle + way for way in ways]))

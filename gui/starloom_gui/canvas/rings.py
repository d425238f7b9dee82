"""Paints the rings of selected and current nodes, and the ports of the node under the pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from starloom.layout import Direction
from starloom.scheduling.state.codes import FAILED
from starloom_gui.canvas.atlas import PORT
from starloom_gui.canvas.camera import Level
from starloom_gui.canvas.forms import FAR_FAILED
from starloom_gui.theme.metrics import NODE_RADIUS, RING
from starloom_gui.theme.palette import blended, colour

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom_gui.canvas.camera import Camera
    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.canvas.view_state import ViewState
    from starloom_gui.theme.palette import Palette


def paint_rings(
    painter: QPainter, picture: GraphRenderModel, shown: ViewState, camera: Camera, palette: Palette
) -> None:
    """Paint the rings of selected nodes, and the dashed ring of the current node while the canvas has the focus."""
    rows: Iterable[int] = shown.selected
    current = shown.current if shown.focused and shown.current not in shown.selected else None
    for row in rows:
        _paint_ring(painter, _box(picture, row, camera), camera, palette, dashed=False)
    if current is not None:
        _paint_ring(painter, _box(picture, current, camera), camera, palette, dashed=True)


def _box(picture: GraphRenderModel, row: int, camera: Camera) -> QRectF:
    layout = picture.layout
    box = QRectF(*camera.boxes(layout.positions[row : row + 1], layout.sizes[row : row + 1])[0].tolist())
    if camera.level is Level.FAR and picture.status[row] == FAILED:
        size = FAR_FAILED * camera.ratio
        box = box.united(QRectF(box.center().x() - size / 2, box.center().y() - size / 2, size, size))
    return box


def _paint_ring(painter: QPainter, box: QRectF, camera: Camera, palette: Palette, *, dashed: bool) -> None:
    ratio = camera.ratio
    out = RING * ratio + RING * ratio / 2
    near = camera.level is not Level.FAR
    pen = QPen(colour(palette.text), RING * ratio)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    radius = (max(NODE_RADIUS * camera.scale, 3.0) + RING if near else RING) * ratio
    if near:
        painter.setPen(QPen(colour(palette.canvas), RING * ratio))
        gap = RING * ratio / 2
        painter.drawRoundedRect(box.adjusted(-gap, -gap, gap, gap), radius - ratio, radius - ratio)
    if dashed:
        pen.setDashPattern([3.0, 2.0])
    painter.setPen(pen)
    painter.drawRoundedRect(box.adjusted(-out, -out, out, out), radius, radius)


def paint_ports(
    painter: QPainter, picture: GraphRenderModel, shown: ViewState, camera: Camera, palette: Palette
) -> None:
    """Paint the ports of the node under the pointer, and of the current one with focus."""
    if camera.level is Level.FAR:
        return
    focus = shown.current if shown.focused else None
    rows = {row for row in (shown.hovered, focus) if row is not None and picture.plain[row]}
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour(blended(palette.text, palette.canvas, 0.8)), 1.25 * camera.ratio))
    painter.setBrush(colour(palette.panel))
    radius = PORT * camera.ratio / 2
    for row in rows:
        box = _box(picture, row, camera)
        middle = box.center()
        if picture.layout.direction is Direction.RIGHT:
            ends = QPointF(box.left(), middle.y()), QPointF(box.right(), middle.y())
        else:
            ends = QPointF(middle.x(), box.top()), QPointF(middle.x(), box.bottom())
        for end in ends:
            painter.drawEllipse(end, radius, radius)

"""Paints the preview of a gesture over a canvas; it takes no clicks and paints only what has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from starloom.layout import Direction
from starloom_gui.canvas.atlas import PORT
from starloom_gui.canvas.camera import Camera, Level
from starloom_gui.canvas.edges import CRITICAL_WIDTH, WIDTH
from starloom_gui.canvas.gesture_preview import NO_PREVIEW, Caption, GesturePreview, PreviewEdge
from starloom_gui.canvas.guides import paint_guides
from starloom_gui.canvas.nodes import MARGIN
from starloom_gui.canvas.ports import HANDLE, edge_between, port_place, port_places
from starloom_gui.theme.metrics import NODE_RADIUS, RADIUS, RING
from starloom_gui.theme.palette import colour
from starloom_gui.widgets.batches import draw_lines
from starloom_gui.widgets.reason_note import note_box, paint_note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QGraphicsView

    from starloom.layout.values import BoolArray, FloatArray
    from starloom_gui.canvas.graph_layer import GraphLayer
    from starloom_gui.canvas.pan_zoom import PanZoom
    from starloom_gui.canvas.render_model import GraphRenderModel

MOST_MARKED: Final = 100
"""More marked nodes than these have no ring of their own: the band shows them."""
MOST_LINKS: Final = 100
"""More dependencies of moved nodes than these are not drawn where they would be."""
_ARROW: Final = 9.0
_LEAD: Final = 40.0
_HANDLE: Final = 5.0
_ROOM: Final = 12.0
_LOOSE: Final = 0.7


class PreviewPainter(QWidget):
    """Paints the preview of a gesture.

    Args:
        view: the canvas, over whose viewport it lies.
        graph: what is shown there.
        pan_zoom: says where the view looks.
        above: lies over this sheet, so that nothing is said under it.
        clock: gives seconds on the run's clock.
    """

    def __init__(
        self,
        view: QGraphicsView,
        graph: GraphLayer,
        pan_zoom: PanZoom,
        above: QWidget,
        clock: Callable[[], float],
    ) -> None:
        over = view.viewport()
        super().__init__(over)
        self._view, self._graph, self._pan_zoom = view, graph, pan_zoom
        self._above, self._clock = above, clock
        self.preview = NO_PREVIEW
        self._dirty = QRectF()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setGeometry(over.rect())  # it is never hidden: to show it would paint the whole canvas again

    def show_preview(self, preview: GesturePreview) -> None:
        """Show a preview; `NOTHING_SKETCHED` is the empty one."""
        over = self.parentWidget()
        assert over is not None, "it lies over a viewport"
        before, self.preview = self.preview, preview
        everywhere = QRectF(over.rect())
        is_wide = preview.open is not before.open or bool(preview.moved) or bool(before.moved)
        painted, self._dirty = self._dirty, self._bounds()
        over.update((everywhere if is_wide else painted | self._dirty).toAlignedRect())

    def follow(self) -> None:
        """Repaint the preview after the view has moved."""
        over = self.parentWidget()
        assert over is not None, "it lies over a viewport"
        self.setGeometry(over.rect())
        if not self.preview.is_empty:
            self.show_preview(self.preview)

    # ---- where everything is

    def _at(self, x: float, y: float) -> QPointF:
        return self._view.viewportTransform().map(QPointF(x, y))

    def _boxes(self, numbers: Sequence[int]) -> FloatArray:
        """The left, top, right and bottom of nodes in the viewport, without hidden ones; (N, 4)."""
        picture = self._graph.picture
        rows = [row for number in numbers if (row := picture.row(number)) is not None] if picture is not None else []
        if picture is None or not rows:
            return np.zeros((0, 4))
        transform, zoom = self._view.viewportTransform(), self._pan_zoom.zoom
        middles = picture.layout.positions[rows] * zoom + (transform.dx(), transform.dy())
        halves = picture.layout.sizes[rows] * (zoom / 2)
        return np.hstack([middles - halves, middles + halves])

    def _path(self, ends: tuple[int, int] | None) -> QPainterPath | None:
        picture = self._graph.picture
        edge = edge_between(picture, *ends) if picture is not None and ends is not None else None
        if picture is None or edge is None:
            return None
        points = [self._at(x, y) for x, y in picture.layout.routes.of(edge).tolist()]
        path = QPainterPath(points[0])
        for at in range(1, len(points) - 2, 3):
            path.cubicTo(*points[at : at + 3])
        return path

    def _note_box(self, note: Caption) -> QRectF:
        """The box of the message, clear of the minimap, which is above this widget."""
        at, room = self._view.viewportTransform().map(note.at), QRectF(self.rect())
        box = note_box(note.words, at, room)
        above = self._above
        if above.isVisible() and box.intersects(QRectF(above.geometry())):
            box.moveBottom(min(at.y(), float(above.y())) - _ROOM / 2)
        return box

    def _bounds(self) -> QRectF:
        """The bounding rectangle of the parts to repaint."""
        whole = QRectF()
        for part in self._parts():
            whole |= part.normalized().adjusted(-_ROOM, -_ROOM, _ROOM, _ROOM)
        return whole

    def _parts(self) -> Iterator[QRectF]:
        preview = self.preview
        transform = self._view.viewportTransform()
        if preview.line is not None:
            yield transform.mapRect(QRectF(preview.line.begin, preview.line.end).normalized()).adjusted(
                -48, -48, 48, 48
            )
        touched = (*self._ringed(), *((preview.port.number,) if preview.port is not None else ()))
        boxes = self._boxes(touched)
        if len(boxes):
            (left, top), (right, bottom) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
            yield QRectF(left, top, right - left, bottom - top).adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN)
        for ends in (preview.edge, preview.loose):
            path = self._path(ends)
            if path is not None:
                yield path.controlPointRect()
        if preview.band is not None:
            yield transform.mapRect(preview.band)
        if preview.note is not None:
            yield self._note_box(preview.note)

    def _ringed(self) -> tuple[int, ...]:
        """The tasks that the gesture marks with a ring."""
        preview = self.preview
        marked = preview.marked if len(preview.marked) <= MOST_MARKED else ()
        return (*marked, preview.target) if preview.target is not None else marked

    # ---- painting

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        picture, preview = self._graph.picture, self.preview
        if picture is None or preview.is_empty:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_edges(painter)
        if preview.moved:
            self._paint_moved(painter, picture)
        if preview.open is not None and self._pan_zoom.level is Level.FULL:
            self._paint_ports(painter, picture, preview.open, QRectF(event.rect()))
        if preview.line is not None:
            self._paint_line(painter, picture, preview.line)
        self._paint_rings(painter)
        self._paint_port(painter, picture)
        self._paint_band(painter)
        paint_guides(painter, self._view.viewportTransform(), preview.lines, preview.gaps, self._ink(0.8))
        if preview.note is not None:
            box = self._note_box(preview.note)
            paint_note(painter, preview.note.words, box, self._graph.item.palette, wrong=preview.note.wrong)
        painter.end()

    def _ink(self, opacity: float = 1.0) -> QColor:
        return colour(self._graph.item.palette.text, opacity)

    def _paint_edges(self, painter: QPainter) -> None:
        """Dim the edge that is being moved, and highlight the selected one, with handles at its ends."""
        canvas = self._graph.item.palette.canvas
        loose, chosen = self._path(self.preview.loose), self._path(self.preview.edge)
        if loose is not None:
            painter.strokePath(loose, QPen(colour(canvas, _LOOSE), 16))
        if chosen is None:
            return
        painter.strokePath(chosen, QPen(colour(canvas), CRITICAL_WIDTH + 2 * RING))
        painter.strokePath(chosen, QPen(self._ink(), CRITICAL_WIDTH))
        painter.setPen(QPen(self._ink(), 1.25))
        painter.setBrush(colour(self._graph.item.palette.panel))
        for share in (_near(chosen, HANDLE / 2), 1 - _near(chosen, HANDLE / 2)):
            painter.drawEllipse(chosen.pointAtPercent(share), _HANDLE, _HANDLE)

    def _paint_moved(self, painter: QPainter, picture: GraphRenderModel) -> None:
        moved, item = self.preview.moved, self._graph.item
        self._paint_links(painter, picture)
        by_offset: dict[tuple[float, float], list[int]] = {}
        for number, offset in moved.items():
            row = picture.row(number)
            if row is not None:
                by_offset.setdefault(offset, []).append(row)
        ratio = self.devicePixelRatioF()
        painter.save()
        painter.scale(1 / ratio, 1 / ratio)
        for offset, rows in by_offset.items():
            camera = self._camera(ratio, offset)
            item.nodes.paint_some(painter, picture, np.array(sorted(rows)), camera, item.palette, self._clock())
        painter.restore()

    def _camera(self, ratio: float, offset: tuple[float, float]) -> Camera:
        """The camera of the scene moved by an offset."""
        transform, zoom = self._view.viewportTransform(), self._pan_zoom.zoom
        left, top = transform.dx() + offset[0] * zoom, transform.dy() + offset[1] * zoom
        size = self.size() * ratio
        return Camera(zoom, ratio, left * ratio, top * ratio, size.width(), size.height())

    def _paint_links(self, painter: QPainter, picture: GraphRenderModel) -> None:
        """Paint the edges of moved nodes, if they are few."""
        offset = np.zeros((len(picture), 2))
        touched = np.zeros(len(picture), dtype=np.bool_)
        for number, far in self.preview.moved.items():
            row = picture.row(number)
            if row is not None:
                offset[row], touched[row] = far, True
        edges = picture.edges[touched[picture.edges].any(axis=1) & picture.linked]
        if len(edges) > MOST_LINKS:
            return
        transform, zoom = self._view.viewportTransform(), self._pan_zoom.zoom
        ends = [
            (port_places(picture, edges[:, side], outgoing=side == 0) + offset[edges[:, side]]) * zoom
            + (transform.dx(), transform.dy())
            for side in (0, 1)
        ]
        painter.setPen(QPen(colour(self._graph.item.palette.muted), WIDTH))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self._pan_zoom.level is Level.FAR:
            draw_lines(painter, np.hstack(ends))
            return
        seen, is_down = QRectF(self.rect()), _is_down(picture)
        for x1, y1, x2, y2 in np.hstack(ends).tolist():
            begin, end = QPointF(x1, y1), QPointF(x2, y2)
            if QRectF(begin, end).normalized().adjusted(-_LEAD, -_LEAD, _LEAD, _LEAD).intersects(seen):
                painter.drawPath(_curve(begin, end, is_down=is_down))

    def _paint_ports(self, painter: QPainter, picture: GraphRenderModel, allowed: BoolArray, part: QRectF) -> None:
        """Paint the allowed target ports in a part of the viewport."""
        known = picture.numbers < len(allowed)
        rows = np.flatnonzero(known & picture.present & picture.plain)
        rows = rows[allowed[picture.numbers[rows]]]
        places = port_places(picture, rows, outgoing=self.preview.outgoing)
        seen = self._view.viewportTransform().inverted()[0].mapRect(part.adjusted(-PORT, -PORT, PORT, PORT))
        inside = (places >= (seen.left(), seen.top())).all(axis=1) & (places <= (seen.right(), seen.bottom())).all(
            axis=1
        )
        self._set_port_pen(painter)
        for x, y in places[inside].tolist():
            painter.drawEllipse(self._at(x, y), PORT / 2, PORT / 2)

    def _set_port_pen(self, painter: QPainter) -> None:
        painter.setPen(QPen(self._ink(0.8), 1.25))
        painter.setBrush(colour(self._graph.item.palette.panel))

    def _paint_line(self, painter: QPainter, picture: GraphRenderModel, line: PreviewEdge) -> None:
        begin, end = self._at(line.begin.x(), line.begin.y()), self._at(line.end.x(), line.end.y())
        ink = self._ink() if line.sure else colour(self._graph.item.palette.muted)
        pen = QPen(ink, CRITICAL_WIDTH if line.sure else 1.5)
        if not line.sure:
            pen.setDashPattern([4.0, 3.0])
        painter.strokePath(_curve(begin, end, is_down=_is_down(picture)), pen)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        painter.drawPath(_arrow(end, is_down=_is_down(picture)))

    def _paint_rings(self, painter: QPainter) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._ink(), RING))
        moved, zoom, out = self.preview.moved, self._pan_zoom.zoom, RING * 1.5
        boxes = [self._boxes(self._ringed())]
        if len(moved) <= MOST_MARKED:
            picture = self._graph.picture
            there = [number for number in moved if picture is not None and picture.row(number) is not None]
            offsets = np.array([moved[number] for number in there]).reshape(-1, 2) * zoom
            boxes.append(self._boxes(there) + np.hstack([offsets, offsets]))
        for left, top, right, bottom in np.vstack(boxes).tolist():
            box = QRectF(left - out, top - out, right - left + 2 * out, bottom - top + 2 * out)
            painter.drawRoundedRect(box, NODE_RADIUS, NODE_RADIUS)

    def _paint_port(self, painter: QPainter, picture: GraphRenderModel) -> None:
        """Paint the port under the pointer: filled, as a drag would begin there."""
        port = self.preview.port
        row = picture.row(port.number) if port is not None else None
        if port is None or row is None:
            return
        painter.setPen(QPen(colour(self._graph.item.palette.canvas), RING))
        painter.setBrush(self._ink())
        painter.drawEllipse(self._at(*port_place(picture, row, outgoing=port.outgoing)), PORT / 2 + 2, PORT / 2 + 2)

    def _paint_band(self, painter: QPainter) -> None:
        if self.preview.band is not None:
            painter.setPen(QPen(self._ink(), 1))
            painter.setBrush(self._ink(0.08))
            band = self._view.viewportTransform().mapRect(self.preview.band)
            painter.drawRoundedRect(band, RADIUS / 2, RADIUS / 2)


def _is_down(picture: GraphRenderModel) -> bool:
    return picture.layout.direction is Direction.DOWN


def _curve(begin: QPointF, end: QPointF, *, is_down: bool) -> QPainterPath:
    """The curve of an edge between two points, as the layout would route it without obstacles."""
    length = end.y() - begin.y() if is_down else end.x() - begin.x()
    reach = max(24.0, abs(length) / 2) if length > 0 else _LEAD
    lead = QPointF(0, reach) if is_down else QPointF(reach, 0)
    path = QPainterPath(begin)
    path.cubicTo(begin + lead, end - lead, end)
    return path


def _arrow(tip: QPointF, *, is_down: bool) -> QPainterPath:
    back, aside = (QPointF(0, -_ARROW), QPointF(_ARROW / 2, 0))
    if not is_down:
        back, aside = QPointF(back.y(), 0), QPointF(0, aside.x())
    path = QPainterPath(tip)
    path.lineTo(tip + back + aside)
    path.lineTo(tip + back - aside)
    path.closeSubpath()
    return path


def _near(path: QPainterPath, away: float) -> float:
    """The share of a path at so many pixels from its beginning, at most a quarter."""
    length = path.length()
    return min(0.25, path.percentAtLength(away)) if length > 0 else 0.0

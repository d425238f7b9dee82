"""The minimap: the whole graph, with a frame around the visible part; a click or drag moves the view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPen, QPixmap
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from starloom_gui.canvas.atlas import Atlas
from starloom_gui.canvas.camera import Camera
from starloom_gui.canvas.motion import ViewPosition
from starloom_gui.theme.metrics import MINIMAP, RADIUS
from starloom_gui.theme.palette import colour
from starloom_gui.widgets.batches import draw_fragments, fragments

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.theme.palette import Palette

PADDING: Final = 4
_INNER: Final = 6.0
REST_MS: Final = 250


class MiniMap(QWidget):
    """A minimap of 160 by 100 pixels; it is repainted after statuses have changed, and only while it is shown.

    A press into the frame takes hold of it where it is; one elsewhere moves its middle there.

    Attributes:
        is_held: whether the user drags the frame.

    Signals:
        looked_at(ViewPosition): the user wants this to be the middle of the view; its scale is meaningless.
        let_go: the user drags no more.
    """

    looked_at = Signal(ViewPosition)
    let_go = Signal()

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedSize(*MINIMAP)
        self.setAccessibleName(self.tr("Overview of the graph"))
        self.setToolTip(self.tr("Overview: click or drag to look elsewhere"))
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._atlas = Atlas()
        self._palette = palette
        self._picture: GraphRenderModel | None = None
        self._seen = QRectF()
        self.is_held = False
        self._grip = QPointF()
        """The middle of the view from the pointer on, while the frame is dragged."""
        self._bounds = QRectF()
        self._key: tuple[object, ...] | None = None
        self._pixmap = QPixmap()
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._resting.setInterval(REST_MS)
        self._resting.timeout.connect(self._renew)

    def set_palette(self, palette: Palette) -> None:
        """Change the palette."""
        self._palette = palette
        self.update()

    def set_picture(self, picture: GraphRenderModel | None) -> None:
        """Show a render model; None: nothing."""
        self._picture = picture
        self._key = None
        left, top, right, bottom = picture.layout.bounds() if picture is not None else (0.0, 0.0, 0.0, 0.0)
        self._bounds = QRectF(left, top, right - left, bottom - top)
        self.update()

    @property
    def has_nodes(self) -> bool:
        """Whether there is anything to show."""
        return self._picture is not None and bool(len(self._picture))

    def set_seen(self, seen: QRectF) -> None:
        """Set the visible part of the scene."""
        if seen != self._seen:
            self._seen = seen
            self.update()

    def statuses_changed(self) -> None:
        """Repaint after statuses have changed, at most four times a second."""
        if not self._resting.isActive():
            self._resting.start()

    @property
    def is_up_to_date(self) -> bool:
        """Whether it shows the present statuses."""
        return not self._resting.isActive()

    def _renew(self) -> None:
        self._key = None
        self.update()

    def _inner(self) -> QRectF:
        edge = PADDING + _INNER
        return QRectF(self.rect()).adjusted(edge, edge, -edge, -edge)

    def _scale(self) -> float:
        inner = self._inner()
        wide, high = max(self._bounds.width(), 1.0), max(self._bounds.height(), 1.0)
        return min(inner.width() / wide, inner.height() / high, 0.2)

    def _to_map(self, x: float, y: float) -> QPointF:
        middle, scale = self._bounds.center(), self._scale()
        return self._inner().center() + QPointF(x - middle.x(), y - middle.y()) * scale

    def _to_scene(self, at: QPointF) -> QPointF:
        return self._bounds.center() + (at - self._inner().center()) / self._scale()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour(self._palette.border), 1))
        painter.setBrush(colour(self._palette.panel))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        if self._picture is not None:
            painter.drawPixmap(0, 0, self._nodes(self._picture))
            self._paint_frame(painter)
        painter.end()

    def _paint_frame(self, painter: QPainter) -> None:
        room = QRectF(self.rect()).adjusted(PADDING, PADDING, -PADDING, -PADDING)
        frame = QRectF(self._to_map(self._seen.left(), self._seen.top()), QPointF(0, 0))
        frame.setBottomRight(self._to_map(self._seen.right(), self._seen.bottom()))
        painter.setPen(QPen(colour(self._palette.text), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        shown = frame.intersected(room)
        if not shown.isEmpty():
            painter.drawRoundedRect(shown.adjusted(0.75, 0.75, -0.75, -0.75), 1.5, 1.5)

    def _nodes(self, picture: GraphRenderModel) -> QPixmap:
        ratio = self.devicePixelRatioF()
        key = (self._palette.name, ratio)
        if key != self._key:
            self._key = key
            self._pixmap = self._painted(picture, ratio)
        return self._pixmap

    def _painted(self, picture: GraphRenderModel, ratio: float) -> QPixmap:
        size = self.size() * ratio
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        origin = self._to_map(0, 0) * ratio
        camera = Camera(self._scale(), ratio, origin.x(), origin.y(), size.width(), size.height())
        view = self._atlas.forms(camera, self._palette)
        rows = np.flatnonzero(picture.present)
        corners = camera.corners(picture.layout.positions[rows]).astype(np.float64)
        source = picture.status[rows].astype(np.float64) * view.width
        painter = QPainter(pixmap)
        pieces = fragments(corners[:, 0], corners[:, 1], source, view.width, view.height)
        draw_fragments(painter, view.pixmap, pieces)
        painter.end()
        pixmap.setDevicePixelRatio(ratio)
        return pixmap

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.is_held = True
        at = self._to_scene(event.position())
        self._grip = self._seen.center() - at if self._seen.contains(at) else QPointF()
        self._look(event)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.is_held = False
        event.accept()  # or the canvas would take it
        self.let_go.emit()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._look(event)

    def _look(self, event: QMouseEvent) -> None:
        at = self._to_scene(event.position()) + self._grip
        self.looked_at.emit(ViewPosition(0.0, at.x(), at.y()))
        event.accept()

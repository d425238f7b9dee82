"""The graphics item of the graph: it paints background, edges and nodes in batches, however many there are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QTransform
from PySide6.QtWidgets import QGraphicsItem
from typing_extensions import override

from starloom_gui.canvas.camera import Camera
from starloom_gui.canvas.edge_cache import EdgeCache
from starloom_gui.canvas.nodes import Nodes
from starloom_gui.canvas.view_state import ViewState
from starloom_gui.theme.palette import colour

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

    from starloom.layout.values import BoolArray
    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.theme.palette import Palette

EVERYWHERE: Final = QRectF(-1e8, -1e8, 2e8, 2e8)
"""The scene never changes its size, so that Qt never has a reason to move the view."""


class CanvasItem(QGraphicsItem):
    """Paints a render model; it never asks for a repaint by itself.

    Attributes:
        picture: what is painted; None: an empty canvas.
        palette: the colours.
        shown: what the user points at, chose and filtered.
        filtered: (N,) whether a node is dimmed by the filter, with its edges.
        ground: the pixmap below the nodes.
        nodes: what paints these.
    """

    def __init__(self, palette: Palette, clock: Callable[[], float]) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.palette = palette
        self.picture: GraphRenderModel | None = None
        self.shown = ViewState(np.zeros(0, dtype=np.bool_))
        self.filtered = self.shown.dim
        self._apart: BoolArray | None = None
        self.ground = EdgeCache()
        self.nodes = Nodes()
        self._clock = clock
        self._dim_version = 0

    def show_picture(self, picture: GraphRenderModel | None) -> None:
        """Set the render model that is painted; nothing of it is dimmed."""
        self.picture = picture
        self.shown = ViewState(np.zeros(len(picture) if picture is not None else 0, dtype=np.bool_))
        self.filtered, self._apart = self.shown.dim, None
        self._dim_version += 1

    def set_dim(self, dim: BoolArray) -> None:
        """Dim nodes, and their edges with them; (N,)."""
        self.filtered = dim
        self._dim_version += 1
        self.set_apart(self._apart)

    def set_apart(self, apart: BoolArray | None) -> None:
        """Dim these nodes, too, but not their edges, so that the edge cache stays valid; (N,)."""
        self._apart = apart
        self.shown.dim = self.filtered if apart is None else self.filtered | apart

    @override
    def boundingRect(self) -> QRectF:
        return EVERYWHERE

    @override
    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        assert widget is not None
        camera = camera_of(painter, widget)
        painter.save()
        painter.setWorldTransform(QTransform.fromScale(1 / camera.ratio, 1 / camera.ratio))
        if self.picture is None:
            painter.fillRect(0, 0, camera.width, camera.height, colour(self.palette.canvas))
        else:
            self._paint_picture(painter, self.picture, camera, option.exposedRect)
        painter.restore()

    def _paint_picture(self, painter: QPainter, picture: GraphRenderModel, camera: Camera, exposed: QRectF) -> None:
        shown, palette = self.shown, self.palette
        painter.drawPixmap(0, 0, self.ground.pixmap(picture, camera, palette, self.filtered, self._dim_version))
        if self.ground.behind:
            self.update()
        left, top, right, bottom = camera.seen()
        part = (
            max(left, exposed.left()),
            max(top, exposed.top()),
            min(right, exposed.right()),
            min(bottom, exposed.bottom()),
        )
        self.nodes.paint(painter, picture, shown, camera, palette, part, self._clock())


def camera_of(painter: QPainter, widget: QWidget) -> Camera:
    """The camera of the widget that is painted."""
    transform = painter.worldTransform()
    device = painter.device()
    ratio = device.devicePixelRatioF()
    return Camera(
        scale=transform.m11(),
        ratio=ratio,
        left=transform.dx() * ratio,
        top=transform.dy() * ratio,
        width=math.ceil(widget.width() * ratio),
        height=math.ceil(widget.height() * ratio),
    )

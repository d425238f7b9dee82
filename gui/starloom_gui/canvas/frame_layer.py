"""The frames of a canvas around the tasks of groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF

from starloom_gui.canvas.camera import Level
from starloom_gui.canvas.frames import FramesItem, frames_of, is_on

if TYPE_CHECKING:
    from PySide6.QtWidgets import QGraphicsView

    from starloom_gui.canvas.frames import GroupFrame
    from starloom_gui.canvas.graph_layer import GraphLayer
    from starloom_gui.canvas.hit_tester import HitTester
    from starloom_gui.canvas.pan_zoom import PanZoom
    from starloom_gui.canvas.render_model import GraphRenderModel


class FrameLayer:
    """Shows the frames of groups over a graph, and keeps them up to date.

    Args:
        view: the view whose scene they are painted in.
        graph: what they are around.
        pan_zoom: says where the view looks.
        hit_tester: finds what else is at a place.

    Attributes:
        item: what paints them.
    """

    def __init__(self, view: QGraphicsView, graph: GraphLayer, pan_zoom: PanZoom, hit_tester: HitTester) -> None:
        self._view, self._pan_zoom, self._hit_tester = view, pan_zoom, hit_tester
        self.item = FramesItem(graph.item)
        view.scene().addItem(self.item)

    def show_picture(self, picture: GraphRenderModel | None) -> None:
        """Show the frames of another render model."""
        self.item.frames = frames_of(picture)

    def at(self, at: QPoint) -> GroupFrame | None:
        """The frame whose name or border is at a viewport position, where nothing else is; at low zoom none is."""
        if self._pan_zoom.level is Level.FAR:
            return None
        transform, spot, others = self._view.viewportTransform(), QPointF(at), self._hit_tester
        found = [frame for frame in self.item.frames if is_on(frame, transform.mapRect(frame.box), spot)]
        if not found or others.row_at(at) is not None or others.edge_at(at) is not None:  # they look at the whole graph
            return None
        return min(found, key=lambda frame: frame.box.width() * frame.box.height())

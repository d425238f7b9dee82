"""Finds where a drag can begin or change a dependency: at ports and at the ends of edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.canvas.camera import Level
from starloom_gui.canvas.ports import HANDLE, REACH, edge_between, end_at, port_at
from starloom_gui.canvas.tools.connecting import Loose

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint

    from starloom_gui.canvas.ports import EdgeEnd, Port
    from starloom_gui.canvas.surface import Surface


class EdgeGrips:
    """Finds ports and ends of dependencies at viewport positions.

    Args:
        surface: the parts of the canvas.
    """

    def __init__(self, surface: Surface) -> None:
        self._surface = surface

    def loose_at(self, at: QPoint) -> Loose | None:
        """The dependency that a press would drag: an existing one by its end, or a new one from a port."""
        end, port = self._end_at(at), self.port_at(at)
        if end is not None and (port is None or self._surface.overlay.chosen_edge == (end.parent, end.child)):
            fixed, moving = (end.parent, end.child) if end.forward else (end.child, end.parent)
            return Loose(fixed, end.forward, moving)
        return Loose(port.number, port.outgoing) if port is not None else None

    def port_at(self, at: QPoint) -> Port | None:
        """The port at a viewport position; there are none where nodes are solid blocks."""
        picture, look = self._surface.graph.picture, self._surface.pan_zoom
        if picture is None or look.level is Level.FAR:
            return None
        spot = look.scene_at(at)
        return port_at(picture, spot.x(), spot.y(), REACH / look.zoom)

    def _end_at(self, at: QPoint) -> EdgeEnd | None:
        """The end of a dependency at a viewport position; the selected one takes precedence."""
        if self._surface.pan_zoom.level is Level.FAR:
            return None
        end, hits = self.chosen_end_at(at), self._surface.hit_tester
        edge = hits.edge_at(at) if end is None and hits.row_at(at) is None else None
        return end if edge is None else self._end_of(edge, at)

    def chosen_end_at(self, at: QPoint) -> EdgeEnd | None:
        """The end of the selected dependency at a viewport position."""
        edge = self._chosen_edge()
        return self._end_of(edge, at) if edge is not None else None

    def _end_of(self, edge: int, at: QPoint) -> EdgeEnd | None:
        """The end of an edge at a viewport position."""
        picture, look = self._surface.graph.picture, self._surface.pan_zoom
        assert picture is not None, "an edge of it was found"
        spot = look.scene_at(at)
        return end_at(picture, edge, spot.x(), spot.y(), HANDLE / look.zoom)

    def _chosen_edge(self) -> int | None:
        """The edge that is drawn for the selected dependency."""
        picture, ends = self._surface.graph.picture, self._surface.overlay.chosen_edge
        return edge_between(picture, *ends) if picture is not None and ends is not None else None

    def middle(self) -> QPoint | None:
        """The middle of the selected dependency in the viewport; None: none is selected and drawn."""
        picture, edge = self._surface.graph.picture, self._chosen_edge()
        if picture is None or edge is None:
            return None
        points = picture.layout.routes.of(edge)
        x, y = points[len(points) // 2].tolist()
        return self._surface.view.mapFromScene(x, y)

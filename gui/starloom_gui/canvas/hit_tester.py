"""Finds nodes and edges at a point of the viewport, with a tolerance that depends on the scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom_gui.canvas.badges import act_of
from starloom_gui.canvas.camera import Level
from starloom_gui.canvas.hit_test import badge_at, edge_at, node_at
from starloom_gui.canvas.ports import REACH, port_near

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint

    from starloom_gui.canvas.badges import BadgeAct
    from starloom_gui.canvas.graph_layer import GraphLayer
    from starloom_gui.canvas.pan_zoom import PanZoom

EDGE_SLACK: Final = 5.0
"""So many pixels beside an edge still are the edge."""
_FAR_SLACK: Final = 3.0


class HitTester:
    """Finds nodes and edges at viewport positions.

    Args:
        graph: what is shown.
        pan_zoom: says where the view looks.
    """

    def __init__(self, graph: GraphLayer, pan_zoom: PanZoom) -> None:
        self._graph, self._pan_zoom = graph, pan_zoom

    def row_at(self, at: QPoint) -> int | None:
        """The node at a viewport position, of which its badge is a part."""
        picture, look = self._graph.picture, self._pan_zoom
        if picture is None:
            return None
        badged = self._badged_at(at)
        if badged is not None:
            return badged
        spot = look.scene_at(at)
        return node_at(picture, spot.x(), spot.y(), _FAR_SLACK / look.zoom if look.level is Level.FAR else 0.0)

    def _badged_at(self, at: QPoint) -> int | None:
        """The node whose badge is at a viewport position; None: there is none, or badges are not painted."""
        picture, look = self._graph.picture, self._pan_zoom
        if picture is None or look.level is Level.FAR:
            return None
        spot = look.scene_at(at)
        return badge_at(picture, spot.x(), spot.y(), look.zoom)

    def badge_act_at(self, at: QPoint) -> tuple[int, BadgeAct] | None:
        """The task whose badge is at a viewport position, and what a click on it shows; None: nothing is shown."""
        row, picture = self._badged_at(at), self._graph.picture
        if row is None or picture is None:
            return None
        act = act_of(int(picture.badge[row]), int(picture.stage[row]))
        return (int(picture.numbers[row]), act) if act is not None else None

    def target_at(self, at: QPoint, *, outgoing: bool) -> int | None:
        """The node at a viewport position, or the one whose port of that side is near it.

        Args:
            at: a place of the viewport.
            outgoing: whether ports are meant where dependencies leave a node; else those where they arrive.
        """
        row, picture = self.row_at(at), self._graph.picture
        if row is not None or picture is None or self._pan_zoom.level is Level.FAR:
            return row
        spot = self._pan_zoom.scene_at(at)
        return port_near(picture, spot.x(), spot.y(), REACH / self._pan_zoom.zoom, outgoing=outgoing)

    def edge_at(self, at: QPoint, slack: float = EDGE_SLACK) -> int | None:
        """The edge at a viewport position; None at low zoom.

        Args:
            at: a place of the viewport.
            slack: how far away the edge may be, in logical pixels.
        """
        picture = self._graph.picture
        if picture is None or self._pan_zoom.level is Level.FAR:
            return None
        spot = self._pan_zoom.scene_at(at)
        return edge_at(picture, spot.x(), spot.y(), slack / self._pan_zoom.zoom)

"""The controls of a canvas: zoom and legend on the strip, minimap, hover card, placeholder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QRectF

from starloom_gui.canvas.badges import Badge
from starloom_gui.canvas.camera import Level
from starloom_gui.canvas.control_strip import ControlStrip, Legend, ZoomBox, kinds_of, lay_out, place_overview
from starloom_gui.canvas.empty import EmptyNote
from starloom_gui.canvas.fold_box import FoldBox
from starloom_gui.canvas.graph_layer import MOST_PARTS
from starloom_gui.canvas.hit_test import nodes_in
from starloom_gui.canvas.hover import HoverCard
from starloom_gui.canvas.minimap import MiniMap
from starloom_gui.canvas.motion import ViewPosition
from starloom_gui.text.words import fill, tasks

if TYPE_CHECKING:
    from PySide6.QtWidgets import QGraphicsView

    from starloom_gui.canvas.folding import Folding
    from starloom_gui.canvas.graph_layer import GraphLayer
    from starloom_gui.canvas.pan_zoom import PanZoom
    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.theme.palette import Palette


class Controls(QObject):
    """Lays out the controls of a canvas, and updates their contents.

    Args:
        view: the canvas they lie on.
        pan_zoom: what the zoom and the overview move.
        graph: what is shown.
        folding: which groups are folded.

    Attributes:
        foot: the strip.
        zoom_box: the scale, and buttons that change it.
        fold_box: what the nodes of a large graph stand for, and buttons that change it.
        legend: explains the lines, or the colours.
        minimap: the overview.
        card: tells more about what the pointer rests on.
        empty: stands where there are no tasks.
    """

    def __init__(self, view: QGraphicsView, pan_zoom: PanZoom, graph: GraphLayer, folding: Folding) -> None:
        super().__init__(view)
        self._view, self._pan_zoom, self._graph, self._folding = view, pan_zoom, graph, folding
        palette = graph.item.palette
        self.strip = ControlStrip(palette, view)
        self.zoom_box = ZoomBox(palette, view)
        self.fold_box = FoldBox(palette, view)
        self.legend = Legend(palette, view)
        self.minimap = MiniMap(palette, view)
        self.card = HoverCard(palette, view)
        self.empty = EmptyNote(palette, view)
        self.zoom_box.zoomed_in.connect(pan_zoom.zoom_in)
        self.zoom_box.zoomed_out.connect(pan_zoom.zoom_out)
        self.zoom_box.fitted.connect(pan_zoom.fit_all)
        self.minimap.looked_at.connect(self._look_at)
        self.minimap.let_go.connect(self.arrange)
        self.fold_box.chosen.connect(folding.fold_by)
        pan_zoom.moved.connect(self.refresh)
        self._badges: tuple[Badge, ...] = ()
        graph.changed.connect(self.minimap.statuses_changed)
        graph.changed.connect(self._follow_badges)
        self.minimap.hide()

    def _look_at(self, place: ViewPosition) -> None:
        self._pan_zoom.look(ViewPosition(self._pan_zoom.zoom, place.x, place.y), at_once=True)

    def set_palette(self, palette: Palette) -> None:
        """Change the palette."""
        for part in (self.strip, self.zoom_box, self.fold_box, self.legend, self.minimap, self.card, self.empty):
            part.set_palette(palette)
        self.explain()

    def show_picture(self, picture: GraphRenderModel | None) -> None:
        """Follow another render model, which the graph shows now."""
        self.card.hide()
        self.minimap.set_picture(picture)
        self.fold_box.setVisible(self._folding.is_large)
        if picture is not None:
            self.fold_box.show_folding(self._folding.by, int(picture.present.sum()), len(picture.facts.graph))

    def refresh(self) -> None:
        """Update the controls to the visible part of the scene."""
        self.card.hide()
        self.zoom_box.set_scale(self._pan_zoom.zoom)
        self.minimap.set_seen(self._pan_zoom.seen)
        self.explain()
        self.arrange()

    def _follow_badges(self) -> None:
        """Explain the badges that nodes have now, if these are others than before."""
        picture = self._graph.picture
        if picture is not None and _badges_of(picture) != self._badges:
            self.explain()
            self.arrange()

    def explain(self) -> None:
        """Update the legend."""
        picture, colouring = self._graph.picture, self._graph.item.shown.colouring
        self._badges = _badges_of(picture) if picture is not None else ()
        if picture is None:
            self.legend.set_kinds(())
        elif colouring is not None:
            self.legend.set_scale(colouring.scale(self._graph.item.palette))
        elif self._pan_zoom.level is Level.FAR:
            count = tasks(int(picture.present.sum()))
            note = self.tr("%1 · dependencies longer than one screen are hidden")
            self.legend.set_note(fill(note, count))
        else:
            kinds = set(np.unique(picture.kind).tolist())
            self.legend.set_kinds(kinds_of(kinds, critical=bool(len(picture.path))), self._badges)

    def arrange(self) -> None:
        """Lay out zoom, legend, minimap and placeholder."""
        picture, view = self._graph.picture, self._view
        chosen = self._graph.item.shown.selected if picture is not None else ()
        boxes = [self._graph.node_rect(row) for row in chosen] if len(chosen) <= MOST_PARTS else []
        lay_out(view.size(), self.strip, self.zoom_box, self.fold_box, self.legend)
        place_overview(view.viewport().size(), self.minimap, boxes, self._has_nodes_in, self._pan_zoom.share_in_sight)
        self.empty.stand_in(view.viewport().rect(), is_wanted=picture is not None and not picture.present.any())

    def _has_nodes_in(self, box: QRectF) -> bool:
        """Whether a part of the viewport shows nodes."""
        low, high = self._pan_zoom.scene_at(box.topLeft()), self._pan_zoom.scene_at(box.bottomRight())
        picture = self._graph.picture
        return picture is not None and bool(len(nodes_in(picture, low.x(), low.y(), high.x(), high.y())))


def _badges_of(picture: GraphRenderModel) -> tuple[Badge, ...]:
    """The badges that nodes have, by their codes."""
    found = np.bincount(picture.badge[picture.present], minlength=len(Badge))
    return tuple(badge for badge in Badge if badge is not Badge.NONE and found[badge])

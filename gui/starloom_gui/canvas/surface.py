"""The parts of a canvas that gestures and editing act on, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QGraphicsView

    from starloom_gui.canvas.controls import Controls
    from starloom_gui.canvas.folding import Folding
    from starloom_gui.canvas.frame_layer import FrameLayer
    from starloom_gui.canvas.gesture_overlay import GestureOverlay
    from starloom_gui.canvas.graph_layer import GraphLayer
    from starloom_gui.canvas.hit_tester import HitTester
    from starloom_gui.canvas.layout_controller import LayoutController
    from starloom_gui.canvas.note_layer import NoteLayer
    from starloom_gui.canvas.pan_zoom import PanZoom


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """The parts of a canvas that gestures and editing act on.

    Attributes:
        view: the widget, for what lies over it and for Qt's own coordinates.
        pan_zoom: where it looks.
        graph: what is shown.
        controls: what lies over and below that.
        hit_tester: what is at a place.
        layout_controller: where nodes stand.
        folding: which groups are folded.
        overlay: what gestures show, and the selected dependency.
        frames: around groups.
        notes: beside tasks.
    """

    view: QGraphicsView
    pan_zoom: PanZoom
    graph: GraphLayer
    controls: Controls
    hit_tester: HitTester
    layout_controller: LayoutController
    folding: Folding
    overlay: GestureOverlay
    frames: FrameLayer
    notes: NoteLayer

"""A graph with frames around the tasks that were put into groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF
from typing_extensions import override

from starloom_gui.canvas.camera import Level
from starloom_gui.canvas.frames import FramesItem, frames_of, is_on
from starloom_gui.canvas.sketched_view import SketchedView

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from starloom_gui.canvas.frames import Frame
    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.viewmodel.selection import Selection


class FramedView(SketchedView):
    """Shows frames over the graph, which follow it."""

    def __init__(
        self, appearance: Appearance, selection: Selection, clock: Callable[[], float], parent: QWidget | None = None
    ) -> None:
        """Show an empty canvas.

        Args:
            appearance: theme and motion.
            selection: shared with the other views of the run.
            clock: gives seconds on the run's clock.
            parent: of the widget.
        """
        super().__init__(appearance, selection, clock, parent)
        self.frames = FramesItem(self.item)
        self.scene().addItem(self.frames)

    @override
    def show_picture(self, picture: GraphRenderModel | None) -> None:
        """Show another picture of the same run, with frames around what stands in groups there."""
        super().show_picture(picture)
        self.frames.frames = frames_of(picture)

    def frame_at(self, at: QPoint) -> Frame | None:
        """The frame whose name or border is at a place of the viewport, where nothing else is; from afar none is."""
        if self.level is Level.FAR:
            return None
        transform, spot = self.viewportTransform(), QPointF(at)
        found = [frame for frame in self.frames.frames if is_on(frame, transform.mapRect(frame.box), spot)]
        if not found or self.row_at(at) is not None or self.edge_at(at) is not None:  # these look at the whole graph
            return None
        return min(found, key=lambda frame: frame.box.width() * frame.box.height())

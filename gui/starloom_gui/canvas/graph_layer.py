"""The graph of a canvas: owns the item that paints it, and repaints the region that a change affects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject, QRect, QRectF, Signal

from starloom.scheduling.state.codes import PENDING, RUNNING
from starloom_gui.canvas.camera import Level
from starloom_gui.canvas.item import CanvasItem
from starloom_gui.canvas.motion import Fades
from starloom_gui.canvas.nodes import MARGIN
from starloom_gui.theme.metrics import MOST_FADES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from PySide6.QtWidgets import QGraphicsView

    from starloom_gui.canvas.pan_zoom import PanZoom
    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.viewmodel.stage import Stage

MOST_PARTS: Final = 200
"""More changed nodes than this are painted by painting everything."""


class GraphLayer(QObject):
    """Shows a render model and updates it as tasks change. Only the user moves nodes, changes of state never do.

    Args:
        view: the view whose scene it is painted in.
        pan_zoom: says where the view looks.
        appearance: theme and motion.
        clock: gives seconds on the run's clock.

    Attributes:
        item: what paints the picture.
        reduced_motion: whether statuses change at once instead of fading.

    Signals:
        changed(list[int]): the tasks in these rows may look different.
    """

    changed = Signal(object)

    def __init__(
        self, view: QGraphicsView, pan_zoom: PanZoom, appearance: Appearance, clock: Callable[[], float]
    ) -> None:
        super().__init__(view)
        self._view, self._pan_zoom = view, pan_zoom
        self.reduced_motion = appearance.reduced_motion
        self.item = CanvasItem(appearance.palette, clock)
        view.scene().addItem(self.item)
        self._fades = Fades(self, self._show_fading)

    # ---- what is shown

    @property
    def picture(self) -> GraphRenderModel | None:
        """The render model that is shown; None: none yet."""
        return self.item.picture

    @property
    def bounds(self) -> QRectF:
        """The rectangle around all nodes, in the scene; empty: there are none."""
        left, top, right, bottom = self.picture.layout.bounds() if self.picture is not None else (0.0,) * 4
        return QRectF(left, top, right - left, bottom - top)

    def show_picture(self, picture: GraphRenderModel | None) -> None:
        """Show another render model of the same run; nothing of it is dimmed or selected."""
        self._fades.stop()
        self.item.show_picture(picture)
        self.update()

    def tasks_changed(self, numbers: Iterable[int]) -> None:
        """Update tasks that may have changed; nothing moves."""
        picture = self.picture
        if picture is None:
            return
        statuses, edges = picture.status.copy(), self._edges_shown(picture)
        rows = picture.update(numbers)
        if not rows:
            return
        self.changed.emit(rows)
        self._fade(
            {row: int(statuses[row]) for row in rows if statuses[row] != picture.status[row] and picture.plain[row]}
        )
        self.repaint(rows, everything=self._edges_shown(picture) != edges)

    def _edges_shown(self, picture: GraphRenderModel) -> tuple[int, int]:
        """The version of the edges: it differs whenever a visible edge may look different."""
        answers = 0 if self._pan_zoom.level is Level.FAR else picture.answer_version
        return answers, picture.edge_version

    def show_durations(self, durations: Mapping[int, float]) -> None:
        """Show the durations of tasks that are not in the run yet, in seconds by number."""
        if self.picture is not None:
            self.picture.durations = durations
            self.update()

    def show_stages(self, stages: Mapping[int, Stage], edge_stages: Mapping[tuple[int, int], Stage]) -> None:
        """Mark the effects of staged edits; see `GraphRenderModel.set_stages`. Nothing moves, and no node is added."""
        if self.picture is not None:
            self.picture.set_stages(stages, edge_stages)
            self.update()

    def tick(self) -> None:
        """Update the times of running and waiting tasks; to be called once a second."""
        picture = self.picture
        if self.item.ground.settle():
            self.update()
        elif picture is not None and self._pan_zoom.level is Level.FULL:
            rows = np.flatnonzero((picture.status == RUNNING) | (picture.status == PENDING))
            self.repaint(rows.tolist())

    # ---- where nodes are

    def node_rect(self, row: int, margin: float = 0.0) -> QRectF:
        """The rectangle of a node in the viewport.

        Args:
            row: of the node.
            margin: around it, in logical pixels.
        """
        assert self.picture is not None
        x, y = self.picture.layout.positions[row].tolist()
        wide, high = self.picture.layout.sizes[row].tolist()
        box = QRectF(x - wide / 2, y - high / 2, wide, high)
        return self._view.viewportTransform().mapRect(box).adjusted(-margin, -margin, margin, margin)

    def focus_task(self, number: int) -> None:
        """Centre a task, at a scale at which it can be read."""
        if self.picture is not None and (row := self.picture.row(number)) is not None:
            self._pan_zoom.focus(*self.picture.layout.positions[row].tolist())

    def reveal_task(self, number: int) -> None:
        """Scroll to a task, if it is not visible; the scale stays."""
        if self.picture is not None and (row := self.picture.row(number)) is not None:
            self._pan_zoom.reveal(*self.picture.layout.positions[row].tolist())

    # ---- painting

    def update(self) -> None:
        """Repaint everything."""
        self._view.viewport().update()

    def repaint(self, rows: Sequence[int], *, everything: bool = False) -> None:
        """Repaint some nodes, or everything."""
        if self.picture is None:
            return
        if everything or len(rows) > MOST_PARTS:
            self.update()
            return
        part = self._around(self.picture, rows, MARGIN)
        if part is not None:
            self._view.viewport().update(part)

    def _around(self, picture: GraphRenderModel, rows: Sequence[int], margin: float) -> QRect | None:
        """The rectangle around the visible ones of these nodes; None: none is.

        One rectangle, as painting thousands of nodes into a region of many parts costs more than painting all.
        """
        layout, transform, port = picture.layout, self._view.viewportTransform(), self._view.viewport()
        chosen = np.asarray(rows, dtype=np.intp)
        middle = layout.positions[chosen] * transform.m11() + (transform.dx(), transform.dy())
        half = layout.sizes[chosen] * (transform.m11() / 2) + margin
        begin, end = middle - half, middle + half
        seen = ((end >= 0) & (begin <= (port.width(), port.height()))).all(axis=1)
        if not seen.any():
            return None
        left, top = begin[seen].min(axis=0).tolist()
        right, bottom = end[seen].max(axis=0).tolist()
        return QRectF(left, top, right - left, bottom - top).toAlignedRect() & port.rect()

    def _fade(self, before: dict[int, int]) -> None:
        if before and len(before) <= MOST_FADES and not self.reduced_motion and self._view.isVisible():
            self._fades.start(before)

    def _show_fading(self, fading: dict[int, tuple[int, float]]) -> None:
        rows = [*self.item.shown.fading, *(row for row in fading if row not in self.item.shown.fading)]
        self.item.shown.fading = fading
        self.repaint(rows)

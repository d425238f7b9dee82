"""Applies the filter, the critical path and the colouring to the nodes of a canvas."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from starloom.scheduling.state.codes import RUNNING
from starloom_gui.canvas.colouring import ColourBy, Colouring
from starloom_gui.canvas.matching import EVERYTHING, matching

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.layout.values import BoolArray
    from starloom_gui.canvas.graph_layer import GraphLayer
    from starloom_gui.canvas.matching import Filter
    from starloom_gui.canvas.render_model import GraphRenderModel


class Highlights(QObject):
    """Keeps filter, critical path and colouring, and applies them to each render model of a run.

    Args:
        graph: what is shown.
        clock: gives seconds on the run's clock.

    Signals:
        changed(): the user has changed one of them.
        recoloured(): the scale of the colours may be another one, as tasks have changed.
    """

    changed = Signal()
    recoloured = Signal()

    def __init__(self, graph: GraphLayer, clock: Callable[[], float]) -> None:
        super().__init__(graph)
        self._graph, self._clock = graph, clock
        self._critical: Sequence[int] = ()
        self._critical_shown = True
        self._colour_by, self._filter = ColourBy.STATUS, EVERYTHING
        graph.changed.connect(self._follow)

    def show_picture(self, picture: GraphRenderModel | None) -> None:
        """Apply the same to another render model, which the graph shows now."""
        if picture is not None:
            picture.set_critical_path(self._critical if self._critical_shown else ())
        self._colour_nodes()
        self._apply_filter()

    def _follow(self, rows: Sequence[int]) -> None:
        """Update nodes that may have changed."""
        if self._filter and self._graph.picture is not None:
            dim = self._graph.item.filtered.copy()
            dim[rows] = ~matching(self._graph.picture, self._filter, rows)
            self._set_dim(dim)
        self._recolour(rows)

    def tick(self) -> None:
        """Update colours that show durations; to be called once a second."""
        picture = self._graph.picture
        if self._colour_by is ColourBy.DURATION and picture is not None:
            self._graph.repaint(self._recolour(np.flatnonzero(picture.status == RUNNING).tolist()))

    # ---- colours

    @property
    def colour_by(self) -> ColourBy:
        """The property that the colour of a node shows."""
        return self._colour_by

    def set_colour_by(self, by: ColourBy) -> None:
        """Set the property that the colour of a node shows."""
        self._colour_by = by
        self._colour_nodes()
        self.changed.emit()
        self._graph.update()

    def _colour_nodes(self) -> None:
        by, picture = self._colour_by, self._graph.picture
        is_plain = picture is None or by is ColourBy.STATUS
        self._graph.item.shown.colouring = (
            None if is_plain or picture is None else Colouring(by, picture, self._clock())
        )

    def _recolour(self, rows: Sequence[int]) -> list[int]:
        colouring = self._graph.item.shown.colouring
        if colouring is None:
            return []
        changed = colouring.follow(rows, self._clock())
        self.recoloured.emit()  # a device may have come
        return changed

    # ---- the filter

    @property
    def filter(self) -> Filter:
        """The filter: tasks that it does not match are dimmed."""
        return self._filter

    def set_filter(self, wanted: Filter) -> None:
        """Dim the tasks that a filter does not match; `EVERYTHING` matches all."""
        self._filter = wanted
        self._apply_filter()

    def _apply_filter(self) -> None:
        picture = self._graph.picture
        if picture is None:
            return
        dim = ~matching(picture, self._filter) if self._filter else np.zeros(len(picture), dtype=np.bool_)
        self._set_dim(dim)

    def _set_dim(self, dim: BoolArray) -> None:
        if (dim != self._graph.item.filtered).any():
            self._graph.item.set_dim(dim)
            self._graph.update()

    # ---- the critical path

    def set_critical_path(self, numbers: Sequence[int]) -> None:
        """Set the tasks of the critical path, in order."""
        self._critical = tuple(numbers)
        self._show_critical()

    def show_critical_path(self, shown: bool) -> None:
        """Show or hide the critical path."""
        self._critical_shown = shown
        self._show_critical()

    def _show_critical(self) -> None:
        if self._graph.picture is not None:
            self._graph.picture.set_critical_path(self._critical if self._critical_shown else ())
            self.changed.emit()
            self._graph.update()

"""Keeps the current bar of the timeline, and selects its task in all views."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from starloom_gui.timeline.spots import edge_of, nearest_in, next_in_lane, next_lane, spot_now, spot_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.timeline.model import TimelineModel
    from starloom_gui.timeline.spots import Spot
    from starloom_gui.viewmodel.selection import Selected, Selection


class Focus(QObject):
    """Holds the current bar, which may be of another run; then no task of this run is selected.

    Signals:
        changed(): another bar is the current one, or something else is selected.
        stepped(): a key has chosen the current bar, which ought to be in sight.

    Args:
        model: the bars.
        selection: shared with the other views.
        present: the present, in seconds on the engine's clock.
        parent: its owner.
    """

    changed = Signal()
    stepped = Signal()

    def __init__(
        self, model: TimelineModel, selection: Selection, present: Callable[[], float], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._chosen: Spot | None = None
        self._model = model
        self._selection = selection
        self._present = present
        selection.changed.connect(self._selected_elsewhere)

    def show_model(self, model: TimelineModel) -> None:
        """Start over with the bars of another run."""
        self._model = model
        self._chosen = None

    @property
    def spot(self) -> Spot | None:
        """The current bar where it is now, or, once it is nowhere, as it was when it was chosen; None: none is yet."""
        return (spot_now(self._model, self._chosen) or self._chosen) if self._chosen is not None else None

    @property
    def number(self) -> int | None:
        """The task of the current bar, if it belongs to the run that is shown."""
        return self._chosen.number if self._chosen is not None else None

    def choose(self, spot: Spot, *, toggled: bool = False) -> None:
        """Make a bar the current one and select its task, or, toggled, add it to the selection or remove it."""
        number = spot.number
        if number is None:
            self._selection.clear()
        elif toggled:
            self._selection.toggle(number)
        else:
            self._selection.select(number)
        self._chosen = spot  # after the selection has told of itself: it knows of tasks, not of attempts
        self.changed.emit()

    def along(self, step: int) -> None:
        """Go to the next bar (1) or the previous one (-1) in the lane."""
        spot = self.spot
        self._step_to(next_in_lane(self._model, spot, step) if spot is not None else self._first())

    def across(self, step: int) -> None:
        """Go to the lane below (1) or above (-1), to the bar nearest in time."""
        spot = self.spot
        self._step_to(next_lane(self._model, spot, step, self._present()) if spot is not None else self._first())

    def to_edge(self, step: int) -> None:
        """Go to the last (1) or first (-1) bar of the lane."""
        spot = self.spot
        row = spot.row if spot is not None else 0
        self._step_to(edge_of(self._model, row, step) if row < len(self._model.lanes) else None)

    def _step_to(self, spot: Spot | None) -> None:
        if spot is not None:
            self.choose(spot)
            self.stepped.emit()

    def _first(self) -> Spot | None:
        """The bar where keys begin: in the first lane with a bar, near the present."""
        now = self._present()
        spots = (nearest_in(self._model, row, now, now) for row in range(len(self._model.lanes)))
        return next((spot for spot in spots if spot is not None), None)

    def _selected_elsewhere(self, selected: Selected) -> None:
        """Set the current bar to the selection of another view, without scrolling."""
        if selected.current is not None and self.number != selected.current:
            self._chosen = spot_of(self._model, selected.current)
        self.changed.emit()

"""Starts moves of bars to other devices and places, by dragging and by keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.scheduling.state.codes import RUNNING
from starloom_gui.timeline.move_bar import MoveBar
from starloom_gui.viewmodel.projected import REST

if TYPE_CHECKING:
    from starloom_gui.editing.ordering import Ordering
    from starloom_gui.editing.trial import Trial
    from starloom_gui.timeline.board import TimelineScene
    from starloom_gui.timeline.pins import DevicePinning
    from starloom_gui.timeline.spots import Spot


class Moving:
    """Starts the gestures that move bars.

    Args:
        board: the timeline.
        pins: may they, and do it.
        trial: says what a move would change; None: nothing is foreseen.
        ordering: has tasks of one device start in another order; None: only other devices are asked for.
    """

    def __init__(
        self, board: TimelineScene, pins: DevicePinning, trial: Trial | None = None, ordering: Ordering | None = None
    ) -> None:
        self._board, self._pins, self._trial, self._ordering = board, pins, trial, ordering

    def begin(self, spot: Spot | None) -> MoveBar | None:
        """Start to move a bar; None: it cannot be moved."""
        if spot is None or not self.can_move(spot):
            return None
        return MoveBar(self._board, spot, self._pins, self._trial, self._ordering)

    def can_move(self, spot: Spot) -> bool:
        """Whether a bar belongs to the run that is shown, and has not started."""
        number, run = spot.number, self._board.model.run
        return (
            number is not None
            and spot.is_foreseen
            and not spot.bar.kind & REST
            and spot.row < len(self._board.model.lanes)
            and number < len(run.status)
            and run.status[number] < RUNNING
        )

"""Dragging a bar that has not started before or behind another one of its device, by another priority."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPen

from starloom_gui.editing.ordering import Putting, QueueNeighbour
from starloom_gui.theme.metrics import LANE_COLUMN, RING
from starloom_gui.theme.palette import colour
from starloom_gui.timeline.geometry import AXIS
from starloom_gui.timeline.spots import Spot, spot_at
from starloom_gui.viewmodel.projected import REST

if TYPE_CHECKING:
    from starloom_gui.editing.ordering import Ordering
    from starloom_gui.theme.palette import Palette
    from starloom_gui.timeline.board import TimelineScene
    from starloom_gui.timeline.geometry import Geometry

_BEYOND: Final = 3.0
"""Pixels that the line beside the other bar reaches beyond its lane's bars."""


class BarOrder:
    """The place of a bar that is dragged before or behind another one, with its effect.

    Args:
        board: the timeline.
        spot: the bar that is moved; it belongs to the run that is shown.
        device_id: among whose lanes it is held.
        ordering: may it, and do it.

    Attributes:
        putting: its task on its way.
    """

    def __init__(self, board: TimelineScene, spot: Spot, device_id: str, ordering: Ordering) -> None:
        assert spot.number is not None, "the bar belongs to the run that is shown"
        self._board, self._spot, self._device_id = board, spot, device_id
        self._run_id = board.model.run.run_id
        self.putting = Putting(ordering, self._other_of(spot.number))
        self._beside: Spot | None = None
        self._ahead = True
        self._coming = self._all_coming()
        self._own = sum(one.bar.start < spot.bar.start for one in self._coming)
        self._gap = self._own

    def _other_of(self, number: int) -> QueueNeighbour:
        return QueueNeighbour(self._run_id, number, self._board.model.run.graph.names.title(number))

    def _all_coming(self) -> list[Spot]:
        """The bars of the device that are to come, but for the one that is moved, in the order of their starts."""
        model = self._board.model
        rows = [row for row, lane in enumerate(model.lanes) if lane.device_id == self._device_id]
        lanes = [(row, model.ahead(row)) for row in rows]
        spots = [Spot(row, lane.at(place), is_foreseen=True) for row, lane in lanes for place in range(lane.size)]
        return sorted((one for one in spots if self._counts(one)), key=lambda one: one.bar.start)

    def _counts(self, spot: Spot) -> bool:
        """Whether another bar is one to be held beside: a task of this run that is to come."""
        known = len(self._board.model.run.graph.tasks)
        is_other = spot.number is not None and spot.number != self._spot.number and spot.number < known
        return is_other and spot.is_foreseen and not spot.bar.kind & REST

    # ---- where it is held

    def point(self, at: QPointF, row: int | None) -> None:
        """Aim at the pointer: before the bar below it in its first half, behind it in its second."""
        geometry, now = self._board.geometry_now(), self._board.present()
        time = geometry.span.time_at(at.x() - LANE_COLUMN)
        spot = spot_at(self._board.model, row, time, 0.0, now) if row is not None and at.x() >= LANE_COLUMN else None
        if spot is None or not self._counts(spot):
            self.leave()
        else:
            self._aim(spot, ahead=time < (max(spot.bar.start, now) + spot.bar.end) / 2)

    def shift(self, by: int) -> int:
        """Move before the bar to the left (-1), or behind the one to the right (1); returns the lane it is in then."""
        self._gap = min(max(self._gap + by, 0), len(self._coming))
        if self._gap == self._own:
            self._aim(None, ahead=True)
            return self._spot.row
        ahead = self._gap < self._own
        beside = self._coming[self._gap if ahead else self._gap - 1]
        self._aim(beside, ahead=ahead)
        return beside.row

    def leave(self) -> None:
        """Aim at no bar."""
        self._gap = self._own
        self._aim(None, ahead=True)

    def _aim(self, beside: Spot | None, *, ahead: bool) -> None:
        self._beside, self._ahead = beside, ahead
        number = beside.number if beside is not None else None
        self.putting.aim(self._other_of(number) if number is not None else None, ahead=ahead)

    def _lands_beside(self) -> Spot | None:
        """The bar it is held beside, or the last of those that it passes as well."""
        also = self.putting.found.also if self.putting.found is not None else ()
        run_id, number = (also[0] if self._ahead else also[-1]) if also else ("", -1)
        passed = (one for one in self._coming if run_id == self._run_id and one.number == number)
        return next(passed, self._beside)

    # ---- what is seen

    def paint(self, painter: QPainter, geometry: Geometry, palette: Palette) -> None:
        """Paint a line at the side of the bar beside which it would be put; dashed where it cannot."""
        spot = self._lands_beside()
        if spot is None or not (self.putting.is_wrong or self.putting.priority is not None):
            return
        at = max(spot.bar.start, self._board.present()) if self._ahead else spot.bar.end
        x = LANE_COLUMN + geometry.snapped(geometry.span.x_of(at))
        pen = QPen(colour(palette.text), RING)
        if self.putting.is_wrong:
            pen.setDashPattern([2.0, 2.0])
        painter.setPen(pen)
        top = geometry.y_of(spot.row)
        painter.drawLine(QPointF(x, max(float(AXIS), top - _BEYOND)), QPointF(x, top + geometry.lane + _BEYOND))

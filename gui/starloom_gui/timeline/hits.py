"""Finds the object at a point of the timeline, and describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.theme.metrics import LANE_COLUMN
from starloom_gui.timeline.card import as_html, baseline_card, card_of, outage_of
from starloom_gui.timeline.geometry import AXIS
from starloom_gui.timeline.spots import REACH_PX, baseline_bar_at, spot_at

if TYPE_CHECKING:
    from PySide6.QtCore import QPointF

    from starloom_gui.timeline.area import LaneArea
    from starloom_gui.timeline.spots import Spot
    from starloom_gui.viewmodel.lane_bars import Bar


class TimelineHits:
    """Finds bars, flags and absences at points of the viewport.

    Args:
        area: the timeline.
    """

    def __init__(self, area: LaneArea) -> None:
        self._area = area

    def spot_at(self, at: QPointF) -> Spot | None:
        """The bar there; None: there is none of this run."""
        area, geometry = self._area, self._area.geometry_now()
        row = geometry.row_at(at.y())
        if row is None or at.x() < LANE_COLUMN or geometry.is_on_baseline(at.y()):
            return None
        return spot_at(area.model, row, self._time_at(at), REACH_PX * area.span.per_px, area.present())

    def baseline_bar_at(self, at: QPointF) -> Bar | None:
        """The bar of an earlier run there."""
        area, geometry = self._area, self._area.geometry_now()
        row = geometry.row_at(at.y())
        if row is None or at.x() < LANE_COLUMN or not geometry.is_on_baseline(at.y()):
            return None
        return baseline_bar_at(area.model, row, self._time_at(at), REACH_PX * area.span.per_px)

    def _time_at(self, at: QPointF) -> float:
        return self._area.span.time_at(at.x() - LANE_COLUMN)

    def card_at(self, at: QPointF) -> str:
        """The description of the object at a point, as HTML; empty: there is none."""
        area, now = self._area, self._area.present()
        spot = self.spot_at(at)
        if spot is not None:
            return as_html(card_of(area.model, spot, now))
        if (ghost := self.baseline_bar_at(at)) is not None:
            return as_html(baseline_card(area.model, ghost, now))
        if at.y() < AXIS:
            near = [flag for flag in area.flags if -4 <= at.x() - LANE_COLUMN - area.span.x_of(flag.at) <= 12]
            return "<br>".join(as_html([flag.text]) for flag in near)
        row = area.geometry_now().row_at(at.y()) if at.x() >= LANE_COLUMN else None
        absence = area.absence_at(row, self._time_at(at)) if row is not None else None
        return as_html([absence.text, *outage_of(area.model, row, now)]) if absence is not None else ""

"""Finds bars: at a point, or the next one from another. No Qt here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from starloom_gui.viewmodel.lane_bars import NEVER, Bar
from starloom_gui.viewmodel.projected import REST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom_gui.timeline.model import TimelineModel
    from starloom_gui.viewmodel.lane_bars import LaneBars

REACH_PX: Final = 4.0
"""So far beside a narrow bar a click still means it."""
_MOST_LOOKED_AT: Final = 64
"""Of very many bars at one place only so many are looked at."""


class Spot(NamedTuple):
    """A bar and its place.

    Attributes:
        is_foreseen: it has not started; see `projected` for what its `kind` says.
    """

    row: int
    bar: Bar
    is_foreseen: bool = False

    @property
    def number(self) -> int | None:
        """The task of the run that is shown; None: it belongs to another run."""
        return self.bar.number if self.bar.run == 0 else None

    def is_same(self, other: Spot | None) -> bool:
        """Whether both are the same attempt in the same lane, however long it has become meanwhile."""
        return other is not None and (self.row, self.bar.key) == (other.row, other.bar.key)


def baseline_bar_at(model: TimelineModel, row: int, at: float, reach: float) -> Bar | None:
    """The baseline bar at a time, the shortest of several, or the nearest within `reach` seconds; None: there is none.

    Args:
        model: the bars.
        row: of the lane.
        at: seconds on the engine's clock.
        reach: seconds.
    """
    lane = model.ghosts(row)
    begin, end = lane.between(at - reach, at + reach)
    bars = (lane.at(place) for place in range(max(begin, end - _MOST_LOOKED_AT), end))
    near = [(max(0.0, bar.start - at, at - bar.end), bar.end - bar.start, bar) for bar in bars]
    near = [one for one in near if one[0] <= reach]
    return min(near, key=lambda one: one[:2])[2] if near else None


def spot_at(model: TimelineModel, row: int, at: float, reach: float, now: float) -> Spot | None:
    """The bar at a time, or the nearest one within `reach` seconds; None: there is none.

    Args:
        model: the bars.
        row: of the lane.
        at: seconds on the engine's clock.
        reach: seconds.
        now: seconds on the engine's clock; a bar that runs ends there.
    """
    best: tuple[float, Spot] | None = None
    for spot in _around(model, row, at - reach, at + reach):
        end = min(spot.bar.end, now) if not spot.is_foreseen else spot.bar.end
        away = max(0.0, spot.bar.start - at, at - end)
        if away <= reach and (best is None or away <= best[0]):
            best = (away, spot)
    return best[1] if best is not None else None


def _around(model: TimelineModel, row: int, first: float, last: float) -> Iterator[Spot]:
    """The bars that overlap a range of time; of very many, the last ones."""
    for lane, is_foreseen in ((model.bars(row), False), (model.ahead(row), True)):
        begin, end = lane.between(first, last)
        for place in range(max(begin, end - _MOST_LOOKED_AT), end):
            bar = lane.at(place)
            if not (is_foreseen and bar.kind & REST):
                yield Spot(row, bar, is_foreseen)


def spot_now(model: TimelineModel, spot: Spot) -> Spot | None:
    """Where the same attempt is by now: foreseen at another time or in another lane, begun, or ended; None: nowhere."""
    key = spot.bar.key
    if not key.run:
        begun = next((row for row in model.bars_of(key.number) if row[1].key == key), None)
        if begun is not None:
            return Spot(*begun)
    rows = [spot.row] * (spot.row < len(model.lanes))
    for row in (*rows, *range(len(model.lanes))):
        lane = model.bars(row) if key.run else model.ahead(row)
        for place in (lane.number[: lane.size] == key.number).nonzero()[0].tolist():
            if lane.key_at(place) == key and (key.run or not lane.kind[place] & REST):
                return Spot(row, lane.at(place), is_foreseen=not key.run)
    return None


def next_in_lane(model: TimelineModel, spot: Spot, step: int) -> Spot | None:
    """The bar after (`step` 1) or before (-1) another in its lane, what is foreseen included; None: it was the last.

    Args:
        model: the bars.
        spot: where to start.
        step: 1 or -1.
    """
    found = _place_of(model, spot)
    while found is not None:
        lane, place, is_foreseen = found
        place += step
        if not 0 <= place < lane.size:
            lane = model.bars(spot.row) if is_foreseen else model.ahead(spot.row)
            if is_foreseen == (step > 0) or not lane.size:
                return None
            place, is_foreseen = (0 if step > 0 else lane.size - 1), not is_foreseen
        bar = lane.at(place)
        if not (is_foreseen and bar.kind & REST):
            return Spot(spot.row, bar, is_foreseen)
        found = lane, place, is_foreseen
    return None


def _place_of(model: TimelineModel, spot: Spot) -> tuple[LaneBars, int, bool] | None:
    """The present place of the bar, as a projected one may have started meanwhile, also in another lane."""
    if spot.row >= len(model.lanes):
        return None
    lane = model.ahead(spot.row) if spot.is_foreseen else model.bars(spot.row)
    place = lane.find(spot.bar.start, spot.bar.key)
    if place is None:
        place = max(0, int(lane.start[: lane.size].searchsorted(spot.bar.start, "right")) - 1)
    return (lane, place, spot.is_foreseen) if lane.size else None


def next_lane(model: TimelineModel, spot: Spot, step: int, now: float) -> Spot | None:
    """The bar nearest in time in the next lane that has any, below (`step` 1) or above (-1); None: there is none.

    Args:
        model: the bars.
        spot: where to start.
        step: 1 or -1.
        now: seconds on the engine's clock; a bar that runs ends there.
    """
    middle = (spot.bar.start + min(spot.bar.end, max(now, spot.bar.start))) / 2
    row = spot.row + step
    while 0 <= row < len(model.lanes):
        nearest = nearest_in(model, row, middle, now)
        if nearest is not None:
            return nearest
        row += step
    return None


def nearest_in(model: TimelineModel, row: int, at: float, now: float) -> Spot | None:
    """The bar of a lane nearest to a time; None: it has none.

    Args:
        model: the bars.
        row: of the lane.
        at: seconds on the engine's clock.
        now: seconds on the engine's clock; a bar that runs ends there.
    """
    best: tuple[float, Spot] | None = None
    for lane, is_foreseen in ((model.bars(row), False), (model.ahead(row), True)):
        after = int(lane.start[: lane.size].searchsorted(at, "right"))
        for place in range(max(0, after - 1), min(lane.size, after + 1)):
            bar = lane.at(place)
            if is_foreseen and bar.kind & REST:
                continue
            end = bar.end if is_foreseen or bar.end != NEVER else max(now, bar.start)
            away = max(0.0, bar.start - at, at - end)
            if best is None or away < best[0]:
                best = (away, Spot(row, bar, is_foreseen))
    return best[1] if best is not None else None


def edge_of(model: TimelineModel, row: int, step: int) -> Spot | None:
    """The last (`step` 1) or first (-1) bar of a lane; None: it has none."""
    lanes = ((model.bars(row), False), (model.ahead(row), True))
    for lane, is_foreseen in lanes if step < 0 else lanes[::-1]:
        places = range(lane.size) if step < 0 else range(lane.size - 1, -1, -1)
        for place in places:
            bar = lane.at(place)
            if not (is_foreseen and bar.kind & REST):
                return Spot(row, bar, is_foreseen)
    return None


def spot_of(model: TimelineModel, number: int) -> Spot | None:
    """The last bar of a task, or its projected one; None: it has neither."""
    bars = model.bars_of(number)
    if bars:
        return Spot(*bars[-1])
    for row in range(len(model.lanes)):
        lane = model.ahead(row)
        places = (lane.number[: lane.size] == number).nonzero()[0]
        if len(places):
            return Spot(row, lane.at(int(places[0])), is_foreseen=True)
    return None

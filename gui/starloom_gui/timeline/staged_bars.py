"""Marking the projected bars that staged edits would move to another lane or time. No Qt here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from starloom_gui.viewmodel.projected import REST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from starloom_gui.viewmodel.lane_bars import LaneBars
    from starloom_gui.viewmodel.lanes import Slot

MOVED: Final = 8
"""In a bar's `kind`: with the staged edits it comes, goes, or is elsewhere."""
_SAME: Final = 0.5
"""Seconds by which a bar may differ without having moved: two looks ahead are never made at the same moment."""


def mark_moved(before: Mapping[Slot, LaneBars], after: Mapping[Slot, LaneBars]) -> None:
    """Mark projected bars with (`after`) and without staged edits where the two differ; only `kind` is changed."""
    slots = {slot: place for place, slot in enumerate(dict.fromkeys([*before, *after]))}
    one, other = _columns(before, slots), _columns(after, slots)
    for lanes, mine, theirs in ((before, one, other), (after, other, one)):
        _mark(lanes, _differ(mine, theirs))


def _columns(lanes: Mapping[Slot, LaneBars], slots: Mapping[Slot, int]) -> NDArray[np.float64]:
    """Number, slot, start and end of each bar, (N, 4), lane by lane."""
    parts = [
        np.column_stack(
            [
                lane.number[: lane.size],
                np.full(lane.size, slots[slot]),
                lane.start[: lane.size],
                lane.end[: lane.size],
            ]
        )
        for slot, lane in lanes.items()
    ]
    return np.vstack(parts) if parts else np.zeros((0, 4))


def _differ(mine: NDArray[np.float64], theirs: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether each bar differs from the one of its task among the others."""
    if not len(theirs):
        return np.ones(len(mine), dtype=np.bool_)
    order = np.argsort(theirs[:, 0])
    place = np.minimum(np.searchsorted(theirs[order, 0], mine[:, 0]), len(order) - 1)
    found = theirs[order[place]]
    same = (found[:, :2] == mine[:, :2]).all(axis=1) & (np.abs(found[:, 2:] - mine[:, 2:]) <= _SAME).all(axis=1)
    return np.asarray(~same, dtype=np.bool_)


def _mark(lanes: Mapping[Slot, LaneBars], moved: NDArray[np.bool_]) -> None:
    begin = 0
    for lane in lanes.values():
        kind = lane.kind[: lane.size]
        is_moved = moved[begin : begin + lane.size] & ((kind & REST) == 0)
        kind[:] = np.where(is_moved, kind | MOVED, kind & ~np.uint8(MOVED))
        begin += lane.size

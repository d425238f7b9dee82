"""Reading bars from the facts of a run: one by one for what has changed, in columns for all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from starloom.scheduling.read.ready_times import ready_time, ready_times
from starloom.scheduling.state.codes import RUNNING as RUNNING_CODE
from starloom.scheduling.state.codes import STATUS_OF
from starloom_gui.timeline.kinds import FAILED, OTHER, RETRIED, WARNED, kind_of
from starloom_gui.timeline.other_clock import OtherClock
from starloom_gui.viewmodel.lane_bars import NEVER, Bar, LaneBars

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from starloom.scheduling.state.attempts import Attempt
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.viewmodel.lanes import Slot

_KIND_OF_CODE = np.array([kind_of(status.value) for status in STATUS_OF] + [kind_of("")], np.uint8)


def bars_of(run: RunFacts, index: int, number: int) -> Iterator[tuple[Slot, Bar]]:
    """The bars of a task, oldest attempt first.

    Args:
        run: the facts.
        index: 0 for the run that is shown, more for another one.
        number: the task's number.
    """
    if number in run.history:
        yield from _past(run, index, number)
    device = run.device_of[number]
    if device is None:
        return
    is_running = run.status[number] == RUNNING_CODE and number not in run.fetching
    kind = OTHER if index else _latest_kind(run, number)
    end = NEVER if is_running else run.ended_at[number]
    bar = Bar(run.started_at[number], end, index, number, run.tries[number], kind, ready_time(run, number), -NEVER)
    yield (device, run.slot_of[number]), bar


def _latest_kind(run: RunFacts, number: int) -> int:
    kind = int(_KIND_OF_CODE[run.status[number]])
    return WARNED if kind == FAILED and run.is_warning(number) else kind


def _past_kind(attempt: Attempt) -> int:
    kind = kind_of(attempt.status)
    return RETRIED if kind == FAILED else kind


def _past(run: RunFacts, index: int, number: int) -> Iterator[tuple[Slot, Bar]]:
    past = run.history[number]
    for place, attempt in enumerate(past):
        kind = OTHER if index else _past_kind(attempt)
        end = NEVER if attempt.ended is None else attempt.ended
        until = _pause_after(run, number, attempt, past[place + 1] if place + 1 < len(past) else None)
        bar = Bar(attempt.started, end, index, number, attempt.number, kind, attempt.ready, until)
        yield (attempt.device_id, attempt.slot), bar


def _pause_after(run: RunFacts, number: int, attempt: Attempt, following: Attempt | None) -> float:
    """Until when the task paused after that attempt; what somebody has set back did not pause but wait for them."""
    if kind_of(attempt.status) != FAILED or run.spent.get(number) == attempt.number:
        return -NEVER
    if following is not None:
        return following.ready
    if run.device_of[number] is not None:
        return ready_time(run, number)
    return run.backoff.get(number, -NEVER)


def all_bars(runs: list[RunFacts]) -> dict[Slot, LaneBars]:
    """All bars of several runs, lane by lane; the first run is the one that is shown."""
    slots: dict[Slot, int] = {}
    parts: list[_Part] = []
    for index, run in enumerate(runs):
        clock = OtherClock(run.sessions if index else (), runs[0].sessions)
        for lanes, bars in (_latest(run, index, slots), _earlier(run, index, slots)):
            chosen, moved = clock.columns(bars)
            parts.append((lanes[chosen], moved))
    lane = np.concatenate([part[0] for part in parts])
    columns = [np.concatenate([part[1][field] for part in parts]) for field in range(len(Bar._fields))]
    start, _, run_column, number, attempt = columns[:5]
    order = np.lexsort((attempt, number, run_column, start, lane))
    edges = np.searchsorted(lane[order], np.arange(len(slots) + 1))
    columns = [column[order] for column in columns]
    return {
        slot: LaneBars.of([column[edges[place] : edges[place + 1]] for column in columns])
        for slot, place in slots.items()
    }


_Part = tuple["NDArray[np.intp]", list["NDArray[np.generic]"]]
_NO_BARS: Final[_Part] = (np.zeros(0, np.intp), list(np.zeros((len(Bar._fields), 0))))


def _latest(run: RunFacts, index: int, slots: dict[Slot, int]) -> _Part:
    """The bars of the attempts that are in the arrays of the facts."""
    if not any(run.device_of):  # nothing has started yet, which is seen at once
        return _NO_BARS
    devices = list(dict.fromkeys(run.device_of))
    device = np.fromiter(map({id: at for at, id in enumerate(devices)}.__getitem__, run.device_of), np.intp)
    chosen = np.flatnonzero(device != devices.index(None)) if None in devices else np.arange(len(device))
    lane = _lanes(devices, device[chosen], np.array(run.slot_of, np.intp)[chosen], slots)
    code = np.frombuffer(bytes(run.status), np.uint8)[chosen]
    is_working = code == RUNNING_CODE
    if run.fetching:
        is_working &= ~np.isin(chosen, list(run.fetching))
    count = len(chosen)
    kind = np.full(count, OTHER, np.uint8) if index else _KIND_OF_CODE[code]
    for place in np.flatnonzero(kind == FAILED).tolist():
        kind[place] = _latest_kind(run, int(chosen[place]))
    columns = [
        np.array(run.started_at, np.float64)[chosen],
        np.where(is_working, NEVER, np.array(run.ended_at, np.float64)[chosen]),
        np.full(count, index),
        chosen,
        np.array(run.tries, np.int32)[chosen],
        kind,
        np.array(ready_times(run), np.float64)[chosen],
        np.full(count, -NEVER),
    ]
    return lane, columns


def _lanes(
    devices: Sequence[str | None], device: NDArray[np.intp], slot: NDArray[np.intp], slots: dict[Slot, int]
) -> NDArray[np.intp]:
    """The lane of each bar, by the place of its device and its slot.

    One pair a bar would be as many objects for the garbage collector to look at, which then takes longer than all else.
    """
    wide = int(slot.max(initial=0)) + 1
    found, of_bar = np.unique(device * wide + slot, return_inverse=True)
    pairs = [(devices[place], at) for place, at in zip(*(each.tolist() for each in divmod(found, wide)), strict=True)]
    lanes = [_lane_number(slots, pair) for pair in pairs]
    return np.array(lanes, np.intp)[of_bar]


def _earlier(run: RunFacts, index: int, slots: dict[Slot, int]) -> _Part:
    """The bars of the attempts before the last ones, of which there are few."""
    found = [entry for number in run.history for entry in _past(run, index, number)]
    lane = np.array([_lane_number(slots, slot) for slot, _ in found], np.intp)
    rows = np.array([bar for _, bar in found], np.float64).reshape(len(found), len(Bar._fields))
    return lane, list(rows.T)


def _lane_number(slots: dict[Slot, int], slot: Slot) -> int:
    return slots.setdefault(slot, len(slots))

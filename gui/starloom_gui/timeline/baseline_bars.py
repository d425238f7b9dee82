"""The bars of an earlier run, each in the lane in which this run has its task. No Qt here.

Both runs are counted from their starts, without what either lay idle. Columns of all attempts are made once; a task
that comes into another lane changes one number for each of its attempts, and a lane is cut out of the columns when it
is looked at.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

from starloom_gui.timeline.collect import all_bars
from starloom_gui.viewmodel.lane_bars import Bar, LaneBars

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.diff.baseline_run import BaselineRun
    from starloom_gui.viewmodel.lanes import Slot

OWN: Final = 0
"""In a ghost's `run`: its number is that of the same task in the run that is shown."""
ALONE: Final = 1
"""The run that is shown has no such task; its number is that of the earlier run."""
_NOWHERE: Final = -1
_NO_BARS: Final = LaneBars()
_FIELDS: Final = Bar._fields


class BaselineBars:
    """The bars of one earlier run, updated as the run that is shown has its tasks in other lanes.

    Args:
        earlier: the run they are of.
        run: the run that is shown; it has started.

    Attributes:
        earlier: the run they are of.
    """

    def __init__(self, earlier: BaselineRun, run: RunFacts) -> None:
        self.earlier = earlier
        self._of = _signature(run)
        self._slots: dict[Slot, int] = {}
        self._cut: dict[int, LaneBars] = {}
        self._columns, then = self._read(run)
        self._then = then
        number = self._columns["number"]
        own = np.where(self._columns["run"] == OWN, number, _NOWHERE)
        self._by_task = np.argsort(own, kind="stable")
        self._tasks = own[self._by_task]
        self._known = len(run.status)
        self._there = np.full(self._known + 1, _NOWHERE, np.int32)
        self._place = np.full(len(number), _NOWHERE, np.int32)

    def _read(self, run: RunFacts) -> tuple[dict[str, NDArray[np.generic]], NDArray[np.int32]]:
        """All attempts in the order of their starts, and in which slot each ran then."""
        lanes = all_bars([self.earlier.run])
        parts = {name: [getattr(lane, name)[: lane.size] for lane in lanes.values()] for name in _FIELDS}
        then = [np.full(lane.size, self._slot(slot), np.int32) for slot, lane in lanes.items()]
        columns = {name: np.concatenate(part) if part else np.zeros(0) for name, part in parts.items()}
        for name in ("start", "end", "ready", "until"):
            known = np.minimum(columns[name], self.earlier.at) if name == "end" else columns[name]  # no further
            columns[name] = _moved(known, self.earlier.run, run, is_start=name in {"start", "ready"})
        mine = np.array(self.earlier.numbers_in(run), np.int32)
        old = columns["number"].astype(np.intp)
        is_own = mine[old] != _NOWHERE if len(old) else np.zeros(0, np.bool_)
        columns["number"] = np.where(is_own, mine[old], old) if len(old) else old
        columns["run"] = np.where(is_own, OWN, ALONE)
        order = np.lexsort([columns[name] for name in ("attempt", "number", "run", "start")])
        places = np.concatenate(then) if then else np.zeros(0, np.int32)
        return {name: column[order] for name, column in columns.items()}, places[order]

    def _slot(self, slot: Slot) -> int:
        return self._slots.setdefault(slot, len(self._slots))

    # ---- keeping up

    def fits(self, run: RunFacts) -> bool:
        """Whether the run has the same start and tasks as before; else the bars have to be rebuilt."""
        return self._of == _signature(run)

    def lay_out(self, lanes: Mapping[Slot, LaneBars], ahead: Mapping[Slot, LaneBars]) -> None:
        """Assign each bar to the lane of its task now, or as projected; else to the lane of that time, if it exists.

        Args:
            lanes: the bars of this run, among those of others.
            ahead: what is foreseen of it.
        """
        there = np.full(self._known + 1, _NOWHERE, np.int32)
        coming = list(self._found(ahead))
        been = sorted(self._found(lanes), key=lambda one: one[0])  # of several attempts the last one counts
        for _, numbers, slots in chain(coming, been):
            there[numbers] = slots
        self._there = there
        self._settle()

    def _found(self, lanes: Mapping[Slot, LaneBars]) -> Iterable[tuple[int, NDArray[np.int32], NDArray[np.int32]]]:
        """Numbers of tasks and their slots, a group for each number of an attempt."""
        for slot, lane in lanes.items():
            size, place = lane.size, self._slot(slot)
            is_own = (lane.run[:size] == 0) & (lane.number[:size] < self._known)
            number, attempt = lane.number[:size][is_own], lane.attempt[:size][is_own]
            for one in np.unique(attempt).tolist():
                chosen = number[attempt == one]
                yield one, chosen, np.full(len(chosen), place, np.int32)

    def _settle(self) -> None:
        own = self._columns["run"] == OWN
        wanted = np.where(own, self._there[np.where(own, self._columns["number"], self._known)], _NOWHERE)
        place = np.where(wanted == _NOWHERE, self._then, wanted).astype(np.int32)
        for slot in np.unique(np.concatenate([place[place != self._place], self._place[place != self._place]])):
            self._cut.pop(int(slot), None)
        self._place = place

    def move(self, number: int, slot: Slot) -> None:
        """Move a task's bar to the lane in which the task has begun."""
        place = self._slot(slot)
        if number >= self._known or self._there[number] == place:
            return
        self._there[number] = place
        first, last = self._tasks.searchsorted((number, number + 1))
        for at in self._by_task[first:last].tolist():
            before = int(self._place[at])
            if before != place:  # mostly it begins where it was foreseen, or where it was then
                self._place[at] = place
                self._cut.pop(before, None)
                self._cut.pop(place, None)

    # ---- reading

    def lane(self, slot: Slot) -> LaneBars:
        """The baseline bars of a lane, in the order of their starts; for reading only."""
        place = self._slots.get(slot)
        if place is None:
            return _NO_BARS
        cut = self._cut.get(place)
        if cut is None:
            chosen = np.flatnonzero(self._place == place)
            cut = self._cut[place] = LaneBars.of([self._columns[name][chosen] for name in _FIELDS])
        return cut


def _signature(run: RunFacts) -> tuple[float | None, int, int]:
    return run.run_started_at, run.revision, len(run.idle)


def _moved(times: NDArray[np.generic], earlier: RunFacts, run: RunFacts, *, is_start: bool) -> NDArray[np.float64]:
    """The moments at which a run had gone on as long as the earlier one had at these; each on its own run's clock.

    Args:
        times: on the earlier run's clock.
        earlier: what they are of.
        run: where they are to stand.
        is_start: what starts as the run lay idle stands after that; what ends then, before it.
    """
    before = np.asarray(times, np.float64)
    gone_on = before - (earlier.run_started_at or 0.0)
    for ended, again in earlier.idle:
        gone_on -= np.clip(before - ended, 0.0, again - ended)
    return moments_after(gone_on, run, is_start=is_start)


def moments_after(gone_on: NDArray[np.float64], run: RunFacts, *, is_start: bool = False) -> NDArray[np.float64]:
    """The moments at which a run had gone on for so many seconds, on its clock; see `_moved`."""
    moved = gone_on + (run.run_started_at or 0.0)
    for ended, again in run.idle:  # oldest first: each moves what comes after it
        moved += np.where(moved >= ended if is_start else moved > ended, again - ended, 0.0)
    return moved

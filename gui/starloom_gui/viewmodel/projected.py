"""The bars of projected tasks on the timeline; slots are assigned as the engine would."""

from __future__ import annotations

import time
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Final

import numpy as np

from starloom.foresight.estimates import EstimateSource
from starloom.pauses import no_pause, with_pauses
from starloom.scheduling.state.codes import RUNNING
from starloom_gui.viewmodel.lane_bars import NEVER, Bar, LaneBars

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.foresight.projection import Projection, TaskForecast
    from starloom.pauses import Pause
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.viewmodel.lanes import Slot

CRITICAL: Final = 1
"""It lies on the path that determines the end."""
UNESTIMATED: Final = 2
"""Nobody can tell how long it takes."""
REST: Final = 4
"""It runs already; this is what is left of it."""
_AT_ONE_GO: Final = 100
"""Tasks between two pauses: half a millisecond of work."""
_LANES_AT_ONE_GO: Final = 4
"""Lanes likewise."""
_NAP: Final = 0.0001
"""Seconds; long enough for the loop to take over."""


def give_way() -> None:
    """Yield to the loop; a thread that works without a break delays each frame by 5 ms."""
    time.sleep(_NAP)


class _Slots:
    """The slots of one device: whichever is free and has the lowest number is taken next, as the engine does."""

    def __init__(self, count: int | None, taken: Mapping[int, float]) -> None:
        self._count = count
        self._fresh = max([count or 0, *(slot + 1 for slot in taken)])
        self._free = [slot for slot in range(self._fresh) if slot not in taken]
        self._busy = [(until, slot) for slot, until in taken.items()]
        heapify(self._busy)

    def take(self, start: float, finish: float) -> int:
        while self._busy and self._busy[0][0] <= start:
            heappush(self._free, heappop(self._busy)[1])
        slot = heappop(self._free) if self._free else self._another()
        heappush(self._busy, (finish, slot))
        return slot

    def _another(self) -> int:
        """The first to be free, as times foreseen need not fit slots that others hold; unbounded, one more."""
        if self._count is not None and self._busy:
            return heappop(self._busy)[1]
        self._fresh += 1
        return self._fresh - 1


def projected_bars(projection: Projection, run: RunFacts, pause: Pause = no_pause) -> dict[Slot, LaneBars]:
    """A bar for each task whose start is foreseen, lane by lane; `kind` holds `CRITICAL`, `UNESTIMATED` and `REST`.

    Reads the facts and changes nothing, and may do so in a thread while the run goes on. A task the facts no
    longer know, or that has ended meanwhile, is left out.

    Args:
        projection: what is foreseen.
        run: the facts.
        pause: called after every few hundred microseconds of work; in a thread, `give_way`.
    """
    critical = {step.task_id for step in projection.path if step.run_id == run.run_id}
    coming: list[tuple[float, float, str, int, int]] = []
    running: dict[Slot, Bar] = {}
    for forecast in with_pauses(projection.tasks.values(), pause, _AT_ONE_GO):
        number = run.number(forecast.task_id)
        if number is None or forecast.start is None or forecast.finish is None or forecast.device_id is None:
            continue
        flags = (CRITICAL * (forecast.task_id in critical)) | (
            UNESTIMATED * (forecast.estimate.source is EstimateSource.NONE)
        )
        if run.status[number] == RUNNING:
            device = run.device_of[number]
            if device is not None:  # it may end while this is read
                running[device, run.slot_of[number]] = _rest(run, number, forecast, projection.at, flags)
        elif run.status[number] < RUNNING:
            coming.append((forecast.start, forecast.finish, forecast.device_id, number, flags))
    return _dealt(coming, running, run, pause)


def _rest(run: RunFacts, number: int, forecast: TaskForecast, at: float, flags: int) -> Bar:
    finish = max(at, forecast.finish or at)
    return Bar(run.started_at[number], finish, 0, number, run.tries[number], flags | REST, -NEVER, -NEVER)


def _dealt(
    coming: list[tuple[float, float, str, int, int]], running: dict[Slot, Bar], run: RunFacts, pause: Pause
) -> dict[Slot, LaneBars]:
    slots = _slots_of(running, run)
    lanes: dict[Slot, list[Bar]] = {slot: [bar] for slot, bar in running.items()}
    for start, finish, device, number, flags in with_pauses(sorted(coming), pause, _AT_ONE_GO):
        of_device = slots.get(device) or slots.setdefault(device, _Slots(None, {}))
        slot = (device, of_device.take(start, finish))
        bar = Bar(start, finish, 0, number, run.tries[number] + 1, flags, -NEVER, -NEVER)
        lanes.setdefault(slot, []).append(bar)
    return {slot: _lane(bars) for slot, bars in with_pauses(lanes.items(), pause, _LANES_AT_ONE_GO)}


def _slots_of(running: dict[Slot, Bar], run: RunFacts) -> dict[str, _Slots]:
    taken: dict[str, dict[int, float]] = {}
    for (device, slot), bar in running.items():
        taken.setdefault(device, {})[slot] = bar.end
    devices = list(run.fleet.devices.items())  # the fleet may change while this is read
    return {id: _Slots(device.slots, taken.get(id, {})) for id, device in devices}


def _lane(bars: list[Bar]) -> LaneBars:
    ordered = sorted(bars, key=lambda bar: (bar.start, bar.key))
    return LaneBars.of(list(np.array(ordered, np.float64).T))

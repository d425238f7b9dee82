"""The placement strategies, and the forecast of free slots for the one by critical path; see `placer`."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Final

from starloom.errors import CommandRefused
from starloom.model.status import Placement
from starloom.scheduling.state.codes import RUNNING

if TYPE_CHECKING:
    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_index import RunIndex

_ENDLESS: Final = float("inf")


def known_placement(value: str) -> Placement:
    """The placement strategy of a name.

    Raises:
        CommandRefused: there is none of this name.
    """
    try:
        return Placement(value)
    except ValueError:
        names = ", ".join(Placement)
        raise CommandRefused("bad_placement", f"There is no placement {value!r}.", f"Use one of {names}.") from None


class Forecast:
    """The forecast of free slots for one dispatch by critical path: each decision takes its slot.

    The rule of HEFT (Topcuoglu, Hariri, Wu 2002), applied online: a task goes where it ends first, even if that means
    waiting for a busy faster device.
    """

    __slots__ = ("ends", "now", "runs")

    def __init__(self, fleet: FleetFacts, runs: list[RunIndex], now: float) -> None:
        self.now = now
        self.ends: dict[str, list[float]] = {device: [] for device in fleet.devices}
        for index in runs:
            self._note_running(index, fleet)
        for ends in self.ends.values():
            heapify(ends)

    def _note_running(self, index: RunIndex, fleet: FleetFacts) -> None:
        run = index.run
        for number in run.with_status(RUNNING):
            device = fleet.devices.get(run.device_of[number] or "")
            task = run.graph.tasks[number]
            if device is None or task is None or number in run.fetching:
                continue
            seconds = task.expected_duration
            end = _ENDLESS if seconds is None else run.started_at[number] + seconds / device.speed
            self.ends[device.id].append(max(end, self.now))

    def choose(self, candidates: list[DeviceFacts], seconds: float) -> tuple[DeviceFacts, bool] | None:
        """The device on which this work ends first, and whether it can start there now; takes the slot."""
        best: tuple[float, float, DeviceFacts] | None = None
        for device in candidates:
            if device.slots == 0:
                continue
            ends = self.ends[device.id]
            start = self.now if device.slots is None or len(ends) < device.slots else ends[0]
            end = start + seconds / device.speed
            if best is None or (end, start) < best[:2]:
                best = (end, start, device)
        if best is None:
            return None
        end, start, device = best
        ends = self.ends[device.id]
        is_free = device.slots is None or len(ends) < device.slots
        if not is_free:
            heappop(ends)
        heappush(ends, end)
        return device, is_free

"""Choosing a device for a ready task: round robin, capability match, load balance, or by critical path."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Final

from starloom.scheduling.queueing import aging_rate
from starloom.scheduling.queues import Bucket, Lot

if TYPE_CHECKING:
    from starloom.scheduling.fleet_facts import DeviceFacts, FleetFacts
    from starloom.scheduling.run_index import RunIndex

Strategy = Callable[["Placer", Bucket, "list[DeviceFacts]"], "DeviceFacts"]
_ENDLESS: Final = float("inf")


class Placer:
    """Which devices may take which tasks, and which of them does.

    Attributes:
        version: grows whenever a bucket's candidates may have changed.
        rate: priority points a task gains a second while it waits.
        by_critical_path: whether tasks go by rank and may wait for a faster device.
    """

    def __init__(self, fleet: FleetFacts) -> None:
        self.fleet = fleet
        self.version = 0
        self.turn = 0
        self.lots: dict[tuple[str | None, frozenset[str]], Lot] = {}
        self.lots_of: dict[str, list[Lot]] = {}
        self.rate = 0.0
        self.by_critical_path = False
        self.strategy: Strategy = _least_loaded
        self.limits_changed()

    def limits_changed(self) -> None:
        """Take over the strategy and the aging rate from the fleet's facts."""
        self.rate = aging_rate(self.fleet.starvation_timeout)
        self.by_critical_path = self.fleet.placement == "critical_path"
        self.strategy = _STRATEGIES[self.fleet.placement]

    def fleet_changed(self) -> None:
        """Devices came, went or changed what they accept."""
        self.version += 1
        self.lots_of = {device: self._lots_around(device) for device in self.fleet.devices}

    def _lots_around(self, device_id: str) -> list[Lot]:
        device = self.fleet.devices[device_id]
        return [lot for key, lot in self.lots.items() if _fits(device, *key)]

    def lot_for(self, bucket: Bucket) -> Lot:
        """Where a bucket waits until one of its devices has room, or there is such a device."""
        key = (bucket.pin, bucket.requires)
        lot = self.lots.get(key)
        if lot is None:
            lot = self.lots[key] = Lot("a device")
            for device_id, lots in self.lots_of.items():
                if _fits(self.fleet.devices[device_id], *key):
                    lots.append(lot)
        return lot

    def candidates(self, bucket: Bucket) -> list[DeviceFacts]:
        """The devices that take such tasks at all now, in the order of the fleet."""
        if bucket.version != self.version:
            bucket.version = self.version
            bucket.candidates = [
                device
                for device in self.fleet.devices.values()
                if device.accepts and _fits(device, bucket.pin, bucket.requires)
            ]
        return bucket.candidates

    def place(self, bucket: Bucket) -> DeviceFacts | None:
        """The device for the bucket's head, or None while none has room."""
        candidates = bucket.candidates if bucket.version == self.version else self.candidates(bucket)
        if len(candidates) == 1:
            only = candidates[0]
            return only if only.slots is None or only.used < only.slots else None
        open_ones = [device for device in candidates if device.slots is None or device.used < device.slots]
        if not open_ones:
            return None
        if bucket.prefer is not None:
            for device in open_ones:
                if device.id == bucket.prefer:
                    return device
        return self.strategy(self, bucket, open_ones)

    def fastest(self, bucket: Bucket) -> DeviceFacts | None:
        """The fastest device with room for the bucket's head."""
        open_ones = [device for device in self.candidates(bucket) if device.has_room()]
        return max(open_ones, key=lambda device: device.speed, default=None)

    def rank(self, index: RunIndex) -> None:
        """Compute the ranks of a run from scratch, for the fleet as it is."""
        devices = [device for device in self.fleet.devices.values() if device.accepts]
        speeds = [device.speed * (device.slots or 1) for device in devices]
        index.rebuild_ranks(sum(speeds) or 1.0, max((device.speed for device in devices), default=1.0))


def _fits(device: DeviceFacts, pin: str | None, requires: frozenset[str]) -> bool:
    return (pin is None or device.id == pin) and requires <= device.capabilities


def _round_robin(placer: Placer, bucket: Bucket, open_ones: list[DeviceFacts]) -> DeviceFacts:
    """The next one after the one that was taken last, in the order of the fleet."""
    order = {device.id: place for place, device in enumerate(bucket.candidates)}
    chosen = next((device for device in open_ones if order[device.id] >= placer.turn % len(order)), open_ones[0])
    placer.turn = (order[chosen.id] + 1) % len(order)
    return chosen


def _least_loaded(_placer: Placer, _bucket: Bucket, open_ones: list[DeviceFacts]) -> DeviceFacts:
    """The one with the smallest share of its slots taken, the fastest of these."""
    return min(open_ones, key=lambda device: (device.used / (device.slots or 1_000_000), -device.speed))


def _closest_match(_placer: Placer, bucket: Bucket, open_ones: list[DeviceFacts]) -> DeviceFacts:
    """The one with the fewest capabilities the task does not ask for, so that rare ones stay free."""
    requires = bucket.requires
    return min(
        open_ones,
        key=lambda device: (len(device.capabilities - requires), device.used / (device.slots or 1_000_000)),
    )


_STRATEGIES: Final[dict[str, Strategy]] = {
    "round_robin": _round_robin,
    "load_balance": _least_loaded,
    "capability_match": _closest_match,
    "critical_path": _least_loaded,
}


class Forecast:
    """When slots will be free, for one dispatch by critical path: each decision takes its slot.

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
        for number in run.with_status(2):
            device = fleet.devices.get(run.device_of[number] or "")
            task = run.graph.tasks[number]
            if device is None or task is None:
                continue
            seconds = task.expected_duration
            end = _ENDLESS if seconds is None else run.started_at[number] + seconds / device.speed
            self.ends[device.id].append(max(end, self.now))

    def choose(self, candidates: list[DeviceFacts], seconds: float) -> tuple[DeviceFacts, bool] | None:
        """The device on which so much work ends first, and whether it can start there now; takes the slot."""
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

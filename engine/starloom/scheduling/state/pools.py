"""Pools of devices that may take the same tasks, each with a heap by preference."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush, heapreplace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection

    from starloom.scheduling.state.device_facts import DeviceFacts

Rank = Callable[["DeviceFacts"], float]
"""The smaller, the sooner a device is taken."""
_MANY: Final = 1_000_000
"""Slots of a device that has no limit, where shares are compared. While it has room no device's share reaches 1."""


class Pool:
    """Some devices, and a heap of those that had room when they were pushed.

    What was started on a device since is seen when it is looked at; what has ended has to be told. A device's rank
    depends on how many of its slots are taken, and else on nothing that changes.

    Args:
        devices: in the order of the fleet.
        rank: which goes before which.
        by_speed: whether of devices of equal rank the fastest is taken; else, and of these, the first in the fleet.
    """

    __slots__ = ("_heap", "_line", "_most", "_places", "by_speed", "devices", "rank")

    def __init__(self, devices: list[DeviceFacts], rank: Rank, *, by_speed: bool) -> None:
        self.devices, self.rank, self.by_speed = devices, rank, by_speed
        self._line = sorted(devices, key=lambda device: -device.speed) if by_speed else devices
        self._places = {device.id: place for place, device in enumerate(self._line)}
        self._most = 4 * len(devices) + 64
        self._heap: list[tuple[float, int, int]] = []
        self._fill()

    def freed(self, device_ids: Collection[str]) -> None:
        """Push devices on which attempts have ended."""
        heap, places, line, rank = self._heap, self._places, self._line, self.rank
        for device_id in device_ids:
            place = places.get(device_id)
            if place is not None:
                device = line[place]
                used = device.used
                if device.slots is None or used < device.slots:
                    heappush(heap, (rank(device), place, used))
        if len(heap) > self._most:
            self._fill()

    def named(self, device_id: str) -> DeviceFacts | None:
        """The device of this id, if it is in the pool and has room."""
        place = self._places.get(device_id)
        if place is None:
            return None
        device = self._line[place]
        return device if device.slots is None or device.used < device.slots else None

    def best(self) -> DeviceFacts | None:
        """The preferred device with room; None: none has room."""
        heap, line = self._heap, self._line
        while heap:
            _, place, used = heap[0]
            device = line[place]
            if device.used == used:
                return device
            if device.slots is None or device.used < device.slots:
                heapreplace(heap, (self.rank(device), place, device.used))
            else:
                heappop(heap)
        return None

    def _fill(self) -> None:
        self._heap = [
            (self.rank(device), place, device.used)
            for place, device in enumerate(self._line)
            if device.slots is None or device.used < device.slots
        ]
        heapify(self._heap)


def least_loaded(device: DeviceFacts) -> float:
    """The preference for the smallest share of taken slots."""
    return device.used / (device.slots or _MANY)


def closest_match(requires: frozenset[str]) -> Rank:
    """The preference for the fewest other capabilities, so that rare ones stay free; of equal ones the least loaded."""
    return lambda device: len(device.capabilities - requires) + device.used / (device.slots or _MANY)

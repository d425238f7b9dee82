"""Choosing a device for a ready task: round robin, capability match or load balance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.scheduling.state.pools import Pool, closest_match, least_loaded
from starloom.scheduling.state.queue_keys import aging_rate
from starloom.scheduling.state.ranks import rebuild_ranks
from starloom.scheduling.state.run_index import WaitQueue

if TYPE_CHECKING:
    from starloom.scheduling.state.device_facts import DeviceFacts, DeviceRequirements
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_index import Bucket, RunIndex


class Placer:
    """Chooses the device for a task.

    Attributes:
        version: grows whenever a bucket's candidates may have changed.
        rate: priority points a task gains a second while it waits.
        pools: where several devices take such tasks, as of `version`: by what is wanted and whether the device that can
            do the least besides goes first.
        freed: the devices on which attempts have ended since the pools were told.
    """

    def __init__(self, fleet: FleetFacts) -> None:
        self.fleet = fleet
        self.version = 0
        self.turn = 0
        self.wait_queues: dict[DeviceRequirements, WaitQueue] = {}
        self._wait_queues_of: dict[str, list[WaitQueue]] = {}
        self.rate = 0.0
        self.pools: dict[tuple[DeviceRequirements, bool], Pool] = {}
        self.freed: dict[str, None] = {}
        self.limits_changed()

    def limits_changed(self) -> None:
        """Update aging rate and placement from the fleet's facts."""
        self.rate = aging_rate(self.fleet.starvation_timeout)
        self._start_anew()

    def fleet_changed(self) -> None:
        """Note that devices came, left or changed what they accept."""
        self._start_anew()
        self._wait_queues_of.clear()

    def _start_anew(self) -> None:
        self.version += 1
        self.pools.clear()
        self.freed.clear()

    def wait_queues_of(self, device_id: str) -> list[WaitQueue]:
        """The wait queues of the buckets that a device such as this one could serve."""
        wait_queues = self._wait_queues_of.get(device_id)
        if wait_queues is None:
            device = self.fleet.devices[device_id]
            wait_queues = self._wait_queues_of[device_id] = [
                wait_queue for key, wait_queue in self.wait_queues.items() if key.fits(device)
            ]
        return wait_queues

    def wait_queue_for(self, bucket: Bucket) -> WaitQueue:
        """The wait queue of a bucket for which no device has room, or none exists."""
        key = bucket.wanted
        wait_queue = self.wait_queues.get(key)
        if wait_queue is None:
            wait_queue = self.wait_queues[key] = WaitQueue("a device")
            for device_id, wait_queues in self._wait_queues_of.items():
                if key.fits(self.fleet.devices[device_id]):
                    wait_queues.append(wait_queue)
        return wait_queue

    def candidates(self, bucket: Bucket) -> list[DeviceFacts]:
        """The devices that take such tasks now, in the order of the fleet."""
        if bucket.version != self.version:
            bucket.version = self.version
            pool = self.pools.get((bucket.wanted, bucket.index.by_match))
            bucket.candidates = pool.devices if pool is not None else self._look_for(bucket)
        return bucket.candidates

    def _look_for(self, bucket: Bucket) -> list[DeviceFacts]:
        wanted, is_closest = bucket.wanted, bucket.index.by_match
        devices = [device for device in self.fleet.devices.values() if device.accepts and wanted.fits(device)]
        if len(devices) > 1:
            rank = closest_match(wanted.requires) if is_closest else least_loaded
            self.pools[wanted, is_closest] = Pool(devices, rank, by_speed=not is_closest)
        return devices

    def place(self, bucket: Bucket) -> DeviceFacts | None:
        """The device for the bucket's head, or None while none has room."""
        candidates = bucket.candidates if bucket.version == self.version else self.candidates(bucket)
        if len(candidates) <= 1:
            only = candidates[0] if candidates else None
            return only if only is not None and (only.slots is None or only.used < only.slots) else None
        self.note_freed()
        pool = self.pools[bucket.wanted, bucket.index.by_match]
        if bucket.prefer is not None and (preferred := pool.named(bucket.prefer)) is not None:
            return preferred
        return self._next(pool) if bucket.index.by_turn else pool.best()

    def pool_for(self, bucket: Bucket) -> Pool | None:
        """The pool whose best device takes each of the bucket's tasks; None: placement needs more than that."""
        if bucket.prefer is not None or bucket.index.by_turn:
            return None
        pool = self.pools.get((bucket.wanted, bucket.index.by_match))
        if pool is not None:
            self.note_freed()
        return pool

    def note_freed(self) -> None:
        """Pass the devices that have room again to the pools."""
        if self.freed:
            for pool in self.pools.values():
                pool.freed(self.freed)
            self.freed.clear()

    def _next(self, pool: Pool) -> DeviceFacts | None:
        """The next one with room after the one that was taken last, in the order of the fleet."""
        devices, count = pool.devices, len(pool.devices)
        for place in range(self.turn, self.turn + count):
            device = devices[place % count]
            if device.slots is None or device.used < device.slots:
                self.turn = (place + 1) % count
                return device
        return None

    def fastest(self, bucket: Bucket) -> DeviceFacts | None:
        """The fastest device with room for the bucket's head."""
        open_ones = [device for device in self.candidates(bucket) if device.has_room()]
        return max(open_ones, key=lambda device: device.speed, default=None)

    def rank(self, index: RunIndex) -> None:
        """Compute the ranks of a run from scratch, for the fleet as it is."""
        devices = [device for device in self.fleet.devices.values() if device.accepts]
        speeds = [device.speed * (device.slots or 1) for device in devices]
        rebuild_ranks(index, sum(speeds) or 1.0, max((device.speed for device in devices), default=1.0))

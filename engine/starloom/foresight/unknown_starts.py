"""Which attempts of a schedule start at a time that nobody can tell.

An attempt whose end nobody can tell counts as nothing in a schedule, or as what such attempts still take on average if
it has outrun its estimate. Whoever comes after it may have to wait for as long as it really takes, and so may whoever
comes after those: unless there is room even if each of them still holds its place.
"""

from __future__ import annotations

import math
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

from starloom.pauses import Pause, no_pause, with_pauses
from starloom.scheduling.read.waiting_causes import NOWHERE
from starloom.scheduling.state.device_facts import DeviceRequirements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.foresight.node import Node
    from starloom.foresight.schedule import Schedule

Place = tuple[str, ...]
"""What has room for so many attempts: a device, a group, a run or the fleet."""


def unknown_starts(schedule: Schedule, pause: Pause = no_pause) -> list[bool]:
    """Whether nobody can tell when each attempt of a schedule starts, as that depends on one whose end is unknown.

    Args:
        schedule: what was foreseen, from its start to its end.
        pause: see `pauses.Pause`.
    """
    nodes = schedule.nodes
    if not any(node.is_endless for node in nodes):
        return [False] * len(nodes)
    room = _Room(schedule)
    found: list[bool] = []
    is_unsure: list[bool] = []
    """Whether nobody can tell when it ends."""
    for place, node in enumerate(with_pauses(nodes, pause)):
        has_begun = place < schedule.begun
        is_behind = any(is_unsure[before] for before in node.before)
        if not is_behind and not has_begun and node.device_id != NOWHERE:
            is_behind = room.may_be_full(node)
        found.append(is_behind)
        is_unsure.append(is_behind or node.is_endless)
        if node.device_id != NOWHERE:
            room.take(node, has_begun=has_begun, is_unsure=is_unsure[-1])
    return found


class _Room:
    """How much of each device and limit is taken, as attempts start one after the other."""

    def __init__(self, schedule: Schedule) -> None:
        self._fleet = schedule.fleet
        self._taken: list[_Held] = []
        """What attempts hold or held, in the order in which they started."""
        self._holders: dict[frozenset[Place], _Holders] = {}
        self._fitting: dict[DeviceRequirements, tuple[frozenset[Place], int | None]] = {}

    def take(self, node: Node, *, has_begun: bool, is_unsure: bool) -> None:
        """Have an attempt hold its places until its end; if that is unsure, for ever and on whatever could take it."""
        is_anywhere = is_unsure and not has_begun
        devices = self._devices(node)[0] if is_anywhere else frozenset([("device", node.device_id)])
        places = devices.union(limit for limit, _ in self._limits(node))
        self._taken.append(_Held(places, math.inf if is_unsure else node.end))

    def may_be_full(self, node: Node) -> bool:
        """Whether an attempt finds no place as it starts if all that are unsure still hold theirs."""
        devices, slots = self._devices(node)
        if slots is not None and self._is_full(devices, slots, node.start):
            return True
        return any(self._is_full(frozenset([limit]), most, node.start) for limit, most in self._limits(node))

    def _is_full(self, places: frozenset[Place], most: int, at: float) -> bool:
        holders = self._holders.get(places)
        if holders is None:
            holders = self._holders[places] = _Holders(places)
        holders.follow(self._taken, at)
        return bool(holders.unsure) and holders.unsure + len(holders.ends) >= most

    def _devices(self, node: Node) -> tuple[frozenset[Place], int | None]:
        """The devices that could take an attempt, and their slots together; None: any number."""
        wanted = DeviceRequirements.of(node.task, node.run.pin_of(node.number))
        found = self._fitting.get(wanted)
        if found is None:
            fitting = [one for one in self._fleet.devices.values() if one.accepts and wanted.fits(one)]
            counts = [one.slots for one in fitting]
            slots = None if None in counts else sum(count for count in counts if count is not None)
            found = self._fitting[wanted] = frozenset(("device", one.id) for one in fitting), slots
        return found

    def _limits(self, node: Node) -> Iterator[tuple[Place, int]]:
        """The limits that an attempt counts against, and how many each allows."""
        fleet = self._fleet
        for group in node.groups:
            if group in fleet.groups:
                yield ("group", group), fleet.groups[group]
        if node.run.limit is not None:
            yield ("run", node.run.run_id), node.run.limit
        if fleet.max_concurrency is not None:
            yield ("fleet",), fleet.max_concurrency


class _Held(NamedTuple):
    """The places that an attempt holds, or one of which it will hold, and until when; infinity: nobody can tell."""

    places: frozenset[Place]
    end: float


class _Holders:
    """The attempts that hold one of these places: how many are unsure, and a heap of the ends of all others."""

    def __init__(self, places: frozenset[Place]) -> None:
        self._places = places
        self._read = 0
        self.unsure = 0
        self.ends: list[float] = []

    def follow(self, taken: list[_Held], at: float) -> None:
        """Count what was taken since, and forget what has ended by a moment."""
        for held in taken[self._read :]:
            if not held.places.isdisjoint(self._places):
                if held.end == math.inf:
                    self.unsure += 1
                else:
                    heappush(self.ends, held.end)
        self._read = len(taken)
        while self.ends and self.ends[0] <= at:
            heappop(self.ends)

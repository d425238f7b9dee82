"""What determines the finish of a schedule: the chain of attempts that ends last, waits for places included; and slack.

The chain is walked back from the end. Whatever started as soon as it was ready waited for the dependency that made it
ready; whatever started later waited for the attempt that ended at that very moment and gave it its place.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from starloom.foresight.drive import Pause, no_pause, with_pauses

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.foresight.schedule import Node, Schedule


class WaitedFor(StrEnum):
    """Why something on the path did not start before."""

    NOTHING = "nothing"
    """It runs already or starts at once."""
    DEPENDENCY = "dependency"
    """It needed the one before it on the path."""
    SLOT = "slot"
    """The one before it on the path held its slot."""
    LIMIT = "limit"
    """The one before it on the path held a place that a limit allows: of a group, the run or the fleet."""
    PAUSE = "pause"
    """It waited for a time: a pause before a retry, or until it had aged."""


class Links:
    """Which attempt had to end so that another one could start, for all of a schedule.

    Attributes:
        nodes: those of the schedule.
        giver: for each node the place of the one that made room for it; None: it did not have to wait for room.
    """

    def __init__(self, schedule: Schedule, pause: Pause = no_pause) -> None:
        self._pause = pause
        self.nodes: Sequence[Node] = schedule.nodes
        self.giver: list[int | None] = [None] * len(self.nodes)
        self._limited = {id: device.slots is not None for id, device in schedule.fleet.devices.items()}
        ended: dict[float, list[int]] = {}
        for place, node in enumerate(with_pauses(self.nodes, pause)):
            ended.setdefault(node.end, []).append(place)
        for place, node in enumerate(with_pauses(self.nodes, pause)):
            if node.start > node.ready:
                self.giver[place] = self._giver(place, ended.get(node.start, ()))

    def _giver(self, place: int, candidates: Sequence[int]) -> int | None:
        """Of those that ended at that moment the one that held the very slot, else the device, else a common group."""
        node = self.nodes[place]
        best: tuple[int, int] | None = None
        for candidate in candidates:
            if candidate >= place:
                break  # it started later, or is the node itself
            other = self.nodes[candidate]
            if not other.device_id:
                continue  # a gate held no place
            same_device = other.device_id == node.device_id
            likeness = 4 * (same_device and other.slot == node.slot) + 2 * same_device
            likeness += bool(set(other.task.groups) & set(node.task.groups)) if node.task.groups else 0
            if best is None or likeness > best[0]:
                best = likeness, candidate
        return None if best is None else best[1]

    def cause(self, place: int, now: float) -> tuple[int | None, WaitedFor]:
        """What a node waited for last, and the node that it waited for."""
        node = self.nodes[place]
        if node.start <= now:
            return None, WaitedFor.NOTHING
        giver = self.giver[place]
        if giver is not None:
            other = self.nodes[giver]
            is_slot = self._limited.get(node.device_id, False) and other.device_id == node.device_id
            return giver, WaitedFor.SLOT if is_slot else WaitedFor.LIMIT
        last = max(node.before, key=lambda other: self.nodes[other].end, default=None)
        if last is None or node.lag > 0 or node.start > node.ready:
            return last, WaitedFor.PAUSE
        return last, WaitedFor.DEPENDENCY

    def path(self, last: int, now: float) -> list[tuple[int, WaitedFor]]:
        """The chain that ends with a node, first to last, each with what it waited for."""
        chain: list[tuple[int, WaitedFor]] = []
        place: int | None = last
        while place is not None:
            before, reason = self.cause(place, now)
            chain.append((place, reason))
            place = before
        return chain[::-1]

    def slack(self, finish: float) -> list[float]:
        """Seconds by which each node could end later without delaying the finish, all others keeping their order."""
        latest = [max(finish, node.end) for node in self.nodes]
        holder: dict[tuple[str, int], int] = {}
        followed: list[list[tuple[int, float]]] = [[] for _ in self.nodes]
        for place, node in enumerate(with_pauses(self.nodes, self._pause)):
            for before in node.before:
                followed[before].append((place, node.lag))
            giver = self.giver[place]
            if giver is not None:
                followed[giver].append((place, 0.0))
            if self._limited.get(node.device_id, False):
                key = node.device_id, node.slot
                if node.fills and key in holder:
                    followed[holder[key]].append((place, 0.0))
                holder[key] = place
        backwards = range(len(self.nodes) - 1, -1, -1)
        for place in with_pauses(backwards, self._pause):  # whoever follows started later
            for after, lag in followed[place]:
                node = self.nodes[after]
                latest[place] = min(latest[place], latest[after] - (node.end - node.start) - lag)
        return [max(0.0, end - node.end) for node, end in zip(self.nodes, latest, strict=True)]

"""The critical path of a schedule, as `read.critical_path` defines it; and slack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.pauses import Pause, no_pause, with_pauses
from starloom.scheduling.read.waiting_causes import Causes, WaitedFor

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.foresight.node import Node
    from starloom.foresight.schedule import Schedule


class Links:
    """The links between attempts of a schedule: which one has to end so that another one can start.

    Args:
        schedule: what was foreseen, from its start to its end.
        pause: see `pauses.Pause`.

    Attributes:
        nodes: those of the schedule.
        giver: for each node the place of the one that made room for it; None: it did not have to wait for room.
    """

    def __init__(self, schedule: Schedule, pause: Pause = no_pause) -> None:
        self._pause = pause
        self.nodes: Sequence[Node] = schedule.nodes
        self._now = schedule.now
        devices = schedule.fleet.devices
        self._limited = {id: device.slots for id, device in devices.items() if device.slots is not None}
        self._causes = Causes(
            self.nodes,
            lambda place: self.nodes[place].before,
            self._limited,
            schedule.now,
            lambda spans: with_pauses(spans, pause),
            lambda node: node.run.limit,
            schedule.fleet.max_concurrency,
        )
        self.giver = [self._causes.giver(place) for place in with_pauses(range(len(self.nodes)), pause)]

    def path(self, last: int) -> list[tuple[int, WaitedFor]]:
        """The chain that ends with a node, first to last, each with what it waited for."""
        return self._causes.path(last)

    def behind(self, is_such: Callable[[Node], bool]) -> list[bool]:
        """Whether each node starts after one of a certain kind, which it may not have had to wait for directly."""
        such = [is_such(node) for node in self.nodes]
        if not any(such):
            return such
        found: list[bool] = []
        is_after: list[bool] = []
        for node, giver, is_one in zip(self.nodes, self.giver, such, strict=True):
            earlier = node.before if giver is None else (*node.before, giver)
            found.append(any(is_after[place] for place in earlier))
            is_after.append(found[-1] or is_one)
        return found

    def ends_without(self, is_such: Callable[[Node], bool]) -> list[float]:
        """When each node would end if those of a certain kind took no time from now on, all others keeping their order.

        Seconds on the engine's clock; whatever else kept a node from its start keeps it as long.
        """
        ends: list[float] = []
        for node, giver in with_pauses(zip(self.nodes, self.giver, strict=True), self._pause):
            earlier = node.before if giver is None else (*node.before, giver)
            before = max((self.nodes[place].end for place in earlier), default=node.start)
            start = max((ends[place] for place in earlier), default=before) + max(0.0, node.start - before)
            ends.append(max(start, self._now) if is_such(node) else start + node.end - node.start)
        return ends

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
            if node.device_id in self._limited:
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

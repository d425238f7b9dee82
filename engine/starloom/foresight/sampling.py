"""Sampling the end of a schedule: the same attempts in the same order of precedence, with drawn durations.

The full scheduler would be too slow for hundreds of samples of ten thousand tasks. A sample is a greedy list schedule:
whoever comes first in the foreseen order starts first, as soon as its dependencies have ended and there is a place
on the devices that are as fast as the one foreseen, in its groups and under the limits. The end of a sample counts by
how far it is from that of the same replay with the durations as estimated, so that what the replay leaves out cancels.
"""

from __future__ import annotations

import math
from heapq import heapify, heappop, heappush
from random import Random
from typing import TYPE_CHECKING, Final

from starloom.foresight.spread import drawn_doubt, drawn_rest
from starloom.pauses import Pause, no_pause, with_pauses

if TYPE_CHECKING:
    from starloom.foresight.node import Node
    from starloom.foresight.schedule import Schedule
    from starloom.foresight.spread import Spread

WORK: Final = 300_000
"""Attempts replayed in all: about a second."""
BETWEEN_PAUSES: Final = 256
"""Attempts replayed between two pauses."""
FEWEST: Final = 24
MOST: Final = 300
Place = int
"""An attempt, by its place in `Schedule.nodes`."""


def sampled_ends(
    schedule: Schedule, *, samples: int | None = None, seed: int = 0, pause: Pause = no_pause
) -> list[float]:
    """The end of the schedule's run in each sample, ascending, in seconds on the engine's clock.

    Equal arguments give equal ends, on any machine: the number of samples depends on the number of attempts alone.

    Args:
        schedule: what is foreseen.
        samples: how many; None: as many as `WORK` allows, `FEWEST` to `MOST`.
        seed: another one draws other durations.
        pause: see `pauses.Pause`.
    """
    nodes = schedule.nodes
    finish = foreseen_end(schedule)
    if not any(node.held or (node.estimate.spread.sigma and node.estimate.seconds) for node in nodes):
        return [finish]
    count = samples if samples is not None else max(FEWEST, min(MOST, WORK // len(nodes)))
    random = Random(seed)
    replay = _Replay(schedule, pause)
    shift = finish - replay.end([node.seconds for node in nodes])
    draw = _Durations(nodes)
    now = schedule.now
    ends: list[float] = []
    for _ in range(count):
        seconds = draw.once(random)
        pause()
        ends.append(max(now, shift + replay.end(seconds)))
    return sorted(ends)


def foreseen_end(schedule: Schedule) -> float:
    """The estimated end of the last attempt of the schedule's run, on the engine's clock; now if there is none."""
    return max((node.end for node in schedule.nodes if node.run is schedule.run), default=schedule.now)


def quantile(ends: list[float], share: float) -> float:
    """The value below which this share of ascending values lies, interpolated.

    Args:
        ends: ascending, at least one.
        share: 0 to 1.
    """
    position = share * (len(ends) - 1)
    below = int(position)
    above = min(below + 1, len(ends) - 1)
    return ends[below] + (position - below) * (ends[above] - ends[below])


class _Durations:
    """Draws the seconds of every attempt; whatever has the same spread shares one drawn truth a sample."""

    def __init__(self, nodes: list[Node]) -> None:
        known: dict[Spread, int] = {}
        self._plain: list[tuple[Place, int, float, float]] = []
        """Place, spread, factor on the drawn seconds, most seconds."""
        self._begun: list[tuple[Place, int, float, Node]] = []
        self._held: list[tuple[Place, int, float]] = []
        """Place, spread, share of an overhead that is left."""
        self._seconds = [node.seconds - node.held for node in nodes]
        for place, node in enumerate(nodes):
            estimate = node.estimate
            if node.held:
                number = known.setdefault(node.overhead.spread, len(known))
                self._held.append((place, number, node.held / node.overhead.seconds))
            if not estimate.seconds or not estimate.spread.sigma:
                continue
            number = known.setdefault(estimate.spread, len(known))
            scale = estimate.seconds if estimate.is_ratio else 1.0
            if node.elapsed or node.most != math.inf:
                self._begun.append((place, number, scale, node))
            else:
                self._plain.append((place, number, scale / node.speed, node.most))
        self._spreads = list(known)
        self._freedoms = sorted({spread.freedom for spread in known})

    def once(self, random: Random) -> list[float]:
        """The seconds of every attempt, from now or from its start on."""
        doubts = {freedom: drawn_doubt(freedom, random) for freedom in self._freedoms}
        truths = [spread.draw(random, doubts[spread.freedom]) for spread in self._spreads]
        seconds = list(self._seconds)
        gauss, exp = random.gauss, math.exp
        for place, number, factor, _ in self._plain:
            mean, sigma = truths[number]
            seconds[place] = factor * exp(mean + sigma * gauss(0.0, 1.0))
        for place, number, scale, node in self._begun:
            mean, sigma = truths[number]
            rest = drawn_rest(mean + math.log(scale), sigma, node.elapsed * node.speed, random) / node.speed
            seconds[place] = min(rest, max(0.0, node.most))
        for place, number, share in self._held:
            mean, sigma = truths[number]
            seconds[place] += share * exp(mean + sigma * gauss(0.0, 1.0))
        return seconds


class _Replay:
    """The list schedule; made once, and replayed with other durations."""

    def __init__(self, schedule: Schedule, pause: Pause) -> None:
        nodes = schedule.nodes
        self._now, self._pause = schedule.now, pause
        self._own = [node.run is schedule.run for node in nodes]
        self._lag = [node.lag for node in nodes]
        self._running = [place for place, node in enumerate(nodes) if node.start < self._now or node.elapsed]
        self._unmet = [len(node.before) for node in nodes]
        self._after: list[list[Place]] = [[] for _ in nodes]
        for place, node in enumerate(with_pauses(nodes, pause)):
            for before in node.before:
                self._after[before].append(place)
        self._holds, self._room = _places(schedule, pause)

    def end(self, seconds: list[float]) -> float:
        """When the run's last attempt ends if the attempts take so long."""
        now, room, unmet = self._now, list(self._room), list(self._unmet)
        waiting: list[list[Place]] = [[] for _ in room]
        running = set(self._running)
        ends: list[tuple[float, Place, bool]] = [(now + seconds[place], place, True) for place in self._running]
        for place in self._running:
            for limit in self._holds[place]:
                room[limit] -= 1
        for place, count in enumerate(unmet):
            if not count and place not in running:
                ends.append((now + self._lag[place], place, False))
        heapify(ends)
        return self._play(seconds, ends, room, unmet, waiting)

    def _play(
        self,
        seconds: list[float],
        ends: list[tuple[float, Place, bool]],
        room: list[int],
        unmet: list[int],
        waiting: list[list[Place]],
    ) -> float:
        """`ends` holds when attempts end, and when those are ready that wait for nothing but a time."""
        holds, after, lags, own = self._holds, self._after, self._lag, self._own
        finish = at = self._now
        steps = 0
        while ends:
            at, place, has_run = heappop(ends)
            steps += 1
            if steps % BETWEEN_PAUSES == 0:
                self._pause()
            fresh = [] if has_run else [place]
            freed: tuple[int, ...] = ()
            if has_run:
                freed = holds[place]
                for limit in freed:
                    room[limit] += 1
                if own[place] and at > finish:
                    finish = at
                for child in after[place]:
                    unmet[child] -= 1
                    if unmet[child]:
                        continue
                    if lags[child]:
                        heappush(ends, (at + lags[child], child, False))
                    else:
                        fresh.append(child)
            _start(at, fresh, freed, seconds, ends, room, waiting, holds)
        return finish


def _start(
    at: float,
    fresh: list[Place],
    freed: tuple[int, ...],
    seconds: list[float],
    ends: list[tuple[float, Place, bool]],
    room: list[int],
    waiting: list[list[Place]],
    holds: list[tuple[int, ...]],
) -> None:
    """Start what has room now: of those that wait for the same, the first in the foreseen order first."""
    looked_at = list(freed)
    for place in fresh:
        limits = holds[place]
        if not limits:
            heappush(ends, (at + seconds[place], place, True))
            continue
        heappush(waiting[limits[0]], place)
        looked_at.append(limits[0])
    while looked_at:
        limit = looked_at.pop()
        line = waiting[limit]
        while line and room[limit] > 0:
            place = heappop(line)
            full = next((other for other in holds[place] if room[other] <= 0), None)
            if full is not None:
                heappush(waiting[full], place)
                continue
            for other in holds[place]:
                room[other] -= 1
            heappush(ends, (at + seconds[place], place, True))


def _places(schedule: Schedule, pause: Pause) -> tuple[list[tuple[int, ...]], list[int]]:
    """For each attempt the limits it counts against, and how much each limit allows.

    Devices that are equally fast and can do the same count as one: whichever is free takes the attempt.
    """
    fleet = schedule.fleet
    numbers: dict[object, int] = {}
    room: list[int] = []

    def limit(key: object, allowed: int) -> int:
        if key not in numbers:
            numbers[key] = len(room)
            room.append(allowed)
        return numbers[key]

    pool: dict[str, tuple[object, ...]] = {}
    slots: dict[tuple[object, ...], int | None] = {}
    for device in fleet.devices.values():
        can_do = (device.capabilities, device.actions, device.unsupported)
        key: tuple[object, ...] = ("devices", device.speed, *can_do, device.accepts, device.slots is None)
        pool[device.id] = key
        slots[key] = None if device.slots is None else (slots.get(key) or 0) + device.slots
    holds: list[tuple[int, ...]] = []
    for node in with_pauses(schedule.nodes, pause):
        if not node.device_id:  # a gate takes no place
            holds.append(())
            continue
        held = []
        key = pool[node.device_id]
        count = slots[key]
        if count is not None:
            held.append(limit(key, count))
            pin = node.run.pin_of(node.number)
            if pin is not None and (own := fleet.devices[node.device_id].slots) != count:
                held.append(limit(("device", pin), own))
        held += [limit(("group", g), fleet.groups[g]) for g in node.task.groups if g in fleet.groups]
        if node.run.limit is not None:
            held.append(limit(("run", node.run.run_id), node.run.limit))
        if fleet.max_concurrency is not None:
            held.append(limit(("fleet",), fleet.max_concurrency))
        holds.append(tuple(held))
    return holds, room

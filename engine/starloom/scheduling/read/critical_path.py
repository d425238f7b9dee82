"""The critical path: the chain of attempts that decides when a run finishes, under its limits.

It is one thing everywhere. Of a run that was made, `critical_path` walks it back through the attempts that were; of
one that is foreseen, `foresight.critical` walks the same way through those that will be. Whatever was ordered as soon
as it was ready waited for what made it ready, from when the end of that was heard of; whatever was ordered later
waited for the attempt that ended at that very moment and gave it its place, or else for a time or a person. An
attempt of the chain starts when the one before has ended, or later, so that its seconds are at most those of the run.
"""

from __future__ import annotations

from bisect import bisect_left
from enum import StrEnum
from operator import attrgetter
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from starloom.scheduling.read.ready_times import ready_time
from starloom.scheduling.state.codes import RUNNING
from starloom.scheduling.state.late_facts import heard_at, ordered_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from starloom.scheduling.state.run_facts import RunFacts

NOWHERE: Final = ""
"""Where gates are: on no device."""


class WaitedFor(StrEnum):
    """The reasons why an attempt on the path did not start before."""

    NOTHING = "nothing"
    """It runs already or starts at once."""
    DEPENDENCY = "dependency"
    """It needed the one before it on the path."""
    HEARD_LATE = "heard_late"
    """It needed the one before it on the path, of whose end nobody heard before."""
    SLOT = "slot"
    """The one before it on the path held its slot."""
    LIMIT = "limit"
    """The one before it on the path held a place that a limit allows: of a group, the run or the fleet."""
    RETRY = "retry"
    """The one before it on the path is the same task, which is tried again."""
    PAUSE = "pause"
    """It waited for a time or a person: until it had aged, was released or was added."""


class AttemptSpan(Protocol):
    """One attempt, or one open period of a gate, with its times on the engine's clock."""

    @property
    def number(self) -> int:
        """The task's number in its run."""

    @property
    def device_id(self) -> str:
        """The device; `NOWHERE` for a gate."""

    @property
    def slot(self) -> int:
        """The slot of the device."""

    @property
    def ready(self) -> float:
        """When its task became ready."""

    @property
    def ordered(self) -> float:
        """When it was ordered and took its slot: as it started, or earlier if it did not begin at once."""

    @property
    def start(self) -> float:
        """When it started."""

    @property
    def end(self) -> float:
        """When it ended."""

    @property
    def heard(self) -> float:
        """When its end was reported: as it ended, or later if its device could not be reached then."""

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups whose limits hold for it."""


_AT_ONCE: Final = 1.0
"""Seconds within which a program is told of what ended while nobody could tell it, and those that news take at most."""
_ABOVE_SLOTS: Final = 8
"""More than equal slots and devices count together."""


class Causes:
    """Finds the attempt whose end let another one start.

    Args:
        spans: the attempts, in the order in which they started.
        before: the places of those that had to end before the one at a place was ready.
        slots: how many each device has that has a number of them.
        now: what started by then waited for nothing.
        walk: goes through the spans; one that gives way now and then is good where there are very many.
    """

    def __init__(
        self,
        spans: Sequence[AttemptSpan],
        before: Callable[[int], Sequence[int]],
        slots: Mapping[str, int],
        now: float,
        walk: Callable[[Iterable[AttemptSpan]], Iterable[AttemptSpan]] = iter,
    ) -> None:
        self._spans, self._before, self._slots, self._now, self._walk = spans, before, slots, now, walk
        self._ended: dict[float, list[int]] = {}
        self._heard_late: dict[tuple[str, int], list[int]] = {}  # of each slot
        self._moments: dict[str, tuple[list[float], list[float]]] = {}  # of each device: when attempts began and ended
        for place, span in enumerate(walk(spans)):
            self._ended.setdefault(span.end, []).append(place)
            if span.heard != span.end:
                self._ended.setdefault(span.heard, []).append(place)
                self._heard_late.setdefault((span.device_id, span.slot), []).append(place)

    def giver(self, place: int) -> int | None:
        """The attempt that made room, among those that ended as this one started: by slot, else device, else group.

        By group before all else where the device had a slot free, as its slots kept nothing back then.
        """
        span = self._spans[place]
        if span.ordered <= span.ready:
            return None  # it did not wait
        best: tuple[tuple[int, float, int], int] | None = None
        for candidate in self._ended.get(span.ordered, ()):
            if candidate >= place:
                break  # it started later, or is the attempt itself
            other = self._spans[candidate]
            if other.device_id == NOWHERE:
                continue  # a gate held no place
            is_same = other.device_id == span.device_id
            likeness = 4 * (is_same and other.slot == span.slot) + 2 * is_same
            if self._share_group(candidate, place):
                likeness += 1 if self._was_full(place) else _ABOVE_SLOTS
            rank = likeness, -other.start, -other.number
            if best is None or rank > best[0]:
                best = rank, candidate
        return self._freed_early(place) if best is None else best[1]

    def _share_group(self, one: int, other: int) -> bool:
        groups = self._spans[other].groups
        return bool(groups) and not set(self._spans[one].groups).isdisjoint(groups)

    def _was_full(self, place: int) -> bool:
        """Whether no slot was free just before an attempt started where it did, by what its device has now."""
        span = self._spans[place]
        slots = self._slots.get(span.device_id)
        if slots is None:
            return False
        if not self._moments:
            for one in self._walk(self._spans):
                starts, ends = self._moments.setdefault(one.device_id, ([], []))
                starts.append(one.ordered)
                ends.append(one.heard)
            for starts, ends in self._moments.values():
                starts.sort()
                ends.sort()
        starts, ends = self._moments[span.device_id]
        return bisect_left(starts, span.ordered) - bisect_left(ends, span.ordered) >= slots

    def _freed_early(self, place: int) -> int | None:
        """The attempt that held its slot and left it after an outage, when its end became known before all else was."""
        span = self._spans[place]
        for other in reversed(self._heard_late.get((span.device_id, span.slot), ())):
            if other < place:
                return other if self._spans[other].end <= span.ordered <= self._spans[other].heard else None
        return None

    def of(self, place: int) -> tuple[int | None, WaitedFor]:
        """The index of the attempt that this one waited for last, and the reason."""
        spans = self._spans
        span = spans[place]
        if span.ordered <= self._now:
            return None, WaitedFor.NOTHING
        giver = self.giver(place)
        if giver is not None:
            is_slot = spans[giver].device_id == span.device_id and span.device_id in self._slots
            is_slot = is_slot and (self._was_full(place) or not self._share_group(giver, place))
            return giver, WaitedFor.SLOT if is_slot else WaitedFor.LIMIT
        before = self._before(place)
        last = last_to_end(spans, before)
        if last is None:
            return None, WaitedFor.PAUSE
        if _is_same_task(spans[last], span):
            return last, WaitedFor.RETRY
        if not span.ordered <= span.ready <= max(spans[other].heard for other in before):
            return last, WaitedFor.PAUSE
        is_late = spans[last].end + _AT_ONCE < span.ready  # else that was the way of the news
        return last, WaitedFor.HEARD_LATE if is_late else WaitedFor.DEPENDENCY

    def path(self, last: int) -> list[tuple[int, WaitedFor]]:
        """The chain that ends with an attempt, first to last, each with its reason for waiting."""
        chain: list[tuple[int, WaitedFor]] = []
        seen: set[int] = set()
        place: int | None = last
        while place is not None and place not in seen:
            seen.add(place)
            before, reason = self.of(place)
            chain.append((place, reason))
            place = before
        return chain[::-1]


def last_to_end(spans: Sequence[AttemptSpan], places: Sequence[int]) -> int | None:
    """The place of the attempt that was reported to end last, or of equal ones started last; None: there is no place.

    Of those that were heard of at once, after an outage, it is the one that ended last: in which order a program is
    told of them says nothing. One of them may have ended just then, as the clock goes on where the last one ended.
    """

    def reported(place: int) -> tuple[float, float, int]:
        return spans[place].heard, spans[place].start, spans[place].number

    def ended(place: int) -> tuple[float, float, int]:
        return spans[place].end, spans[place].start, spans[place].number

    last = max(places, key=reported, default=None)
    if last is None or spans[last].heard == spans[last].end:
        return last
    heard = spans[last].heard

    def is_at_once(place: int) -> bool:
        one = spans[place]
        return one.end != one.heard > heard - _AT_ONCE or one.end == heard

    return max(filter(is_at_once, places), key=ended)


def _is_same_task(one: AttemptSpan, other: AttemptSpan) -> bool:
    return one.number == other.number and getattr(one, "run", None) is getattr(other, "run", None)


class PathStep(msgspec.Struct, frozen=True, gc=False):
    """One attempt on the critical path; times in seconds on the engine's clock.

    Attributes:
        number: the task's number in its run.
        attempt: which of its attempts, from 1; of a gate, how often it was asked.
        device_id: where; empty: it is a gate.
        ended: when it had ended, or until when is told while it runs.
        waited_for: why it did not start before the step before it had ended.
        gap: seconds between the end of the step before, or the run's start, and its own start, without those in which
            the run had ended.
    """

    number: int
    attempt: int
    device_id: str
    started: float
    ended: float
    waited_for: WaitedFor
    gap: float

    @property
    def seconds(self) -> float:
        """The duration in seconds."""
        return self.ended - self.started


class CriticalPath(msgspec.Struct, frozen=True):
    """The critical path of a run that has finished.

    Attributes:
        steps: its attempts, first to last.
        seconds: of these attempts together; at most those of the run.
    """

    steps: tuple[PathStep, ...] = ()
    seconds: float = 0.0

    @property
    def numbers(self) -> tuple[int, ...]:
        """Its tasks, first to last; consecutive attempts of one task count once."""
        found = [step.number for step in self.steps]
        return tuple(number for place, number in enumerate(found) if place == 0 or found[place - 1] != number)

    @property
    def waited(self) -> float:
        """Seconds before its first attempt and between them: spent waiting for a time, a person or a lost device."""
        return sum(step.gap for step in self.steps)


def critical_path(run: RunFacts, now: float) -> CriticalPath:
    """The critical path of a run, of an executing one so far; O(attempts log attempts).

    Attempts of other runs are not known here: a place that they held shows as a pause.

    Args:
        run: its facts.
        now: seconds on the engine's clock; when it ended, if it has.
    """
    start = run.created_at if run.run_started_at is None else run.run_started_at
    walk = _Walk(run, now)
    if not walk.spans:
        return CriticalPath()
    slots = {id: device.slots for id, device in run.fleet.devices.items() if device.slots is not None}
    causes = Causes(walk.spans, walk.before, slots, start)
    last = last_to_end(walk.spans, range(len(walk.spans)))
    assert last is not None, "there are some"
    steps: list[PathStep] = []
    ended = start
    for place, reason in causes.path(last):
        one = walk.spans[place]
        gap = max(0.0, one.start - ended - run.idle_within(ended, one.start))
        steps.append(PathStep(one.number, one.attempt, one.device_id, one.start, one.end, reason, gap))
        ended = one.end
    return CriticalPath(tuple(steps), min(sum(step.seconds for step in steps), max(0.0, ended - start)))


class _Made(msgspec.Struct, frozen=True, gc=False):
    """An attempt that was made, as a `AttemptSpan`."""

    start: float
    order: int
    number: int
    attempt: int
    device_id: str
    slot: int
    ready: float
    ordered: float
    end: float
    heard: float
    groups: tuple[str, ...]


class _Walk:
    """The attempts of a run in the order in which they started, and which had to end before another was ready."""

    def __init__(self, run: RunFacts, now: float) -> None:
        self._run = run
        self.spans = sorted(_made(run, now), key=attrgetter("start", "order", "attempt"))
        self._of_task: dict[int, list[int]] = {}
        for place, one in enumerate(self.spans):
            self._of_task.setdefault(one.number, []).append(place)

    def before(self, place: int) -> list[int]:
        """The attempt of the task before this one, and the last of each parent that had ended by then.

        A parent that never ran stands for its own.
        """
        one = self.spans[place]
        parents = self._run.graph.parents
        own = self._of_task[one.number]
        earlier = own.index(place)
        found = [own[earlier - 1]] if earlier else []
        seen: set[int] = set()
        line = list(parents[one.number])
        while line:
            parent = line.pop()
            if parent in seen:
                continue
            seen.add(parent)
            its = self._of_task.get(parent)
            if its is None:
                line += parents[parent]
                continue
            ended = [other for other in its if self.spans[other].heard <= one.ready and other != place]
            found += ended[-1:]
        return found


def _made(run: RunFacts, now: float) -> Iterator[_Made]:
    began = {number for number, device in enumerate(run.device_of) if device is not None}
    began.update(run.history, run.gates)
    if not began:
        return
    order = run.graph.positions()
    for number in began:
        task = run.graph.tasks[number]
        if task is None:
            continue
        place, groups = order[number], tuple(task.groups)
        for one in run.history.get(number, ()):
            end = now if one.ended is None else one.ended
            where, heard = (one.device_id, one.slot), heard_at(run, number, one.number, end)
            ordered = ordered_at(run, number, one.number, one.started)
            yield _Made(one.started, place, number, one.number, *where, one.ready, ordered, end, heard, groups)
        device = run.device_of[number]
        if device is not None:  # its last attempt, read from the arrays, as that of most tasks is the only one
            end, attempt = now if run.status[number] == RUNNING else run.ended_at[number], run.tries[number]
            start, ready, slot = run.started_at[number], ready_time(run, number), run.slot_of[number]
            heard, ordered = heard_at(run, number, attempt, end), ordered_at(run, number, attempt, start)
            yield _Made(start, place, number, attempt, device, slot, ready, ordered, end, heard, groups)
        gate = run.gates.get(number)
        if gate is not None:
            end = now if gate.ended is None else gate.ended
            yield _Made(gate.at, place, number, gate.attempt, NOWHERE, 0, gate.at, gate.at, end, end, groups)

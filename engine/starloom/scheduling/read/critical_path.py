"""The critical path: the chain of attempts that decides when a run finishes, under its limits.

It is one thing everywhere. Of a run that was made, `critical_path` walks it back through the attempts that were; of
one that is foreseen, `foresight.critical` walks the same way through those that will be. Whatever was ordered as soon
as it was ready waited for what made it ready, from when the end of that was heard of; whatever was ordered later
waited for the attempt that ended at that very moment and gave it its place, or else for a time or a person. An
attempt of the chain starts when the one before has ended, or later, so that its seconds are at most those of the run.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

import msgspec

from starloom.scheduling.read.ready_times import ready_time
from starloom.scheduling.read.waiting_causes import NOWHERE, Causes, WaitedFor, last_to_end
from starloom.scheduling.state.codes import RUNNING
from starloom.scheduling.state.late_facts import heard_at, ordered_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.scheduling.state.run_facts import RunFacts


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
    most = run.fleet.max_concurrency
    causes = Causes(walk.spans, walk.before, slots, start, most_of_run=lambda _one: run.limit, most=most)
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

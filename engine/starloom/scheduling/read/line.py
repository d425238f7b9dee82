"""The ready queue for people: its tasks in the order in which they would start if all could."""

from __future__ import annotations

from heapq import nsmallest
from typing import TYPE_CHECKING

import msgspec

from starloom.scheduling.read.ready_times import ready_time
from starloom.scheduling.state.codes import PENDING
from starloom.scheduling.state.queue_keys import BUCKET_BITS, NUMBER_BITS
from starloom.scheduling.state.queueing import aged_key, effective_priority

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState


class InLine(msgspec.Struct, frozen=True):
    """A ready task's place in the queue.

    Attributes:
        number: the task's number in its run.
        base: its priority, or that of what waits for it if that is higher; 0 to 100.
        effective: the base with what it has aged, capped at 100.
        waited: seconds since it became ready, as reports tell; 0 in a run that was not started.
    """

    run_id: str
    number: int
    base: int
    effective: float
    waited: float


def in_line(scheduler: SchedulerState, now: float, most: int, run_id: str | None = None) -> tuple[list[InLine], int]:
    """The first ready tasks in order of their keys, and how many there are in all; changes nothing.

    Held tasks, those that pause before a retry and those behind a fence of descendants do not stand in line. Those
    whose group or device is full, and those behind a global fence, do.

    Args:
        scheduler: which one.
        now: seconds on its clock.
        most: how many are wanted.
        run_id: of which run; None: of all that live.
    """
    lives = scheduler.live.values() if run_id is None else [i for i in (scheduler.live.get(run_id),) if i is not None]
    keyed = _keyed(scheduler, list(lives))
    return [_entry(scheduler, now, number, run) for _, run, _, number in nsmallest(most, keyed)], len(keyed)


def _keyed(scheduler: SchedulerState, lives: list[RunIndex]) -> list[tuple[int, int, int, int]]:
    """The sort keys of queued tasks: key, number of the run, place among equal ones, number.

    Beside runs that go by age, those whose tasks go by rank have their turns by age too, and give them by rank.
    """
    aged = [one for index in lives if not index.by_rank for one in _queued(index)]
    ranked = sorted(one for index in lives if index.by_rank for one in _queued(index))
    if aged and ranked:
        by_number, high = scheduler.by_number, NUMBER_BITS + BUCKET_BITS
        turns = sorted(_turn(scheduler, by_number[run], number) >> high for _, run, _, number in ranked)
        told = enumerate(zip(turns, ranked, strict=True))
        ranked = [(turn, run, at, number) for at, (turn, (_, run, _, number)) in told]
    return aged + ranked


def _queued(index: RunIndex) -> Iterable[tuple[int, int, int, int]]:
    keys, run = index.keys, index.number
    for number in index.run.with_status(PENDING):
        key = keys[number]
        if key is not None:
            yield key >> (NUMBER_BITS + BUCKET_BITS), run, number, number


def _turn(scheduler: SchedulerState, index: RunIndex, number: int) -> int:
    return aged_key(scheduler, index, number, index.run.ready_at[number], index.base[number])


def _entry(scheduler: SchedulerState, now: float, number: int, run_number: int) -> InLine:
    index = scheduler.by_number[run_number]
    run = index.run
    waited = 0.0 if run.run_started_at is None else max(0.0, now - ready_time(run, number))
    effective = effective_priority(scheduler, index, number, now)
    return InLine(run.run_id, number, index.base[number], effective, waited)

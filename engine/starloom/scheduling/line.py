"""The ready queue as people see it: who stands in line, in the order in which they would start if all could."""

from __future__ import annotations

from heapq import nsmallest
from typing import TYPE_CHECKING

import msgspec

from starloom.scheduling.codes import PENDING
from starloom.scheduling.queueing import effective_priority
from starloom.scheduling.queues import BUCKET_BITS, NUMBER_BITS

if TYPE_CHECKING:
    from starloom.scheduling.scheduler import Scheduler


class InLine(msgspec.Struct, frozen=True):
    """A ready task's place in line.

    Attributes:
        number: the task's number in its run.
        base: its priority, or that of what waits for it if that is higher; 0 to 100.
        effective: the base with what it has aged, capped at 100.
        waited: seconds since it became ready, without those in which the run stood still.
    """

    run_id: str
    number: int
    base: int
    effective: float
    waited: float


def in_line(scheduler: Scheduler, now: float, most: int, run_id: str | None = None) -> tuple[list[InLine], int]:
    """The first ready tasks in the order of their keys, and how many there are in all; changes nothing.

    Held tasks, those that pause before a retry and those behind a fence of descendants do not stand in line. Those
    whose group or device is full, and those behind a global fence, do.

    Args:
        scheduler: which one.
        now: seconds on its clock.
        most: how many are wanted.
        run_id: of which run; None: of all that live.
    """
    lives = scheduler.live.values() if run_id is None else [i for i in (scheduler.live.get(run_id),) if i is not None]
    keyed = [
        (key >> (NUMBER_BITS + BUCKET_BITS), index.number, number)
        for index in lives
        for number in index.run.with_status(PENDING)
        if (key := index.keys[number]) is not None
    ]
    return [_entry(scheduler, now, number, run) for _, run, number in nsmallest(most, keyed)], len(keyed)


def _entry(scheduler: Scheduler, now: float, number: int, run_number: int) -> InLine:
    index = scheduler.by_number[run_number]
    run = index.run
    until = now if run.frozen_at is None else run.frozen_at
    waited = max(0.0, until - run.ready_at[number])
    effective = effective_priority(scheduler, index, number, now)
    return InLine(run.run_id, number, index.base[number], effective, waited)

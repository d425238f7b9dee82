"""Releasing ended runs from memory, and recalling them, so that an engine that lives for months stays small.

Nothing happens to such a run, so there is no event of it: whoever keeps its stream can give its facts back. What it
adds to the counters stays.
"""

from __future__ import annotations

from heapq import heapify
from typing import TYPE_CHECKING, Any

import msgspec

from starloom.scheduling.read.counters import Counters, run_counters
from starloom.scheduling.state.timers import TimerPurpose

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState


def release(scheduler: SchedulerState, run_id: str) -> Counters:
    """Release an ended run from memory; returns its share of the counters.

    Args:
        scheduler: between two turns.
        run_id: of a run that has ended.
    """
    index = scheduler.runs.pop(run_id)
    assert index.run.state.has_ended
    del scheduler.by_number[index.number]
    _leave_queue(scheduler, index)
    timers = scheduler.timers
    if any(timer[2] == run_id and timer[1] is not TimerPurpose.BREAKER for timer in timers):
        timers[:] = [timer for timer in timers if timer[2] != run_id or timer[1] is TimerPurpose.BREAKER]
        heapify(timers)
    counted = run_counters(index.run)
    _count(scheduler, counted, 1)
    return counted


def recall(scheduler: SchedulerState, run: RunFacts, counted: Counters) -> None:
    """Load a released run into memory.

    Args:
        scheduler: between two turns.
        run: its facts, as its stream tells of them.
        counted: what `release` returned.
    """
    _count(scheduler, counted, -1)
    if run.run_id in scheduler.runs:
        return
    run.fleet = scheduler.fleet
    index = scheduler.add_run(run)
    index.grow()
    index.rebuild_priorities()


def carry_over(before: SchedulerState, scheduler: SchedulerState) -> None:
    """Copy the released runs of a scheduler to one that was restored from the journal's events.

    Args:
        before: the scheduler it takes the place of.
        scheduler: an equal one, which may know runs again that were let go of for good.
    """
    for run_id in scheduler.runs.keys() - before.runs.keys():
        if scheduler.run(run_id).state.has_ended:
            release(scheduler, run_id)
    scheduler.released = before.released


def _leave_queue(scheduler: SchedulerState, index: RunIndex) -> None:
    """Remove the buckets of a run without queued tasks from the queue."""
    for bucket in index.buckets.values():
        scheduler.queue.leave(bucket)
    gone: set[object] = {index.wait_queue, index.fence, *index.buckets.values()}
    shared = (*scheduler.placer.wait_queues.values(), *scheduler.group_wait_queues.values())
    heaps: list[list[Any]] = [scheduler.queue.active, scheduler.queue.ranked, *(queue.line for queue in shared)]
    for heap in heaps:
        if any(found in gone for _, _, found in heap):
            heap[:] = [entry for entry in heap if entry[2] not in gone]
            heapify(heap)


def _count(scheduler: SchedulerState, counted: Counters, sign: int) -> None:
    total = scheduler.released
    for name, value in msgspec.structs.asdict(counted).items():
        if name not in ("enabled", "rejected"):
            total[name] = total.get(name, 0) + sign * value

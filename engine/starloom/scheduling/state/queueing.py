"""Queueing and dequeueing of ready tasks: which bucket, under which key."""

from __future__ import annotations

from heapq import heappush
from typing import TYPE_CHECKING, Final

from starloom.pauses import with_pauses
from starloom.scheduling.state.codes import PENDING
from starloom.scheduling.state.queue_keys import BUCKET_BITS, NUMBER_BITS, POINT, SHIFT, aging_rate
from starloom.scheduling.state.run_index import FREE, Bucket
from starloom.scheduling.state.stops import keeps_back, pauses

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState

_RANK_LIMIT: Final = 1 << 48


def effective_priority(scheduler: SchedulerState, index: RunIndex, number: int, now: float | None = None) -> float:
    """The effective priority of a queued task now, or at the last turn, capped at 100 as it is shown.

    Args:
        scheduler: gives the rate of aging.
        index: of the run.
        number: of the task.
        now: seconds on the engine's clock; None: the time of the last turn.
    """
    run = index.run
    now = scheduler.now if now is None else now
    until = now if run.frozen_at is None else run.frozen_at
    waited = max(0.0, until - run.ready_at[number])
    return min(100.0, index.base[number] + aging_rate(scheduler.fleet.starvation_timeout) * waited)


def key_of(scheduler: SchedulerState, index: RunIndex, number: int, ready_at: float) -> int:
    """The key of a ready task: the least starts first.

    By effective priority as of time 0, as linear aging keeps the order of two waiting tasks, then by place in line. By
    critical path: by priority, then by upward rank, then by place.

    Args:
        scheduler: gives the rate of aging.
        index: of the run.
        number: of the task.
        ready_at: since when it waits, in seconds on the engine's clock.
    """
    return key_with(scheduler, index, number, ready_at, index.base[number])


def key_with(scheduler: SchedulerState, index: RunIndex, number: int, ready_at: float, base: int) -> int:
    """The key of a task with another base priority.

    Args:
        scheduler: gives the rate of aging.
        index: of the run.
        number: of the task.
        ready_at: since when it waits, in seconds on the engine's clock.
        base: the base priority, 0 to 100.
    """
    if index.by_rank:
        rank = int(min(_RANK_LIMIT - 1, index.ranks[number] * 1000))
        high = (100 - base) * _RANK_LIMIT + (_RANK_LIMIT - 1 - rank)
        return high << SHIFT | (index.number << NUMBER_BITS | number) << BUCKET_BITS
    return aged_key(scheduler, index, number, ready_at, base)


def aged_key(scheduler: SchedulerState, index: RunIndex, number: int, ready_at: float, base: int) -> int:
    """The key by effective priority, whatever the run's placement is.

    Args:
        scheduler: gives the rate of aging.
        index: of the run.
        number: of the task.
        ready_at: since when it waits.
        base: its base priority.
    """
    frozen_at = index.run.frozen_at
    if frozen_at is not None and frozen_at < ready_at:  # it ages from the same moment on as all that wait there
        ready_at = frozen_at
    high = int((scheduler.placer.rate * ready_at - base) * POINT)
    return high << SHIFT | (index.number << NUMBER_BITS | number) << BUCKET_BITS


def enqueue(scheduler: SchedulerState, index: RunIndex, number: int) -> None:
    """Queue a ready task, unless it is held, in backoff, behind a fence of descendants or stopped on purpose."""
    run = index.run
    if number in run.held or number in index.behind or (number in run.backoff and pauses(run, number)):
        return
    if run.steered and keeps_back(scheduler, index, number):
        return
    bucket = bucket_for(index, number)
    key = key_with(scheduler, index, number, run.ready_at[number], index.base[number]) | bucket.ordinal
    index.keys[number] = key
    scheduler.queue.push(bucket, key)
    if index.mixed:
        heappush(index.tops, (-index.base[number], number))
    if index.by_rank:
        index.waiting.append((run.ready_at[number], number))


def line_up(scheduler: SchedulerState) -> None:
    """Queue the tasks that became ready in this turn and could not start at once."""
    index, scheduler.fresh = scheduler.fresh, None
    if index is None:
        return
    numbers, index.fresh = index.fresh, []
    numbers.sort()
    keys, bucket = index.keys, index.free_bucket
    high = aged_key(scheduler, index, 0, index.run.ready_at[numbers[0]], index.base[0])
    fresh = [high | number << BUCKET_BITS for number in numbers]
    for number, key in zip(numbers, fresh, strict=True):
        keys[number] = key
    if not bucket.line or fresh[0] > bucket.line[-1]:
        bucket.line.extend(fresh)
    else:
        for key in fresh:
            bucket.add(key)
    if bucket.wait_queue is None:
        scheduler.queue.activate(bucket)
    else:
        scheduler.queue.note_head(bucket)


def bucket_for(index: RunIndex, number: int) -> Bucket:
    """The bucket of a task's constraints, created on first use."""
    if not index.constrained:
        return index.free_bucket
    constraints = index.constraints(number)
    if constraints is FREE:
        return index.free_bucket
    bucket = index.buckets.get(constraints)
    if bucket is None:
        bucket = Bucket(index, len(index.buckets), constraints)
        index.buckets[constraints] = bucket
    return bucket


def requeue(scheduler: SchedulerState, index: RunIndex, numbers: Iterable[int]) -> None:
    """Update key and bucket of queued tasks; their old entries go stale."""
    status, keys = index.run.status, index.keys
    for number in with_pauses(numbers, scheduler.turn.pause):
        keys[number] = None
        if status[number] == PENDING:
            enqueue(scheduler, index, number)


def requeue_run(scheduler: SchedulerState, index: RunIndex) -> None:
    """Rebuild the whole queue of a run, after a change that concerns all of it."""
    for bucket in index.buckets.values():
        bucket.clear()
        scheduler.queue.leave(bucket)
    index.waiting.clear()
    index.tops.clear()
    if index.by_rank and len(index.ranks) != len(index.run.status):
        scheduler.placer.rank(index)
    requeue(scheduler, index, index.run.with_status(PENDING))

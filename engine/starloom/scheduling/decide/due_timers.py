"""Due timers: what each one does, which are stale, and those a scheduler starts with."""

from __future__ import annotations

from heapq import heappop
from typing import TYPE_CHECKING, Final

from starloom import events as ev
from starloom.scheduling.decide import approvals, asking, breaker, cycles, device_reports, expiry, gates, overdue
from starloom.scheduling.decide.emission import emit
from starloom.scheduling.decide.settle import make_ready
from starloom.scheduling.instructions import StopTask
from starloom.scheduling.state import stops
from starloom.scheduling.state.awaiting import due_after
from starloom.scheduling.state.codes import RUNNING
from starloom.scheduling.state.timers import TimerPurpose

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState
    from starloom.scheduling.state.timers import Timer


def is_stale(scheduler: SchedulerState, timer: Timer) -> bool:
    """Whether what a timer waits for has ended otherwise."""
    due, purpose, run_id, number, attempt = timer
    if purpose is TimerPurpose.BREAKER:
        return breaker.is_over(scheduler.fleet.devices.get(run_id), due)
    if purpose is TimerPurpose.RESERVATION:
        return expiry.is_over(scheduler, timer)
    index = scheduler.runs.get(run_id)
    if index is None:
        return True
    run = index.run
    if purpose is TimerPurpose.WATCH:
        return overdue.is_timer_needless(index)
    if purpose in _STALE:
        return _STALE[purpose](run, timer)
    if run.tries[number] != attempt:
        return True
    if purpose is TimerPurpose.TIMEOUT:
        is_told = number in run.stopping or number in run.fetching
        return run.status[number] != RUNNING or is_told or not _is_due(index, number, due)
    if purpose is TimerPurpose.OVERDUE:
        return overdue.is_over(index, number)
    if purpose is TimerPurpose.STARVED:
        return index.keys[number] is None
    return number not in run.backoff


_STALE: Final[dict[TimerPurpose, Callable[[RunFacts, Timer], bool]]] = {
    TimerPurpose.CYCLE: cycles.is_over,
    TimerPurpose.APPROVAL: approvals.is_over,
    TimerPurpose.GATE: stops.is_over,
}
"""Which of them are stale is known there."""


def _is_due(index: RunIndex, number: int, due: float) -> bool:
    """Whether the timeout of a running attempt ends then; it may have begun later, or wait for an answer."""
    task = index.run.graph.tasks[number]
    if task is None or task.timeout is None or index.is_unbegun(number):
        return False
    over = due_after(index.run, number, task.timeout)
    return over is not None and due >= over


def set_timers(scheduler: SchedulerState, index: RunIndex) -> None:
    """Set the timers for the timeouts and backoffs in the facts."""
    run = index.run
    for number in run.with_status(RUNNING):
        asking.set_timeout(scheduler, index, number)
    for number, due in run.backoff.items():
        scheduler.set_timer(due, TimerPurpose.RETRY, run.run_id, number, run.tries[number])
    cycles.set_timer(scheduler, index)
    approvals.set_timers(scheduler, index)
    stops.set_timers(scheduler, index)
    overdue.watch_all(scheduler, index)


def next_due(scheduler: SchedulerState) -> float | None:
    """When the first timer is due, after stale ones were dropped; None: there is none."""
    timers = scheduler.timers
    while timers and is_stale(scheduler, timers[0]):
        heappop(timers)
    return timers[0][0] if timers else None


def ring(scheduler: SchedulerState) -> None:
    """Fire the timers that are due by now."""
    timers, now = scheduler.timers, scheduler.now
    while timers and timers[0][0] <= now:
        timer = heappop(timers)
        if is_stale(scheduler, timer):
            continue
        _, purpose, run_id, number, attempt = timer
        if purpose is TimerPurpose.BREAKER:
            device_reports.suspension_over(scheduler, run_id)
            continue
        if purpose is TimerPurpose.RESERVATION:
            expiry.expire(scheduler, expiry.target_of(timer))
            continue
        index = scheduler.runs[run_id]
        scheduler.dirty[run_id] = index
        if purpose is TimerPurpose.TIMEOUT:
            task_id = index.run.graph.ids[number]
            emit(scheduler, index, ev.TaskStopping, task_id, "timeout")
            scheduler.turn.more().stops.append(StopTask(run_id, task_id, attempt, "timeout"))
        elif purpose is TimerPurpose.RETRY:
            if index.run.pauses(number):
                make_ready(scheduler, index, number)
        elif purpose in _OF_A_RUN:
            _OF_A_RUN[purpose](scheduler, index)
        elif purpose in _OF_A_TASK:
            _OF_A_TASK[purpose](scheduler, index, number)


_OF_A_RUN: Final[dict[TimerPurpose, Callable[[SchedulerState, RunIndex], object]]] = {
    TimerPurpose.CYCLE: cycles.give_up,
    TimerPurpose.WATCH: overdue.watch_long,
}
_OF_A_TASK: Final[dict[TimerPurpose, Callable[[SchedulerState, RunIndex, int], object]]] = {
    TimerPurpose.APPROVAL: approvals.expire,
    TimerPurpose.GATE: gates.expire,
    TimerPurpose.OVERDUE: overdue.ring,
}
"""What is done about a task, or an approval, when the time has come."""

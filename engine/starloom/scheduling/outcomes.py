"""What ends of attempts and the passing of time mean: results, retries, failures, timeouts."""

from __future__ import annotations

from heapq import heappop
from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.model.quantities import format_duration
from starloom.model.result import ErrorCode, OutcomeStatus, Result, TaskError
from starloom.model.status import Severity
from starloom.scheduling import lifecycle
from starloom.scheduling.apply import apply_completed
from starloom.scheduling.codes import PENDING, RUNNING, WAITING
from starloom.scheduling.dispatch import RETRY, TIMEOUT
from starloom.scheduling.instructions import StopTask
from starloom.scheduling.retry import pause_before
from starloom.scheduling.settle import evaluate_conditions, make_ready, settle

if TYPE_CHECKING:
    from starloom.scheduling.run_index import RunIndex
    from starloom.scheduling.scheduler import Scheduler, Timer
    from starloom.scheduling.stimuli import AttemptEnded, AttemptStuckNoticed


def attempt_ended(scheduler: Scheduler, stimulus: AttemptEnded) -> None:
    """An attempt is over; anything but the end of the attempt that runs now is ignored."""
    index = scheduler.runs.get(stimulus.run_id)
    if index is None:
        return
    run = index.run
    number = run.graph.place.get(stimulus.task_id, -1)
    if number < 0 or run.status[number] != RUNNING or run.tries[number] != stimulus.attempt:
        return
    _free(scheduler, index, number)
    outcome = stimulus.outcome
    if outcome.status is OutcomeStatus.COMPLETED and not (run.stopping and number in run.stopping):
        event = ev.TaskCompleted(
            run.seq + 1, scheduler.now, run.run_id, stimulus.task_id, stimulus.attempt, outcome.result
        )
        scheduler.turn.events.append(event)
        ready = apply_completed(run, event)
        if not run.plain:
            settle(scheduler, index, [*ready, *evaluate_conditions(scheduler, index, number)])
        elif ready:
            _all_ready(scheduler, index, ready)
    else:
        _ended_otherwise(scheduler, index, number, outcome.status, outcome.result)
    if not run.open or not run.running:
        scheduler.dirty[run.run_id] = index


def _all_ready(scheduler: Scheduler, index: RunIndex, ready: list[int]) -> None:
    """Children whose last parent has just completed, in the order of their places in line."""
    if len(ready) > 1:
        ready.sort()
    status = index.run.status
    for child in ready:
        if status[child] == WAITING:
            make_ready(scheduler, index, child)


def _free(scheduler: Scheduler, index: RunIndex, number: int) -> None:
    """Wake what waits for the places this attempt held; the facts give them back with its event."""
    run, queue = index.run, scheduler.queue
    device_id = run.device_of[number]
    assert device_id is not None
    for lot in scheduler.placer.lots_of.get(device_id, ()):
        if lot.buckets:
            queue.wake(lot)
    task = run.graph.tasks[number]
    assert task is not None
    for group in task.groups:
        if group in scheduler.group_lots:
            queue.wake(scheduler.group_lots[group])
    if index.lot.buckets and run.limit is not None:
        queue.wake(index.lot)
    if index.load is not None:
        index.load[device_id] -= 1
        scheduler.load_changed = True


def _ended_otherwise(scheduler: Scheduler, index: RunIndex, number: int, status: OutcomeStatus, result: Result) -> None:
    cause = index.run.stopping.get(number)
    if cause == "rerun":
        touched = scheduler.emit(index, ev.TaskReset, index.run.graph.ids[number], cause="rerun")
        settle(scheduler, index, touched)
    elif cause is not None and cause != "timeout":
        _stopped(scheduler, index, number, cause, result)
    else:
        _failed(scheduler, index, number, _with_error(index, number, status, cause, result))


def _stopped(scheduler: Scheduler, index: RunIndex, number: int, cause: str, result: Result) -> None:
    run = index.run
    task_id, attempt = run.graph.ids[number], run.tries[number]
    if cause == "skipped":
        touched = scheduler.emit(index, ev.TaskSkipped, task_id, reason="skipped while it ran")
    else:
        reason = "stopped while it ran"
        touched = scheduler.emit(index, ev.TaskCancelled, task_id, attempt, result, reason)
    settle(scheduler, index, touched)


def _with_error(index: RunIndex, number: int, status: OutcomeStatus, cause: str | None, result: Result) -> Result:
    """The result with the error that says why the attempt failed."""
    if cause == "timeout":
        task = index.run.graph.tasks[number]
        limit = format_duration(task.timeout or 0.0) if task is not None else ""
        error = TaskError(code=ErrorCode.TIMEOUT, message=f"It was stopped after its timeout of {limit}.")
    elif status is OutcomeStatus.LOST:
        device = index.run.device_of[number]
        error = TaskError(code=ErrorCode.DEVICE_LOST, message=f"Device {device!r} was lost while it ran.")
    elif result.error is not None:
        return result
    else:
        error = TaskError(code=ErrorCode.EXCEPTION, message="The attempt was stopped from outside.")
    return Result(None, result.exit_code, result.output, result.output_length, result.output_file, error)


def _failed(scheduler: Scheduler, index: RunIndex, number: int, result: Result) -> None:
    """Try again, or fail and tell the children; a critical task takes the run with it."""
    run = index.run
    task = run.graph.tasks[number]
    assert task is not None
    task_id, attempt = run.graph.ids[number], run.tries[number]
    pause = None
    if not run.cancel_requested:
        pause = pause_before(task.retry, attempt - run.spent.get(number, 0))
    if pause is not None:
        retry_at = scheduler.now + pause
        scheduler.emit(index, ev.TaskRetryScheduled, task_id, attempt, result, retry_at)
        if pause > 0:
            scheduler.set_timer(retry_at, RETRY, run.run_id, number, attempt)
        else:
            make_ready(scheduler, index, number)
        return
    touched = scheduler.emit(index, ev.TaskFailed, task_id, attempt, result)
    if task.severity is Severity.CRITICAL and not run.cancel_requested:
        lifecycle.abort(scheduler, index, task_id)
        return
    settle(scheduler, index, [*touched, *evaluate_conditions(scheduler, index, number)])


def attempt_stuck(scheduler: Scheduler, stimulus: AttemptStuckNoticed) -> None:
    """Say that a stopped attempt goes on regardless."""
    index = scheduler.runs.get(stimulus.run_id)
    number = None if index is None else index.run.number(stimulus.task_id)
    if index is None or number is None:
        return
    run = index.run
    if run.status[number] == RUNNING and run.tries[number] == stimulus.attempt:
        device_id = run.device_of[number] or ""
        scheduler.emit(index, ev.TaskStuck, stimulus.task_id, stimulus.attempt, device_id)


# ---- timers


def is_stale(scheduler: Scheduler, timer: Timer) -> bool:
    """Whether what a timer waits for has already come to another end."""
    _, purpose, run_id, number, attempt = timer
    index = scheduler.runs.get(run_id)
    if index is None:
        return True
    run = index.run
    if run.tries[number] != attempt:
        return True
    if purpose == TIMEOUT:
        return run.status[number] != RUNNING or number in run.stopping
    return run.status[number] != PENDING or number not in run.backoff


def ring(scheduler: Scheduler) -> None:
    """Do what is due by now."""
    timers, now = scheduler.timers, scheduler.now
    while timers and timers[0][0] <= now:
        timer = heappop(timers)
        if is_stale(scheduler, timer):
            continue
        _, purpose, run_id, number, attempt = timer
        index = scheduler.runs[run_id]
        scheduler.dirty[run_id] = index
        if purpose == TIMEOUT:
            task_id = index.run.graph.ids[number]
            scheduler.emit(index, ev.TaskStopping, task_id, "timeout")
            scheduler.turn.stops.append(StopTask(run_id, task_id, attempt, "timeout"))
        else:
            make_ready(scheduler, index, number)

"""Outcomes of attempts: results, retries and failures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from starloom import events as ev
from starloom.events import TaskCompleted
from starloom.model.quantities import format_duration
from starloom.model.result import ErrorCode, ErrorInfo, OutcomeStatus, Result
from starloom.model.status import Severity
from starloom.scheduling.decide import asking, device_reports, doubts, end_filters, late_ends, lifecycle, overdue
from starloom.scheduling.decide.emission import emit
from starloom.scheduling.decide.lookup import running_attempt
from starloom.scheduling.decide.overdue import LONG
from starloom.scheduling.decide.retry import pause_before
from starloom.scheduling.decide.settle import evaluate_conditions, lend_again, make_all_ready, make_ready, settle
from starloom.scheduling.fold.tasks import apply_completed
from starloom.scheduling.state.codes import PENDING, RUNNING
from starloom.scheduling.state.late_facts import why_out_of_reach
from starloom.scheduling.state.queueing import enqueue, line_up
from starloom.scheduling.state.run_facts import groups_of
from starloom.scheduling.state.timers import TimerPurpose

if TYPE_CHECKING:
    from starloom.model.result import Outcome
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState
    from starloom.scheduling.stimuli import (
        AttemptEnded,
        AttemptStuckNoticed,
        AttemptWarned,
        AttemptWorkEndNoticed,
        AttemptWorkNoticed,
    )

LONG_WAIT: Final = 1.0
"""Seconds after which an attempt that could not begin before counts as started only then."""
_COMPLETED: Final = OutcomeStatus.COMPLETED


def attempt_ended(scheduler: SchedulerState, stimulus: AttemptEnded) -> None:  # noqa: C901, PLR0912 - a call costs what a branch does
    """Handle the outcome of an attempt; reports about any but the running attempt are ignored."""
    run_id, task_id, attempt, outcome = stimulus.run_id, stimulus.task_id, stimulus.attempt, stimulus.outcome
    index = scheduler.runs.get(run_id)
    if index is None:
        return
    run = index.run
    number = run.graph.place.get(task_id, -1)
    if number < 0 or run.status[number] != RUNNING or run.tries[number] != attempt:
        return
    if scheduler.queue.parked or scheduler.placer.pools:
        _wake(scheduler, index, number)
    if outcome.took is not None:
        late_ends.correct_begin(scheduler, index, number, outcome.took)
    if index.load is not None or scheduler.fleet.suspects or scheduler.doubts or outcome.status is not _COMPLETED:
        _note_end(scheduler, index, number, outcome)
    if outcome.status is _COMPLETED and not (run.stopping and number in run.stopping):
        event = TaskCompleted(run.seq + 1, scheduler.now, run_id, task_id, attempt, outcome.result)
        scheduler.turn.events.append(event)
        ready = apply_completed(run, event, number)
        if outcome.ended_ago != 0.0 or outcome.took is not None:
            late_ends.time(scheduler, index, number, attempt, outcome.ended_ago, took=outcome.took)
        if run.ended_at[number] - run.started_at[number] >= LONG and index.taught_at != scheduler.now:
            overdue.learn(scheduler, index, number)
        if run.cycles is not None:
            end_filters.note_end(scheduler, index, number)
        if not run.plain:
            settle(scheduler, index, [*ready, *evaluate_conditions(scheduler, index, number)])
        elif ready:
            make_all_ready(scheduler, index, ready)  # type: ignore[arg-type]  # of a plain run it is a list
    else:
        _ended_otherwise(scheduler, index, number, outcome)
        if outcome.ended_ago != 0.0 or outcome.took is not None:
            late_ends.time(scheduler, index, number, attempt, outcome.ended_ago, took=outcome.took)
    if not run.open or (not run.running and len(scheduler.live) > 1):
        scheduler.dirty[run_id] = index


def attempt_worked(scheduler: SchedulerState, stimulus: AttemptWorkEndNoticed) -> None:
    """Free the slot of an attempt whose work has ended though its task has not."""
    found = running_attempt(scheduler, stimulus)
    if found is None:
        return
    index, number = found
    if number in index.run.fetching:
        return
    device_id: str = index.run.device_of[number]  # type: ignore[assignment]  # what runs has a device
    if stimulus.took is not None:
        late_ends.correct_begin(scheduler, index, number, stimulus.took)
    emit(scheduler, index, ev.AttemptWorkEnded, stimulus.task_id, stimulus.attempt)
    index.unbegun.pop(number, None)
    _wake_device(scheduler, device_id)
    _unload(scheduler, index, device_id)


def _wake_device(scheduler: SchedulerState, device_id: str) -> None:
    """Wake the buckets that wait for a slot of this device."""
    scheduler.placer.freed[device_id] = None
    for wait_queue in scheduler.placer.wait_queues_of(device_id):
        if wait_queue.buckets:
            scheduler.queue.offer(wait_queue)


def _unload(scheduler: SchedulerState, index: RunIndex, device_id: str) -> None:
    """Record that this run holds a slot less, for the other runs."""
    if index.load is not None:
        index.load[device_id] -= 1
        scheduler.load_changed = True


def _wake(scheduler: SchedulerState, index: RunIndex, number: int) -> None:
    """Offer to what waits for them the places this attempt holds; the facts give them back with its event."""
    run, queue = index.run, scheduler.queue
    _wake_device(scheduler, run.device_of[number])  # type: ignore[arg-type]  # what runs has a device
    if run.limit is not None and index.wait_queue.buckets:
        queue.offer(index.wait_queue)
    if index.constrained:
        for group in groups_of(run, number):
            if group in scheduler.group_wait_queues:
                queue.offer(scheduler.group_wait_queues[group])


def _note_end(scheduler: SchedulerState, index: RunIndex, number: int, outcome: Outcome) -> None:
    device_id = index.run.device_of[number]
    assert device_id is not None
    # What ended before a program died ends on the fleet of that time; see `recovery`. That fleet is judged no more.
    if index.run.run_id in scheduler.live:
        reason = doubts.fault(scheduler, index, number, outcome)
        if reason:
            device_reports.fails_alone(scheduler, device_id, reason)
        else:
            device_reports.attempt_ended_on(scheduler, device_id, outcome)
    if number not in index.run.fetching:
        _unload(scheduler, index, device_id)


def _ended_otherwise(scheduler: SchedulerState, index: RunIndex, number: int, outcome: Outcome) -> None:
    status, result = outcome.status, outcome.result
    line_up(scheduler)  # what follows may cancel or hold what is ready, so everything ready has to be in line
    scheduler.dirty[index.run.run_id] = index
    cause = index.run.stopping.get(number)
    if cause in {"rerun", "replaced"} and not index.run.cancel_requested:
        touched = emit(scheduler, index, ev.TaskReset, index.run.graph.ids[number], cause=cause)
        lend_again(scheduler, index, number)
        settle(scheduler, index, touched)
    elif cause is not None and cause != "timeout":
        _stopped(scheduler, index, number, cause, outcome)
    elif cause is None and (reason := _why_elsewhere(scheduler, index, number, outcome)):
        emit(scheduler, index, ev.TaskInterrupted, index.run.graph.ids[number], index.run.tries[number], reason)
        line_up_again(scheduler, index, number)
    elif cause is None and late_ends.is_interruption(outcome) and late_ends.begin_anew(scheduler, index, number):
        line_up_again(scheduler, index, number)
    else:
        result = _with_error(index, number, status, cause, result)
        _failed(scheduler, index, number, _with_severity(index, number, result))


def line_up_again(scheduler: SchedulerState, index: RunIndex, number: int) -> None:
    """Queue a task that is to run again, or skip it: its parents may have said no while it ran."""
    lend_again(scheduler, index, number)
    if index.run.status[number] == PENDING:
        enqueue(scheduler, index, number)
    settle(scheduler, index, [number])


def _why_elsewhere(scheduler: SchedulerState, index: RunIndex, number: int, outcome: Outcome) -> str:
    """The reason why a task that could not begin is to be tried on another device, at no cost; empty: it is not.

    That a device cannot do such tasks is noted: it gets none of them again. A device that is broken is given up by its
    circuit breaker in the end; until then tasks are taken back from it only if another one can take them.
    """
    run, error = index.run, outcome.result.error
    if outcome.status is not OutcomeStatus.FAILED or error is None:
        return ""
    if run.run_id not in scheduler.live or run.cancel_requested:  # what ended before a program died is judged no more
        return ""
    device = scheduler.fleet.devices[run.device_of[number]]  # type: ignore[index]  # what runs has a device
    wanted = index.wanted_by(number)
    if error.code == ErrorCode.UNSUPPORTED and wanted.action is not None:
        device_reports.action_refused(scheduler, device, wanted.action, error.message)
        return error.message
    if outcome.device_failed and error.code == ErrorCode.START_FAILED and device.trip_after:
        others = (other for other in scheduler.fleet.devices.values() if other is not device and wanted.fits(other))
        return error.message if any(other.accepts and not other.failures for other in others) else ""
    return ""


def _stopped(scheduler: SchedulerState, index: RunIndex, number: int, cause: str, outcome: Outcome) -> None:
    run = index.run
    task_id, attempt = run.graph.ids[number], run.tries[number]
    if cause == "skipped":
        touched = emit(scheduler, index, ev.TaskSkipped, task_id, reason="skipped while it ran")
    else:
        reason = why_out_of_reach(outcome, run.device_of[number] or "") or "stopped while it ran"
        touched = emit(scheduler, index, ev.TaskCancelled, task_id, attempt, outcome.result, reason)
    settle(scheduler, index, touched)


def _with_error(index: RunIndex, number: int, status: OutcomeStatus, cause: str | None, result: Result) -> Result:
    """The result with the error that says why the attempt failed."""
    if cause == "timeout":
        task = index.run.graph.tasks[number]
        limit = format_duration(task.timeout or 0.0) if task is not None else ""
        seen = "" if result.error is None else result.error.message  # that it may still run, say
        error = ErrorInfo(code=ErrorCode.TIMEOUT, message=f"It was stopped after its timeout of {limit}.", detail=seen)
    elif status is OutcomeStatus.LOST and result.error is None:
        device = index.run.device_of[number]
        error = ErrorInfo(code=ErrorCode.DEVICE_LOST, message=f"Device {device!r} was lost while it ran.")
    elif result.error is not None:
        return result
    else:
        error = ErrorInfo(code=ErrorCode.EXCEPTION, message="The attempt was stopped from outside.")
    return replace(result, value=None, error=error)


def _with_severity(index: RunIndex, number: int, result: Result) -> Result:
    """The result with an error that says what the failure means for the run."""
    task = index.run.graph.tasks[number]
    assert task is not None
    assert result.error is not None
    return replace(result, error=replace(result.error, severity=task.severity_of(result)))


def _failed(scheduler: SchedulerState, index: RunIndex, number: int, result: Result) -> None:
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
        emit(scheduler, index, ev.TaskRetryScheduled, task_id, attempt, result, retry_at)
        lend_again(scheduler, index, number)
        if pause > 0:
            scheduler.set_timer(retry_at, TimerPurpose.RETRY, run.run_id, number, attempt)
        elif run.pauses(number):
            make_ready(scheduler, index, number)
        settle(scheduler, index, [number])  # its parents may have said no while it ran
        return
    touched = emit(scheduler, index, ev.TaskFailed, task_id, attempt, result)
    end_filters.note_end(scheduler, index, number)
    if run.severity_of(number) is Severity.CRITICAL and not run.cancel_requested:
        lifecycle.abort(scheduler, index, task_id)
        return
    settle(scheduler, index, [*touched, *evaluate_conditions(scheduler, index, number)])


def attempt_stuck(scheduler: SchedulerState, stimulus: AttemptStuckNoticed) -> None:
    """Emit that a stopped attempt still runs."""
    found = running_attempt(scheduler, stimulus)
    if found is not None:
        index, number = found
        device_id = index.run.device_of[number] or ""
        emit(scheduler, index, ev.TaskStuck, stimulus.task_id, stimulus.attempt, device_id)


def attempt_warned(scheduler: SchedulerState, stimulus: AttemptWarned) -> None:
    """Emit a warning of a running attempt; of one that has ended meanwhile it is ignored."""
    found = running_attempt(scheduler, stimulus)
    if found is not None:
        emit(scheduler, found[0], ev.TaskWarned, stimulus.task_id, stimulus.attempt, stimulus.message)


def attempt_works(scheduler: SchedulerState, stimulus: AttemptWorkNoticed) -> None:
    """Emit that the work of an attempt begins, if its wait was long, or it has a timeout or an expected duration."""
    found = running_attempt(scheduler, stimulus)
    if found is None:
        return
    index, number = found
    if not stimulus.has_begun:
        index.unbegun[number] = stimulus.attempt
        return
    index.unbegun.pop(number, None)
    run, task = index.run, index.run.graph.tasks[number]
    began = max(run.started_at[number], scheduler.now - stimulus.began_ago)
    is_long = began - run.started_at[number] >= LONG_WAIT
    is_timed = (task is not None and task.timeout is not None) or overdue.expected(index, number) is not None
    if stimulus.is_seen and (is_long or is_timed):
        began_at = began if began < scheduler.now else None
        emit(scheduler, index, ev.AttemptBegan, stimulus.task_id, stimulus.attempt, began_at)
    asking.set_timers(scheduler, index, number)

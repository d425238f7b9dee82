"""Steering of tasks by commands: all tasks of a command are steered, or none.

Each `check_…` asks whether a command would be refused and changes nothing; `questions` asks the same ones.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.constellation.transaction import Rules, rehearse
from starloom.errors import CommandRefused, EditRefused, nearest
from starloom.model.plan import show_path
from starloom.model.quantities import parse_priority
from starloom.model.result import ErrorCode, ErrorInfo, Result
from starloom.model.status import Severity, TaskStatus
from starloom.pauses import with_pauses
from starloom.scheduling import commands
from starloom.scheduling.decide import editing, end_filters, lifecycle
from starloom.scheduling.decide.checking import require_json
from starloom.scheduling.decide.emission import emit
from starloom.scheduling.decide.lookup import tasks_of
from starloom.scheduling.decide.required_statuses import require_statuses
from starloom.scheduling.decide.settle import evaluate_conditions, left_out, lend_again, settle
from starloom.scheduling.state import fence
from starloom.scheduling.state.codes import (
    PENDING,
    RUNNING,
    SKIPPED,
    WAITING,
    is_terminal,
)
from starloom.scheduling.state.device_facts import action_words
from starloom.scheduling.state.queueing import requeue

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState

    Found = tuple[RunIndex, list[int]]
    """A run, and numbers of tasks of it."""


def _ids(index: RunIndex, numbers: Iterable[int]) -> tuple[str, ...]:
    return tuple(map(index.run.graph.ids.__getitem__, numbers))


# ---- before the start


def check_hold(scheduler: SchedulerState, command: commands.HoldTasks) -> Found:
    """The tasks that would be held; changes nothing."""
    index, numbers = found = tasks_of(scheduler, command)
    require_statuses(index, numbers, command)
    return found


def hold(scheduler: SchedulerState, command: commands.HoldTasks) -> None:
    """Hold these tasks until they are released."""
    index, numbers = check_hold(scheduler, command)
    fresh = [number for number in numbers if number not in index.run.held]
    if fresh:
        emit(scheduler, index, ev.TasksHeld, _ids(index, fresh), command.origin, command.reason)
        for number in fresh:
            index.keys[number] = None
        scheduler.dirty[command.run_id] = index


def release(scheduler: SchedulerState, command: commands.ReleaseTasks) -> None:
    """Release held tasks; one that is not held stays as it is."""
    index, numbers = tasks_of(scheduler, command)
    held = [number for number in numbers if number in index.run.held]
    if held:
        emit(scheduler, index, ev.TasksReleased, _ids(index, held), command.origin, command.reason)
        requeue(scheduler, index, held)
        scheduler.dirty[command.run_id] = index


def check_priority(scheduler: SchedulerState, command: commands.SetPriority) -> tuple[RunIndex, list[int], int]:
    """The tasks and their new priority; changes nothing."""
    index, numbers = tasks_of(scheduler, command)
    require_statuses(index, numbers, command)
    try:
        priority = parse_priority(command.priority)
    except ValueError as error:
        reason, _, hint = str(error).partition("; ")
        raise CommandRefused("bad_priority", f"{reason}.", f"{hint.capitalize()}.") from None
    return index, numbers, priority


def set_priority(scheduler: SchedulerState, command: commands.SetPriority) -> None:
    """Set the base priority of tasks that have not started."""
    index, numbers, priority = check_priority(scheduler, command)
    emit(scheduler, index, ev.TasksPrioritised, _ids(index, numbers), priority, command.origin, command.reason)
    was_mixed = index.mixed
    changed = index.spread_priorities(numbers, scheduler.turn.pause)
    if index.mixed and not was_mixed:
        changed = index.run.with_status(PENDING)  # from now on the highest queued priority is looked up
    requeue(scheduler, index, sorted(changed))


def check_pin(scheduler: SchedulerState, command: commands.PinTasks) -> Found:
    """The tasks that would be pinned; changes nothing."""
    index, numbers = found = tasks_of(scheduler, command)
    require_statuses(index, numbers, command)
    if command.device_id is not None:
        _check_fits(scheduler, index, numbers, command.device_id)
    return found


def pin(scheduler: SchedulerState, command: commands.PinTasks) -> None:
    """Pin tasks that have not started to one device, or unpin them."""
    index, numbers = check_pin(scheduler, command)
    device_id = command.device_id
    emit(scheduler, index, ev.TasksPinned, _ids(index, numbers), device_id, command.origin, command.reason)
    index.constrained = True
    requeue(scheduler, index, numbers)
    scheduler.dirty[command.run_id] = index


def _check_fits(scheduler: SchedulerState, index: RunIndex, numbers: Iterable[int], device_id: str) -> None:
    device = scheduler.fleet.devices.get(device_id)
    if device is None:
        near = nearest(device_id, scheduler.fleet.devices)
        hint = f"Did you mean {near!r}?" if near else "Add the device first."
        raise CommandRefused("unknown_device", f"There is no device {device_id!r}.", hint)
    for number in with_pauses(numbers, scheduler.turn.pause):
        task = index.run.graph.tasks[number]
        if task is not None and task.gate is not None:
            raise CommandRefused(
                "needs_no_device", f"{task.id!r} is a gate and runs on no device.", "Pin a task that runs."
            )
        missing = sorted(task.requires - device.capabilities) if task is not None else []
        if missing:
            raise CommandRefused(
                "cannot_run_there",
                f"{index.run.graph.ids[number]!r} needs {', '.join(missing)}, which {device_id!r} does not offer.",
                "Choose another device or change what the task requires.",
            )
        if task is not None and not device.can_do(task.needs_action):
            raise CommandRefused(
                "cannot_run_there",
                f"{task.id!r} needs a device that runs {action_words(task.needs_action)}, and {device_id!r} does not.",
                "Choose another device or change what the task does.",
            )


# ---- ending tasks


def cancel(scheduler: SchedulerState, command: commands.CancelTasks) -> None:
    """Cancel these tasks; running ones end once their attempts have stopped, ended ones stay as they are."""
    index, numbers = tasks_of(scheduler, command)
    for number in numbers:
        code = index.run.status[number]
        if code == RUNNING:
            lifecycle.stop(scheduler, index, number, "cancelled", command.origin, command.reason)
        elif not is_terminal(code):
            index.keys[number] = None
            reason = command.reason or f"cancelled by {command.origin}"
            task_id = index.run.graph.ids[number]
            touched = emit(scheduler, index, ev.TaskCancelled, task_id, reason=reason, origin=command.origin)
            settle(scheduler, index, left_out(scheduler, index, number, touched))
    scheduler.dirty[command.run_id] = index


def check_skip(scheduler: SchedulerState, command: commands.SkipTasks) -> Found:
    """The tasks that would be skipped; changes nothing."""
    index, numbers = found = tasks_of(scheduler, command)
    require_statuses(index, numbers, command)
    return found


def skip(scheduler: SchedulerState, command: commands.SkipTasks) -> None:
    """Skip these tasks; what needs their success is skipped too."""
    index, numbers = check_skip(scheduler, command)
    for number in numbers:
        if index.run.status[number] < RUNNING:  # else an earlier one of the same command took it along
            skip_one(scheduler, index, number, command.reason or f"skipped by {command.origin}", command.origin)
    scheduler.dirty[command.run_id] = index


def skip_one(scheduler: SchedulerState, index: RunIndex, number: int, reason: str, origin: str) -> None:
    """Skip one task that has not started, and propagate that."""
    index.keys[number] = None
    touched = emit(scheduler, index, ev.TaskSkipped, index.run.graph.ids[number], reason=reason, origin=origin)
    settle(scheduler, index, left_out(scheduler, index, number, touched))


_MARKABLE = {TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.SKIPPED}


def check_mark(scheduler: SchedulerState, command: commands.MarkTasks) -> Found:
    """The tasks that would be marked; changes nothing."""
    index, numbers = found = tasks_of(scheduler, command)
    if command.status not in _MARKABLE:
        raise CommandRefused(
            "bad_status", f"A task cannot be marked {command.status}.", "Use completed, failed, skipped."
        )
    require_statuses(index, numbers, command)
    _require_not_cancelled(index)
    require_json(command.value)
    return found


def mark(scheduler: SchedulerState, command: commands.MarkTasks) -> None:
    """Set the outcome of these tasks; tasks skipped because of them wait again."""
    index, numbers = check_mark(scheduler, command)
    lifecycle.reopen(scheduler, index, command.origin)
    status, message = TaskStatus(command.status), f"It was marked failed by {command.origin}."
    error = ErrorInfo(code=ErrorCode.MARKED, message=message) if status is TaskStatus.FAILED else None
    mark_as(scheduler, index, numbers, status, Result(value=command.value, error=error), command.origin)
    if status is TaskStatus.FAILED:
        abort_if_critical(scheduler, index, numbers)
    scheduler.dirty[command.run_id] = index


def mark_as(
    scheduler: SchedulerState,
    index: RunIndex,
    numbers: Sequence[int],
    status: TaskStatus,
    result: Result,
    origin: str,
    *,
    bypassed: bool = False,
) -> None:
    """Set the outcome of tasks that do not run, and propagate that."""
    heard: list[int] = []
    for number in numbers:
        index.keys[number] = None
        touched = emit(scheduler, index, ev.TaskMarked, index.run.graph.ids[number], status, result, origin, bypassed)
        heard.extend(left_out(scheduler, index, number, touched))
        end_filters.note_end(scheduler, index, number)
    fence.refresh(scheduler, index)
    _revive(scheduler, index, numbers, origin)
    for number in with_pauses(numbers, scheduler.turn.pause):
        heard.extend(evaluate_conditions(scheduler, index, number))
    settle(scheduler, index, heard)


def abort_if_critical(scheduler: SchedulerState, index: RunIndex, failed: Iterable[int]) -> None:
    """Abort the run if this failed task is critical."""
    for number in failed:
        run = index.run
        if run.severity_of(number) is Severity.CRITICAL and not run.cancel_requested:
            lifecycle.abort(scheduler, index, run.graph.ids[number])


def _require_not_cancelled(index: RunIndex) -> None:
    if index.run.cancel_requested:
        raise CommandRefused(
            "run_cancelled", "The run was cancelled.", "Retry or rerun one of its tasks to reopen it first."
        )


# ---- running again


def check_retry(
    scheduler: SchedulerState, command: commands.RetryTasks
) -> tuple[RunIndex, list[int], ed.EditBatch | None]:
    """The tasks that would run again, and the edit of their fields; changes nothing."""
    index, numbers = tasks_of(scheduler, command)
    require_statuses(index, numbers, command)
    _require_settled(index)
    _require_progress(index, numbers, command)
    return index, numbers, _batch(index, numbers, command)


def retry(scheduler: SchedulerState, command: commands.RetryTasks) -> None:
    """Run failed, cancelled or skipped tasks again; `fields` change them first."""
    index, numbers, batch = check_retry(scheduler, command)
    lifecycle.reopen(scheduler, index, command.origin)
    for number in numbers:
        _reset(scheduler, index, number, "retry", None, command.origin)
    if batch is not None:
        editing.edit(scheduler, commands.EditConstellation(run_id=command.run_id, batch=batch, origin=command.origin))
    _revive(scheduler, index, numbers, command.origin)
    fence.refresh(scheduler, index)
    settle(scheduler, index, numbers)
    scheduler.dirty[command.run_id] = index


def _require_settled(index: RunIndex) -> None:
    """Check that all attempts of a cancelled run have stopped, before it is reopened."""
    run = index.run
    if run.cancel_requested and not run.state.has_ended:
        raise CommandRefused("still_stopping", "The run is still being cancelled.", "Wait until it has ended.")


def _require_progress(index: RunIndex, numbers: list[int], command: commands.RetryTasks) -> None:
    """Check that not all of the tasks would be skipped again at once, because of tasks that stay as they are."""
    run, chosen = index.run, set(numbers)
    if command.fields:
        return
    causes = [run.skipped_because.get(number) for number in numbers if run.status[number] == SKIPPED]
    if len(causes) == len(numbers) and all(cause is not None and cause not in chosen for cause in causes):
        label, cause = run.graph.names.label(numbers[0]), run.graph.names.label(causes[0])  # type: ignore[arg-type]  # none is None
        reason = f"{label!r} would be skipped again at once, because of {cause!r}."
        raise CommandRefused("skipped_again", reason, f"Retry {cause!r}: what was skipped because of it comes back.")


def _batch(index: RunIndex, numbers: list[int], command: commands.RetryTasks) -> ed.EditBatch | None:
    """The edit of the fields that change with a retry, if any do; refused before anything has happened."""
    if not command.fields:
        return None
    graph = index.run.graph
    edits = tuple(ed.UpdateTask(graph.ids[number], **command.fields) for number in numbers)
    batch = ed.EditBatch(edits=edits, origin=command.origin, reason="retry with other fields")
    problems = rehearse(graph, batch, Rules(lambda _number: None, lambda *_: None)).problems
    if problems:
        raise EditRefused(problems)
    return batch


def _reset(
    scheduler: SchedulerState, index: RunIndex, number: int, cause: str, because: str | None, origin: str
) -> None:
    """Set the task to waiting, and evaluate its dependencies again, also those of parents that ended meanwhile."""
    index.keys[number] = None
    emit(scheduler, index, ev.TaskReset, index.run.graph.ids[number], cause, because, origin)
    if not index.run.plain:
        for parent in sorted(index.run.graph.parents[number]):
            evaluate_conditions(scheduler, index, parent)
    lend_again(scheduler, index, number)
    for child in index.run.graph.children[number]:
        if index.run.status[child] == WAITING:
            index.keys[child] = None  # it was ready, and waits again


def _revive(scheduler: SchedulerState, index: RunIndex, numbers: Iterable[int], origin: str) -> None:
    """Restore tasks that were skipped because of tasks whose end has changed.

    Each is reset once, after all of its parents that come back, as one of those may be what skips it again.
    """
    run = index.run
    graph, status = run.graph, run.status
    because: dict[int, int] = {}
    line: list[tuple[int, int]] = []

    def look_behind(parent: int) -> None:
        for child in graph.children[parent]:
            if status[child] == SKIPPED and child in run.skipped_because and child not in because:
                because[child] = parent
                heappush(line, (graph.positions(scheduler.turn.pause)[child], child))

    for number in with_pauses(numbers, scheduler.turn.pause):
        look_behind(number)
    while line:
        _, number = heappop(line)
        _reset(scheduler, index, number, "revived", graph.ids[because[number]], origin)
        settle(scheduler, index, [number]) if run.no.get(number) else None
        if status[number] != SKIPPED:
            look_behind(number)


def check_rerun(scheduler: SchedulerState, command: commands.RerunFrom) -> Found:
    """The tasks that would run again; changes nothing."""
    as_tasks = commands.CancelTasks(run_id=command.run_id, task_ids=(command.task_id,), origin=command.origin)
    index, (first,) = tasks_of(scheduler, as_tasks)
    run = index.run
    _require_settled(index)
    again = [first, *run.graph.descendants(first, scheduler.turn.pause)]
    running = [number for number in again if run.status[number] == RUNNING]
    if running and not command.cancel_running:
        raise CommandRefused(
            "descendant_runs",
            f"{command.task_id!r} cannot be rerun while {show_path(_ids(index, running))} runs.",
            "Wait for it, or rerun with cancel_running.",
        )
    return index, again


def rerun_from(scheduler: SchedulerState, command: commands.RerunFrom) -> None:
    """Run a task and all its descendants again; running ones are cancelled only if the command says so."""
    index, again = check_rerun(scheduler, command)
    run = index.run
    lifecycle.reopen(scheduler, index, command.origin)
    for number in again:
        if run.status[number] == RUNNING:
            lifecycle.stop(scheduler, index, number, "rerun", command.origin)
        elif run.status[number] != WAITING or run.tries[number] > run.spent.get(number, 0):
            _reset(scheduler, index, number, "rerun", None, command.origin)
    fence.refresh(scheduler, index)
    settle(scheduler, index, again)
    scheduler.dirty[command.run_id] = index

"""Debugging a run: breakpoints, a goal to run until, and single steps of a paused run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.errors import CommandRefused
from starloom.model.status import RunState
from starloom.scheduling import commands
from starloom.scheduling.decide import bypass, gates
from starloom.scheduling.decide.dispatch import start
from starloom.scheduling.decide.emission import emit
from starloom.scheduling.decide.lifecycle import go_on
from starloom.scheduling.decide.lookup import find, tasks_of
from starloom.scheduling.read.why import why
from starloom.scheduling.state import stops
from starloom.scheduling.state.codes import PENDING, STATUS_OF
from starloom.scheduling.state.queueing import bucket_for, key_of, requeue

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.scheduling.read.why import Reason
    from starloom.scheduling.state.run_index import Constraints, RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState


def set_breakpoints(scheduler: SchedulerState, command: commands.SetBreakpoints) -> None:
    """Set breakpoints; for a task that runs or has ended it applies to the next start."""
    index, numbers = tasks_of(scheduler, command)
    run = index.run
    fresh = [number for number in numbers if not stops.stops(run, number)]
    if fresh:
        ids = tuple(run.graph.ids[number] for number in fresh)
        emit(scheduler, index, ev.BreakpointsSet, task_ids=ids, origin=command.origin)
        _steered(scheduler, index, fresh)


def clear_breakpoints(scheduler: SchedulerState, command: commands.ClearBreakpoints) -> None:
    """Clear breakpoints; a task that has stopped waits until it is released."""
    index, numbers = tasks_of(scheduler, command)
    known = [number for number in numbers if number in index.run.breakpoints]
    if known:
        ids = tuple(index.run.graph.ids[number] for number in known)
        emit(scheduler, index, ev.BreakpointsSet, task_ids=ids, is_set=False, origin=command.origin)
        _steered(scheduler, index, known)


def _steered(scheduler: SchedulerState, index: RunIndex, numbers: Iterable[int]) -> None:
    index.constrained = True
    requeue(scheduler, index, numbers)
    scheduler.dirty[index.run.run_id] = index


# ---- until


def check_until(scheduler: SchedulerState, command: commands.RunUntil) -> tuple[RunIndex, frozenset[int] | None]:
    """The goal the run would have; changes nothing."""
    if not command.task_ids:
        return find(scheduler, command.run_id), None
    named = commands.CancelTasks(run_id=command.run_id, task_ids=command.task_ids, origin=command.origin)
    index, numbers = tasks_of(scheduler, named)
    if all(STATUS_OF[index.run.status[number]].is_terminal for number in numbers):
        raise CommandRefused(
            "has_ended", "Nothing is left to run until there: it has ended.", "Retry or rerun it first."
        )
    return index, frozenset(numbers)


def run_until(scheduler: SchedulerState, command: commands.RunUntil) -> None:
    """Set the goal of a run, or remove it; a paused run goes on to its goal."""
    index, goals = check_until(scheduler, command)
    resumes = goals is not None and index.run.state is RunState.PAUSED
    if goals != index.run.until:
        ids = tuple(dict.fromkeys(command.task_ids))
        emit(scheduler, index, ev.RunUntilSet, task_ids=ids, origin=command.origin)
        index.follow_goal()
        index.constrained = True
    elif not resumes:
        return
    if resumes:
        emit(scheduler, index, ev.RunResumed, command.origin)
    if not index.run.state.has_ended:
        go_on(scheduler, index)


# ---- one step


def check_step(scheduler: SchedulerState, command: commands.StepRun) -> tuple[RunIndex, int]:
    """The task that would start; changes nothing."""
    index = find(scheduler, command.run_id)
    run = index.run
    if run.state is not RunState.PAUSED:
        hint = "Pause it: then it is started, and no task of it." if run.state is RunState.READY else "Pause it."
        raise CommandRefused("not_paused", f"The run is {run.state}; only a paused run goes step by step.", hint)
    if run.limit is not None and run.running >= run.limit:
        reason = f"The run may have {run.limit} tasks running at once and has {run.running}."
        raise CommandRefused("run_limit", reason, "Raise the run's limit or wait.")
    if not command.task_id:
        return index, _next(scheduler, index)
    named = commands.CancelTasks(run_id=command.run_id, task_ids=(command.task_id,), origin=command.origin)
    _, (number,) = tasks_of(scheduler, named)
    if run.status[number] != PENDING:
        first, *_ = [*_blocks(scheduler, index, number), *why(scheduler, index, number)]
        raise CommandRefused("not_ready", f"{command.task_id!r} is not ready. {first.text}", "Step another one.")
    blocks = _blocks(scheduler, index, number)
    if blocks:
        raise CommandRefused(
            "cannot_start", f"{command.task_id!r} cannot start now. {blocks[0].text}", blocks[0].remedy
        )
    return index, number


def _blocks(scheduler: SchedulerState, index: RunIndex, number: int) -> list[Reason]:
    """The reasons why a task does not start, besides the pause."""
    return [one for one in why(scheduler, index, number) if one.blocks and one.code != "run_paused"]


def _next(scheduler: SchedulerState, index: RunIndex) -> int:
    """The ready task that would start first.

    Raises:
        CommandRefused: none can start.
    """
    run, keys = index.run, index.keys
    full: dict[Constraints, Reason] = {}
    first: Reason | None = None

    def key(number: int) -> int:
        known = keys[number]
        return key_of(scheduler, index, number, run.ready_at[number]) if known is None else known

    for number in sorted(run.with_status(PENDING), key=key):
        is_plain = keys[number] is not None  # nothing but places can block it, and those block its likes too
        constraints = index.constraints(number)
        if is_plain and constraints in full:
            continue
        blocks = _blocks(scheduler, index, number)
        if not blocks:
            return number
        first = first or blocks[0]
        if is_plain:
            full[constraints] = blocks[0]
    told = f" {first.text}" if first is not None else " Nothing is ready."
    raise CommandRefused("nothing_to_step", f"No task of the run can start now.{told}", first.remedy if first else "")


def step(scheduler: SchedulerState, command: commands.StepRun) -> str:
    """Start one task, open one gate or bypass one; returns the task's id."""
    index, number = check_step(scheduler, command)
    task_id = index.run.graph.ids[number]
    emit(scheduler, index, ev.RunStepped, task_id, origin=command.origin)
    scheduler.dirty[index.run.run_id] = index
    index.asking.discard(number)
    if stops.is_bypassed(index.run, number):
        bypass.complete(scheduler, index, number)
        return task_id
    if stops.is_gate(index.run, number):
        gates.ask(scheduler, index, number)
        return task_id
    bucket = bucket_for(index, number)
    scheduler.placer.candidates(bucket)
    device = scheduler.placer.place(bucket)
    assert device is not None, "nothing blocks it"
    index.keys[number] = None
    start(scheduler, index, [number], device)
    return task_id

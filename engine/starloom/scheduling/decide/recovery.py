"""Recovery of a run whose program died: its attempts have ended, go on, or were interrupted."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace as structs_replace

from starloom import events as ev
from starloom.errors import CommandRefused
from starloom.model.result import ErrorCode, ErrorInfo, Outcome, OutcomeStatus, Result
from starloom.model.status import TaskStatus
from starloom.scheduling.decide import cycles, due_timers, late_ends, outcomes, steering
from starloom.scheduling.decide.emission import emit
from starloom.scheduling.decide.lifecycle import adopt_groups, enter
from starloom.scheduling.instructions import StartTask
from starloom.scheduling.state import fence
from starloom.scheduling.state.codes import PENDING, RUNNING, WAITING
from starloom.scheduling.state.holdings import own_groups
from starloom.scheduling.state.placer import Placer
from starloom.scheduling.state.queueing import requeue_run
from starloom.scheduling.state.scheduler_state import SchedulerState
from starloom.scheduling.stimuli import AttemptEnded

if TYPE_CHECKING:
    from starloom.model.task import Task
    from starloom.scheduling import commands
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.run_index import RunIndex

_APART: Final = 1e-6
"""Seconds at least between what the program before told last and what this one tells first, so that times differ."""


def recover(scheduler: SchedulerState, command: commands.RecoverRun) -> RunFacts:
    """Resume a run from the facts of its own stream; one that has ended stays so until somebody reopens it."""
    run = command.facts
    if not scheduler.admitting:
        raise CommandRefused("shutting_down", "The engine is shutting down.", "Start it again to run more.")
    if run.run_id in scheduler.runs:
        raise CommandRefused("duplicate_run", f"The run {run.run_id!r} is here already.", "Steer it as it is.")
    scheduler.turn.events.extend(_account_for_attempts(scheduler, command))
    index = _join(scheduler, run)
    _take_as_done(scheduler, index, command)
    cycles.ask_again(scheduler, index)
    for number in run.with_status(RUNNING):
        task: Task = run.graph.tasks[number]  # type: ignore[assignment]  # a task that runs is present
        place: tuple[str, int] = run.device_of[number], run.slot_of[number]  # type: ignore[assignment]  # and has one
        scheduler.turn.starts.append(StartTask(run.run_id, task.id, run.tries[number], *place, task))
    return run


def _take_as_done(scheduler: SchedulerState, index: RunIndex, command: commands.RecoverRun) -> None:
    run = index.run
    known = [run.graph.place[task_id] for task_id in dict.fromkeys(command.done) if task_id in run.graph.place]
    done = [number for number in known if run.status[number] in {WAITING, PENDING}]
    if done:
        steering.mark_as(scheduler, index, done, TaskStatus.COMPLETED, Result(), command.origin)


def _account_for_attempts(scheduler: SchedulerState, command: commands.RecoverRun) -> list[ev.Event]:
    """Emit how every attempt ended, on the fleet of that time, without dispatching anything."""
    run, now = command.facts, scheduler.now
    before = SchedulerState()
    before.fleet, before.placer, before.now = run.fleet, Placer(run.fleet), now
    index = before.add_run(run)
    index.grow()
    index.rebuild_priorities()
    if index.by_rank:
        before.placer.rank(index)
    away = _seconds_away(command)
    alone = _seconds_alone(command, away)
    shift = now - command.last_at - max(alone, _APART)
    emit(before, index, ev.RunRecovered, wall_time=command.wall_time, shift=shift, origin=command.origin)
    cycles.interrupt(before, index, command.agents)
    for number in run.with_status(RUNNING):
        task_id, attempt = run.graph.ids[number], run.tries[number]
        if task_id in command.alive:
            _reattach(before, index, number, scheduler.fleet)
            continue
        outcome = command.outcomes.get(task_id)
        if outcome is None and number in run.stopping:  # whoever stopped it gets what was asked for
            outcome = Outcome(OutcomeStatus.STOPPED)
        if outcome is not None:
            ago = _ago(outcome)
            known = structs_replace(outcome, ended_ago=0.0, took=None)
            outcomes.attempt_ended(before, AttemptEnded(run.run_id, task_id, attempt, known))
            ago = None if ago is None else ago - (away - alone)
            late_ends.time(before, index, number, attempt, ago, took=outcome.took)
        else:
            _interrupt(before, index, number)
    return before.turn.events


def _seconds_away(command: commands.RecoverRun) -> float:
    """For how long no program ran the run."""
    at, wall = command.facts.sessions[-1] if command.facts.sessions else (command.last_at, command.wall_time)
    return max(0.0, command.wall_time - (wall + command.last_at - at))


def _seconds_alone(command: commands.RecoverRun, away: float) -> float:
    """For how much of that attempts are known to have run: so far the run's clock has gone on, and then stood still."""
    facts = command.facts
    alone = 0.0
    for number in facts.with_status(RUNNING):
        task_id = facts.graph.ids[number]
        outcome = command.outcomes.get(task_id)
        ago = 0.0 if task_id in command.alive else None if outcome is None else _ago(outcome)
        if ago is not None:
            alone = max(alone, away - ago)
    return alone


def _ago(outcome: Outcome) -> float | None:
    """The seconds since an attempt ended; None: unknown."""
    return outcome.ended_ago or None


def _reattach(scheduler: SchedulerState, index: RunIndex, number: int, fleet: FleetFacts) -> None:
    """Continue an attempt in its slot, or in another one if that is taken in the present fleet.

    Args:
        scheduler: on the fleet that there was.
        index: of the run.
        number: of the task.
        fleet: that of today, where the device is too.
    """
    run = index.run
    device_id: str = run.device_of[number]  # type: ignore[assignment]  # what runs has a device
    before, today, slot = run.fleet.devices[device_id], fleet.devices[device_id], run.slot_of[number]
    if not today.is_free(slot) or (number in run.fetching and not before.is_free(slot)):
        # Those that other attempts of the run hold are not free either.
        slot = next(other for other in count() if before.is_free(other) and today.is_free(other))
    started = min(scheduler.now, run.started_at[number])
    task_id, attempt = run.graph.ids[number], run.tries[number]
    emit(scheduler, index, ev.AttemptReattached, task_id, attempt, device_id, slot, started)


def _interrupt(scheduler: SchedulerState, index: RunIndex, number: int) -> None:
    run = index.run
    if late_ends.begin_anew(scheduler, index, number):
        outcomes.line_up_again(scheduler, index, number)
    else:
        task_id, attempt = run.graph.ids[number], run.tries[number]
        error = ErrorInfo(code=ErrorCode.INTERRUPTED, message="The program that ran it ended before it did.")
        outcome = Outcome(OutcomeStatus.FAILED, Result(error=error))
        outcomes.attempt_ended(scheduler, AttemptEnded(run.run_id, task_id, attempt, outcome))


def _join(scheduler: SchedulerState, run: RunFacts) -> RunIndex:
    """Make it one of the runs of this fleet."""
    fleet = run.fleet = scheduler.fleet
    fleet.running += run.running  # of what was reattached; its slots are taken with the snapshot
    for group, used in own_groups(run).items():
        fleet.group_used[group] = fleet.group_used.get(group, 0) + used
    index = scheduler.add_run(run)
    index.grow()
    index.rebuild_priorities()
    if run.state.has_ended:  # the rest is done when it is reopened
        adopt_groups(scheduler, run.limits.groups)
        return index
    enter(scheduler, index)
    emit(scheduler, index, ev.FleetSnapshot, fleet=scheduler.fleet.snapshot())
    adopt_groups(scheduler, run.limits.groups)
    fence.refresh(scheduler, index)
    requeue_run(scheduler, index)
    due_timers.set_timers(scheduler, index)
    scheduler.dirty[run.run_id] = index
    return index

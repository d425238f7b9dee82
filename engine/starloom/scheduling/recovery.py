"""Taking up a run that another program left behind when it died: what ran then has ended, or was interrupted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.errors import CommandRefused
from starloom.model.result import ErrorCode, Outcome, OutcomeStatus, Result, TaskError
from starloom.model.status import OnInterrupt
from starloom.scheduling import cycles, fence, outcomes
from starloom.scheduling.codes import RUNNING
from starloom.scheduling.lifecycle import adopt_groups, enter
from starloom.scheduling.placement import Placer
from starloom.scheduling.queueing import requeue_run
from starloom.scheduling.run_index import RunIndex
from starloom.scheduling.stimuli import AttemptEnded

if TYPE_CHECKING:
    from starloom.scheduling import commands
    from starloom.scheduling.run_facts import RunFacts
    from starloom.scheduling.scheduler import Scheduler


def recover(scheduler: Scheduler, command: commands.RecoverRun) -> RunFacts:
    """Have the run go on here, from the facts that its own stream tells."""
    run = command.facts
    if not scheduler.admitting:
        raise CommandRefused("shutting_down", "The engine is shutting down.", "Start it again to run more.")
    if run.run_id in scheduler.runs:
        raise CommandRefused("duplicate_run", f"The run {run.run_id!r} is here already.", "Steer it as it is.")
    if run.state.has_ended:
        raise CommandRefused("has_ended", f"The run {run.run_id!r} has ended: {run.state}.", "Run its plan anew.")
    scheduler.turn.events.extend(_account_for_attempts(scheduler, command))
    _join(scheduler, run)
    return run


def _account_for_attempts(scheduler: Scheduler, command: commands.RecoverRun) -> list[ev.Event]:
    """Say how every attempt came to an end, on the fleet there was then: nothing of it is dispatched."""
    run, now = command.facts, scheduler.now
    before = type(scheduler)()
    before.fleet, before.placer, before.now = run.fleet, Placer(run.fleet), now
    index = RunIndex(run, 0)
    before.runs[run.run_id] = index
    before.by_number.append(index)
    index.grow()
    index.rebuild_priorities()
    if before.placer.by_critical_path:
        before.placer.rank(index)
    before.emit(index, ev.RunRecovered, wall_time=command.wall_time, shift=now - command.last_at, origin=command.origin)
    cycles.interrupt(before, index)
    for number in run.with_status(RUNNING):
        task_id, attempt = run.graph.ids[number], run.tries[number]
        outcome = command.outcomes.get(task_id)
        if outcome is None and number in run.stopping:  # whoever stopped it gets what was asked for
            outcome = Outcome(OutcomeStatus.STOPPED)
        if outcome is not None:
            outcomes.attempt_ended(before, AttemptEnded(run.run_id, task_id, attempt, outcome))
        else:
            _interrupt(before, index, number)
    return before.turn.events


def _interrupt(scheduler: Scheduler, index: RunIndex, number: int) -> None:
    run = index.run
    task = run.graph.tasks[number]
    assert task is not None
    task_id, attempt = task.id, run.tries[number]
    if task.on_interrupt is OnInterrupt.FAIL:
        error = TaskError(code=ErrorCode.INTERRUPTED, message="The program that ran it ended before it did.")
        outcome = Outcome(OutcomeStatus.FAILED, Result(error=error))
        outcomes.attempt_ended(scheduler, AttemptEnded(run.run_id, task_id, attempt, outcome))
        return
    scheduler.emit(index, ev.TaskInterrupted, task_id, attempt)
    if task.on_interrupt is OnInterrupt.ASK:
        scheduler.emit(index, ev.TasksHeld, task_ids=(task_id,), origin="engine")


def _join(scheduler: Scheduler, run: RunFacts) -> None:
    """Make it one of the runs of this fleet."""
    run.fleet = scheduler.fleet
    index = RunIndex(run, len(scheduler.by_number))
    scheduler.runs[run.run_id] = index
    scheduler.by_number.append(index)
    index.grow()
    index.rebuild_priorities()
    enter(scheduler, index)
    scheduler.emit(index, ev.FleetSnapshot, fleet=scheduler.fleet.snapshot())
    adopt_groups(scheduler, run.limits.groups)
    fence.refresh(scheduler, index)
    requeue_run(scheduler, index)
    outcomes.set_timers(scheduler, index)
    scheduler.dirty[run.run_id] = index

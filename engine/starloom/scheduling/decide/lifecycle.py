"""The life of a run: creating, starting, pausing, cancelling and reopening it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.errors import CommandRefused, QueueFull
from starloom.model.status import RunState
from starloom.scheduling.decide import cycle_ends
from starloom.scheduling.decide.dispatch import dispatch
from starloom.scheduling.decide.emission import emit, emit_fleet
from starloom.scheduling.decide.lookup import find
from starloom.scheduling.decide.placement import known_placement
from starloom.scheduling.decide.settle import make_all_ready
from starloom.scheduling.instructions import StopTask
from starloom.scheduling.state.codes import PENDING, RUNNING, WAITING
from starloom.scheduling.state.holdings import own_load
from starloom.scheduling.state.queueing import requeue_run
from starloom.scheduling.state.run_facts import RunFacts

if TYPE_CHECKING:
    from starloom.scheduling import commands
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState


def check_admission(scheduler: SchedulerState) -> None:
    """Refuse a new run or submission during shutdown or while the queue is full.

    Raises:
        CommandRefused: it does.
    """
    if not scheduler.admitting:
        scheduler.rejected += 1
        raise CommandRefused("shutting_down", "The engine is shutting down.", "Start it again to run more.")
    maximum = scheduler.fleet.max_queue
    if maximum:
        dispatch(scheduler)  # what can start at once does not wait
        queued = sum(index.run.status.count(PENDING) for index in scheduler.live.values())
        if queued >= maximum:
            scheduler.rejected += 1
            raise QueueFull(queued, maximum)


def create(scheduler: SchedulerState, command: commands.CreateRun) -> RunFacts:
    """Create a run of a plan."""
    check_admission(scheduler)
    if command.run_id in scheduler.runs:
        raise CommandRefused("duplicate_run", f"There is a run {command.run_id!r} already.", "Choose another id.")
    plan = command.plan
    placement = plan.placement if command.placement is None else known_placement(command.placement)
    run = RunFacts(command.run_id, scheduler.fleet)
    index = scheduler.add_run(run)
    enter(scheduler, index)
    emit(scheduler, index, ev.FleetSnapshot, fleet=scheduler.fleet.snapshot())
    emit(
        scheduler,
        index,
        ev.RunCreated,
        name=plan.name,
        description=plan.description,
        limits=plan.limits,
        metadata=dict(plan.metadata),
        origin=command.origin,
        hold_open=command.hold_open,
        wall_time=command.wall_time,
        devices=plan.devices,
        rules=plan.rules,
        agents=plan.agents,
        notes=plan.notes,
        placement=None if placement is None else str(placement),
        overdue_factor=plan.overdue_factor,
    )
    index.follow_placement()
    emit(scheduler, index, ev.TasksDeclared, tasks=plan.tasks, dependencies=plan.dependencies, index=plan.index)
    adopt_groups(scheduler, plan.limits.groups)
    emit(scheduler, index, ev.RunReadied)
    if plan.fence is not None or plan.modification_timeout is not None:
        patience = plan.modification_timeout or scheduler.fleet.modification_timeout
        emit(scheduler, index, ev.FenceSet, fence=plan.fence, modification_timeout=patience, origin="plan")
        scheduler.watched[command.run_id] = index
    if command.start:
        emit(scheduler, index, ev.RunStarted, origin=command.origin)
    index.grow(plan.index)
    index.rebuild_priorities()
    if index.by_rank:
        scheduler.placer.rank(index)
    roots = [number for number, unmet in enumerate(run.unmet) if not unmet]
    if roots:
        make_all_ready(scheduler, index, roots)
    scheduler.dirty[command.run_id] = index
    return run


def adopt_groups(scheduler: SchedulerState, groups: object) -> None:
    """Add the plan's group limits to the fleet; a group the fleet limits already keeps its limit."""
    assert hasattr(groups, "items")
    fresh = {name: count for name, count in groups.items() if name not in scheduler.fleet.groups}
    if fresh:
        event = scheduler.fleet.limits_event
        changed = dict(scheduler.fleet.groups) | fresh
        emit_fleet(scheduler, lambda seq, at, run_id: event(seq, at, run_id, "plan", groups=changed))


def enter(scheduler: SchedulerState, index: RunIndex) -> None:
    """Count a run as alive; from the second one on, each gets the load of the others."""
    scheduler.live[index.run.run_id] = index
    if index.run.cycles is not None:
        scheduler.watched[index.run.run_id] = index
    if len(scheduler.live) > 1:
        scheduler.load_changed = True
        for other in scheduler.live.values():
            if other.load is None:
                other.load = own_load(other.run)


def check_start(scheduler: SchedulerState, command: commands.StartRun) -> RunIndex:
    """The run that would be started; changes nothing."""
    index = find(scheduler, command.run_id)
    if index.run.state is not RunState.READY:
        again = "Start its plan for another run." if index.run.state.has_ended else "Only a run that is ready starts."
        raise CommandRefused("not_ready", f"The run is {index.run.state} already.", again)
    return index


def start(scheduler: SchedulerState, command: commands.StartRun) -> None:
    """Start a run that was created without starting."""
    index = check_start(scheduler, command)
    emit(scheduler, index, ev.RunStarted, origin=command.origin)
    go_on(scheduler, index)


def go_on(scheduler: SchedulerState, index: RunIndex) -> None:
    """Let the run start tasks again; they keep the age they had when it stopped."""
    scheduler.queue.wake(index.wait_queue)
    requeue_run(scheduler, index)
    scheduler.dirty[index.run.run_id] = index


def check_pause(scheduler: SchedulerState, command: commands.PauseRun) -> RunIndex:
    """The run that would be paused; changes nothing."""
    index = find(scheduler, command.run_id)
    state = index.run.state
    if state not in {RunState.PAUSED, RunState.EXECUTING, RunState.READY}:
        raise CommandRefused(
            "not_executing", f"The run is {state}; there is nothing to pause.", "Only a run that executes is paused."
        )
    return index


def pause(scheduler: SchedulerState, command: commands.PauseRun) -> None:
    """Start no more tasks of a run; one that has not been started begins paused. Pausing twice is no error."""
    index = check_pause(scheduler, command)
    if index.run.state is RunState.READY:
        emit(scheduler, index, ev.RunStarted, origin=command.origin)
        go_on(scheduler, index)
    if index.run.state is not RunState.PAUSED:
        emit(scheduler, index, ev.RunPaused, origin=command.origin, reason=command.reason)


def check_resume(scheduler: SchedulerState, command: commands.ResumeRun) -> RunIndex:
    """The run that would be resumed; changes nothing."""
    index = find(scheduler, command.run_id)
    state = index.run.state
    if state not in {RunState.PAUSED, RunState.EXECUTING}:
        raise CommandRefused(
            "not_paused", f"The run is {state}; there is nothing to resume.", "Only a paused run is resumed."
        )
    return index


def resume(scheduler: SchedulerState, command: commands.ResumeRun) -> None:
    """Start the run's tasks again; resuming twice is no error."""
    index = check_resume(scheduler, command)
    if index.run.state is not RunState.EXECUTING:
        emit(scheduler, index, ev.RunResumed, command.origin, command.reason)
        go_on(scheduler, index)


def hold_open(scheduler: SchedulerState, command: commands.HoldRunOpen) -> None:
    """Keep a run from ending when no task is left, or stop doing so."""
    index = find(scheduler, command.run_id)
    emit(scheduler, index, ev.RunHeldOpen, hold_open=command.hold_open, origin=command.origin)
    scheduler.dirty[command.run_id] = index


def check_limit(scheduler: SchedulerState, command: commands.SetRunLimit) -> RunIndex:
    """The run that would be limited; changes nothing."""
    limit = command.max_concurrency
    if limit is not None and limit < 0:
        raise CommandRefused("bad_limit", f"A limit cannot be {limit}.", "Give 0 or more, or none for no limit.")
    return find(scheduler, command.run_id)


def set_limit(scheduler: SchedulerState, command: commands.SetRunLimit) -> None:
    """Set how many tasks of a run may run at once; lowering it stops none."""
    index = check_limit(scheduler, command)
    emit(scheduler, index, ev.RunLimitSet, max_concurrency=command.max_concurrency, origin=command.origin)
    scheduler.queue.wake(index.wait_queue)
    scheduler.dirty[command.run_id] = index


# ---- cancelling


def cancel(scheduler: SchedulerState, command: commands.CancelRun) -> None:
    """Cancel all tasks of a run that have not ended; an ended or cancelled run stays as it is."""
    index = find(scheduler, command.run_id)
    if index.run.state.has_ended or index.run.cancel_requested:
        return
    emit(scheduler, index, ev.RunCancelRequested, origin=command.origin, reason=command.reason)
    cancel_all(scheduler, index, command.reason or "the run was cancelled", command.origin)


def abort(scheduler: SchedulerState, index: RunIndex, task_id: str) -> None:
    """Abort a run whose critical task has failed."""
    graph = index.run.graph
    reason = f"critical task {graph.names.label(graph.place[task_id])!r} failed"
    emit(scheduler, index, ev.RunCancelRequested, origin="engine", reason=reason, because=task_id)
    cancel_all(scheduler, index, reason, "engine")


def cancel_all(scheduler: SchedulerState, index: RunIndex, reason: str, origin: str, *, running: bool = True) -> None:
    """Cancel all tasks of a run that have not ended, `always` dependencies included."""
    run = index.run
    if run.cycles is not None:
        cycle_ends.cancel(scheduler, index)
    for code in (PENDING, WAITING):
        for number in run.with_status(code):
            index.keys[number] = None
            emit(scheduler, index, ev.TaskCancelled, run.graph.ids[number], reason=reason, origin=origin)
    if running:
        for number in run.with_status(RUNNING):
            stop(scheduler, index, number, "cancelled", origin)
    scheduler.dirty[run.run_id] = index


def stop(scheduler: SchedulerState, index: RunIndex, number: int, cause: str, origin: str, reason: str = "") -> None:
    """Stop a running attempt; stopped twice, only the cause may change."""
    run = index.run
    known = run.stopping.get(number)
    if known == cause:
        return
    task_id = run.graph.ids[number]
    emit(scheduler, index, ev.TaskStopping, task_id, cause, origin, reason)
    if known is None:
        scheduler.turn.more().stops.append(StopTask(run.run_id, task_id, run.tries[number], cause))


def reopen(scheduler: SchedulerState, index: RunIndex, origin: str) -> None:
    """Reopen an ended run."""
    if index.run.state.has_ended:
        emit(scheduler, index, ev.FleetSnapshot, fleet=scheduler.fleet.snapshot())  # it was told nothing meanwhile
        emit(scheduler, index, ev.RunReopened, origin=origin, state=_state_before_the_end(index.run))
        scheduler.turn.more().reopened.append(index.run.run_id)
        index.follow_placement()  # the fleet's may be another one by now
        enter(scheduler, index)
        go_on(scheduler, index)
    scheduler.dirty[index.run.run_id] = index


def _state_before_the_end(run: RunFacts) -> RunState:
    """Nobody's pause ends, and no run starts, because somebody edits or retries its tasks."""
    if run.run_started_at is None:
        return RunState.READY
    return RunState.PAUSED if run.is_paused else RunState.EXECUTING


def close_admission(scheduler: SchedulerState, command: commands.CloseAdmission) -> None:
    """Accept no new runs; cancel queued tasks, and running ones if asked for."""
    scheduler.admitting = False
    for index in list(scheduler.live.values()):
        if index.run.hold_open:
            emit(scheduler, index, ev.RunHeldOpen, hold_open=False, origin=command.origin)
            scheduler.dirty[index.run.run_id] = index
        if command.cancel_queued and not index.run.cancel_requested:
            reason = "the engine shut down"
            emit(scheduler, index, ev.RunCancelRequested, origin=command.origin, reason=reason)
            cancel_all(scheduler, index, reason, command.origin, running=command.cancel_running)
        elif command.cancel_running:
            for number in index.run.with_status(RUNNING):
                stop(scheduler, index, number, "shutdown", command.origin)

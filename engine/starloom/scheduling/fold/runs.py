"""The fold's handlers for events of a run as a whole and of its graph. Called through `apply`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace as structs_replace

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.constellation.graph import take_over
from starloom.constellation.transaction import perform
from starloom.model.status import Join, RunState
from starloom.model.task import WORK_FIELDS
from starloom.scheduling.fold import cycles, late, questions, stops
from starloom.scheduling.fold.answers import forget_verdict, recount
from starloom.scheduling.fold.tasks import NOTHING, Handler, Touched, release_slot
from starloom.scheduling.state.codes import PENDING, REMOVED, RUNNING, WAITING
from starloom.scheduling.state.last_changes import note_changes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from starloom.constellation.transaction import Rehearsal
    from starloom.model.plan import PlanIndex
    from starloom.model.task import Task
    from starloom.scheduling.state.attempts import Attempt
    from starloom.scheduling.state.run_facts import RunFacts


def _created(run: RunFacts, event: ev.RunCreated) -> Touched:
    run.seq = event.seq
    run.name, run.description = event.name, event.description
    run.limits, run.limit = event.limits, event.limits.max_concurrency
    run.metadata = dict(event.metadata)
    run.hold_open, run.placement = event.hold_open, event.placement
    run.wall_time = event.wall_time
    run.devices, run.notes = event.devices, event.notes
    run.rules, run.agents = event.rules, event.agents
    run.overdue_factor = event.overdue_factor
    run.sessions.append((event.at, event.wall_time))
    run.created_at = run.frozen_at = event.at
    return NOTHING


def _declared(run: RunFacts, event: ev.TasksDeclared) -> Touched:
    run.seq = event.seq
    graph = run.graph
    first = len(graph.tasks)
    if event.index is not None and not first:
        graph.adopt(event.tasks, event.index)
        _grow(run, event.tasks, event.index)
        run.unmet = list(event.index.unmet)
        run.any_joins = event.index.any_joins
        run.grouped = event.index.grouped
        if event.index.constrained:
            stops.note_tasks(run, event.tasks, first)
    else:
        graph.extend(event.tasks)
        graph.connect(event.dependencies)
        _grow(run, event.tasks)
        run.unmet = [len(parents) for parents in graph.parents]
        run.any_joins += [task.join for task in event.tasks].count(Join.ANY)
        run.grouped = run.grouped or any(task.groups for task in event.tasks)
        stops.note_tasks(run, event.tasks, first)
    run.open += len(event.tasks)
    run.plain = not graph.special and not run.any_joins
    return NOTHING


def _grow(run: RunFacts, tasks: Sequence[Task | None], index: PlanIndex | None = None) -> None:
    """Make room in every list for tasks that were appended to the graph."""
    count = len(tasks)
    if index is not None:
        run.status.extend(bytes(count))
        run.priority.extend(index.priorities)
    else:
        run.status.extend(WAITING if task is not None else REMOVED for task in tasks)
        run.priority.extend(task.priority if task is not None else 0 for task in tasks)
    zeros, times, nothing = [0] * count, [0.0] * count, [None] * count
    for numbers in (run.unmet, run.tries, run.slot_of):
        numbers.extend(zeros)
    for moments in (run.ready_at, run.started_at, run.ended_at):
        moments.extend(times)
    run.device_of.extend(nothing)
    run.results.extend(nothing)


def _readied(run: RunFacts, event: ev.RunReadied) -> Touched:
    run.seq = event.seq
    run.state = RunState.READY
    return NOTHING


def _run_started(run: RunFacts, event: ev.RunStarted) -> Touched:
    run.seq = event.seq
    run.run_started_at = event.at
    return _thaw(run, event.at)


def _thaw(run: RunFacts, at: float) -> Touched:
    """Resume aging: tasks that were ready meanwhile have not grown older."""
    run.state = RunState.EXECUTING
    run.is_paused = False
    since, run.frozen_at = run.frozen_at, None
    ready = run.with_status(PENDING)
    if since is not None:
        for number in ready:
            run.ready_at[number] += at - max(since, run.ready_at[number])
    return ready


def _paused(run: RunFacts, event: ev.RunPaused) -> Touched:
    run.seq = event.seq
    run.state = RunState.PAUSED
    run.is_paused = True
    run.frozen_at = event.at
    run.stalled = ()
    return NOTHING


def _resumed(run: RunFacts, event: ev.RunResumed) -> Touched:
    run.seq = event.seq
    if run.frozen_at is not None and event.at > run.frozen_at:
        run.paused_spans.append((run.frozen_at, event.at))
        run.first_ready = {number: run.ready_at[number] for number in run.with_status(PENDING)} | run.first_ready
    return _thaw(run, event.at)


def _cancel_requested(run: RunFacts, event: ev.RunCancelRequested) -> Touched:
    run.seq = event.seq
    run.cancel_requested = True
    if event.because is not None:
        run.aborted_by = event.because
    if run.cycles is not None:
        cycles.give_up(run)
    return NOTHING


def _held_open(run: RunFacts, event: ev.RunHeldOpen) -> Touched:
    run.seq = event.seq
    run.hold_open = event.hold_open
    return NOTHING


def _limit_set(run: RunFacts, event: ev.RunLimitSet) -> Touched:
    run.seq = event.seq
    run.limit = event.max_concurrency
    run.stalled = ()
    return NOTHING


def _stalled(run: RunFacts, event: ev.RunStalled) -> Touched:
    run.seq = event.seq
    run.stalled = event.reasons
    return NOTHING


def _ended(run: RunFacts, event: ev.RunEnded) -> Touched:
    run.seq = event.seq
    run.state = event.state
    run.run_ended_at = run.frozen_at = event.at
    run.stalled = ()
    if run.cycles is not None:
        cycles.give_up(run)
    return NOTHING


def _reopened(run: RunFacts, event: ev.RunReopened) -> Touched:
    run.seq = event.seq
    if run.run_started_at is not None and run.run_ended_at is not None:
        run.idle_s += max(0.0, event.at - run.run_ended_at)
        run.idle.append((run.run_ended_at, max(run.run_ended_at, event.at)))
    run.run_ended_at = None
    run.cancel_requested = False
    run.aborted_by = None
    if event.state is not RunState.EXECUTING:
        run.state = event.state
        return NOTHING
    return _thaw(run, event.at)


def _recovered(run: RunFacts, event: ev.RunRecovered) -> Touched:
    run.seq = event.seq
    if event.shift:
        shift(run, event.shift)
    questions.close_all(run, event.at)
    run.sessions.append((event.at, event.wall_time))
    run.stalled = ()
    return NOTHING


def shift(run: RunFacts, by: float) -> None:
    """Shift all times of the run to another program's clock."""
    for times in (run.ready_at, run.started_at, run.ended_at):
        times[:] = [time + by for time in times]
    for moments in (run.backoff, run.first_ready):
        moments.update({number: at + by for number, at in moments.items()})
    for past in run.history.values():
        past[:] = [_shifted(attempt, by) for attempt in past]
    run.sessions[:] = [(at + by, wall) for at, wall in run.sessions]
    for spans in (run.idle, run.paused_spans):
        spans[:] = [(since + by, until + by) for since, until in spans]
    if run.cycles is not None:
        cycles.shift(run.cycles, by)
    stops.shift(run, by)
    questions.shift(run, by)
    late.shift(run, by)
    run.created_at += by
    for name in ("run_started_at", "run_ended_at", "frozen_at"):
        time = getattr(run, name)
        if time is not None:
            setattr(run, name, time + by)


def _shifted(attempt: Attempt, by: float) -> Attempt:
    ended = None if attempt.ended is None else attempt.ended + by
    return structs_replace(attempt, ready=attempt.ready + by, started=attempt.started + by, ended=ended)


# ---- structure


def apply_modified(run: RunFacts, event: ev.ConstellationModified, rehearsal: Rehearsal | None = None) -> Touched:
    """Edit the graph.

    Args:
        run: its facts.
        event: the changes.
        rehearsal: of these very changes, if it was on a copy of the graph: that takes its place.
    """
    run.seq = event.seq
    run.revision = event.revision
    run.stalled = ()
    stamp = event.revision, event.origin
    affected: Collection[int]
    if rehearsal is not None and rehearsal.graph is not None:
        take_over(run.graph, rehearsal.graph)
        for change, done in zip(event.changes, rehearsal.performed, strict=True):
            run.graph.kept_paths.note(done.number)  # as the copy has for itself
            _FOLLOW[type(change)](run, done.number, change)
        affected = rehearsal.affected
        run.graph.kept_paths.note_all(affected)
        note_changes(run, rehearsal.keys, stamp)
    else:
        affected = set()
        with run.graph.batch():
            for change in event.changes:
                done = perform(run.graph, change)
                affected.update(done.affected)
                note_changes(run, done.keys, stamp)
                _FOLLOW[type(change)](run, done.number, change)
    if any(_sets_join(change) or (run.any_joins and isinstance(change, ed.RemoveTask)) for change in event.changes):
        run.any_joins = sum(1 for task in run.graph.tasks if task is not None and task.join is Join.ANY)
    run.plain = not run.graph.special and not run.any_joins
    present = sorted(number for number in affected if run.graph.tasks[number] is not None)
    for number in present:
        recount(run, number, event.at)
    return present


def _sets_join(change: ed.Edit) -> bool:
    return isinstance(change, ed.UpdateTask) and "join" in change.fields


def _task_added(run: RunFacts, number: int, change: ed.AddTask) -> None:
    known = len(run.status)
    if number >= known:
        _grow(run, run.graph.tasks[known:])
        stops.note_tasks(run, run.graph.tasks[known:], known)
    else:  # back at its place; what it had besides its fields has waited there
        run.status[number] = WAITING
        run.steered = run.steered or stops.is_stopped(change.task)
    run.any_joins += change.task.join is Join.ANY
    run.grouped = run.grouped or bool(change.task.groups)
    run.open += 1


def _task_removed(run: RunFacts, number: int, _change: ed.RemoveTask) -> None:
    run.status[number] = REMOVED
    stops.withdraw(run, number)
    run.open -= 1
    run.no.pop(number, None)


def _task_updated(run: RunFacts, number: int, change: ed.UpdateTask) -> None:
    if "priority" in change.fields:
        own: int = run.graph.tasks[number].priority  # type: ignore[union-attr]  # it is present
        run.priority[number] = change.steering.get("priority", own)
    if "device" in change.fields:
        run.pins.pop(number, None)
        if "device" in change.steering:
            run.pins[number] = change.steering["device"]
    if "groups" in change.fields:
        run.grouped = True
    if run.tries[number] and not WORK_FIELDS.isdisjoint(change.fields):
        run.changed_work[number] = run.tries[number]
    stops.note_update(run, number, change.fields)


def _dependency_changed(run: RunFacts, _number: int, change: ed.AddDependency | ed.UpdateDependency) -> None:
    if run.verdicts or run.unevaluated:
        place, dependency = run.graph.place, change.dependency
        forget_verdict(run, place[dependency.parent], place[dependency.child])


def _dependency_removed(run: RunFacts, _number: int, change: ed.RemoveDependency) -> None:
    if run.verdicts or run.unevaluated:
        place = run.graph.place
        forget_verdict(run, place[change.parent], place[change.child])


def _reattached(run: RunFacts, event: ev.AttemptReattached) -> Touched:
    number = run.graph.place[event.task_id]
    run.seq = event.seq
    run.started_at[number] = event.started_at
    is_fetching = number in run.fetching  # it says again when its work has ended
    if event.slot != run.slot_of[number] or is_fetching:
        if not is_fetching:
            release_slot(run, number)
        run.fetching.discard(number)
        run.fleet.devices[event.device_id].take(event.slot)
        run.slot_of[number] = event.slot
    return NOTHING


def _work_ended(run: RunFacts, event: ev.AttemptWorkEnded) -> Touched:
    number = run.graph.place[event.task_id]
    run.seq = event.seq
    release_slot(run, number)
    run.fetching.add(number)
    questions.close(run, number, event.at)
    run.ended_at[number] = event.at
    run.overdue.pop(number, None)
    return NOTHING


def _stopping(run: RunFacts, event: ev.TaskStopping) -> Touched:
    run.seq = event.seq
    number = run.graph.place[event.task_id]
    run.stopping[number] = event.cause
    questions.close(run, number, event.at)
    return NOTHING


def _overdue(run: RunFacts, event: ev.TaskOverdue) -> Touched:
    run.seq = event.seq
    run.overdue[run.graph.place[event.task_id]] = event.expected
    return NOTHING


def _fleet_seen(run: RunFacts, event: ev.FleetSnapshot) -> Touched:
    run.seq = event.seq
    run.others = {device["id"]: device["others"] for device in event.fleet["devices"] if device["others"]}
    for number in run.with_status(RUNNING) if run.running else ():  # attempts that were reattached
        run.fleet.devices[run.device_of[number]].take(run.slot_of[number])  # type: ignore[index]  # what runs has one
    return NOTHING


def _load_told(run: RunFacts, event: ev.FleetLoad) -> Touched:
    run.seq = event.seq
    run.others = dict(event.used)
    return NOTHING


_FOLLOW: Final[dict[type[Any], Callable[[RunFacts, int, Any], None]]] = {
    ed.AddTask: _task_added,
    ed.RemoveTask: _task_removed,
    ed.UpdateTask: _task_updated,
    ed.AddDependency: _dependency_changed,
    ed.UpdateDependency: _dependency_changed,
    ed.RemoveDependency: _dependency_removed,
}

RUN_HANDLERS: Final[dict[type[ev.Event], Handler]] = {
    ev.RunCreated: _created,
    ev.TasksDeclared: _declared,
    ev.RunReadied: _readied,
    ev.RunStarted: _run_started,
    ev.RunPaused: _paused,
    ev.RunResumed: _resumed,
    ev.RunCancelRequested: _cancel_requested,
    ev.RunHeldOpen: _held_open,
    ev.RunLimitSet: _limit_set,
    ev.RunStalled: _stalled,
    ev.RunEnded: _ended,
    ev.RunReopened: _reopened,
    ev.RunRecovered: _recovered,
    ev.AttemptReattached: _reattached,
    ev.AttemptWorkEnded: _work_ended,
    ev.TaskStopping: _stopping,
    ev.TaskOverdue: _overdue,
    **late.LATE_HANDLERS,
    ev.ConstellationModified: apply_modified,
    ev.FleetSnapshot: _fleet_seen,
    ev.FleetLoad: _load_told,
}

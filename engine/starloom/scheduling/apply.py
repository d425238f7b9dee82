"""The fold: the only code that changes the facts of a run. Live running, resuming and replay all come through here.

A handler returns the tasks whose standing may have changed, so that the scheduler need not look for them; a fold
ignores that. Nothing is decided here: a handler does what its event says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, Final

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.constellation.transaction import perform
from starloom.model.status import Join, RunState
from starloom.scheduling.codes import (
    CANCELLED,
    CODE_OF,
    COMPLETED,
    FAILED,
    PENDING,
    REMOVED,
    RUNNING,
    SKIPPED,
    WAITING,
    is_terminal,
)
from starloom.scheduling.fleet_facts import FLEET_EVENTS
from starloom.scheduling.run_facts import NO, READY, YES, RunFacts, RunView, groups_of

if TYPE_CHECKING:
    from starloom.model.plan import PlanIndex
    from starloom.model.task import Task
    from starloom.scheduling.fleet_facts import DeviceFacts

Touched = Sequence[int]
NOTHING: Final[Touched] = ()


def apply(run: RunFacts, event: ev.Event) -> Touched:
    """Change the facts as the event says; returns the tasks whose standing may have changed.

    A fleet event only counts in the run's numbering here: the fleet it changes is applied once, by `fold` or by the
    scheduler.
    """
    handler = _HANDLERS.get(type(event))
    if handler is None:
        run.seq = event.seq
        return NOTHING
    return handler(run, event)


def fold(view: RunView, events: Iterable[ev.Event]) -> RunView:
    """Apply a run's stream, or a part of it, to a picture of the run and its fleet."""
    run, fleet = view.run, view.fleet
    for event in events:
        if type(event) in FLEET_EVENTS:
            fleet.apply(event)
        apply(run, event)
    return view


# ---- the hot three, which the scheduler calls with the number it knows


def apply_ready(run: RunFacts, event: ev.TaskReady, number: int) -> Touched:
    """The task is in the queue."""
    run.seq = event.seq
    run.status[number] = PENDING
    run.ready_at[number] = event.at
    if run.backoff:
        run.backoff.pop(number, None)
    return NOTHING


def apply_started(run: RunFacts, event: ev.TaskStarted, number: int, device: DeviceFacts) -> Touched:
    """An attempt holds a slot."""
    run.seq = event.seq
    if run.tries[number]:
        _archive(run, number)
    run.status[number] = RUNNING
    run.tries[number] = event.attempt
    run.started_at[number] = event.at
    run.device_of[number] = event.device_id
    run.slot_of[number] = slot = event.slot
    run.running += 1
    fleet = run.fleet
    fleet.running += 1
    free = device.free
    if free and free[0] == slot:
        heappop(free)
        device.used += 1
    else:
        device.take(slot)
    if run.grouped:
        for group in groups_of(run, number):
            fleet.group_used[group] = fleet.group_used.get(group, 0) + 1
    if event.promoted:
        run.promoted.add(number)
    if run.stalled:
        run.stalled = ()
    return NOTHING


def apply_completed(run: RunFacts, event: ev.TaskCompleted, number: int) -> Touched:
    """The task did what it should; its slot is free and its children hear a yes."""
    run.seq = event.seq
    run.status[number] = COMPLETED
    run.results[number] = event.result
    run.open -= 1
    _release(run, number, event.at)
    if not run.plain:
        return _tell_children(run, number)
    ready: list[int] = []
    unmet = run.unmet
    for child in run.graph.children[number]:
        left = unmet[child] - 1
        unmet[child] = left
        if not left:
            ready.append(child)
    return ready


def _numbered(handler: Callable[[RunFacts, Any, int], Touched]) -> Callable[[RunFacts, Any], Touched]:
    return lambda run, event: handler(run, event, run.graph.place[event.task_id])


def _started(run: RunFacts, event: ev.TaskStarted) -> Touched:
    return apply_started(run, event, run.graph.place[event.task_id], run.fleet.devices[event.device_id])


def _release(run: RunFacts, number: int, at: float) -> None:
    """The attempt is over: its slot and its places in groups are free, once."""
    run.ended_at[number] = at
    run.running -= 1
    fleet = run.fleet
    fleet.running -= 1
    device = fleet.devices[run.device_of[number]]  # type: ignore[index]  # a busy device cannot be removed
    device.used -= 1
    heappush(device.free, run.slot_of[number])
    if run.grouped:
        for group in groups_of(run, number):
            fleet.group_used[group] -= 1
    if run.stopping:
        run.stopping.pop(number, None)


def _tell_children(run: RunFacts, number: int) -> Touched:
    """The parent has just ended: count what its edges say; returns the children that heard something."""
    heard = []
    for child in run.graph.children[number]:
        answer = run.answer(number, child)
        if answer == YES:
            run.unmet[child] -= 1
        elif answer == NO:
            run.no[child] = run.no.get(child, 0) + 1
        else:
            continue
        heard.append(child)
    return heard


def _archive(run: RunFacts, number: int) -> None:
    """Move the last attempt into the history, before another one takes its place in the arrays."""
    if run.device_of[number] is not None:
        run.history.setdefault(number, []).append(run.last_attempt(number))
        run.device_of[number] = None


# ---- other ends of attempts and tasks


def _retry_scheduled(run: RunFacts, event: ev.TaskRetryScheduled) -> Touched:
    number = run.graph.place[event.task_id]
    run.seq = event.seq
    run.results[number] = event.result
    _release(run, number, event.at)
    run.status[number] = FAILED
    _archive(run, number)
    run.status[number] = PENDING
    run.backoff[number] = event.retry_at
    return NOTHING


def _end(run: RunFacts, number: int, code: int, at: float) -> Touched:
    """The task has ended with this code, whether it ran or not."""
    if run.status[number] == RUNNING:
        _release(run, number, at)
    run.status[number] = code
    run.open -= 1
    run.backoff.pop(number, None)
    return _tell_children(run, number)


def _failed(run: RunFacts, event: ev.TaskFailed) -> Touched:
    number = run.graph.place[event.task_id]
    run.seq = event.seq
    run.results[number] = event.result
    return _end(run, number, FAILED, event.at)


def _cancelled(run: RunFacts, event: ev.TaskCancelled) -> Touched:
    number = run.graph.place[event.task_id]
    run.seq = event.seq
    if run.status[number] == RUNNING:
        run.results[number] = event.result
    run.reasons[number] = event.reason
    return _end(run, number, CANCELLED, event.at)


def _skipped(run: RunFacts, event: ev.TaskSkipped) -> Touched:
    number = run.graph.place[event.task_id]
    run.seq = event.seq
    run.reasons[number] = event.reason
    if event.because is not None:
        run.skipped_because[number] = run.graph.place[event.because]
    return _end(run, number, SKIPPED, event.at)


def _marked(run: RunFacts, event: ev.TaskMarked) -> Touched:
    number = run.graph.place[event.task_id]
    run.seq = event.seq
    _archive(run, number)
    if is_terminal(run.status[number]):
        run.open += 1
    run.results[number] = event.result
    run.reasons.pop(number, None)
    run.skipped_because.pop(number, None)
    run.backoff.pop(number, None)
    run.status[number] = CODE_OF[event.status]
    run.open -= 1
    _forget_verdicts(run, number)
    return _recount_children(run, number)


def _reset(run: RunFacts, event: ev.TaskReset) -> Touched:
    number = run.graph.place[event.task_id]
    run.seq = event.seq
    code = run.status[number]
    if code == RUNNING:
        _release(run, number, event.at)
        run.status[number], run.results[number] = CANCELLED, None  # the result there is of an earlier attempt
    if is_terminal(code):
        run.open += 1
    _archive(run, number)
    run.status[number] = WAITING
    run.spent[number] = run.tries[number]
    run.results[number] = None
    for gone in (run.reasons, run.skipped_because, run.backoff):
        gone.pop(number, None)
    _forget_verdicts(run, number)
    recount(run, number)
    return [number, *_recount_children(run, number)]


def _forget_verdicts(run: RunFacts, number: int) -> None:
    if run.verdicts:
        for child in run.graph.children[number]:
            run.verdicts.pop((number, child), None)


def _recount_children(run: RunFacts, number: int) -> list[int]:
    """What a parent says has changed: count again for the children that have not started."""
    children = list(run.graph.children[number])
    for child in children:
        recount(run, child)
    return children


def recount(run: RunFacts, number: int) -> None:
    """Count again what the parents of a task say; a ready one that no longer is waits again."""
    answers = [run.answer(parent, number) for parent in run.graph.parents[number]]
    run.unmet[number] = len(answers) - answers.count(YES)
    noes = answers.count(NO)
    if noes:
        run.no[number] = noes
    else:
        run.no.pop(number, None)
    if run.status[number] == PENDING and run.standing(number) != READY:
        run.status[number] = WAITING
        run.backoff.pop(number, None)


def _evaluated(run: RunFacts, event: ev.ConditionEvaluated) -> Touched:
    parent, child = run.graph.place[event.parent], run.graph.place[event.child]
    run.seq = event.seq
    run.verdicts[parent, child] = event.verdict
    recount(run, child)
    return [child]


def _stopping(run: RunFacts, event: ev.TaskStopping) -> Touched:
    run.seq = event.seq
    run.stopping[run.graph.place[event.task_id]] = event.cause
    return NOTHING


# ---- steering


def _numbers(run: RunFacts, task_ids: Iterable[str]) -> list[int]:
    place = run.graph.place
    return [place[task_id] for task_id in task_ids]


def _held(run: RunFacts, event: ev.TasksHeld) -> Touched:
    run.seq = event.seq
    numbers = _numbers(run, event.task_ids)
    run.held.update(numbers)
    return numbers


def _released(run: RunFacts, event: ev.TasksReleased) -> Touched:
    run.seq = event.seq
    run.stalled = ()
    numbers = _numbers(run, event.task_ids)
    run.held.difference_update(numbers)
    return numbers


def _prioritised(run: RunFacts, event: ev.TasksPrioritised) -> Touched:
    run.seq = event.seq
    numbers = _numbers(run, event.task_ids)
    for number in numbers:
        run.priority[number] = event.priority
    return numbers


def _pinned(run: RunFacts, event: ev.TasksPinned) -> Touched:
    run.seq = event.seq
    run.stalled = ()
    numbers = _numbers(run, event.task_ids)
    for number in numbers:
        if event.device_id is None:
            run.pins.pop(number, None)
        else:
            run.pins[number] = event.device_id
    return numbers


# ---- the run


def _created(run: RunFacts, event: ev.RunCreated) -> Touched:
    run.seq = event.seq
    run.name, run.description = event.name, event.description
    run.limits, run.limit = event.limits, event.limits.max_concurrency
    run.metadata = dict(event.metadata)
    run.hold_open = event.hold_open
    run.wall_time = event.wall_time
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
    else:
        graph.extend(event.tasks)
        graph.connect(event.dependencies)
        _grow(run, event.tasks)
        run.unmet = [len(parents) for parents in graph.parents]
        run.any_joins += sum(task.join is Join.ANY for task in event.tasks)
        run.grouped = run.grouped or any(task.groups for task in event.tasks)
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
    """Aging goes on: what was ready meanwhile has not grown older."""
    run.state = RunState.EXECUTING
    since, run.frozen_at = run.frozen_at, None
    ready = run.with_status(PENDING)
    if since is not None:
        for number in ready:
            run.ready_at[number] += at - max(since, run.ready_at[number])
    return ready


def _paused(run: RunFacts, event: ev.RunPaused) -> Touched:
    run.seq = event.seq
    run.state = RunState.PAUSED
    run.frozen_at = event.at
    run.stalled = ()
    return NOTHING


def _resumed(run: RunFacts, event: ev.RunResumed) -> Touched:
    run.seq = event.seq
    return _thaw(run, event.at)


def _cancel_requested(run: RunFacts, event: ev.RunCancelRequested) -> Touched:
    run.seq = event.seq
    run.cancel_requested = True
    if event.because is not None:
        run.aborted_by = event.because
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
    return NOTHING


def _reopened(run: RunFacts, event: ev.RunReopened) -> Touched:
    run.seq = event.seq
    run.run_ended_at = None
    run.cancel_requested = False
    run.aborted_by = None
    return _thaw(run, event.at)


# ---- structure


def _modified(run: RunFacts, event: ev.ConstellationModified) -> Touched:
    run.seq = event.seq
    run.revision = event.revision
    run.stalled = ()
    affected: set[int] = set()
    for change in event.changes:
        done = perform(run.graph, change)
        affected.update(done.affected)
        for key in done.keys:
            run.touched[key] = (event.revision, event.origin)
        _FOLLOW[type(change)](run, done.number, change)
    run.plain = not run.graph.special and not run.any_joins
    present = sorted(number for number in affected if run.graph.tasks[number] is not None)
    for number in present:
        recount(run, number)
    return present


def _task_added(run: RunFacts, number: int, change: ed.AddTask) -> None:
    known = len(run.status)
    if number >= known:
        _grow(run, run.graph.tasks[known:])
    else:  # back at its place; what it had besides its fields has waited there
        run.status[number] = WAITING
    run.any_joins += change.task.join is Join.ANY
    run.grouped = run.grouped or bool(change.task.groups)
    run.open += 1


def _task_removed(run: RunFacts, number: int, _change: ed.RemoveTask) -> None:
    run.status[number] = REMOVED
    run.open -= 1
    run.no.pop(number, None)
    run.backoff.pop(number, None)
    if run.any_joins:
        run.any_joins = sum(1 for task in run.graph.tasks if task is not None and task.join is Join.ANY)


def _task_updated(run: RunFacts, number: int, change: ed.UpdateTask) -> None:
    if "priority" in change.fields:
        run.priority[number] = run.graph.tasks[number].priority  # type: ignore[union-attr]  # it is present
    if "device" in change.fields:
        run.pins.pop(number, None)
    if "groups" in change.fields:
        run.grouped = True
    if "join" in change.fields:
        run.any_joins = sum(1 for task in run.graph.tasks if task is not None and task.join is Join.ANY)


def _dependency_changed(run: RunFacts, _number: int, change: ed.AddDependency | ed.UpdateDependency) -> None:
    place, dependency = run.graph.place, change.dependency
    run.verdicts.pop((place[dependency.parent], place[dependency.child]), None)


def _dependency_removed(run: RunFacts, _number: int, change: ed.RemoveDependency) -> None:
    place = run.graph.place
    run.verdicts.pop((place[change.parent], place[change.child]), None)


def _fleet_seen(run: RunFacts, event: ev.FleetSnapshot) -> Touched:
    run.seq = event.seq
    run.others = {device["id"]: device["others"] for device in event.fleet["devices"] if device["others"]}
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

_HANDLERS: Final[dict[type[ev.Event], Callable[[RunFacts, Any], Touched]]] = {
    ev.TaskReady: _numbered(apply_ready),
    ev.TaskStarted: _started,
    ev.TaskCompleted: _numbered(apply_completed),
    ev.TaskRetryScheduled: _retry_scheduled,
    ev.TaskFailed: _failed,
    ev.TaskCancelled: _cancelled,
    ev.TaskSkipped: _skipped,
    ev.TaskMarked: _marked,
    ev.TaskReset: _reset,
    ev.TaskStopping: _stopping,
    ev.ConditionEvaluated: _evaluated,
    ev.TasksHeld: _held,
    ev.TasksReleased: _released,
    ev.TasksPrioritised: _prioritised,
    ev.TasksPinned: _pinned,
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
    ev.ConstellationModified: _modified,
    ev.FleetSnapshot: _fleet_seen,
    ev.FleetLoad: _load_told,
}

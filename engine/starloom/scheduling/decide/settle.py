"""Propagation of ends through the graph: readiness, skips and conditions. In the same turn and without recursion."""

from __future__ import annotations

from collections import deque
from itertools import count
from typing import TYPE_CHECKING, Final

from starloom import events as ev
from starloom.events import TaskReady
from starloom.model.status import DependencyKind
from starloom.scheduling.decide.emission import emit
from starloom.scheduling.fold.tasks import apply_ready
from starloom.scheduling.read.verdict import verdict_of
from starloom.scheduling.state.codes import COMPLETED, FAILED, PENDING, STATUS_OF, WAITING
from starloom.scheduling.state.queueing import enqueue
from starloom.scheduling.state.run_facts import DOOMED, NO, READY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState

MANY: Final = 1_024
"""Tasks that are looked at in a fraction of a millisecond where nothing is to be done."""


def settle(scheduler: SchedulerState, index: RunIndex, touched: Iterable[int]) -> None:
    """Make tasks whose standing may have changed ready or skipped, and propagate that."""
    run = index.run
    status, keys, pause = run.status, index.keys, scheduler.turn.pause
    work = deque(sorted(set(touched)))
    for step in count(1):
        if not work:
            return
        if step % MANY == 0:
            pause()
        number = work.popleft()
        code = status[number]
        if code == WAITING:
            keys[number] = None
            standing = run.standing(number)
            if standing == READY:
                make_ready(scheduler, index, number)
            elif standing == DOOMED:
                work.extend(sorted(_skip_doomed(scheduler, index, number)))
        elif code == PENDING and run.standing(number) == DOOMED:
            work.extend(sorted(_skip_doomed(scheduler, index, number)))


def make_ready(scheduler: SchedulerState, index: RunIndex, number: int) -> None:
    """Emit that a task is ready, and queue it."""
    run = index.run
    event = ev.TaskReady(run.seq + 1, scheduler.now, run.run_id, run.graph.ids[number])
    scheduler.turn.events.append(event)
    apply_ready(run, event, number)
    enqueue(scheduler, index, number)


def make_all_ready(scheduler: SchedulerState, index: RunIndex, numbers: list[int]) -> None:
    """Make the waiting ones of these tasks ready, in order of their numbers.

    Without priorities, constraints and holds they share one bucket and are equal but for their places: they need no key
    until it is known that they cannot start in this very turn.
    """
    run = index.run
    if len(numbers) > 1:
        numbers.sort()
    status = run.status
    others = scheduler.fresh
    if (
        (others is not None and others is not index)  # one run at a time has that room
        or index.constrained
        or index.mixed
        or run.held
        or run.cycles is not None
        or index.by_rank
    ):
        for number in numbers:
            if status[number] == WAITING:
                make_ready(scheduler, index, number)
        return
    append, ids, fresh = scheduler.turn.events.append, run.graph.ids, index.fresh
    run_id, now = run.run_id, scheduler.now
    for number in numbers:
        if status[number] == WAITING:
            event = TaskReady(run.seq + 1, now, run_id, ids[number])
            append(event)
            apply_ready(run, event, number)
            fresh.append(number)
    if fresh:
        scheduler.fresh = index


def _skip_doomed(scheduler: SchedulerState, index: RunIndex, number: int) -> Iterable[int]:
    run = index.run
    parent = next(p for p in run.graph.parents[number] if run.answer(p, number) == NO)
    name = run.graph.names.label(parent)
    special = run.graph.special.get((parent, number))
    ended = STATUS_OF[run.status[parent]].value
    wanted = ""
    if special is not None and special.kind is DependencyKind.CONDITION:
        error = run.unevaluated.get((parent, number))
        wanted = f", and the condition {special.condition} " + (f"cannot be evaluated: {error}" if error else "says no")
    elif special is not None and special.kind is not DependencyKind.SUCCESS:
        wanted = f", and the dependency is of kind {special.kind}"
    index.keys[number] = None
    return left_out(
        scheduler,
        index,
        number,
        emit(
            scheduler,
            index,
            ev.TaskSkipped,
            run.graph.ids[number],
            reason=f"{name!r} {_ended(ended)}{wanted}",
            because=run.graph.ids[parent],
        ),
    )


def _ended(status: str) -> str:
    return {"failed": "failed", "completed": "completed"}.get(status, f"was {status}")


def left_out(scheduler: SchedulerState, index: RunIndex, number: int, touched: Iterable[int]) -> Iterable[int]:
    """Update priorities and timers after a task ended without running."""
    if index.mixed:
        from_here = index.spread_priorities(index.run.graph.parents[number])
        _rekey(scheduler, index, from_here)
    return touched


def lend_again(scheduler: SchedulerState, index: RunIndex, number: int) -> None:
    """Restore inherited priorities around a task that had started or ended and is to run again."""
    if index.mixed:
        _rekey(scheduler, index, index.spread_priorities([number, *index.run.graph.parents[number]]))


def _rekey(scheduler: SchedulerState, index: RunIndex, numbers: Iterable[int]) -> None:
    for number in numbers:
        if index.keys[number] is not None:
            index.keys[number] = None
            enqueue(scheduler, index, number)


def evaluate_conditions(scheduler: SchedulerState, index: RunIndex, parent: int) -> list[int]:
    """Evaluate the conditions on an ended parent's edges; returns the children that were told a verdict."""
    run = index.run
    if run.plain or run.status[parent] not in {COMPLETED, FAILED}:
        return []
    heard: list[int] = []
    for child in sorted(run.graph.children[parent]):
        special = run.graph.special.get((parent, child))
        if special is None or special.condition is None or (parent, child) in run.verdicts:
            continue
        verdict, error = verdict_of(run, parent, special.condition)
        heard.extend(
            emit(
                scheduler,
                index,
                ev.ConditionEvaluated,
                parent=run.graph.ids[parent],
                child=run.graph.ids[child],
                verdict=verdict,
                error=error,
            )
        )
    return heard

"""Edit batches: rehearsed against today's state, then applied whole or refused whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.constellation.transaction import Rehearsal, rehearse, rehearse_on_a_copy
from starloom.errors import CommandRefused, EditRefused, Problem
from starloom.pauses import Pause, with_pauses
from starloom.scheduling.decide.emission import emit
from starloom.scheduling.decide.lifecycle import check_admission, reopen
from starloom.scheduling.decide.lookup import find
from starloom.scheduling.decide.settle import evaluate_conditions, settle
from starloom.scheduling.fold.runs import apply_modified
from starloom.scheduling.state import fence, stops
from starloom.scheduling.state.codes import PENDING
from starloom.scheduling.state.edit_rules import rules_for
from starloom.scheduling.state.queueing import requeue
from starloom.scheduling.state.ranks import spread_ranks

if TYPE_CHECKING:
    from starloom.scheduling.commands import EditConstellation
    from starloom.scheduling.state.cycle_facts import Proposed
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState


LARGE: Final = 500
"""Edits of a batch from which on it is rehearsed on a copy of the graph."""

_UNDO: Final = "undo: "
"""What begins the reason of an inverse."""


class EditReceipt(msgspec.Struct, frozen=True):
    """The receipt of an applied batch: its revision, and the inverse batch."""

    revision: int
    changes: tuple[ed.Edit, ...]
    inverse: ed.EditBatch


def edit(
    scheduler: SchedulerState,
    command: EditConstellation,
    answers: tuple[str, ...] = (),
    by: Proposed | None = None,
) -> EditReceipt:
    """Apply a batch to a run's graph, or refuse it with all its problems.

    Args:
        scheduler: which one.
        command: the batch and its run.
        answers: the tasks whose ends an agent answers by it.
        by: the agent's proposal that the batch is made of, with the scope it has to keep to.

    Raises:
        CommandRefused: it is; with `EditRefused` everything that is wrong with it.
    """
    if command.is_submission:
        check_admission(scheduler)
    index = find(scheduler, command.run_id)
    run, batch = index.run, command.batch
    rehearsal = (
        _rehearsed_once(scheduler, run, batch) if by is None and _is_large(run, batch) else rehearsed(run, batch, by)
    )
    inverse_edits = _with_steering(run, rehearsal.inverse, scheduler.turn.pause)
    if rehearsal.problems:
        problems = rehearsal.problems
        emit(scheduler, index, ev.EditRejected, origin=batch.origin, reason=batch.reason, problems=problems)
        raise EditRefused(problems)
    if run.state.has_ended and any(isinstance(change, ed.AddTask) for change in rehearsal.changes):
        reopen(scheduler, index, batch.origin)
    gone = _leaving(index, rehearsal.changes, scheduler.turn.pause)
    event = ev.ConstellationModified(
        run.seq + 1,
        scheduler.now,
        run.run_id,
        revision=run.revision + 1,
        changes=rehearsal.changes,
        inverse=inverse_edits,
        origin=batch.origin,
        reason=batch.reason,
        answers=answers,
    )
    scheduler.turn.events.append(event)
    touched = apply_modified(run, event, rehearsal)
    _follow(scheduler, index, touched, gone, rehearsal.changes)
    inverse = ed.EditBatch(
        edits=inverse_edits, base_revision=run.revision, origin=batch.origin, reason=_taken_back(batch.reason)
    )
    return EditReceipt(run.revision, rehearsal.changes, inverse)


def _taken_back(reason: str) -> str:
    """The reason of a batch's inverse; that of an inverse does again what was undone, and has its reason."""
    return reason[len(_UNDO) :] if reason.startswith(_UNDO) else _UNDO + reason


def check_edit(scheduler: SchedulerState, command: EditConstellation) -> None:
    """Refuse a batch if `edit` would; changes nothing.

    Raises:
        CommandRefused: it would be; with `EditRefused` everything that is wrong with it.
    """
    problems = rehearsed(find(scheduler, command.run_id).run, command.batch).problems
    if problems:
        raise EditRefused(problems)


def rehearsed(run: RunFacts, batch: ed.EditBatch, by: Proposed | None = None) -> Rehearsal:
    """The result of rehearsing a batch: its changes, or its problems. `by`: see `edit`.

    Raises:
        CommandRefused: nothing at all may be added to the run.
    """
    _check_open(run, batch)
    rehearsal = rehearse(run.graph, batch, rules_for(run, by))
    return rehearsal if rehearsal.problems or rehearsal.changes else Rehearsal((_empty(),), (), ())


def _is_large(run: RunFacts, batch: ed.EditBatch) -> bool:
    """Whether a batch is rehearsed on a copy of the graph.

    Only one whose every edit can be followed by what the graph is after the whole batch, as if it were after that edit.
    """
    if len(batch.edits) < LARGE:
        return False
    if any(isinstance(edit, ed.RemoveTask) for edit in batch.edits):
        return all(isinstance(edit, ed.RemoveTask) for edit in batch.edits)
    known = len(run.graph.tasks)
    added = [edit for edit in batch.edits if isinstance(edit, ed.AddTask)]
    changed = [edit.task.id for edit in added] + [e.task_id for e in batch.edits if isinstance(e, ed.UpdateTask)]
    return len(set(changed)) == len(changed) and all(edit.place is None or edit.place < known for edit in added)


def _rehearsed_once(scheduler: SchedulerState, run: RunFacts, batch: ed.EditBatch) -> Rehearsal:
    _check_open(run, batch)
    return rehearse_on_a_copy(run.graph, batch, rules_for(run), scheduler.turn.pause)


def _with_steering(run: RunFacts, inverse: tuple[ed.Edit, ...], pause: Pause) -> tuple[ed.Edit, ...]:
    """The inverse with the priorities and pins that commands gave and the batch is about to replace."""
    return tuple(
        edit.with_steering(steering) if isinstance(edit, ed.UpdateTask) and (steering := _steering(run, edit)) else edit
        for edit in with_pauses(inverse, pause)
    )


def _steering(run: RunFacts, edit: ed.UpdateTask) -> dict[str, Any]:
    number = run.graph.place.get(edit.task_id)
    task = None if number is None else run.graph.tasks[number]
    if number is None or task is None:  # the batch itself adds it
        return {}
    steering: dict[str, Any] = {}
    if "priority" in edit.fields and run.priority[number] != task.priority:
        steering["priority"] = run.priority[number]
    if "device" in edit.fields and number in run.pins:
        steering["device"] = run.pins[number]
    return steering


def _empty() -> Problem:
    return Problem(code="empty_batch", message="the batch holds no edit.", hint="Put at least one edit into it.")


def _check_open(run: RunFacts, batch: ed.EditBatch) -> None:
    if run.cancel_requested and any(isinstance(change, ed.AddTask) for change in batch.edits):
        raise CommandRefused(
            "run_cancelled",
            "The run was cancelled; no task can be added to it.",
            "Retry or rerun one of its tasks to reopen it.",
        )


def _leaving(index: RunIndex, changes: tuple[ed.Edit, ...], pause: Pause) -> set[int]:
    """The parents of removed tasks, which no longer inherit their priority."""
    graph = index.run.graph
    parents: set[int] = set()
    for change in with_pauses(changes, pause):
        if isinstance(change, ed.RemoveTask) and change.task_id in graph.place:
            number = graph.place[change.task_id]
            index.keys[number] = None
            parents.update(graph.parents[number])
        elif isinstance(change, ed.RemoveDependency) and change.parent in graph.place:
            parents.add(graph.place[change.parent])
    return parents


def _follow(
    scheduler: SchedulerState,
    index: RunIndex,
    touched: Any,
    gone: set[int],
    changes: tuple[ed.Edit, ...],
) -> None:
    """Update the index, and the tasks that are now ready or doomed."""
    run, pause = index.run, scheduler.turn.pause
    pause()
    index.grow()
    index.constrained = index.constrained or any(isinstance(change, ed.UpdateTask) for change in changes)
    around = {*touched, *gone}
    for change in with_pauses(changes, pause):
        if isinstance(change, ed.AddDependency) and change.dependency.parent in run.graph.place:
            around.add(run.graph.place[change.dependency.parent])
    was_mixed = index.mixed
    moved = {*touched, *index.spread_priorities(around, pause)}
    if index.mixed and not was_mixed:
        moved.update(run.with_status(PENDING))  # from now on the highest queued priority is looked up
    if index.by_rank:
        moved.update(spread_ranks(index, around))
    heard: set[int] = set(touched)
    if not run.plain:
        for number in touched:
            for parent in run.graph.parents[number]:
                heard.update(evaluate_conditions(scheduler, index, parent))
    if run.steered:
        moved.update(stops.follow_edit(scheduler, index, touched))
    requeue(scheduler, index, sorted(moved))
    if run.cycles is not None:
        fence.follow_edit(index, touched)
        fence.refresh(scheduler, index)  # what depends on the batch is told from today's graph
    settle(scheduler, index, heard)
    scheduler.dirty[run.run_id] = index

"""Conflicts of agents' edits with tasks that have started: left out, or deferred until those run again.

Where the fence lets everything start, an answer may meet tasks that run or have ended. What becomes of those edits is
agreed with the agent (`OnConflict`). Deferred ones are facts: they outlive the agent, the program and the end of the
run. None of the tasks they wait for starts before they are settled, in the turn in which they can be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.constellation.edits import EditBatch, UpdateTask
from starloom.errors import CommandRefused, EditRefused, Problem
from starloom.model.agent_terms import OnConflict
from starloom.scheduling import commands
from starloom.scheduling.decide import editing, lifecycle
from starloom.scheduling.decide.emission import emit
from starloom.scheduling.decide.reservations import agents_problem
from starloom.scheduling.state import fence
from starloom.scheduling.state.codes import RUNNING
from starloom.scheduling.state.edit_conflicts import concerned, is_due, sort_edits, without_conflicts
from starloom.scheduling.state.edit_rules import rules_for

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.constellation.edits import Edit
    from starloom.constellation.transaction import Rehearsal
    from starloom.scheduling.decide.editing import EditReceipt
    from starloom.scheduling.state.cycle_facts import Deferral, Proposed
    from starloom.scheduling.state.edit_conflicts import SortedEdits
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState


# ---- proposals


def rehearsed(run: RunFacts, batch: EditBatch, proposed: Proposed) -> Rehearsal:
    """The result of rehearsing a proposal, for which tasks that have started are a conflict only if it is refused then.

    Raises:
        CommandRefused: nothing at all may be added to the run.
    """
    found = editing.rehearsed(run, batch, proposed)
    if not found.problems or proposed.on_conflict is None:
        return found
    return without_conflicts(run.graph, batch, rules_for(run, proposed))


def check(run: RunFacts, batch: EditBatch, proposed: Proposed) -> None:
    """Refuse a proposal if `apply` would; changes nothing.

    Raises:
        CommandRefused: it would be; with `EditRefused` everything that is wrong with it.
    """
    found = editing.rehearsed(run, batch, proposed)
    if found.problems and proposed.on_conflict is not None:
        _require(_sorted(run, batch, proposed, proposed.on_conflict))
    elif found.problems:
        raise EditRefused(found.problems)


def require_free(scheduler: SchedulerState, index: RunIndex, proposed: Proposed) -> None:
    """Refuse a proposal while somebody has reserved the run.

    Raises:
        EditRefused: somebody has; an event says so.
    """
    problem = agents_problem(scheduler, index.run.run_id)
    if problem is not None:
        by, why = proposed.agent, proposed.reason
        emit(scheduler, index, ev.EditRejected, origin=by, reason=why, problems=(problem,))
        raise EditRefused((problem,))


def apply(
    scheduler: SchedulerState,
    index: RunIndex,
    batch: EditBatch,
    answers: tuple[str, ...],
    proposed: Proposed,
    cycle: int,
) -> EditReceipt | None:
    """Apply what fits of a proposal, defer what the agent wants to hold later, and leave the rest out.

    Args:
        scheduler: which one.
        index: of the run.
        batch: what is to be applied of the proposal.
        answers: the tasks whose ends the agent answers by it.
        proposed: on which terms.
        cycle: the one it answers to.

    Returns:
        The receipt of what was applied; None: all of it is deferred.

    Raises:
        EditRefused: it is refused, or nothing would be left of it; an event says so.
    """
    command = commands.EditConstellation(run_id=index.run.run_id, batch=batch)
    if proposed.on_conflict is None or not editing.rehearsed(index.run, batch, proposed).problems:
        return editing.edit(scheduler, command, answers, proposed)
    parts = _sorted(index.run, batch, proposed, proposed.on_conflict)
    try:
        _require(parts)
    except EditRefused as refusal:
        emit(scheduler, index, ev.EditRejected, origin=batch.origin, reason=batch.reason, problems=refusal.problems)
        raise
    return _apply_parts(scheduler, index, batch, parts, answers, proposed, cycle)


def _sorted(run: RunFacts, batch: EditBatch, proposed: Proposed, on_conflict: OnConflict) -> SortedEdits:
    return sort_edits(run.graph, batch, rules_for(run, proposed), run.status, on_conflict)


def _require(parts: SortedEdits) -> None:
    if parts.problems or not (parts.now or parts.later):
        raise EditRefused(parts.problems or parts.why)


def _apply_parts(
    scheduler: SchedulerState,
    index: RunIndex,
    batch: EditBatch,
    parts: SortedEdits,
    answers: tuple[str, ...],
    proposed: Proposed,
    cycle: int,
) -> EditReceipt | None:
    """Do with each part of a proposal what becomes of it."""
    if parts.left_out:
        agent, why = batch.origin, parts.why
        emit(scheduler, index, ev.EditsLeftOut, cycle=cycle, agent=agent, edits=parts.left_out, problems=why)
    receipt = None
    if parts.now:
        command = commands.EditConstellation(run_id=index.run.run_id, batch=_with(batch, parts.now))
        receipt = editing.edit(scheduler, command, answers, proposed)
    if proposed.on_conflict is OnConflict.NEXT_ATTEMPT:
        for edits in _by_task(parts.later):
            _defer(scheduler, index, cycle, _with(batch, edits), proposed.on_conflict)
    elif parts.later:
        _defer(scheduler, index, cycle, _with(batch, parts.later), OnConflict.REPLACE)
    return receipt


def _with(batch: EditBatch, edits: tuple[Edit, ...]) -> EditBatch:
    return EditBatch(edits=edits, base_revision=batch.base_revision, origin=batch.origin, reason=batch.reason)


def _by_task(edits: Iterable[Edit]) -> Iterable[tuple[Edit, ...]]:
    """Edits of fields, those of one task together: each task has its next attempt at a time of its own."""
    found: dict[str, list[Edit]] = {}
    for edit in edits:
        if isinstance(edit, UpdateTask):
            found.setdefault(edit.task_id, []).append(edit)
    return [tuple(of_one) for of_one in found.values()]


def _defer(scheduler: SchedulerState, index: RunIndex, cycle: int, batch: EditBatch, on_conflict: OnConflict) -> None:
    """Have edits wait, on the graph as it is now: what somebody else changes meanwhile is a conflict of its own."""
    run = index.run
    assert run.cycles is not None
    tasks = concerned(run.graph, batch.edits)
    emit(
        scheduler,
        index,
        ev.EditsDeferred,
        deferral=run.cycles.deferred + 1,
        cycle=cycle,
        agent=batch.origin,
        on_conflict=on_conflict,
        task_ids=tuple(run.graph.ids[number] for number in tasks),
        edits=batch.edits,
        reason=batch.reason,
        base_revision=run.revision,
    )
    fence.refresh(scheduler, index)


# ---- what was deferred


def process_deferrals(scheduler: SchedulerState) -> None:
    """Stop what is to be replaced, and settle what need not wait any more; before anything starts in a turn."""
    for index in list(scheduler.watched.values()):
        cycles = index.run.cycles
        if cycles is not None and cycles.deferrals:
            for deferral in list(cycles.deferrals.values()):
                if is_due(index.run, deferral):
                    _settle(scheduler, index, deferral)
            _stop(scheduler, index)


def _stop(scheduler: SchedulerState, index: RunIndex) -> None:
    """Stop the tasks that are to be replaced; one that somebody else has stopped ends as they want."""
    run = index.run
    assert run.cycles is not None
    for deferral in run.cycles.deferrals.values():
        if deferral.proposed.on_conflict is OnConflict.REPLACE:
            for number in deferral.tasks:
                if run.status[number] == RUNNING and number not in run.stopping:
                    by = deferral.proposed
                    lifecycle.stop(scheduler, index, number, "replaced", by.agent, by.reason)


def _settle(scheduler: SchedulerState, index: RunIndex, deferral: Deferral) -> None:
    """Apply what fits of deferred edits by now, or say why nothing does."""
    run, proposed = index.run, deferral.proposed
    assert proposed.on_conflict is not None
    batch = EditBatch(
        edits=proposed.edits, base_revision=proposed.base_revision, origin=proposed.agent, reason=proposed.reason
    )
    try:
        require_free(scheduler, index, proposed)
        is_applied = apply(scheduler, index, batch, (), proposed, deferral.cycle) is not None
    except EditRefused:
        is_applied = False
    except CommandRefused as refusal:  # the run was cancelled meanwhile, so that nothing is added to it
        problem = Problem(code=refusal.code, message=refusal.reason, hint=refusal.hint)
        emit(scheduler, index, ev.EditRejected, origin=batch.origin, reason=batch.reason, problems=(problem,))
        is_applied = False
    number, agent = deferral.number, proposed.agent
    emit(scheduler, index, ev.DeferredEditsSettled, deferral=number, agent=agent, is_applied=is_applied)
    fence.refresh(scheduler, index)
    scheduler.dirty[run.run_id] = index

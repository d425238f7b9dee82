"""Approvals: agents' edits that wait for a person, each answered by its own number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.constellation.edits import KIND_OF, EditBatch
from starloom.errors import CommandRefused, EditRefused
from starloom.scheduling.decide import conflicts
from starloom.scheduling.decide.emission import emit
from starloom.scheduling.decide.lookup import find
from starloom.scheduling.state import fence
from starloom.scheduling.state.timers import TimerPurpose

if TYPE_CHECKING:
    from collections.abc import Collection

    from starloom.scheduling import commands
    from starloom.scheduling.decide.editing import EditReceipt
    from starloom.scheduling.state.cycle_facts import Approval, Proposed
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState
    from starloom.scheduling.state.timers import Timer


def batch_of(proposed: Proposed, without: Collection[int] = ()) -> EditBatch:
    """The edit batch of a proposal, without the edits left out, with the agent as its origin."""
    edits = tuple(edit for at, edit in enumerate(proposed.edits) if at not in without)
    return EditBatch(edits=edits, base_revision=proposed.base_revision, origin=proposed.agent, reason=proposed.reason)


def is_wanted(proposed: Proposed) -> bool:
    """Whether any edit of a proposal needs approval; then all of it waits."""
    return any(KIND_OF[type(edit)] in proposed.asks for edit in proposed.edits)


def stage(scheduler: SchedulerState, index: RunIndex, cycle: int, batch: tuple[str, ...], proposed: Proposed) -> None:
    """Stage a proposal until a person answers it.

    Args:
        scheduler: which one.
        index: whose graph it would change.
        cycle: the cycle it answers to.
        batch: the tasks of that; none if it came late.
        proposed: what it is.

    Raises:
        EditRefused: there is nothing to approve of, as it would be refused; an event says so.
    """
    run = index.run
    assert run.cycles is not None
    problems = conflicts.rehearsed(run, batch_of(proposed), proposed).problems
    if problems:
        emit(scheduler, index, ev.EditRejected, origin=proposed.agent, reason=proposed.reason, problems=problems)
        raise EditRefused(problems)
    emit(
        scheduler,
        index,
        ev.ProposalStaged,
        approval=run.cycles.staged + 1,
        cycle=cycle,
        agent=proposed.agent,
        task_ids=batch,
        edits=proposed.edits,
        reason=proposed.reason,
        base_revision=proposed.base_revision,
    )
    set_timers(scheduler, index)


def _check_choice(approval: Approval, command: commands.AnswerApproval) -> None:
    """Check that the omitted edits exist, and that some are left."""
    count = len(approval.proposed.edits)
    if not command.without:
        return
    which, reason, hint = f"approval {command.approval}", "", ""
    if not command.accept:
        reason, hint = f"Of {which} all is rejected.", "Leave nothing out when you reject it."
    elif wrong := [at for at in command.without if not 0 <= at < count]:
        reason, hint = f"There is no edit {wrong[0]} in {which}.", f"They are counted from 0 to {count - 1}."
    elif len(set(command.without)) == count:
        reason, hint = f"Nothing of {which} would be applied.", "Reject it instead."
    if reason:
        raise CommandRefused("bad_choice", reason, hint)


def _found(scheduler: SchedulerState, command: commands.AnswerApproval) -> tuple[RunIndex, Approval]:
    index = find(scheduler, command.run_id)
    cycles = index.run.cycles
    approval = cycles.approvals.get(command.approval) if cycles is not None else None
    if approval is None:
        reason = f"No approval {command.approval} is open in this run."
        raise CommandRefused("unknown_approval", reason, "List the run's open approvals to see their numbers.")
    _check_choice(approval, command)
    return index, approval


def check_answer(scheduler: SchedulerState, command: commands.AnswerApproval) -> None:
    """Refuse the answer to an approval if `answer` would; changes nothing."""
    index, approval = _found(scheduler, command)
    if command.accept:
        conflicts.check(index.run, batch_of(approval.proposed, command.without), approval.proposed)


def answer(scheduler: SchedulerState, command: commands.AnswerApproval) -> EditReceipt | None:
    """Apply or drop the edits that wait for approval; the receipt of what was applied, None for nothing yet.

    Raises:
        EditRefused: it does not fit the run any more; it still waits, as it may fit again, and can be rejected.
    """
    index, approval = _found(scheduler, command)
    receipt = None
    if command.accept:
        batch = batch_of(approval.proposed, command.without)
        ids = index.run.graph.ids
        ended = tuple(ids[number] for number in approval.tasks)
        receipt = conflicts.apply(scheduler, index, batch, ended, approval.proposed, approval.cycle)
    _close(scheduler, index, command.approval, "accepted" if command.accept else "rejected", command)
    return receipt


def expire(scheduler: SchedulerState, index: RunIndex, number: int) -> None:
    """Drop edits whose approval has timed out."""
    _close(scheduler, index, number, "expired", None)


def _close(
    scheduler: SchedulerState, index: RunIndex, number: int, how: str, by: commands.AnswerApproval | None
) -> None:
    said = {"note": by.note, "origin": by.origin} if by is not None else {"origin": "engine"}
    left_out = tuple(sorted(set(by.without))) if by is not None else ()
    emit(scheduler, index, ev.ApprovalAnswered, approval=number, how=how, left_out=left_out, **said)
    fence.refresh(scheduler, index)
    scheduler.dirty[index.run.run_id] = index


def is_over(run: RunFacts, timer: Timer) -> bool:
    """Whether the approval of a timer was answered, or has another deadline by now."""
    return run.cycles is None or run.cycles.approval_due(timer[3]) != timer[0]


def set_timers(scheduler: SchedulerState, index: RunIndex) -> None:
    """Set a timer for the deadline of each open approval."""
    cycles = index.run.cycles
    for number in cycles.approvals if cycles is not None else ():
        due = cycles.approval_due(number) if cycles is not None else None
        if due is not None:
            scheduler.set_timer(due, TimerPurpose.APPROVAL, index.run.run_id, number, 0)

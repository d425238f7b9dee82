"""Edit cycles: agents are asked about tasks as they end, and their edits are applied in order of attachment.

Every proposal is validated against the run as it is in its turn, by the rules that hold for everybody's edits. What
waits meanwhile is the affair of `fence`; who has a part in a run, that of `attachment`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from starloom import events as ev
from starloom.constellation.edits import EditBatch
from starloom.errors import CommandRefused, EditRefused
from starloom.scheduling.decide import approvals, conflicts
from starloom.scheduling.decide.emission import emit
from starloom.scheduling.decide.lookup import find
from starloom.scheduling.instructions import AskAgent
from starloom.scheduling.state import fence
from starloom.scheduling.state.timers import TimerPurpose

if TYPE_CHECKING:
    from collections.abc import Collection

    from starloom.scheduling import commands
    from starloom.scheduling.state.cycle_facts import AgentFacts, Cycle, CycleFacts, Proposed
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState
    from starloom.scheduling.state.timers import Timer


def _facts(index: RunIndex) -> CycleFacts:
    cycles = index.run.cycles
    assert cycles is not None
    return cycles


# ---- asking


def hand_over(scheduler: SchedulerState) -> None:
    """Open an edit cycle about the tasks that have ended, in each run where none is open."""
    for index in scheduler.watched.values():
        cycles = _facts(index)
        if cycles.cycle is None:
            due = [agent for agent in cycles.agents.values() if agent.is_due]
            if due:
                _open(scheduler, index, due)


def _open(scheduler: SchedulerState, index: RunIndex, agents: list[AgentFacts]) -> None:
    run, ids = index.run, index.run.graph.ids
    number = _facts(index).cycles + 1
    batches = {agent.name: tuple(ids[number] for number in agent.next) for agent in agents}
    together = tuple(dict.fromkeys(task_id for batch in batches.values() for task_id in batch))
    emit(scheduler, index, ev.EditCycleOpened, cycle=number, agents=tuple(batches), task_ids=together)
    for name, batch in batches.items():
        scheduler.turn.more().questions.append(AskAgent(run.run_id, number, name, batch))
    set_timer(scheduler, index)


# ---- answers


def answer(scheduler: SchedulerState, command: commands.AnswerEditCycle) -> None:
    """Handle an agent's answer: its edits are applied, refused or staged in order of attachment, or at once if late.

    Raises:
        CommandRefused: it was not asked that, or nobody wants to know any more.
    """
    index = find(scheduler, command.run_id)
    is_late = _is_late(index.run, command)
    batch = replace(command.proposal or EditBatch(edits=()), origin=command.agent)
    cycles = _facts(index)
    proposed = cycles.proposed(cycles.agents[command.agent], batch.edits, batch.reason, batch.base_revision)
    rehearsal = conflicts.rehearsed(index.run, batch, proposed) if batch.edits else None
    proposed = msgspec.structs.replace(proposed, edits=rehearsal.changes if rehearsal is not None else ())
    emit(
        scheduler,
        index,
        ev.AgentAnswered,
        cycle=command.cycle,
        agent=command.agent,
        count=len(batch.edits),
        edits=proposed.edits,
        reason=batch.reason,
        base_revision=batch.base_revision,
        error=command.error,
        is_late=is_late,
    )
    if rehearsal is not None and rehearsal.problems:
        problems = rehearsal.problems
        emit(scheduler, index, ev.EditRejected, origin=command.agent, reason=batch.reason, problems=problems)
        emit(scheduler, index, ev.ProposalSettled, cycle=command.cycle, agent=command.agent, is_accepted=False)
    elif is_late and proposed.edits:
        _commit(scheduler, index, command.cycle, (), proposed)
    go_on(scheduler, index)


def _is_late(run: RunFacts, command: commands.AnswerEditCycle) -> bool:
    """Whether this answer is late: it is no longer waited for, but still counts."""
    cycles = run.cycles
    agent = cycles.agents.get(command.agent) if cycles is not None else None
    if cycles is not None and agent is not None:
        cycle = cycles.cycle
        if cycle is not None and cycle.number == command.cycle and command.agent in cycle.waiting:
            return False
        if agent.late and agent.late == command.cycle:
            return True
    reason = f"Nobody waits for an answer of agent {command.agent!r} to edit cycle {command.cycle}."
    raise CommandRefused("not_asked", reason, "Answer once, when asked, while the agent is attached and not paused.")


def go_on(scheduler: SchedulerState, index: RunIndex, *, how: str = "answered") -> None:
    """Apply the answers whose turn has come, and close the cycle after the last one."""
    _settle(scheduler, index)
    cycle = _facts(index).cycle
    if cycle is not None and not cycle.waiting:
        emit(scheduler, index, ev.EditCycleClosed, cycle=cycle.number, how=how)
    fence.refresh(scheduler, index)
    scheduler.dirty[index.run.run_id] = index


def _settle(scheduler: SchedulerState, index: RunIndex, *, wait: bool = True) -> None:
    """Apply answers in order of attachment; unless told otherwise none before that of an earlier agent is there."""
    cycle = _facts(index).cycle
    while cycle is not None and (proposed := _next(cycle, wait)) is not None:
        ids = index.run.graph.ids
        batch = tuple(ids[number] for number in cycle.tasks if index.run.graph.tasks[number] is not None)
        _commit(scheduler, index, cycle.number, batch, proposed)
        cycle = _facts(index).cycle


def _next(cycle: Cycle, wait: bool) -> Proposed | None:
    """The answer whose turn it is."""
    answers = {proposed.agent: proposed for proposed in cycle.answers}
    for name in cycle.agents:
        if name in answers:
            return answers[name]
        if wait and name in cycle.waiting:
            return None
    return None


def _commit(scheduler: SchedulerState, index: RunIndex, cycle: int, batch: tuple[str, ...], proposed: Proposed) -> None:
    """Apply a proposal, or stage it where a person has to approve of it; refused, it changes nothing."""
    try:
        if approvals.is_wanted(proposed):
            approvals.stage(scheduler, index, cycle, batch, proposed)
            return
        conflicts.require_free(scheduler, index, proposed)
        conflicts.apply(scheduler, index, approvals.batch_of(proposed), batch, proposed, cycle)
        is_accepted = True
    except EditRefused:
        is_accepted = False
    emit(scheduler, index, ev.ProposalSettled, cycle=cycle, agent=proposed.agent, is_accepted=is_accepted)


# ---- the end of waiting


def give_up(scheduler: SchedulerState, index: RunIndex) -> None:
    """Close the open cycle on timeout, without the missing answers."""
    _close(scheduler, index, "timed_out")


def interrupt(scheduler: SchedulerState, index: RunIndex, kept: Collection[str]) -> None:
    """Detach the agents of a dead program; approvals stay open.

    Args:
        scheduler: on the fleet that there was.
        index: of the run.
        kept: the names of those that the new program brings again.
    """
    cycles = index.run.cycles
    if cycles is None:
        return
    if cycles.cycle is not None and not set(cycles.cycle.waiting).intersection(kept):
        _close(scheduler, index, "interrupted")
    for name in [name for name in cycles.agents if name not in kept]:
        reason = "the program that it was part of has ended"
        emit(scheduler, index, ev.AgentDetached, agent=name, origin="engine", reason=reason)


def ask_again(scheduler: SchedulerState, index: RunIndex) -> None:
    """Ask the agents of a run that goes on in a new program once more what they have not answered."""
    cycles, graph = index.run.cycles, index.run.graph
    if cycles is None:
        return
    cycle = cycles.cycle
    for agent in cycles.agents.values():
        number = cycle.number if cycle is not None and agent.name in cycle.waiting else agent.late
        if number:
            batch = tuple(graph.ids[task] for task in agent.asked if graph.tasks[task] is not None)
            scheduler.turn.more().questions.append(AskAgent(index.run.run_id, number, agent.name, batch))


def _close(scheduler: SchedulerState, index: RunIndex, how: str) -> None:
    """Stop waiting for answers; those that have arrived count."""
    cycle = _facts(index).cycle
    if cycle is not None:
        _settle(scheduler, index, wait=False)
        emit(scheduler, index, ev.EditCycleClosed, cycle=cycle.number, how=how, late=cycle.waiting)
    fence.refresh(scheduler, index)
    scheduler.dirty[index.run.run_id] = index


def is_over(run: RunFacts, timer: Timer) -> bool:
    """Whether the cycle of a timer is closed, or has another deadline by now."""
    cycles = run.cycles
    if cycles is None:
        return True
    at, _, _, number, _ = timer
    return cycles.cycle is None or cycles.cycle.number != number or cycles.due != at


def set_timer(scheduler: SchedulerState, index: RunIndex) -> None:
    """Set a timer for the deadline of the open cycle."""
    cycles = index.run.cycles
    if cycles is not None and cycles.cycle is not None and cycles.due is not None:
        scheduler.set_timer(cycles.due, TimerPurpose.CYCLE, index.run.run_id, cycles.cycle.number, 0)

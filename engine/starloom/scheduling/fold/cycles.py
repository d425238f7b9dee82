"""The fold's handlers for events of agents and edit cycles. Called through `apply`; they make no decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from starloom import events as ev
from starloom.model.agent_terms import OnConflict
from starloom.scheduling.state.cycle_facts import AgentFacts, Approval, Cycle, CycleFacts, Deferral, Proposed
from starloom.scheduling.state.run_facts import cycles_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.model.status import TaskStatus
    from starloom.scheduling.state.run_facts import RunFacts


# ---- called by the handlers of what happens to tasks and runs


def note_end(run: RunFacts, number: int, status: TaskStatus) -> None:
    """Note for each agent that is not paused, and wants to hear of it, that a task has completed, or failed for good.

    Conditions are evaluated by whoever decides, who has an event say of which agent they say no.
    """
    assert run.cycles is not None
    if run.cancel_requested:
        return
    task_id = run.graph.ids[number]
    for agent in run.cycles.agents.values():
        if not agent.paused and (not agent.on or any(one.concerns(task_id, status) for one in agent.on)):
            agent.next.append(number)


def forget_end(run: RunFacts, number: int) -> None:
    """Forget the end of a task that runs again or has another end: no agent needs to be asked about it."""
    assert run.cycles is not None
    for agent in run.cycles.agents.values():
        if number in agent.next:
            agent.next.remove(number)


def give_up(run: RunFacts) -> None:
    """Drop the pending questions to agents, as the run has ended or is being cancelled."""
    assert run.cycles is not None
    for agent in run.cycles.agents.values():
        agent.next.clear()
        agent.late = 0


def shift(cycles: CycleFacts, by: float) -> None:
    """Shift all times."""
    for agent in cycles.agents.values():
        agent.since += by
    if cycles.cycle is not None:
        cycles.cycle = replace(cycles.cycle, at=cycles.cycle.at + by)
    for number, approval in cycles.approvals.items():
        cycles.approvals[number] = replace(approval, at=approval.at + by)
    for number, deferral in cycles.deferrals.items():
        cycles.deferrals[number] = replace(deferral, at=deferral.at + by)


# ---- agents


def _cycles_of(run: RunFacts) -> CycleFacts:
    run.cycles = cycles_of(run)
    return run.cycles


def _fence_set(run: RunFacts, event: ev.FenceSet) -> Sequence[int]:
    run.seq = event.seq
    cycles = _cycles_of(run)
    cycles.fence = event.fence
    cycles.modification_timeout, cycles.approval_timeout = event.modification_timeout, event.approval_timeout
    return ()


def _attached(run: RunFacts, event: ev.AgentAttached) -> Sequence[int]:
    run.seq = event.seq
    agent = AgentFacts(event.agent, event.asks, event.at, on=event.on, scope=event.scope, on_conflict=event.on_conflict)
    _cycles_of(run).agents[event.agent] = agent
    return ()


def _withdrawn(cycles: CycleFacts, name: str) -> None:
    """Stop waiting for an agent."""
    cycle = cycles.cycle
    if cycle is not None and name in cycle.waiting:
        cycles.cycle = replace(cycle, waiting=tuple(other for other in cycle.waiting if other != name))


def _paused(run: RunFacts, event: ev.AgentPaused) -> Sequence[int]:
    run.seq = event.seq
    cycles = _cycles_of(run)
    agent = cycles.agents[event.agent]
    agent.paused, agent.late = True, 0
    agent.next.clear()
    _withdrawn(cycles, event.agent)
    return ()


def _resumed(run: RunFacts, event: ev.AgentResumed) -> Sequence[int]:
    run.seq = event.seq
    _cycles_of(run).agents[event.agent].paused = False
    return ()


def _trusted(run: RunFacts, event: ev.AgentTrusted) -> Sequence[int]:
    run.seq = event.seq
    _cycles_of(run).agents[event.agent].asks = event.asks
    return ()


def _detached(run: RunFacts, event: ev.AgentDetached) -> Sequence[int]:
    run.seq = event.seq
    cycles = _cycles_of(run)
    del cycles.agents[event.agent]
    _withdrawn(cycles, event.agent)
    return ()


# ---- cycles


def _passed_over(run: RunFacts, event: ev.EndPassedOver) -> Sequence[int]:
    run.seq = event.seq
    ends = _cycles_of(run).agents[event.agent].next
    if ends and ends[-1] == run.graph.place[event.task_id]:
        ends.pop()
    return ()


def _opened(run: RunFacts, event: ev.EditCycleOpened) -> Sequence[int]:
    run.seq = event.seq
    run.stalled = ()
    cycles = _cycles_of(run)
    for name in event.agents:
        agent = cycles.agents[name]
        agent.rounds += 1
        agent.asked = tuple(agent.next)
        agent.next.clear()
    tasks = tuple(run.graph.place[task_id] for task_id in event.task_ids)
    cycles.cycle = Cycle(event.cycle, event.at, tasks, event.agents, event.agents)
    cycles.cycles = event.cycle
    cycles.handed += len(tasks)
    return ()


def _answered(run: RunFacts, event: ev.AgentAnswered) -> Sequence[int]:
    run.seq = event.seq
    cycles = _cycles_of(run)
    agent = cycles.agents[event.agent]
    agent.proposed += event.count
    agent.errors += bool(event.error)
    if event.is_late:
        agent.late = 0
        agent.lates += 1
        return ()
    _withdrawn(cycles, event.agent)
    if event.edits and cycles.cycle is not None:
        proposed = cycles.proposed(agent, event.edits, event.reason, event.base_revision)
        cycles.cycle = replace(cycles.cycle, answers=(*cycles.cycle.answers, proposed))
    return ()


def _settled(run: RunFacts, event: ev.ProposalSettled) -> Sequence[int]:
    run.seq = event.seq
    cycles = _cycles_of(run)
    agent = cycles.agents.get(event.agent)
    if agent is not None:
        agent.accepted += event.is_accepted
        agent.refused += not event.is_accepted
    _take_answer(cycles, event.cycle, event.agent)
    return ()


def _take_answer(cycles: CycleFacts, number: int, name: str) -> None:
    """Its turn has come."""
    cycle = cycles.cycle
    if cycle is not None and cycle.number == number:
        answers = tuple(answer for answer in cycle.answers if answer.agent != name)
        cycles.cycle = replace(cycle, answers=answers)


def _staged(run: RunFacts, event: ev.ProposalStaged) -> Sequence[int]:
    run.seq = event.seq
    cycles = _cycles_of(run)
    bounds = _bounds(cycles, event)
    _take_answer(cycles, event.cycle, event.agent)
    tasks = tuple(run.graph.place[task_id] for task_id in event.task_ids)
    proposed = Proposed(event.agent, event.edits, event.reason, event.base_revision, **bounds)
    cycles.approvals[event.approval] = Approval(event.approval, event.cycle, event.at, tasks, proposed)
    cycles.staged = event.approval
    return ()


def _bounds(cycles: CycleFacts, event: ev.ProposalStaged) -> dict[str, Any]:
    """The terms of an answer and the ends it is about, as they were when it came; a late one comes just now."""
    for answer in cycles.cycle.answers if cycles.cycle is not None else ():
        if answer.agent == event.agent and cycles.cycle is not None and cycles.cycle.number == event.cycle:
            return {"scope": answer.scope, "ends": answer.ends, "on_conflict": answer.on_conflict}
    agent = cycles.agents.get(event.agent)
    if agent is None:
        return {}
    return {"scope": agent.scope, "ends": agent.asked, "on_conflict": cycles.on_conflict_of(agent)}


def _deferred(run: RunFacts, event: ev.EditsDeferred) -> Sequence[int]:
    run.seq = event.seq
    cycles = _cycles_of(run)
    proposed = Proposed(
        event.agent, event.edits, event.reason, event.base_revision, on_conflict=OnConflict(event.on_conflict)
    )
    tasks = tuple(run.graph.place[task_id] for task_id in event.task_ids)
    cycles.deferrals[event.deferral] = Deferral(event.deferral, event.cycle, event.at, tasks, proposed)
    cycles.deferred = event.deferral
    return ()


def _deferral_settled(run: RunFacts, event: ev.DeferredEditsSettled) -> Sequence[int]:
    run.seq = event.seq
    return _cycles_of(run).deferrals.pop(event.deferral).tasks


def _left_out(run: RunFacts, event: ev.EditsLeftOut) -> Sequence[int]:
    run.seq = event.seq
    return ()


def _closed(run: RunFacts, event: ev.EditCycleClosed) -> Sequence[int]:
    run.seq = event.seq
    cycles = _cycles_of(run)
    cycle, cycles.cycle = cycles.cycle, None
    assert cycle is not None
    if event.how == "answered":
        cycles.answered += len(cycle.tasks)
    elif event.how == "timed_out":
        cycles.timed_out += len(cycle.tasks)
        for name in event.late:
            agent = cycles.agents[name]
            agent.late = event.cycle
            agent.timeouts += 1
    return ()


def _approval_answered(run: RunFacts, event: ev.ApprovalAnswered) -> Sequence[int]:
    run.seq = event.seq
    run.stalled = ()
    cycles = _cycles_of(run)
    approval = cycles.approvals.pop(event.approval)
    agent = cycles.agents.get(approval.proposed.agent)
    if agent is not None:
        agent.accepted += event.how == "accepted"
        agent.refused += event.how == "rejected"
    return ()


CYCLE_HANDLERS: Final[dict[type[ev.Event], Callable[[RunFacts, Any], Sequence[int]]]] = {
    ev.FenceSet: _fence_set,
    ev.AgentAttached: _attached,
    ev.AgentPaused: _paused,
    ev.AgentResumed: _resumed,
    ev.AgentTrusted: _trusted,
    ev.AgentDetached: _detached,
    ev.EndPassedOver: _passed_over,
    ev.EditCycleOpened: _opened,
    ev.AgentAnswered: _answered,
    ev.ProposalSettled: _settled,
    ev.ProposalStaged: _staged,
    ev.EditCycleClosed: _closed,
    ev.ApprovalAnswered: _approval_answered,
    ev.EditsLeftOut: _left_out,
    ev.EditsDeferred: _deferred,
    ev.DeferredEditsSettled: _deferral_settled,
}

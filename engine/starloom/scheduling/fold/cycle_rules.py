"""Validity rules for agents, edit cycles and approvals; see `stream_rules`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom import events as ev
from starloom.model.agent_terms import OnConflict
from starloom.scheduling.fold.number_rules import is_span

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.state.folded_run import FoldedRun


def _anything(_folded: FoldedRun, _event: Any) -> str:
    return ""


def _several(folded: FoldedRun, event: Any) -> str:
    for task_id in event.task_ids:
        folded.run.graph.place[task_id]  # a KeyError says that there is none
    return ""


def _agent(folded: FoldedRun, event: Any) -> str:
    cycles = folded.run.cycles
    return "" if cycles is not None and event.agent in cycles.agents else f"there is no agent {event.agent!r}"


def _fence(_folded: FoldedRun, event: ev.FenceSet) -> str:
    waits = (event.modification_timeout, event.approval_timeout or 0.0)
    return next(filter(None, (is_span(wait, "the time agents have") for wait in waits)), "")


def _passed_over(folded: FoldedRun, event: ev.EndPassedOver) -> str:
    cycles, number = folded.run.cycles, folded.run.graph.place[event.task_id]
    agent = cycles.agents.get(event.agent) if cycles is not None else None
    is_last = agent is not None and bool(agent.on and agent.next) and agent.next[-1] == number
    return "" if is_last else f"agent {event.agent!r} is not about to be asked about it"


def _cycle_opened(folded: FoldedRun, event: ev.EditCycleOpened) -> str:
    cycles = folded.run.cycles
    if cycles is None or cycles.cycle is not None or event.cycle != cycles.cycles + 1:
        return "another edit cycle is the next one"
    unknown = [name for name in event.agents if name not in cycles.agents]
    return f"there is no agent {unknown[0]!r}" if unknown else _several(folded, event)


def _cycle_closed(folded: FoldedRun, event: ev.EditCycleClosed) -> str:
    cycles = folded.run.cycles
    if cycles is None or cycles.cycle is None or cycles.cycle.number != event.cycle:
        return "that edit cycle is not open"
    return ""


def _staged(folded: FoldedRun, event: ev.ProposalStaged) -> str:
    cycles = folded.run.cycles
    if cycles is None or event.approval != cycles.staged + 1:
        return "another approval is the next one"
    return _several(folded, event)


def _approval_answered(folded: FoldedRun, event: ev.ApprovalAnswered) -> str:
    cycles = folded.run.cycles
    return "" if cycles is not None and event.approval in cycles.approvals else "nothing waits for that approval"


def _deferred(folded: FoldedRun, event: ev.EditsDeferred) -> str:
    cycles = folded.run.cycles
    if cycles is None or event.deferral != cycles.deferred + 1:
        return "another deferral is the next one"
    if event.on_conflict not in {OnConflict.REPLACE, OnConflict.NEXT_ATTEMPT} or not event.task_ids or not event.edits:
        return "nothing would end the waiting"
    return _several(folded, event)


def _deferral_settled(folded: FoldedRun, event: ev.DeferredEditsSettled) -> str:
    cycles = folded.run.cycles
    return "" if cycles is not None and event.deferral in cycles.deferrals else "nothing waits under that number"


CYCLE_RULES: Final[dict[type[ev.Event], Callable[[FoldedRun, Any], str]]] = {
    ev.AgentAttached: _anything,
    ev.AgentPaused: _agent,
    ev.AgentResumed: _agent,
    ev.AgentTrusted: _agent,
    ev.AgentDetached: _agent,
    ev.FenceSet: _fence,
    ev.EndPassedOver: _passed_over,
    ev.EditCycleOpened: _cycle_opened,
    ev.AgentAnswered: _agent,
    ev.ProposalSettled: _anything,
    ev.ProposalStaged: _staged,
    ev.EditCycleClosed: _cycle_closed,
    ev.ApprovalAnswered: _approval_answered,
    ev.EditsLeftOut: _anything,
    ev.EditsDeferred: _deferred,
    ev.DeferredEditsSettled: _deferral_settled,
}

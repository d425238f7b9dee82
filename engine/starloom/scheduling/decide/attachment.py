"""Agents of a run: attaching, pausing and detaching them, and setting the fence and the timeouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import UNSET

from starloom import events as ev
from starloom.constellation import conditions
from starloom.constellation.edits import ALL_KINDS
from starloom.errors import CommandRefused, nearest
from starloom.model.agent_terms import ENDS, NAMING, ScopeKind
from starloom.model.status import Fence
from starloom.scheduling.decide import approvals, cycle_ends, cycles
from starloom.scheduling.decide.emission import emit
from starloom.scheduling.decide.fleet_commands import seconds_to_wait
from starloom.scheduling.decide.lookup import find
from starloom.scheduling.state import fence
from starloom.scheduling.state.run_facts import cycles_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.scheduling import commands
    from starloom.scheduling.state.cycle_facts import AgentFacts, CycleFacts
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState

RESERVED: Final = frozenset({"", "operator", "engine", "shutdown", "settings", "plan"})
"""Origins that mean somebody else."""


def check_attach(scheduler: SchedulerState, command: commands.AttachAgent) -> RunIndex:
    """The run to which an agent would be attached; changes nothing."""
    index = find(scheduler, command.run_id)
    known = index.run.cycles.agents if index.run.cycles is not None else {}
    if command.agent in RESERVED or command.agent in known:
        what = "has an agent of that name already" if command.agent in known else "keeps that name for others"
        raise CommandRefused("bad_agent_name", f"The run {what}: {command.agent!r}.", "Give it another name.")
    _kinds(command.asks)
    _check_terms(command)
    return index


def _check_terms(command: commands.AttachAgent) -> None:
    """Refuse terms by which the agent would never be asked, or could never change anything that is there."""
    for one in command.on:
        fault = None if one.when is None else conditions.check(one.when)
        if fault is not None:
            raise CommandRefused("bad_terms", f"The condition of agent {command.agent!r}: {fault}", "Write it anew.")
        if not one.tasks or not one.statuses or not set(one.statuses) <= set(ENDS):
            reason = f"Agent {command.agent!r} would not be asked about any task."
            raise CommandRefused("bad_terms", reason, "Name tasks, and of their ends completed, failed or both.")
    scope = command.scope
    is_wrong = scope is not None and bool(scope.names) > (scope.kind in NAMING)
    if scope is not None and (is_wrong or (scope.kind is ScopeKind.GROUP and not scope.names)):
        reason = f"The scope of agent {command.agent!r} cannot be {scope.kind} with {len(scope.names)} names."
        hint = "Give names to group and tasks, and none to all and descendants."
        raise CommandRefused("bad_terms", reason, hint)


def _kinds(asks: Iterable[str]) -> tuple[str, ...]:
    """Kinds of edits, each once and in one order, if there are such."""
    asked = set(asks)
    for kind in asks:
        if kind not in ALL_KINDS:
            hint = f"Use some of {', '.join(ALL_KINDS)}."
            raise CommandRefused("bad_kind_of_edit", f"There is no kind of edit {kind!r}.", hint)
    return tuple(kind for kind in ALL_KINDS if kind in asked)


def attach(scheduler: SchedulerState, command: commands.AttachAgent) -> None:
    """Attach an agent: it is asked about tasks that end from now on."""
    index = check_attach(scheduler, command)
    asks = _kinds(command.asks)
    terms = {"on": command.on, "scope": command.scope, "on_conflict": command.on_conflict}
    emit(scheduler, index, ev.AgentAttached, agent=command.agent, asks=asks, origin=command.origin, **terms)
    _watch(scheduler, index)


def _watch(scheduler: SchedulerState, index: RunIndex) -> None:
    if not index.run.state.has_ended:
        scheduler.watched[index.run.run_id] = index


def check_agent(scheduler: SchedulerState, command: commands.AgentCommand) -> tuple[RunIndex, AgentFacts]:
    """The run and the agent of a command; changes nothing."""
    index = find(scheduler, command.run_id)
    known = index.run.cycles.agents if index.run.cycles is not None else {}
    agent = known.get(command.agent)
    if agent is None:
        near = nearest(command.agent, known)
        hint = f"Did you mean {near!r}?" if near else "List the run's agents to see their names."
        raise CommandRefused("unknown_agent", f"No agent {command.agent!r} is attached to this run.", hint)
    return index, agent


def pause(scheduler: SchedulerState, command: commands.PauseAgent) -> None:
    """Pause an agent and do not wait for its open answer; pausing twice is no error."""
    index, agent = check_agent(scheduler, command)
    if not agent.paused:
        emit(scheduler, index, ev.AgentPaused, agent=command.agent, origin=command.origin)
        cycle_ends.withdraw(scheduler, index, command.agent)
        cycles.go_on(scheduler, index, how="withdrawn")


def resume(scheduler: SchedulerState, command: commands.ResumeAgent) -> None:
    """Resume an agent; resuming twice is no error."""
    index, agent = check_agent(scheduler, command)
    if agent.paused:
        emit(scheduler, index, ev.AgentResumed, agent=command.agent, origin=command.origin)


def check_trust(
    scheduler: SchedulerState, command: commands.TrustAgent
) -> tuple[RunIndex, AgentFacts, tuple[str, ...]]:
    """The agent, and the kinds of its edits that would need approval from then on; changes nothing."""
    asks = _kinds(command.asks)
    return *check_agent(scheduler, command), asks


def trust(scheduler: SchedulerState, command: commands.TrustAgent) -> None:
    """Change which kinds of edits of an agent need approval; setting the same kinds is no error."""
    index, agent, asks = check_trust(scheduler, command)
    if asks != agent.asks:
        emit(scheduler, index, ev.AgentTrusted, agent=command.agent, asks=asks, origin=command.origin)


def detach(scheduler: SchedulerState, command: commands.DetachAgent) -> None:
    """Detach an agent; its edits that were received already still count."""
    index, _ = check_agent(scheduler, command)
    emit(scheduler, index, ev.AgentDetached, agent=command.agent, origin=command.origin, reason=command.reason)
    cycle_ends.withdraw(scheduler, index, command.agent)
    cycles.go_on(scheduler, index, how="withdrawn")


# ---- the terms


def check_fence(scheduler: SchedulerState, command: commands.SetFence) -> tuple[RunIndex, CycleFacts]:
    """The run, and its fence and timeouts as they would be set; changes nothing."""
    index = find(scheduler, command.run_id)
    terms = cycles_of(index.run).copy()
    if command.fence is None:
        terms.fence = None
    elif command.fence is not UNSET:
        if command.fence not in list(Fence):
            hint = f"Use one of {', '.join(Fence)}."
            raise CommandRefused("bad_fence", f"There is no fence {command.fence!r}.", hint)
        terms.fence = Fence(command.fence)
    if command.modification_timeout is not UNSET:
        terms.modification_timeout = seconds_to_wait(command.modification_timeout)
    if command.approval_timeout is not UNSET:
        terms.approval_timeout = None if command.approval_timeout is None else seconds_to_wait(command.approval_timeout)
    return index, terms


def set_fence(scheduler: SchedulerState, command: commands.SetFence) -> None:
    """Set fence and timeouts, also for the open edit cycle and approvals."""
    index, terms = check_fence(scheduler, command)
    emit(
        scheduler,
        index,
        ev.FenceSet,
        fence=terms.fence,
        modification_timeout=terms.modification_timeout,
        approval_timeout=terms.approval_timeout,
        origin=command.origin,
    )
    _watch(scheduler, index)
    cycles.set_timer(scheduler, index)
    approvals.set_timers(scheduler, index)
    fence.refresh(scheduler, index)
    scheduler.dirty[index.run.run_id] = index

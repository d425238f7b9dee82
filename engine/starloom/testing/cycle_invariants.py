"""The invariants of agents, edit cycles and fences after every turn; a part of `invariants`, for tests likewise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.model.agent_terms import OnConflict
from starloom.scheduling.state import fence
from starloom.scheduling.state.codes import COMPLETED, FAILED, PENDING, RUNNING
from starloom.scheduling.state.edit_conflicts import is_due

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.scheduling.state.cycle_facts import Cycle, CycleFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState


def check_event(run: RunFacts, event: ev.Event) -> None:
    """Check an event of a run against the facts before it: no task starts that a fence holds back.

    Raises:
        AssertionError: it does.
    """
    if isinstance(event, ev.TaskStarted) and fence.holds(run, run.graph.place[event.task_id]):
        raise AssertionError(f"run {run.run_id!r}: {event.task_id!r} started behind the fence: {run.cycles}")


def broken(scheduler: SchedulerState, index: RunIndex) -> Iterator[str]:
    """The broken invariants, as sentences."""
    run, cycles = index.run, index.run.cycles
    where = f"run {run.run_id!r} ({run.state})"
    if (run.run_id in scheduler.watched) != (cycles is not None and not run.state.has_ended):
        yield f"{where}: it is watched, or is not, without reason"
    if cycles is not None:
        for what in (*_broken_cycles(run, cycles), *_broken_deferrals(run, cycles)):
            yield f"{where}: {what}"
    if not run.state.has_ended:
        for what in _broken_fence(index):
            yield f"{where}: {what}"


def _broken_cycles(run: RunFacts, cycles: CycleFacts) -> Iterator[str]:
    if (run.state.has_ended or run.cancel_requested) and cycles.is_open:
        yield f"it is over, or is being cancelled, and waits for somebody: {cycles}"
    if cycles.cycle is not None:
        yield from _broken_cycle(cycles, cycles.cycle)
    elif any(agent.is_due for agent in cycles.agents.values()):
        yield "tasks have ended and nobody is asked about them"
    for agent in cycles.agents.values():
        if agent.paused and (agent.next or agent.late):
            yield f"{agent.name!r} is paused and gathers tasks"
        for number in agent.next:
            if run.status[number] not in {COMPLETED, FAILED}:
                yield f"{agent.name!r} is to be asked about {run.graph.ids[number]!r}, which has not ended"


def _broken_cycle(cycles: CycleFacts, cycle: Cycle) -> Iterator[str]:
    if not cycle.waiting:
        yield "its cycle is open although everybody has answered"
    for name in cycle.waiting:
        agent = cycles.agents.get(name)
        if agent is None or agent.paused or agent.late:
            yield f"it waits for {name!r}, who will not answer"
    first = min((cycle.agents.index(name) for name in cycle.waiting), default=0)
    for answer in cycle.answers:
        if cycle.agents.index(answer.agent) < first:
            yield f"the turn of {answer.agent!r} has come and its answer was not applied"


def _broken_deferrals(run: RunFacts, cycles: CycleFacts) -> Iterator[str]:
    for deferral in cycles.deferrals.values():
        if not run.state.has_ended and is_due(run, deferral):
            yield f"nothing keeps what was deferred from being settled: {deferral}"
        for number in deferral.tasks:
            is_stopped = run.status[number] != RUNNING or number in run.stopping
            if deferral.proposed.on_conflict is OnConflict.REPLACE and not is_stopped:
                yield f"{run.graph.ids[number]!r} is to be replaced and nobody stops it"


def _broken_fence(index: RunIndex) -> Iterator[str]:
    run = index.run
    for number in run.with_status(PENDING):
        if fence.keeps(index, number) != fence.holds(run, number):
            yield f"{run.graph.ids[number]!r} stands on the wrong side of the fence"

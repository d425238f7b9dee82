"""Which agents are asked about the end of a task, where that depends on a condition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.scheduling.decide.emission import emit
from starloom.scheduling.read.verdict import verdict_of
from starloom.scheduling.state import fence
from starloom.scheduling.state.codes import STATUS_OF

if TYPE_CHECKING:
    from starloom.scheduling.state.cycle_facts import AgentFacts
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState


def note_end(scheduler: SchedulerState, index: RunIndex, number: int) -> None:
    """Pass over the agents whose conditions say no, and close the fence for what the others may come to want."""
    cycles = index.run.cycles
    if cycles is None:
        return
    for agent in cycles.agents.values():
        if agent.on and agent.next and agent.next[-1] == number and not _is_wanted(index, agent, number):
            task_id = index.run.graph.ids[number]
            emit(scheduler, index, ev.EndPassedOver, task_id=task_id, agent=agent.name)
    fence.extend(index, number)


def _is_wanted(index: RunIndex, agent: AgentFacts, number: int) -> bool:
    """Whether a condition holds, or there is none; one that cannot be evaluated asks, as nobody knows what it says."""
    run = index.run
    task_id, status = run.graph.ids[number], STATUS_OF[run.status[number]]
    for one in agent.on:
        if one.concerns(task_id, status):
            verdict, fault = (True, "") if one.when is None else verdict_of(run, number, one.when)
            if verdict or fault:
                return True
    return False

"""Withdraws questions to agents whose answers are no longer of use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.scheduling.decide.emission import emit
from starloom.scheduling.instructions import WithdrawQuestion
from starloom.scheduling.state import fence

if TYPE_CHECKING:
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState


def cancel(scheduler: SchedulerState, index: RunIndex) -> None:
    """Withdraw all questions and approvals of a run that is being cancelled."""
    cycles = index.run.cycles
    assert cycles is not None
    for name in cycles.agents:
        withdraw(scheduler, index, name)
    if cycles.cycle is not None:
        emit(
            scheduler, index, ev.EditCycleClosed, cycle=cycles.cycle.number, how="cancelled", late=cycles.cycle.waiting
        )
    for number in list(cycles.approvals):
        emit(scheduler, index, ev.ApprovalAnswered, approval=number, how="cancelled", origin="engine")
    fence.refresh(scheduler, index)


def withdraw(scheduler: SchedulerState, index: RunIndex, name: str) -> None:
    """Withdraw the question to one agent."""
    scheduler.turn.more().questions.append(WithdrawQuestion(index.run.run_id, name))


def withdraw_late(scheduler: SchedulerState, index: RunIndex) -> None:
    """Withdraw the questions to agents that answer late, as the run ends."""
    cycles = index.run.cycles
    for agent in cycles.agents.values() if cycles is not None else ():
        if agent.late:
            withdraw(scheduler, index, agent.name)

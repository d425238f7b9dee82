"""What keeps a ready task out of the line on purpose: a goal it is not needed for, a breakpoint, being a gate.

Such tasks stand in `RunIndex.asking` instead until the end of the turn, when `gates.attend` stops or asks them. While
the run may start nothing they wait there. A run that never had any of this is `RunFacts.steered` not to be, and pays
nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.scheduling.state.codes import PENDING
from starloom.scheduling.state.timers import TimerPurpose

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState
    from starloom.scheduling.state.timers import Timer


def keeps_back(scheduler: SchedulerState, index: RunIndex, number: int) -> bool:
    """Whether a ready task of a steered run may not stand in line; one that is to be stopped or asked is noted."""
    if is_due(index.run, number) and not is_beyond(index, number):
        index.asking.add(number)
        scheduler.asking[index.run.run_id] = index
    return is_kept(index, number)


def is_kept(index: RunIndex, number: int) -> bool:
    """The same; notes nothing."""
    run = index.run
    return run.steered and (is_beyond(index, number) or is_gate(run, number) or stops(run, number))


def is_due(run: RunFacts, number: int) -> bool:
    """Whether it has to be stopped at a breakpoint or asked, as far as the task itself goes."""
    if stops(run, number):
        return True
    return is_gate(run, number) and not is_open(run, number)


def is_gate(run: RunFacts, number: int) -> bool:
    """Whether it asks a person."""
    task = run.graph.tasks[number]
    return task is not None and task.gate is not None


def is_open(run: RunFacts, number: int) -> bool:
    """Whether it is a gate that a person is waited for at."""
    gate = run.gates.get(number)
    return gate is not None and gate.is_open


def waited(run: RunFacts, number: int) -> float:
    """Seconds from the last time a gate was asked to its answer; 0 for anything else."""
    gate = run.gates.get(number)
    return 0.0 if gate is None or gate.ended is None else gate.ended - gate.at


def stops(run: RunFacts, number: int) -> bool:
    """Whether it has a breakpoint, and has not stopped there since it started last."""
    reached = run.breakpoints.get(number)
    return reached is not None and reached != run.starts(number) and not is_open(run, number)


def is_beyond(index: RunIndex, number: int) -> bool:
    """Whether the run goes on for other tasks only."""
    return index.wanted is not None and number not in index.wanted


def follow_edit(scheduler: SchedulerState, index: RunIndex, touched: Iterable[int]) -> list[int]:
    """The graph or the fields of these tasks have changed; returns those whose place in line may be another now."""
    for number in touched:
        set_timer(scheduler, index, number)
    if index.run.until is None:
        return []
    index.follow_goal()
    return index.run.with_status(PENDING)


def open_gates(run: RunFacts) -> list[int]:
    """The gates that a person is waited for at, in the order in which they were asked."""
    return sorted((number for number, gate in run.gates.items() if gate.is_open), key=lambda one: run.gates[one].at)


# ---- countdowns


def is_over(run: RunFacts, timer: Timer) -> bool:
    """Whether the gate that a timer is about is answered, was asked again, or waits for longer than that."""
    at, _, _, number, attempt = timer
    gate = run.gates.get(number)
    return gate is None or gate.attempt != attempt or run.gate_due(number) != at


def set_timer(scheduler: SchedulerState, index: RunIndex, number: int) -> None:
    """Wake up when the countdown of an open gate is over, if it has one."""
    due = index.run.gate_due(number)
    if due is not None:
        scheduler.set_timer(due, TimerPurpose.GATE, index.run.run_id, number, index.run.gates[number].attempt)


def set_timers(scheduler: SchedulerState, index: RunIndex) -> None:
    """The same for all gates."""
    for number in index.run.gates:
        set_timer(scheduler, index, number)

"""Ready tasks kept out of the queue on purpose: by a goal, a breakpoint, as gates, or because they are bypassed.

Such tasks stand in `RunIndex.asking` instead until the end of the turn, when `gates.attend` stops, asks or ends them.
While the run may start nothing they wait there. A run that never had any of this is `RunFacts.steered` not to be, and
pays nothing.
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
    """Whether a ready task of a steered run stays out of the queue; one that is to be stopped or opened is noted."""
    if is_due(index.run, number) and not is_beyond(index, number):
        index.asking.add(number)
        scheduler.asking[index.run.run_id] = index
    return is_kept(index, number)


def is_kept(index: RunIndex, number: int) -> bool:
    """The same as `keeps_back`, without noting anything."""
    run = index.run
    if not run.steered:
        return False
    return is_beyond(index, number) or is_gate(run, number) or is_bypassed(run, number) or stops(run, number)


def is_due(run: RunFacts, number: int) -> bool:
    """Whether the task itself has to be stopped at a breakpoint, opened as a gate or ended without running."""
    if stops(run, number) or is_bypassed(run, number):
        return True
    return is_gate(run, number) and not is_open(run, number)


def is_gate(run: RunFacts, number: int) -> bool:
    """Whether a task is a gate."""
    task = run.graph.tasks[number]
    return task is not None and task.gate is not None


def is_bypassed(run: RunFacts, number: int) -> bool:
    """Whether a task completes without running."""
    task = run.graph.tasks[number]
    return task is not None and task.is_bypassed


def pauses(run: RunFacts, number: int) -> bool:
    """Whether a task waits for its next attempt; one that is bypassed waits for none."""
    return number in run.backoff and not is_bypassed(run, number)


def is_open(run: RunFacts, number: int) -> bool:
    """Whether a task is an open gate."""
    gate = run.gates.get(number)
    return gate is not None and gate.is_open


def waited(run: RunFacts, number: int) -> float:
    """Seconds from the last opening of a gate to its answer; 0 for other tasks."""
    gate = run.gates.get(number)
    return 0.0 if gate is None or gate.ended is None else gate.ended - gate.at


def stops(run: RunFacts, number: int) -> bool:
    """Whether a task has a breakpoint at which it has not stopped since its last start."""
    reached = run.breakpoints.get(number)
    return reached is not None and reached != run.starts(number) and not is_open(run, number)


def is_beyond(index: RunIndex, number: int) -> bool:
    """Whether the run's goal does not need a task."""
    return index.wanted is not None and number not in index.wanted


def follow_edit(scheduler: SchedulerState, index: RunIndex, touched: Iterable[int]) -> list[int]:
    """Update the index after an edit of these tasks; returns those whose place in the queue may have changed."""
    for number in touched:
        set_timer(scheduler, index, number)
    if index.run.until is None:
        return []
    index.follow_goal()
    return index.run.with_status(PENDING)


def open_gates(run: RunFacts) -> list[int]:
    """The open gates, in the order in which they were opened."""
    return sorted((number for number, gate in run.gates.items() if gate.is_open), key=lambda one: run.gates[one].at)


# ---- countdowns


def is_over(run: RunFacts, timer: Timer) -> bool:
    """Whether the gate of a timer was answered, opened again, or has another deadline."""
    at, _, _, number, attempt = timer
    gate = run.gates.get(number)
    return gate is None or gate.attempt != attempt or run.gate_due(number) != at


def set_timer(scheduler: SchedulerState, index: RunIndex, number: int) -> None:
    """Set a timer for the countdown of an open gate, if it has one."""
    due = index.run.gate_due(number)
    if due is not None:
        scheduler.set_timer(due, TimerPurpose.GATE, index.run.run_id, number, index.run.gates[number].attempt)


def set_timers(scheduler: SchedulerState, index: RunIndex) -> None:
    """Set the timers of all open gates."""
    for number in index.run.gates:
        set_timer(scheduler, index, number)

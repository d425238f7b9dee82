"""Attempts that were interrupted with the program that had started them: what their tasks want then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.model.result import ErrorCode, OutcomeStatus
from starloom.model.status import OnInterrupt

if TYPE_CHECKING:
    from starloom.model.result import Outcome
    from starloom.scheduling.run_index import RunIndex
    from starloom.scheduling.scheduler import Scheduler


def is_found_late(outcome: Outcome) -> bool:
    """Whether it says that an attempt was interrupted so, as was found when its device was reached at last."""
    error = outcome.result.error
    return outcome.status is OutcomeStatus.STOPPED and error is not None and error.code == ErrorCode.INTERRUPTED


def begin_anew(scheduler: Scheduler, index: RunIndex, number: int) -> bool:
    """Have the task begin anew at no cost, once somebody says so if it asks; whether it wants that, and not to fail."""
    run = index.run
    task = run.graph.tasks[number]
    assert task is not None
    if task.on_interrupt is OnInterrupt.FAIL:
        return False
    scheduler.emit(index, ev.TaskInterrupted, task.id, run.tries[number])
    is_agents = task.on_interrupt is OnInterrupt.REATTACH and task.prompt is not None
    if task.on_interrupt is OnInterrupt.ASK or is_agents:
        scheduler.emit(index, ev.TasksHeld, task_ids=(task.id,), origin="engine")
    return True

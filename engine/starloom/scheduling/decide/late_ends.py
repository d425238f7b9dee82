"""Late reports about attempts: their measured times, ends of lost attempts, leftovers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom import events as ev
from starloom.model.result import ErrorCode, OutcomeStatus
from starloom.model.status import OnInterrupt
from starloom.scheduling.decide.emission import emit
from starloom.scheduling.state.late_facts import late_end

if TYPE_CHECKING:
    from starloom.model.result import Outcome
    from starloom.scheduling.state.attempts import Attempt
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState
    from starloom.scheduling.stimuli import LateEndNoticed

NOTICEABLE: Final = 0.1
"""Seconds; measured times that differ by less from those an attempt has already are not told."""


def correct_begin(scheduler: SchedulerState, index: RunIndex, number: int, took: float) -> None:
    """Move the start of a running attempt, whose work has ended, back if its work took longer than the attempt counts.

    Args:
        scheduler: of the run.
        index: the run.
        number: of the task.
        took: seconds that its work took where it ran.
    """
    run = index.run
    began = max(run.ready_at[number], scheduler.now - took)
    if began < run.started_at[number] - NOTICEABLE:
        emit(scheduler, index, ev.AttemptBegan, run.graph.ids[number], run.tries[number], began)


def time(
    scheduler: SchedulerState,
    index: RunIndex,
    number: int,
    attempt: int,
    ended_ago: float | None,
    *,
    took: float | None = None,
) -> None:
    """Emit the measured times of an attempt that is over, if they differ from those it has.

    A program that was busy hears of ends late, and starts late what it has decided to start.

    Args:
        scheduler: of the run.
        index: the run.
        number: of the task.
        attempt: which one; its end stands in the facts.
        ended_ago: seconds since its work ended; 0: nobody measured them; None: nobody knows.
        took: seconds that its work took where it ran; None: nobody measured them.
    """
    over = _attempt(index.run, number, attempt)
    if over is None or over.ended is None:
        return
    started = over.started
    ended = None if ended_ago is None else scheduler.now - max(0.0, ended_ago)
    if ended is not None and took is not None:  # when it ended may be told to the second
        ended = min(scheduler.now, max(ended, started + took) if ended_ago else started + took)
        started = max(started, ended - took)
    if ended is not None and ended < started:  # clocks differ, or one was set
        ended = None
    if ended is not None and max(started - over.started, over.ended - ended) < NOTICEABLE:
        return
    emit(scheduler, index, ev.AttemptTimed, index.run.graph.ids[number], attempt, started, ended)


def ended_late(scheduler: SchedulerState, stimulus: LateEndNoticed) -> None:
    """Emit the end of an attempt that was given up, if its run is known and does not go on with it."""
    index = scheduler.runs.get(stimulus.run_id)
    number = None if index is None else index.run.number(stimulus.task_id)
    if index is None or number is None:
        return
    over = _attempt(index.run, number, stimulus.attempt)
    if over is None or over.device_id != stimulus.device_id:
        return
    if late_end(index.run, number, stimulus.attempt) is None:
        ended = None if stimulus.ended_ago is None else scheduler.now - max(0.0, stimulus.ended_ago)
        said = (stimulus.task_id, stimulus.attempt, stimulus.device_id, stimulus.exit_code, ended)
        emit(scheduler, index, ev.AttemptEndedLate, *said)


def _attempt(run: RunFacts, number: int, attempt: int) -> Attempt | None:
    """An attempt that is over; None: there is none of that number, or it runs."""
    found = (one for one in run.attempts(number) if one.number == attempt and one.ended is not None)
    return next(found, None)


def is_interruption(outcome: Outcome) -> bool:
    """Whether an attempt was interrupted with its program, found when its device was connected at last."""
    error = outcome.result.error
    return outcome.status is OutcomeStatus.STOPPED and error is not None and error.code == ErrorCode.INTERRUPTED


def begin_anew(scheduler: SchedulerState, index: RunIndex, number: int) -> bool:
    """Restart the task at no cost, after a person's answer if it needs one; returns whether it restarts."""
    run = index.run
    task = run.graph.tasks[number]
    assert task is not None
    if task.on_interrupt is OnInterrupt.FAIL or run.cancel_requested:  # of a cancelled run nothing starts any more
        return False
    device = run.fleet.devices.get(run.device_of[number] or "")
    asks = task.prompt is not None or (device is not None and device.asks_when_interrupted)
    emit(scheduler, index, ev.TaskInterrupted, task.id, run.tries[number])
    if task.on_interrupt is OnInterrupt.ASK or (task.on_interrupt is OnInterrupt.REATTACH and asks):
        emit(scheduler, index, ev.TasksHeld, task_ids=(task.id,), origin="engine")
    return True

"""The fold's handlers for late reports about attempts that are over. Called through `apply`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace as structs_replace

from starloom import events as ev
from starloom.scheduling.state.attempts import LateEnd
from starloom.scheduling.state.codes import CANCELLED
from starloom.scheduling.state.late_facts import may_still_run, why_ended

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.state.run_facts import RunFacts


def shift(run: RunFacts, by: float) -> None:
    """Shift all times to another program's clock."""
    for number, ends in run.late_ends.items():
        moved = (end if end.ended is None else structs_replace(end, ended=end.ended + by) for end in ends)
        run.late_ends[number] = tuple(moved)
    for moments in (run.heard_at, run.ordered_at):
        for number, known in moments.items():
            moments[number] = {attempt: at + by for attempt, at in known.items()}


def note_overhead(run: RunFacts, number: int, seconds: float) -> None:
    """Add to the seconds for which the last attempt of a task has held its slot besides its work; less than 0 takes."""
    run.overhead[number] = run.overhead.get(number, 0.0) + seconds


def _began(run: RunFacts, event: ev.AttemptBegan) -> tuple[int, ...]:
    number = run.graph.place[event.task_id]
    run.seq = event.seq
    began = event.at if event.began_at is None else event.began_at
    note_overhead(run, number, began - run.started_at[number])
    _note_order(run, number, event.attempt, run.started_at[number], began)
    run.started_at[number] = began
    return ()


def _timed(run: RunFacts, event: ev.AttemptTimed) -> tuple[int, ...]:
    number = run.graph.place[event.task_id]
    run.seq = event.seq
    if event.ended_at is None:
        run.untimed[number] = (*run.untimed.get(number, ()), event.attempt)
        return ()
    if event.ended_at < event.at:
        run.heard_at[number] = {**run.heard_at.get(number, {}), event.attempt: event.at}
    if run.tries[number] == event.attempt and run.has_last_attempt(number):
        _note_order(run, number, event.attempt, run.started_at[number], event.started_at)
        _note_end(run, number, event.started_at - run.started_at[number] + run.ended_at[number] - event.ended_at)
        run.started_at[number], run.ended_at[number] = event.started_at, event.ended_at
    else:
        times = {"started": event.started_at, "ended": event.ended_at}
        past = run.history[number]
        before = next((one.started for one in past if one.number == event.attempt), event.started_at)
        _note_order(run, number, event.attempt, before, event.started_at)
        past[:] = [structs_replace(one, **times) if one.number == event.attempt else one for one in past]
    return ()


def _note_order(run: RunFacts, number: int, attempt: int, before: float, began: float) -> None:
    """Keep when an attempt was ordered as its start moves to when it began: its slot was taken since then."""
    known = run.ordered_at.get(number, {})
    if began > before and attempt not in known:
        run.ordered_at[number] = {**known, attempt: before}


def _note_end(run: RunFacts, number: int, seconds: float) -> None:
    """Add what the end of an attempt shows of its overhead; one that outlived its program was waited for by nobody."""
    if run.started_at[number] < run.sessions[-1][0]:
        run.overhead.pop(number, None)
    else:
        note_overhead(run, number, seconds)


def _ended_late(run: RunFacts, event: ev.AttemptEndedLate) -> tuple[int, ...]:
    number = run.graph.place[event.task_id]
    run.seq = event.seq
    end = LateEnd(event.attempt, event.exit_code, event.ended_at)
    if event.attempt == run.tries[number] and run.status[number] == CANCELLED and may_still_run(run, number):
        run.reasons[number] = why_ended(end)
    run.late_ends[number] = (*run.late_ends.get(number, ()), end)
    return ()


LATE_HANDLERS: Final[dict[type[ev.Event], Callable[[RunFacts, Any], tuple[int, ...]]]] = {
    ev.AttemptBegan: _began,
    ev.AttemptTimed: _timed,
    ev.AttemptEndedLate: _ended_late,
}

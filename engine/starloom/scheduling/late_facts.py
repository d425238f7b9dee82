"""What is found out of attempts after they were over: when they really ran, and how those ended that were lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec.structs import replace as structs_replace

from starloom import events as ev

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.run_facts import RunFacts


class LateEnd(msgspec.Struct, frozen=True):
    """How an attempt ended that had been given up as lost; its task had gone on without it.

    Attributes:
        attempt: its number.
        exit_code: None: it was ended when its device was back, or nobody knows how it ended.
        ended: when, on the engine's clock, in seconds; None: nobody knows.
    """

    attempt: int
    exit_code: int | None
    ended: float | None


def is_timed(run: RunFacts, number: int, attempt: int) -> bool:
    """Whether it is known how long an attempt that has ended took."""
    return not run.untimed or attempt not in run.untimed.get(number, ())


def late_end(run: RunFacts, number: int, attempt: int) -> LateEnd | None:
    """How an attempt ended that had been given up; None: nothing is known of that."""
    return next((end for end in run.late_ends.get(number, ()) if end.attempt == attempt), None)


def shift(run: RunFacts, by: float) -> None:
    """Another program's clock."""
    for number, ends in run.late_ends.items():
        moved = (end if end.ended is None else structs_replace(end, ended=end.ended + by) for end in ends)
        run.late_ends[number] = tuple(moved)


def _timed(run: RunFacts, event: ev.AttemptTimed) -> tuple[int, ...]:
    number = run.graph.place[event.task_id]
    run.seq = event.seq
    if event.ended_at is None:
        run.untimed[number] = (*run.untimed.get(number, ()), event.attempt)
        return ()
    if run.tries[number] == event.attempt and run.has_last_attempt(number):
        run.started_at[number], run.ended_at[number] = event.started_at, event.ended_at
    else:
        times = {"started": event.started_at, "ended": event.ended_at}
        past = run.history[number]
        past[:] = [structs_replace(one, **times) if one.number == event.attempt else one for one in past]
    return ()


def _ended_late(run: RunFacts, event: ev.AttemptEndedLate) -> tuple[int, ...]:
    number = run.graph.place[event.task_id]
    run.seq = event.seq
    end = LateEnd(event.attempt, event.exit_code, event.ended_at)
    run.late_ends[number] = (*run.late_ends.get(number, ()), end)
    return ()


LATE_HANDLERS: Final[dict[type[ev.Event], Callable[[RunFacts, Any], tuple[int, ...]]]] = {
    ev.AttemptTimed: _timed,
    ev.AttemptEndedLate: _ended_late,
}

"""Validity rules for late reports about attempts; see `stream_rules`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.scheduling.fold.number_rules import is_span
from starloom.scheduling.state.late_facts import is_timed, late_end

if TYPE_CHECKING:
    from starloom import events as ev
    from starloom.scheduling.state.attempts import Attempt
    from starloom.scheduling.state.folded_run import FoldedRun


def began(folded: FoldedRun, event: ev.AttemptBegan) -> str:
    """The reason why the work of the running attempt cannot have begun then; empty: it can."""
    if event.began_at is None:
        return ""
    waited = event.began_at - folded.run.ready_at[folded.run.graph.place[event.task_id]]
    return is_span(event.at - event.began_at, "the time since its work began") or is_span(
        waited, "the time for which its work waited"
    )


def timed(folded: FoldedRun, event: ev.AttemptTimed) -> str:
    """The reason why an attempt cannot have run then; empty: it can."""
    if _over(folded, event) is None:
        return f"no attempt {event.attempt} is over"
    if not is_timed(folded.run, folded.run.graph.place[event.task_id], event.attempt):
        return "that nobody knows how long it took was said before"
    if event.ended_at is None:
        return ""
    return is_span(event.ended_at - event.started_at, "the time for which it ran") or is_span(
        event.at - event.ended_at, "the time since it ended"
    )


def ended_late(folded: FoldedRun, event: ev.AttemptEndedLate) -> str:
    """The reason why an attempt that was given up cannot have ended so; empty: it can."""
    over = _over(folded, event)
    if over is None:
        return f"no attempt {event.attempt} is over"
    if over.device_id != event.device_id:
        return f"it ran on {over.device_id!r}"
    if late_end(folded.run, folded.run.graph.place[event.task_id], event.attempt) is not None:
        return "how it ended was said before"
    return "" if event.ended_at is None else is_span(event.at - event.ended_at, "the time since it ended")


def _over(folded: FoldedRun, event: ev.AttemptTimed | ev.AttemptEndedLate) -> Attempt | None:
    attempts = folded.run.attempts(folded.run.graph.place[event.task_id])
    return next((one for one in attempts if one.number == event.attempt and one.ended is not None), None)

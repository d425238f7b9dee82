"""Attempts that came to no end of their own, or to one that was found out late, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom import events as ev
from starloom_gui.text.words import fill, plain, took, translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.late_facts import LateEnd


def late_end_text(end: LateEnd, when: str) -> str:
    """How an attempt ended that had been given up, as a sentence.

    Args:
        end: what is known of it.
        when: the time of day, in words; empty: nobody knows.
    """
    if end.exit_code is None:
        return translate("Inspector", "Given up as lost; it was ended when its device was back.")
    if not when:
        return fill(translate("Inspector", "Given up as lost; it ended late, with exit code %1."), end.exit_code)
    return fill(
        translate("Inspector", "Given up as lost; it ended late at %2, with exit code %1."), end.exit_code, when
    )


def _interrupted(event: ev.TaskInterrupted) -> str:
    said = event.task_id, event.attempt, plain(event.reason.rstrip("."))
    away = translate("Events", "%1 goes to another device, attempt %2 does not count: %3")
    return fill(away if event.reason else translate("Events", "%1 was interrupted, attempt %2"), *said)


def _ended_late(event: ev.AttemptEndedLate) -> str:
    said = event.task_id, event.attempt, event.device_id, event.exit_code
    if event.exit_code is None:
        text = translate("Events", "Attempt %2 of %1, which was given up as lost, was ended when %3 was back")
    else:
        text = translate("Events", "Attempt %2 of %1, which was given up as lost, ended late on %3 with exit code %4")
    return fill(text, *said)


def _timed(event: ev.AttemptTimed) -> str:
    if event.ended_at is None:
        return fill(translate("Events", "How long %1 took is not known, attempt %2"), event.task_id, event.attempt)
    text = translate("Events", "%1 really took %3, attempt %2")
    return fill(text, event.task_id, event.attempt, took(event.ended_at - event.started_at))


def _work_ended(event: ev.AttemptWorkEnded) -> str:
    text = translate("Events", "The work of %1 has ended, attempt %2; what it has left is being brought here")
    return fill(text, event.task_id, event.attempt)


LATE_TEXTS: Final[dict[type[ev.Event], Callable[[Any], str]]] = {
    ev.TaskInterrupted: _interrupted,
    ev.AttemptTimed: _timed,
    ev.AttemptWorkEnded: _work_ended,
    ev.AttemptEndedLate: _ended_late,
}

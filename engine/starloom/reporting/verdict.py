"""The verdict on a run, in two or three sentences for somebody who was not there."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from starloom.model.result import ErrorCode
from starloom.reporting.text import count, middle, one_line, took

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.reporting.finish import Foreseen
    from starloom.reporting.report import Counts, Failure, ReportedAttempt, ReportedTask

_MARKED: Final = "It was marked "
"""What the message of a failure that somebody has marked so begins with."""
_AS_WARNING: Final = ", which counts as no more than a warning"
_SAME_END: Final = 0.5
"""Seconds by which two ends may differ and still be told as one."""
_TIMES: Final = {1: "", 2: " twice"}


def verdict_of(
    state: str,
    counts: Counts,
    tasks: Sequence[ReportedTask],
    attempts: Sequence[ReportedAttempt],
    failures: Sequence[Failure],
    seconds: float,
    foreseen: Foreseen | None = None,
    open_answers: int = 0,
    away: float = 0.0,
    *,
    is_now: bool = False,
) -> str:
    """The sentences: what is done, what failed and with which consequences, how long it took.

    Args:
        state: the run's, in words of `RunState`, or `interrupted` or `unknown`.
        counts: of its tasks.
        tasks: all of them.
        attempts: all of them.
        failures: the first failed tasks.
        seconds: from the start to the end, or to the last thing that is told.
        foreseen: what was foreseen of its end as it started.
        open_answers: how many a person has still to give.
        away: seconds of the clock that are not counted, as neither a program nor an attempt ran then.
        is_now: whether a run that goes on is told up to now, and not to its last event.
    """
    sentences = [_done(counts)]
    if simulated := sum(one.simulated for one in tasks):
        sentences.append(only_simulated(simulated))
    if bypassed := sum(one.bypassed for one in tasks):
        sentences.append(
            f"{count(bypassed, 'task')} {_was(bypassed)} bypassed and {'has' if bypassed == 1 else 'have'} not run."
        )
    if marked := sum(one.marked and one.status == "completed" for one in tasks):
        sentences.append(f"{count(marked, 'task')} {_was(marked)} marked done by hand.")
    if failures:
        sentences.append(_failed(counts, tasks, attempts, failures[0]))
    else:
        skipped = [f"{count(counts.skipped, 'task')} {_was(counts.skipped)} skipped."] if counts.skipped else []
        sentences += [*skipped, *_again(tasks, attempts)]
    if counts.cancelled:
        sentences.append(f"{count(counts.cancelled, 'task')} {_was(counts.cancelled)} cancelled.")
    if open_answers and state in {"executing", "paused"}:
        sentences.append(f"The run waits for a person to give {count(open_answers, 'answer')}.")
    sentences.append(_time(state, seconds, foreseen, away, is_now=is_now))
    return " ".join(sentences)


def only_simulated(number: int) -> str:
    """The sentence about tasks that count as done though a simulated device took them."""
    return f"{count(number, 'task')} {_was(number)} only simulated and {'has' if number == 1 else 'have'} not run."


def _done(counts: Counts) -> str:
    if not counts.total:
        return "The run has no tasks."
    if counts.total == 1:
        return "The only task is done." if counts.completed else "The only task is not done."
    if counts.completed == counts.total:
        return f"All {counts.total:,} tasks are done."
    return f"{counts.completed:,} of {count(counts.total, 'task')} {'is' if counts.completed == 1 else 'are'} done."


def _failed(
    counts: Counts, tasks: Sequence[ReportedTask], attempts: Sequence[ReportedAttempt], failure: Failure
) -> str:
    task = tasks[failure.task]
    others = counts.failed - 1
    as_warning = _AS_WARNING if all(one.severity == "warning" for one in tasks if one.status == "failed") else ""
    named = labels(tasks)
    name = f"“{middle(one_line(named[failure.task]), 60)}”"
    if others:
        skipped = f", and {count(counts.skipped, 'task')} {_was(counts.skipped)} skipped" if counts.skipped else ""
        return f"{name} and {count(others, 'other')} failed{as_warning}{skipped}."
    times = sum(attempts[place].status == "failed" for place in task.attempts)
    so_skipped = _so_skipped(named, failure)
    if failure.attempt is None or not times:
        how = "was marked failed" if failure.message.startswith(_MARKED) else "failed"
        return f"{name} {how}{as_warning}{so_skipped}."
    how = _TIMES.get(times, f" {times} times")
    return f"{name} failed{how}{ended_by(attempts[failure.attempt])}{as_warning}{so_skipped}."


def ended_by(attempt: ReportedAttempt) -> str:
    """The reason of a failed attempt, to follow “failed”; empty: its sentence says it."""
    if attempt.error == ErrorCode.TIMEOUT:
        return " by its timeout"
    code = attempt.exit_code
    if code is None:
        return ""
    return f" with exit {code}" if code >= 0 else f" by signal {-code}"


def labels(tasks: Sequence[ReportedTask]) -> list[str]:
    """The labels of all tasks: the name, with the id if others have the same name."""
    many = Counter(one.name for one in tasks)
    return [one.name if many[one.name] == 1 or one.name == one.id else f"{one.name} ({one.id})" for one in tasks]


def _so_skipped(named: Sequence[str], failure: Failure) -> str:
    if not failure.skipped_count:
        return ""
    if failure.skipped_count == 1:
        return f", so “{middle(one_line(named[failure.skipped[0]]), 60)}” was skipped"
    return f", so {count(failure.skipped_count, 'task')} were skipped"


def _again(tasks: Sequence[ReportedTask], attempts: Sequence[ReportedAttempt]) -> list[str]:
    failed = sum(attempts[place].status == "failed" for task in tasks for place in task.attempts[:-1])
    return [f"{count(failed, 'attempt')} failed and {_was(failed)} made again."] if failed else []


def _was(number: int) -> str:
    return "was" if number == 1 else "were"


def finish_words(foreseen: Foreseen, clock: Callable[[float], str]) -> str:
    """The effect of an edit on the projected end, as a sentence.

    Args:
        foreseen: the end after it, and before.
        clock: a moment of the run as the clock showed it.
    """
    if foreseen.before is None:
        return ""
    later = " or later" if foreseen.is_least else ""
    if abs(foreseen.end - foreseen.before) < _SAME_END:
        return f"The foreseen finish stayed at {clock(foreseen.end)}{later}."
    return f"It brought the foreseen finish from {clock(foreseen.before)} to {clock(foreseen.end)}{later}."


def _than_foreseen(seconds: float, foreseen: Foreseen | None) -> str:
    """The time beyond the projection at the start, as text; empty: there was none."""
    if foreseen is None:
        return ""
    more = seconds - foreseen.end
    longer = " or longer" if foreseen.is_least else ""
    if abs(more) < max(_SAME_END, 0.01 * foreseen.end):
        return f", as foreseen at its start ({took(foreseen.end)}{longer})"
    how = "more" if more > 0 else "less"
    return f", {took(abs(more))} {how} than foreseen at its start ({took(foreseen.end)}{longer})"


def _time(state: str, seconds: float, foreseen: Foreseen | None, away: float, *, is_now: bool) -> str:
    if state in {"created", "ready"}:
        return "The run has not started."
    if state == "interrupted":
        return f"The run was interrupted: it was last heard of {took(seconds)} after its start."
    if state == "unknown":
        return f"Whether the run has ended is not known; it was last heard of {took(seconds)} after its start."
    if state in {"executing", "paused"}:
        how = "is paused" if state == "paused" else "has not ended"
        if is_now:
            return f"The run {how}; so far it took {took(seconds)}."
        return f"The run {how}; its last event, up to which is told here, came {took(seconds)} after its start."
    without = f", without {took(away)} in which nothing of it ran" if away >= 1 else ""
    return f"The run took {took(seconds)}{_than_foreseen(seconds, foreseen)}{without}."

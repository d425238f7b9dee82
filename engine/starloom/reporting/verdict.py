"""How a run went, in two or three sentences for somebody who was not there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.reporting.text import count, middle, one_line, took

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.reporting.report import Counts, Failure, ReportedAttempt, ReportedTask

_AS_WARNING: Final = ", which the plan takes as no more than a warning"
_TIMES: Final = {1: "", 2: " twice"}


def verdict_of(
    state: str,
    counts: Counts,
    tasks: Sequence[ReportedTask],
    attempts: Sequence[ReportedAttempt],
    failures: Sequence[Failure],
    seconds: float,
) -> str:
    """The sentences: what is done, what failed and what followed from it, how long it took."""
    sentences = [_done(counts)]
    if failures:
        sentences.append(_failed(counts, tasks, attempts, failures[0]))
    elif counts.skipped:
        sentences.append(f"{count(counts.skipped, 'task')} {_was(counts.skipped)} skipped.")
    else:
        sentences += _again(attempts)
    if counts.cancelled:
        sentences.append(f"{count(counts.cancelled, 'task')} {_was(counts.cancelled)} cancelled.")
    sentences.append(_time(state, seconds))
    return " ".join(sentences)


def _done(counts: Counts) -> str:
    if not counts.total:
        return "The run has no tasks."
    if counts.completed == counts.total:
        return "The only task is done." if counts.total == 1 else f"All {counts.total:,} tasks are done."
    return f"{counts.completed:,} of {count(counts.total, 'task')} {'is' if counts.completed == 1 else 'are'} done."


def _failed(
    counts: Counts, tasks: Sequence[ReportedTask], attempts: Sequence[ReportedAttempt], failure: Failure
) -> str:
    task = tasks[failure.task]
    others = counts.failed - 1
    as_warning = _AS_WARNING if all(one.severity == "warning" for one in tasks if one.status == "failed") else ""
    name = f"“{middle(one_line(task.name), 60)}”"
    if others:
        skipped = f", and {count(counts.skipped, 'task')} {_was(counts.skipped)} skipped" if counts.skipped else ""
        return f"{name} and {count(others, 'other')} failed{as_warning}{skipped}."
    times = sum(attempts[place].status == "failed" for place in task.attempts)
    how = _TIMES.get(times, f" {times} times")
    code = attempts[failure.attempt].exit_code if failure.attempt is not None else None
    exited = f" with exit {code}" if code is not None else ""
    return f"{name} failed{how}{exited}{as_warning}{_so_skipped(tasks, failure)}."


def _so_skipped(tasks: Sequence[ReportedTask], failure: Failure) -> str:
    if not failure.skipped_count:
        return ""
    if failure.skipped_count == 1:
        return f", so “{middle(one_line(tasks[failure.skipped[0]].name), 60)}” was skipped"
    return f", so {count(failure.skipped_count, 'task')} were skipped"


def _again(attempts: Sequence[ReportedAttempt]) -> list[str]:
    failed = sum(one.status == "failed" for one in attempts)
    return [f"{count(failed, 'attempt')} failed and {_was(failed)} made again."] if failed else []


def _was(number: int) -> str:
    return "was" if number == 1 else "were"


def _time(state: str, seconds: float) -> str:
    if state in {"created", "ready"}:
        return "The run has not started."
    if state in {"executing", "paused"}:
        return f"The run {'is paused' if state == 'paused' else 'has not ended'}; so far it took {took(seconds)}."
    return f"The run took {took(seconds)}."

"""The fold's handlers for questions of running tasks. Called through `apply`; they make no decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from starloom import events as ev
from starloom.scheduling.state.awaiting import numbers_of
from starloom.scheduling.state.question_facts import QuestionFacts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from starloom.scheduling.state.run_facts import RunFacts

NOBODY: Final = ""
"""In `RunFacts.answered_by`: nobody has answered before the attempt ended or took the question back."""


# ---- called by the handlers of what happens to attempts and to runs


def close(run: RunFacts, task: int, at: float) -> None:
    """Close the open questions of an attempt that is over, or is told to stop."""
    if task in run.awaiting:
        _close(run, numbers_of(run, task), NOBODY, at)


def close_all(run: RunFacts, at: float) -> None:
    """Close all questions, as the program that asked them has ended; attempts that go on ask again."""
    _close(run, list(run.questions), NOBODY, at)


def shift(run: RunFacts, by: float) -> None:
    """Shift all times to another program's clock."""
    for number, asked in run.questions.items():
        run.questions[number] = replace(asked, at=asked.at + by)
    for task in run.awaiting:
        run.awaiting[task] += by


def _close(run: RunFacts, numbers: Iterable[int], by: str, at: float) -> None:
    for number in numbers:
        task = run.questions.pop(number).task
        run.answered_by[number] = by
        if not any(asked.task == task for asked in run.questions.values()):
            since = run.awaiting.pop(task)
            run.awaited[task] = run.awaited.get(task, 0.0) + max(0.0, at - since)


# ---- events


def _asked(run: RunFacts, event: ev.QuestionAsked) -> Sequence[int]:
    run.seq = event.seq
    task = run.graph.place[event.task_id]
    run.questions[event.number] = QuestionFacts(task, event.attempt, event.key, event.at, event.question())
    run.awaiting.setdefault(task, event.at)
    return ()


def _answered(run: RunFacts, event: ev.QuestionAnswered) -> Sequence[int]:
    run.seq = event.seq
    _close(run, [event.number], event.origin, event.at)
    return ()


def _withdrawn(run: RunFacts, event: ev.QuestionWithdrawn) -> Sequence[int]:
    run.seq = event.seq
    _close(run, [event.number], NOBODY, event.at)
    return ()


QUESTION_HANDLERS: Final[dict[type[ev.Event], Callable[[RunFacts, Any], Sequence[int]]]] = {
    ev.QuestionAsked: _asked,
    ev.QuestionAnswered: _answered,
    ev.QuestionWithdrawn: _withdrawn,
}

"""Validity rules for questions of running tasks; see `stream_rules`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom import events as ev
from starloom.scheduling.state.awaiting import last_number, number_by_key
from starloom.scheduling.state.codes import RUNNING

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.state.folded_run import FoldedRun


def _asked(folded: FoldedRun, event: ev.QuestionAsked) -> str:
    run = folded.run
    task = run.graph.place[event.task_id]
    if run.status[task] != RUNNING or run.tries[task] != event.attempt or task in run.stopping or task in run.fetching:
        return f"attempt {event.attempt} does not run"
    if event.number != last_number(run) + 1:
        return f"question {event.number} follows question {last_number(run)}"
    if number_by_key(run, task, event.key) is not None:
        return f"it is asked twice by the key {event.key}"
    event.question()  # refuses what is no question
    return ""


def _open(folded: FoldedRun, event: ev.QuestionAnswered | ev.QuestionWithdrawn) -> str:
    run = folded.run
    asked = run.questions.get(event.number)
    if asked is None:
        return f"question {event.number} waits for no answer"
    is_its = asked.task == run.graph.place[event.task_id] and asked.attempt == event.attempt
    return "" if is_its else f"question {event.number} is another task's, or of another attempt"


def _answered(folded: FoldedRun, event: ev.QuestionAnswered) -> str:
    if why := _open(folded, event):
        return why
    question = folded.run.questions[event.number].question
    if not event.option:
        return "no option allows that" if question.options and event.allowed else ""
    option = question.option(event.option)
    if option is None:
        return f"the question has no option {event.option!r}"
    return "" if option.allows == event.allowed else f"the option {event.option!r} says otherwise"


QUESTION_RULES: Final[dict[type[ev.Event], Callable[[FoldedRun, Any], str]]] = {
    ev.QuestionAsked: _asked,
    ev.QuestionAnswered: _answered,
    ev.QuestionWithdrawn: _open,
}

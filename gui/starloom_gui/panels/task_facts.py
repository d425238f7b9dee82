"""The facts of a task in the inspector: its status, its parents' results, its attempts and its projected times."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import msgspec

from starloom.model.result import ErrorCode, signal_name
from starloom.model.status import RunState, Severity, TaskStatus
from starloom_gui.models.ansi import stripped
from starloom_gui.panels.forecast_words import has_forecast
from starloom_gui.text.engine_words import error_sentence
from starloom_gui.text.words import (
    breakpoint_word,
    clock,
    error_word,
    fill,
    held_word,
    moment,
    plain,
    took,
    translate,
)
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.figures import NOTHING_AHEAD
from starloom_gui.viewmodel.result_words import json_text, value_text
from starloom_gui.viewmodel.status_forms import form_of, form_word, is_marked_held
from starloom_gui.viewmodel.task_words import second_line
from starloom_gui.viewmodel.usage_words import used

if TYPE_CHECKING:
    from starloom.foresight.projection import Projection
    from starloom.model.result import Result
    from starloom.scheduling.read.run_view import TaskView
    from starloom.scheduling.state.attempts import Attempt, LateEnd

MOST_PARENTS: Final = 20
MOST_ATTEMPTS: Final = 10
_OUTPUT_LINES: Final = 12
_OF_PROGRAMS: Final = frozenset({ErrorCode.EXIT_CODE, ErrorCode.EXCEPTION})
"""Errors of programs that know better than we why they failed."""
_LONGEST_SENTENCE: Final = 300
_NAMES_ERROR: Final = re.compile(r"error|exception|fatal", re.IGNORECASE)
_HAS_WORDS: Final = re.compile(r"\w")
_INTERRUPTED: Final = "interrupted"
"""A status of attempts alone, never of a task."""


@dataclass(frozen=True, slots=True)
class Parent:
    """A parent of a task, with its status and the result it has passed."""

    number: int
    form: StatusForm
    name: str
    value: str
    when: str


@dataclass(frozen=True, slots=True)
class TriedAttempt:
    """An attempt as a row of the inspector.

    Attributes:
        line: where, how long, how it ended.
        text: error or value with the end of the output, as it can be copied; may be empty.
    """

    number: int
    form: StatusForm
    line: str
    text: str


@dataclass(frozen=True, slots=True)
class Times:
    """The projected start, end and slack of a task in words; empty: unknown."""

    starts: str
    ends: str
    slack: str


def standing(task: TaskView, now: float) -> str:
    """The status of a task with its details: `Ready · in line · 1:02`."""
    line = second_line(task, now)
    word = translate("Inspector", "Removed") if task.status is None else form_word(form_of(task))
    return fill(translate("Inspector", "%1 · %2"), word, line) if line else word


def parents_of(task: TaskView) -> tuple[list[Parent], int]:
    """The first parents in the order of their numbers, and the number of those left out."""
    numbers = sorted(task.parents)
    return [_parent(one, task) for one in task.run.tasks(numbers[:MOST_PARENTS])], max(0, len(numbers) - MOST_PARENTS)


def _parent(task: TaskView, child: TaskView) -> Parent:
    """What a parent has come to; if that was too late for the last attempt of the child, it says so."""
    result = task.result
    value = value_text(result.value) if result is not None else ""
    if result is not None and result.error is not None and result.has_failed:
        value = error_word(result.error.code)
    has_run = task.has_ended and task.has_last_attempt
    when = moment(task.run.wall(task.ended_at, is_end=True)) if has_run else ""
    if has_run and child.has_last_attempt and child.started_at < task.ended_at:
        value = translate("Inspector", "too late")  # it got what stood there before, or nothing
    return Parent(
        task.number,
        form_of(task),
        task.title,
        value or ("" if has_run else _not_run(task)),
        when,
    )


def _not_run(task: TaskView) -> str:
    """Why a parent has passed nothing, in a word: its status, or that it is held, whatever it is otherwise."""
    if is_marked_held(task.run.facts, task.number):
        return breakpoint_word() if task.is_stopped else held_word()
    return form_word(form_of(task))


def attempts_of(task: TaskView, now: float) -> tuple[list[TriedAttempt], int]:
    """The last attempts, latest first, and the number of those left out."""
    attempts = task.attempts[::-1]
    return [_tried(task, one, now) for one in attempts[:MOST_ATTEMPTS]], max(0, len(attempts) - MOST_ATTEMPTS)


def _late_end_text(end: LateEnd, when: str) -> str:
    """The late end of an attempt that had been given up, as a sentence.

    Args:
        end: the late end.
        when: the time of day, in words; empty: unknown.
    """
    if end.exit_code is None:
        return translate("Inspector", "Given up as lost; it was ended when its device was back.")
    if not when:
        return fill(translate("Inspector", "Given up as lost; it ended late, with exit code %1."), end.exit_code)
    return fill(
        translate("Inspector", "Given up as lost; it ended late at %2, with exit code %1."), end.exit_code, when
    )


def _tried(task: TaskView, attempt: Attempt, now: float) -> TriedAttempt:
    runs = attempt.ended is None
    seconds = (now if attempt.ended is None else attempt.ended) - attempt.started
    word = clock(seconds) if runs else took(seconds)
    if not runs and not task.is_timed(attempt.number):
        word = translate("Inspector", "duration unknown")
    line = fill(translate("Inspector", "%1 · %2 · %3"), attempt.number, attempt.device_id, word)
    text = "" if attempt.result is None else result_text(attempt.result)
    if attempt.status == _INTERRUPTED:
        text = translate("Inspector", "Interrupted: the program that ran it ended before it did.")
    if cost := _used(attempt.result):
        said = fill(translate("Inspector", "Used: %1"), cost)
        text = f"{text}\n{said}".strip()
    if (late := task.late_end(attempt.number)) is not None:
        when = "" if late.ended is None else moment(task.run.wall(late.ended, is_end=True))
        text = f"{text}\n{_late_end_text(late, when)}".strip()
    status = TaskStatus.RUNNING if runs else _ended_as(attempt)
    return TriedAttempt(attempt.number, _form_of(task, attempt, status), line, text)


def _used(result: Result | None) -> str:
    """What an agent says that an attempt has used; empty: nothing."""
    told = None if result is None else result.usage
    return "" if told is None else used(told.tokens, {told.currency: told.cost} if told.currency else {})


def _form_of(task: TaskView, attempt: Attempt, status: TaskStatus) -> StatusForm:
    """The form of an attempt; a failure whose result makes it a warning has the form of a warning."""
    fields = task.fields
    if status is TaskStatus.FAILED and fields is not None and fields.severity_of(attempt.result) is Severity.WARNING:
        return StatusForm.WARNED
    return StatusForm.of(status)


def _ended_as(attempt: Attempt) -> TaskStatus:
    """The final status of an attempt; before a retry only its error tells it, as the task's status has gone on."""
    if attempt.result is not None and attempt.result.has_failed:
        return TaskStatus.FAILED
    if attempt.status == _INTERRUPTED:
        return TaskStatus.CANCELLED
    status = TaskStatus(attempt.status)
    return status if status.is_terminal else TaskStatus.CANCELLED


def result_text(result: Result) -> str:
    """The result of an attempt as plain lines: error, exit code, value and the end of its output."""
    lines = []
    if result.error is not None and (result.error.code != ErrorCode.EXIT_CODE or result.exit_code is None):
        lines.append(f"{error_word(result.error.code)}: {error_sentence(result.error)}")
    elif result.exit_code is not None and result.exit_code < 0:
        lines.append(fill(translate("Inspector", "Killed by %1"), signal_name(result.exit_code)))
    elif result.exit_code:
        lines.append(fill(translate("Inspector", "Exit code %1"), result.exit_code))
    if result.error is not None and result.error.detail:
        lines.append(result.error.detail)
    output = [stripped(line) for line in result.output.rstrip().splitlines()]
    if result.value is not None and result.value != "":  # as that of a gate answered without a note
        value = json_text(result.value)
        lines.append(fill(translate("Inspector", "Value: %1"), value))
        if len(output) == 1 and _as_value(output[0]) == value:  # which is all that was printed
            output = []
        if output:
            lines.append(translate("Inspector", "Output:"))
    if len(output) > _OUTPUT_LINES:
        lines.append("…")
    return "\n".join(lines + output[-_OUTPUT_LINES:])


def is_told_by_output(result: Result) -> bool:
    """Whether the output of a failed attempt says best why it failed, as no sentence of ours does."""
    return result.error is None or result.error.code in _OF_PROGRAMS


def error_line(result: Result) -> str:
    """The line of an error that mostly says why: the last one that names an error, else the last one with words.

    Where the output does not say it, it is the sentence of the error.

    A compiler shows the line it cannot read below its message, and points at it with a caret. A value is no error: that
    of a rejected gate is the note, which the error has already.
    """
    if result.error is not None and not is_told_by_output(result):
        return plain(error_sentence(result.error), _LONGEST_SENTENCE)
    text = result_text(msgspec.structs.replace(result, value=None))
    lines = [line for line in text.splitlines() if _HAS_WORDS.search(line)]
    return plain(next((line for line in reversed(lines) if _NAMES_ERROR.search(line)), lines[-1]))


def _as_value(line: str) -> str:
    """A line of JSON as values are written; the line itself if it is no JSON."""
    try:
        return json_text(json.loads(line))
    except (ValueError, RecursionError):
        return line


def _after_the_start(at: float | None, begin: float) -> str:
    """A moment of a run that has not started: nobody knows at what time of day that will be."""
    return "" if at is None else fill(translate("Inspector", "about %1 after the start"), clock(at - begin))


def times_of(task: TaskView, projection: Projection | None) -> Times | None:
    """The projected times of a task that has not ended; None: there are none."""
    if projection is None or task.has_ended or task.status is None:
        return None
    forecast = projection.tasks.get(task.id)
    if forecast is None or forecast.start is None:
        return None
    slack = "" if forecast.slack is None else clock(forecast.slack)
    if task.run.state is RunState.PAUSED and not task.is_running:  # whenever it goes on, it is later by as much
        paused = translate("Inspector", "paused")
        return Times(paused, paused, slack)
    if task.run.facts.run_started_at is None:
        finish = forecast.finish if has_forecast(task, forecast, projection.at) else None
        return Times(_after_the_start(forecast.start, projection.at), _after_the_start(finish, projection.at), slack)
    gate = task.gate
    if gate is not None and gate.is_open:
        answered = translate("Inspector", "once you have answered")
        return Times(answered, answered, slack)
    starts = moment(task.run.wall(forecast.start))
    if forecast.is_lower_bound:
        is_ahead = forecast.start - projection.at >= NOTHING_AHEAD and not forecast.is_after_countdown
        starts = fill(translate("Inspector", "about %1 or later"), starts) if is_ahead else ""
    elif not task.is_running:
        starts = fill(translate("Inspector", "about %1"), starts)
    is_known = has_forecast(task, forecast, projection.at)
    ends = moment(task.run.wall(forecast.finish or 0.0)) if is_known else ""
    return Times(starts, ends, slack)

"""The columns of the table of tasks: the texts of cells, and the sort keys."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from starloom.model.status import Severity
from starloom.scheduling.read.run_view import RunView, TaskView
from starloom.scheduling.state.codes import CANCELLED, COMPLETED, FAILED, PENDING, REMOVED, RUNNING, WAITING
from starloom.scheduling.state.stops import is_bypassed
from starloom_gui.diff import difference_columns as differences
from starloom_gui.diff.run_difference import pair_of
from starloom_gui.diff.run_difference_words import signed
from starloom_gui.text import wall_clock, words
from starloom_gui.text.words import straight, translate
from starloom_gui.viewmodel.columns import Column, Columns
from starloom_gui.viewmodel.roles import RIGHT
from starloom_gui.viewmodel.status_forms import is_marked_held
from starloom_gui.viewmodel.task_words import second_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.diff.baseline_run import BaselineRun
    from starloom_gui.diff.run_difference import TaskPair
    from starloom_gui.viewmodel.roles import Clock


_FIGURES: Final = re.compile("[0-9]+")
_HELD, _BACKING_OFF = -2, -1
"""Where these stand among the codes by which reasons are sorted first."""


@dataclass(frozen=True, slots=True)
class TaskSource:
    """The sources that the cells of a table of tasks are read from.

    Attributes:
        run: the facts.
        now: gives seconds on the engine's clock.
        earlier: what the run is compared with; None: with nothing.
        quiet: gives by number since when tasks have printed nothing for long, in seconds since 1970.
    """

    run: RunFacts
    now: Clock
    earlier: BaselineRun | None = None
    quiet: Callable[[], Mapping[int, float]] = dict

    def pair(self, number: int) -> TaskPair | None:
        """The figures of a task in this run and the baseline; None: the run is not compared."""
        return None if self.earlier is None else pair_of(self.earlier, self.run, number, self.now())


def title(run: RunFacts, number: int) -> str:
    """The name of a task, also of one that was removed; its id when it has none."""
    return straight(run.graph.names.title(number))


def device(run: RunFacts, number: int) -> str:
    """The device of its last attempt, else the one it is pinned to."""
    return run.device_of[number] or (run.pin_of(number) if run.graph.tasks[number] is not None else None) or ""


def _started(source: TaskSource, number: int) -> str:
    run = source.run
    return words.time_of_day(RunView(run).wall(run.started_at[number])) if run.has_last_attempt(number) else ""


def _duration(source: TaskSource, number: int) -> str:
    run = source.run
    if not run.has_last_attempt(number):
        return ""
    is_over = run.ended_at[number] >= run.started_at[number] and run.status[number] != RUNNING
    seconds = TaskView(run, number).ran_for(source.now())
    return words.took(seconds) if is_over else words.clock(seconds)


def status(run: RunFacts, number: int) -> str:
    """The name of a task's status, with remarks for held tasks and breakpoints."""
    if run.status[number] == REMOVED:
        return translate("Tasks", "Removed")
    word = words.status_word(run.status_of(number))
    if run.status[number] == FAILED and run.severity_of(number) is not Severity.ERROR:
        text = translate("Tasks", "%1, a warning") if run.is_warning(number) else translate("Tasks", "%1, critical")
        return words.fill(text, word)
    if number in run.overdue:
        return words.fill(translate("Tasks", "%1, overdue"), word)
    if is_marked_held(run, number):
        return words.fill(translate("Tasks", "%1, held"), word)
    if is_bypassed(run, number):
        return words.fill(translate("Tasks", "%1, bypassed"), word)
    return words.fill(translate("Tasks", "%1, breakpoint"), word) if number in run.breakpoints else word


def _standing(source: TaskSource, number: int) -> str:
    """The name of a task's status, with the remark that it prints nothing, where there is no other."""
    run = source.run
    if run.status[number] == RUNNING and number not in run.overdue and number in source.quiet():
        return words.fill(translate("Tasks", "%1, no output"), words.status_word(run.status_of(number)))
    return status(run, number)


def natural(words: str) -> str:
    """The sort key of names: without case, and `unit 2` before `unit 10`."""
    return _FIGURES.sub(_by_length, words.casefold())


def _by_length(found: re.Match[str]) -> str:
    """Figures after a character that is the greater the more there are, so that longer ones are greater."""
    figures = found[0].lstrip("0")
    return chr(ord("0") + len(figures)) + figures


def _reason(run: RunFacts, number: int) -> tuple[int, str, float]:
    """The kind of the remark on a task, its text without figures, and its figure.

    Only what is true of the task itself counts: what is true of the fleet changes for all tasks at once.
    """
    code = run.status[number]
    if code in {WAITING, PENDING} and number in run.held:
        return _HELD, "", 0.0
    if run.pauses(number):
        return _BACKING_OFF, "", run.backoff[number]
    if code == WAITING:
        return code, "", float(run.unmet[number])
    if code == PENDING:
        return code, "", -run.ready_at[number]
    if code == RUNNING:
        return code, natural(device(run, number)), -run.started_at[number]
    if code == COMPLETED:
        return code, natural(device(run, number)), TaskView(run, number).ran_for(0.0)
    if code == FAILED:
        return code, natural(second_line(TaskView(run, number), 0.0)), 0.0
    cause = run.skipped_because.get(number)
    own = run.reasons.get(number, "") if cause is None and code >= CANCELLED else ""
    return code, natural(own), -1.0 if cause is None else float(cause)


_Column = Column[TaskSource, int]


def _before(pair: TaskPair) -> float | None:
    """The duration of a task in the baseline, in seconds."""
    return pair.then.ran if pair.then is not None else None


def _before_words(pair: TaskPair, seconds: float) -> str:
    """How long a task ran in the baseline, and in how many attempts, as its own duration is that of the last one."""
    attempts = pair.then.attempts if pair.then is not None else 0
    took = words.took(seconds)
    return (
        took if attempts < 2 else words.fill(translate("Tasks", "%1 in %2"), took, words.Plurals().attempts(attempts))
    )


def _longer_words(pair: TaskPair, seconds: float) -> str:
    """By how much longer a task ran in all its attempts."""
    most = max((one.attempts for one in (pair.then, pair.now) if one is not None), default=0)
    return signed(seconds) if most < 2 else words.fill(translate("Tasks", "%1 in all attempts"), signed(seconds))


def _difference(
    figure: Callable[[TaskPair], float | None],
    figures: Callable[[BaselineRun, RunFacts, float], Any],
    shown: Callable[[TaskPair, float], str],
    heading: Callable[[], str],
) -> _Column:
    """Make a column of differences between runs; unknown ones sort first.

    Args:
        figure: gives the seconds of a task; None: they cannot be told.
        figures: gives those of all tasks; NaN: they cannot be told.
        shown: gives their words, of a task.
        heading: of the column.
    """

    def known(source: TaskSource, number: int) -> float | None:
        pair = source.pair(number)
        return None if pair is None else figure(pair)

    def text(source: TaskSource, number: int) -> str:
        pair = source.pair(number)
        seconds = None if pair is None else figure(pair)
        return "" if pair is None or seconds is None else shown(pair, seconds)

    def sort_key(source: TaskSource, number: int) -> float:
        seconds = known(source, number)
        return -inf if seconds is None else seconds

    def sort_keys(source: TaskSource) -> Any:
        if source.earlier is None:
            return np.full(len(source.run.status), -inf)
        seconds = figures(source.earlier, source.run, source.now())
        return np.where(np.isnan(seconds), -inf, seconds)

    return _Column(heading=heading, text=text, sort_key=sort_key, sort_keys=sort_keys, align=RIGHT, is_extra=True)


class TaskColumn(Columns):
    """The columns of the table of tasks.

    Only durations go on while nothing happens; of reasons see `_reason`.
    """

    STATUS = _Column(
        heading=lambda: translate("Tasks", "Status"),
        text=_standing,
        sort_key=lambda source, number: source.run.status[number],
        width=116,
        is_muted=False,
    )
    NAME = _Column(
        heading=lambda: translate("Tasks", "Name"),
        text=lambda source, number: title(source.run, number),
        sort_key=lambda source, number: natural(title(source.run, number)),
        width=220,
        is_muted=False,
    )
    DEVICE = _Column(
        heading=lambda: translate("Tasks", "Device"),
        text=lambda source, number: straight(device(source.run, number)),
        sort_key=lambda source, number: natural(device(source.run, number)),
        width=112,
    )
    PRIORITY = _Column(
        heading=lambda: translate("Tasks", "Priority"),
        text=lambda source, number: str(source.run.priority[number]),
        sort_key=lambda source, number: source.run.priority[number],
        width=72,
        align=RIGHT,
    )
    ATTEMPTS = _Column(
        heading=lambda: translate("Tasks", "Attempts"),
        text=lambda source, number: str(source.run.tries[number]) if source.run.tries[number] else "",
        sort_key=lambda source, number: source.run.tries[number],
        align=RIGHT,
    )
    STARTED = _Column(
        heading=lambda: wall_clock.marked(translate("Tasks", "Started")),
        text=_started,
        sort_key=lambda source, number: source.run.started_at[number] if source.run.has_last_attempt(number) else inf,
        align=RIGHT,
    )
    DURATION = _Column(
        heading=lambda: translate("Tasks", "Duration"),
        text=_duration,
        sort_key=lambda source, number: (
            TaskView(source.run, number).ran_for(source.now()) if source.run.has_last_attempt(number) else -1.0
        ),
        align=RIGHT,
    )
    WHY = _Column(
        heading=lambda: translate("Tasks", "Why"),
        text=lambda source, number: second_line(TaskView(source.run, number), source.now()),
        sort_key=lambda source, number: _reason(source.run, number),
        width=300,
    )
    BEFORE = _difference(_before, differences.before, _before_words, lambda: translate("Tasks", "Before"))
    LATER = _difference(
        lambda pair: pair.later,
        differences.later,
        lambda _, seconds: signed(seconds),
        lambda: translate("Tasks", "Later by"),
    )
    LONGER = _difference(
        lambda pair: pair.longer, differences.longer, _longer_words, lambda: translate("Tasks", "Longer by")
    )


COMPARED: Final = frozenset(each for each in TaskColumn if each.column.is_extra)
"""Columns that are there only while the run is compared with an earlier one."""
_COLUMNS: Final[tuple[_Column, ...]] = tuple(each.column for each in TaskColumn)


def text(source: TaskSource, number: int, column: int) -> str:
    """The text of a cell.

    Args:
        source: what is read.
        number: of the task.
        column: of the cell.
    """
    return _COLUMNS[column].text(source, number)


def key(source: TaskSource, column: int) -> Callable[[int], Any]:
    """The sort key of a column; -1: the place in line."""
    figure = _COLUMNS[column].sort_key if column >= 0 else None
    return partial(figure, source) if figure is not None else lambda number: number


def keys(source: TaskSource, column: int) -> Callable[[], Any] | None:
    """Gives the sort keys of all tasks of a column as an array by number; None: they are asked for one by one."""
    figures = _COLUMNS[column].sort_keys if column >= 0 else None
    return partial(figures, source) if figures is not None else None

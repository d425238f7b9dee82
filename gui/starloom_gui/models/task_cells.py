"""The columns of the table of tasks: what stands in a cell, and what a column is sorted by."""

from __future__ import annotations

import re
from enum import IntEnum
from math import inf
from typing import TYPE_CHECKING, Any, Final

from starloom.model.status import Severity
from starloom.scheduling.codes import CANCELLED, COMPLETED, FAILED, PENDING, REMOVED, RUNNING, WAITING
from starloom_gui.diff.run_difference import pair_of
from starloom_gui.diff.run_difference_words import signed
from starloom_gui.text import wall_clock, words
from starloom_gui.text.words import straight, translate
from starloom_gui.viewmodel.task_words import duration, second_line, wall_seconds

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.run_facts import RunFacts
    from starloom_gui.diff.baseline_run import BaselineRun
    from starloom_gui.diff.run_difference import Pair


class Column(IntEnum):
    """The columns, from left to right."""

    STATUS = 0
    NAME = 1
    DEVICE = 2
    PRIORITY = 3
    ATTEMPTS = 4
    STARTED = 5
    DURATION = 6
    WHY = 7
    BEFORE = 8
    LATER = 9
    LONGER = 10


COMPARED: Final = frozenset({Column.BEFORE, Column.LATER, Column.LONGER})
"""Columns that are there only while the run is compared with an earlier one."""
ON_THE_RIGHT: Final = COMPARED | {Column.PRIORITY, Column.ATTEMPTS, Column.STARTED, Column.DURATION}
"""Columns of figures."""
_FIGURES: Final = re.compile("[0-9]+")
_HELD, _BACKING_OFF = -2, -1
"""Where these stand among the codes by which reasons are sorted first."""


def heading(column: int) -> str:
    """What stands over a column."""
    return {
        Column.STATUS: translate("Tasks", "Status"),
        Column.NAME: translate("Tasks", "Name"),
        Column.DEVICE: translate("Tasks", "Device"),
        Column.PRIORITY: translate("Tasks", "Priority"),
        Column.ATTEMPTS: translate("Tasks", "Attempts"),
        Column.STARTED: wall_clock.marked(translate("Tasks", "Started")),
        Column.DURATION: translate("Tasks", "Duration"),
        Column.WHY: translate("Tasks", "Why"),
        Column.BEFORE: translate("Tasks", "Before"),
        Column.LATER: translate("Tasks", "Later by"),
        Column.LONGER: translate("Tasks", "Longer by"),
    }[Column(column)]


def title(run: RunFacts, number: int) -> str:
    """The name of a task; its id when it has none or was removed."""
    task = run.graph.tasks[number]
    return straight(task.title if task is not None else run.graph.ids[number])


def device(run: RunFacts, number: int) -> str:
    """Where its last attempt runs or ran, else where it has to run."""
    return run.device_of[number] or (run.pin_of(number) if run.graph.tasks[number] is not None else None) or ""


def text(run: RunFacts, number: int, column: int, now: float, earlier: BaselineRun | None = None) -> str:
    """What stands in a cell.

    Args:
        run: the facts.
        number: of the task.
        column: of the cell.
        now: seconds on the engine's clock.
        earlier: what the run is compared with; None: with nothing.
    """
    if column in COMPARED:
        return _compared(pair_of(earlier, run, number, now), column) if earlier is not None else ""
    if column == Column.NAME:
        return title(run, number)
    if column == Column.STATUS:
        return status(run, number)
    if column == Column.DEVICE:
        return straight(device(run, number))
    if column == Column.PRIORITY:
        return str(run.priority[number])
    if column == Column.ATTEMPTS:
        return str(run.tries[number]) if run.tries[number] else ""
    if column == Column.WHY:
        return second_line(run, number, now)
    if not run.has_last_attempt(number):
        return ""
    if column == Column.STARTED:
        return words.time_of_day(wall_seconds(run, run.started_at[number]))
    is_over = run.ended_at[number] >= run.started_at[number] and run.status[number] != RUNNING
    seconds = duration(run, number, now)
    return words.took(seconds) if is_over else words.clock(seconds)


def _compared(pair: Pair, column: int) -> str:
    """How long it ran then; by how much it started later and ran longer now."""
    if column == Column.BEFORE:
        return words.took(pair.then.ran) if pair.then is not None and pair.then.ran is not None else ""
    by = pair.later if column == Column.LATER else pair.longer
    return signed(by) if by is not None else ""


def status(run: RunFacts, number: int) -> str:
    """The word for its status; held tasks and those with a breakpoint say so."""
    if run.status[number] == REMOVED:
        return translate("Tasks", "Removed")
    word = words.status_word(run.status_of(number))
    if run.status[number] == FAILED and run.severity_of(number) is not Severity.ERROR:
        text = translate("Tasks", "%1, a warning") if run.is_warning(number) else translate("Tasks", "%1, critical")
        return words.fill(text, word)
    if number in run.overdue:
        return words.fill(translate("Tasks", "%1, overdue"), word)
    if number in run.held:
        return words.fill(translate("Tasks", "%1, held"), word)
    return words.fill(translate("Tasks", "%1, breakpoint"), word) if number in run.breakpoints else word


def natural(words: str) -> str:
    """What names are sorted by: whatever the case, and `unit 2` before `unit 10`."""
    return _FIGURES.sub(_by_length, words.casefold())


def _by_length(found: re.Match[str]) -> str:
    """Figures after a character that is the greater the more there are, so that longer ones are greater."""
    figures = found[0].lstrip("0")
    return chr(ord("0") + len(figures)) + figures


def key(
    column: int, run: RunFacts, now: Callable[[], float], earlier: BaselineRun | None = None
) -> Callable[[int], Any]:
    """What a column is sorted by; -1 stands for the place in line. Only durations go on while nothing happens."""
    if column in COMPARED:
        return _compared_key(column, run, now, earlier)
    if column == Column.NAME:
        return lambda number: natural(title(run, number))
    if column == Column.STATUS:
        return lambda number: run.status[number]
    if column == Column.DEVICE:
        return lambda number: natural(device(run, number))
    if column == Column.PRIORITY:
        return lambda number: run.priority[number]
    if column == Column.ATTEMPTS:
        return lambda number: run.tries[number]
    if column == Column.STARTED:
        return lambda number: run.started_at[number] if run.has_last_attempt(number) else inf
    if column == Column.DURATION:
        return lambda number: duration(run, number, now()) if run.has_last_attempt(number) else -1.0
    if column == Column.WHY:
        return lambda number: _reason(run, number)
    return lambda number: number


def _compared_key(
    column: int, run: RunFacts, now: Callable[[], float], earlier: BaselineRun | None
) -> Callable[[int], float]:
    """Differences as figures; what cannot be told comes before everything else."""

    def figure(number: int) -> float:
        if earlier is None:
            return -inf
        pair = pair_of(earlier, run, number, now())
        before = pair.then.ran if pair.then is not None else None
        known = {Column.BEFORE: before, Column.LATER: pair.later, Column.LONGER: pair.longer}[Column(column)]
        return -inf if known is None else known

    return figure


def _reason(run: RunFacts, number: int) -> tuple[int, str, float]:
    """The kind of what is said, what is said besides figures, the figure.

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
        return code, natural(device(run, number)), duration(run, number, 0.0)
    if code == FAILED:
        return code, natural(second_line(run, number, 0.0)), 0.0
    cause = run.skipped_because.get(number)
    own = run.reasons.get(number, "") if cause is None and code >= CANCELLED else ""
    return code, natural(own), -1.0 if cause is None else float(cause)

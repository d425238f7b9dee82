"""The difference between two runs in words: of one task, and in one line for the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QObject

from starloom.model.status import RunState, TaskStatus
from starloom_gui.diff.run_difference import more
from starloom_gui.text.field_words import field_word, value_words
from starloom_gui.text.words import amount, clock, fill, run_word, status_word, took, translate

if TYPE_CHECKING:
    from starloom_gui.diff.baseline_run import Told
    from starloom_gui.diff.plan_difference import FieldChange
    from starloom_gui.diff.run_difference import TaskPair, Whole

NONE: Final = "\N{EN DASH}"
MINUS: Final = "\N{MINUS SIGN}"
"""As wide as a plus."""
_EVEN: Final = 0.01
"""Seconds below which no digit of a difference would be shown."""
_HARDLY: Final = 0.5
"""Seconds by which two runs may differ and still be called as fast as each other."""


class RunDifferenceRow(NamedTuple):
    """A row of the comparison: one figure of both runs in words.

    Attributes:
        label: what it is.
        then, now: empty: there is none.
        difference: empty: there is none, or nobody can tell.
    """

    label: str
    then: str
    now: str
    difference: str = ""


def signed(seconds: float) -> str:
    """A difference in seconds with its sign: `+0:42`, `+3.2 s`, `0 s`."""
    if abs(seconds) < _EVEN:
        return fill(translate("Words", "%1 s"), 0)
    return ("+" if seconds > 0 else MINUS) + took(abs(seconds))


def rows_of(pair: TaskPair) -> list[RunDifferenceRow]:
    """A row for each figure in which two tasks can differ, and for each field in which their definitions do."""
    then, now = pair.then, pair.now
    start, ran = _known(pair.later), _known(pair.longer)
    return [
        RunDifferenceRow(translate("Compare", "Status"), _status(then), _status(now)),
        RunDifferenceRow(translate("Compare", "Started"), _time(then, "start"), _time(now, "start"), start),
        RunDifferenceRow(
            translate("Compare", "Queued"), _time(then, "wait"), _time(now, "wait"), _between(pair, "wait")
        ),
        RunDifferenceRow(translate("Compare", "Ran for"), _time(then, "ran"), _time(now, "ran"), ran),
        RunDifferenceRow(translate("Compare", "Ended"), _time(then, "end"), _time(now, "end"), _between(pair, "end")),
        RunDifferenceRow(translate("Compare", "Device"), then.device if then else "", now.device if now else ""),
        RunDifferenceRow(translate("Compare", "Attempts"), _attempts(then), _attempts(now), _count(then, now)),
        *(RunDifferenceRow(field_word(one.name), *_values(one)) for one in pair.fields),
    ]


def _values(change: FieldChange) -> tuple[str, str]:
    return value_words(change.name, change.before), value_words(change.name, change.after)


def lines_of(pair: TaskPair, title: str) -> list[str]:
    """The differences of two tasks in short lines, for a tooltip; equal figures are left out.

    Args:
        pair: the task.
        title: what the earlier run is called.
    """
    if pair.then is None:
        return [fill(translate("Compare", "Not in “%1”"), title)]
    lines = [fill(translate("Compare", "Compared with “%1”, counted from the start"), title)]
    for row in rows_of(pair):
        if row.then == row.now:
            continue
        if row.difference:
            line = translate("Compare", "%1: %2 → %3 (%4)")
            lines.append(fill(line, row.label, row.then, row.now, row.difference))
        else:
            lines.append(fill(translate("Compare", "%1: %2 → %3"), row.label, row.then or NONE, row.now or NONE))
    return lines


def alone_lines(then: Told, title: str) -> list[str]:
    """A task that only the earlier run had, in short lines."""
    lines = [fill(translate("Compare", "Only in “%1”"), title), _status(then)]
    if then.ran is not None:
        lines.append(fill(translate("Compare", "Started at %1, ran for %2"), _time(then, "start"), _time(then, "ran")))
    return [*lines, then.device] if then.device else lines


def _status(task: Told | None) -> str:
    if task is None:
        return ""
    if task.is_simulated and task.status is TaskStatus.COMPLETED:
        return translate("Compare", "Only simulated")
    return status_word(task.status) if task.status is not None else translate("Tasks", "Removed")


def _time(task: Told | None, name: str) -> str:
    seconds: float | None = getattr(task, name) if task is not None else None
    if task is None or seconds is None:
        return ""
    is_sure = not task.is_foreseen or (task.status is TaskStatus.RUNNING and name in {"start", "wait"})
    if not is_sure:
        return fill(translate("Compare", "≈ %1"), _short(seconds))
    return clock(seconds) if task.status is TaskStatus.RUNNING and name == "ran" else _short(seconds)


def _short(seconds: float) -> str:
    return took(seconds) if seconds >= _EVEN else fill(translate("Words", "%1 s"), 0)


def _between(pair: TaskPair, name: str) -> str:
    return _known(more(getattr(pair.then, name, None), getattr(pair.now, name, None)))


def _known(seconds: float | None) -> str:
    return "" if seconds is None else signed(seconds)


def _attempts(task: Told | None) -> str:
    return str(task.attempts) if task is not None and task.attempts else ""


def _count(then: Told | None, now: Told | None) -> str:
    if then is None or now is None or not then.attempts or not now.attempts:
        return ""
    return _signed_count(now.attempts - then.attempts)


def _signed_count(by: int) -> str:
    return f"+{amount(by)}" if by > 0 else f"{MINUS}{amount(-by)}" if by else "0"


# ---- the whole


class RunDifferencePlurals(QObject):
    """Counts of tasks that one of the runs lacks."""

    def added(self, count: int) -> str:
        """A number of new tasks, as text."""
        return self.tr("%n task(s) added", "", count)

    def simulated(self, count: int) -> str:
        """A number of tasks of this run that were only simulated, as text."""
        return self.tr("%n task(s) here only simulated", "", count)

    def simulated_then(self, count: int) -> str:
        """A number of tasks of the earlier run that were only simulated, as text."""
        return self.tr("%n task(s) there only simulated", "", count)

    def removed(self, count: int) -> str:
        """A number of removed tasks, as text."""
        return self.tr("%n task(s) removed", "", count)


def summary(whole: Whole, title: str) -> str:
    """Two runs in one line: which is ahead, when each ends, and preceding remarks.

    Args:
        whole: both.
        title: what the earlier one is called.
    """
    parts = [_standing(whole, title), _finish(whole)]
    if whole.done is not None:
        parts.append(fill(translate("Compare", "done by now %2 → %1"), *map(amount, whole.done)))
    then, now = whole.states
    if whole.has_ended and whole.had_ended and then != now:
        parts.append(fill(translate("Compare", "%1 → %2"), run_word(then), run_word(now)))
    if not whole.is_alike:
        there, here = whole.simulated
        plurals = RunDifferencePlurals()
        parts.insert(1, plurals.simulated(here) if here else plurals.simulated_then(there))
    parts += [RunDifferencePlurals().added(whole.added)] if whole.added else []
    parts += [RunDifferencePlurals().removed(whole.removed)] if whole.removed else []
    return " · ".join(filter(None, parts))


def _standing(whole: Whole, title: str) -> str:
    by = whole.behind
    if by is None:
        return fill(translate("Compare", "Compared with “%1”"), title)
    if abs(by) < _HARDLY:
        return fill(translate("Compare", "As fast as “%1”"), title)
    if whole.has_ended:
        text = translate("Compare", "%1 slower than “%2”") if by > 0 else translate("Compare", "%1 faster than “%2”")
    else:
        text = translate("Compare", "%1 behind “%2”") if by > 0 else translate("Compare", "%1 ahead of “%2”")
    return fill(text, took(abs(by)), title)


def _finish(whole: Whole) -> str:
    then = took(whole.took)
    if not whole.had_ended:
        return fill(translate("Compare", "it did not end; known for %1"), then)
    if whole.takes is None or RunState.CANCELLED in whole.states:
        return fill(translate("Compare", "it took %1"), then)
    if whole.has_ended:
        return fill(translate("Compare", "finish after %1 → %2"), then, took(whole.takes))
    if whole.is_least:
        return fill(translate("Compare", "finish after %1 → ≈ %2 or longer"), then, took(whole.takes))
    return fill(translate("Compare", "finish after %1 → ≈ %2"), then, took(whole.takes))


def whole_rows(whole: Whole) -> list[RunDifferenceRow]:
    """Two runs as a whole, for the inspector."""
    now = "" if whole.takes is None else took(whole.takes)
    if now and not whole.has_ended:
        now = fill(translate("Compare", "≈ %1 or longer") if whole.is_least else translate("Compare", "≈ %1"), now)
    rows = [
        RunDifferenceRow(translate("Compare", "State"), run_word(whole.states[0]), run_word(whole.states[1])),
        RunDifferenceRow(translate("Compare", "Took"), took(whole.took), now, _known(whole.behind)),
    ]
    if whole.done is not None:
        after, before = whole.done
        difference = _signed_count(after - before)
        rows.append(RunDifferenceRow(translate("Compare", "Done by now"), amount(before), amount(after), difference))
    return rows

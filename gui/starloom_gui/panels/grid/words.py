"""The texts of the grid: of its cells, of the rows and columns, and of all of it as a table for other programs."""

from __future__ import annotations

import io
from csv import writer
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from starloom.reporting.csv import cell
from starloom.reporting.plan_history import ABSENT, SAMPLES, SLOWER, SLOWER_BY
from starloom.scheduling.state.codes import CANCELLED, COMPLETED, REMOVED
from starloom_gui.text import wall_clock
from starloom_gui.text.words import Plurals, amount, end_words, figure, fill, plain, tasks, took, translate
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.status_forms import form_of_run, form_word

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.reporting.plan_history import PlanHistory
    from starloom.reporting.run_digest import RunDigest

MOST_COPIED: Final = 50_000
"""Lines that are copied at most: more would keep everybody waiting who pastes them."""
_FORMS: Final = tuple(StatusForm)


def form_in(history: PlanHistory, row: int, at: int) -> StatusForm | None:
    """The form of a cell; None: the run has no such task."""
    code = int(history.status[row, at])
    if code == ABSENT:
        return None
    return StatusForm.WARNED if int(history.place[row, at]) in history.columns[at].warned else _FORMS[code]


def column_time(column: RunDigest) -> str:
    """When a run was started: `2026-11-27 14:02`."""
    return wall_clock.marked(f"{wall_clock.shown(column.since):%Y-%m-%d %H:%M}") if column.since else ""


class GridPlurals(QObject):
    """Counts of what the grid shows."""

    def runs(self, count: int) -> str:
        """A number of runs, as text."""
        return self.tr("%n run(s)", "", count)

    def unreadable(self, count: int) -> str:
        """A number of journals of which nobody knows the plan, as text."""
        return self.tr("%n journal(s) cannot be read", "", count)


def summary(history: PlanHistory, shown: int) -> list[str]:
    """How many runs and tasks there are, and how many of these are shown, flaky and slower.

    Args:
        history: all of them.
        shown: how many tasks are shown.
    """
    whole = tasks(len(history.ids))
    of = whole if shown == len(history.ids) else fill(translate("Grid", "%1 of %2"), amount(shown), whole)
    said = [GridPlurals().runs(len(history.columns)), of]
    flaky, slower = int((history.flaky > 0).sum()), int((history.slower > 0).sum())
    said += [fill(translate("Grid", "%1 flaky"), amount(flaky))] if flaky else []
    return said + ([fill(translate("Grid", "%1 slower"), amount(slower))] if slower else [])


# ---- cells


def cell_tip(history: PlanHistory, row: int, at: int) -> str:
    """Everything that a cell stands for, in lines."""
    column, form = history.columns[at], form_in(history, row, at)
    head = fill(translate("Grid", "%1 · %2"), history.title(row), column_time(column) or column.run_id)
    if form is None:
        return head + "\n" + translate("Grid", "This run had no such task.")
    if form is StatusForm.REMOVED:
        return head + "\n" + translate("Grid", "Removed while the run went on")
    return "\n".join([head, *_cell_lines(history, row, at, form)])


def cell_spoken(history: PlanHistory, row: int, at: int) -> str:
    """What a screen reader says of a cell."""
    return ", ".join(cell_tip(history, row, at).splitlines())


def _cell_lines(history: PlanHistory, row: int, at: int, form: StatusForm) -> list[str]:
    column, place = history.columns[at], int(history.place[row, at])
    lines = [form_word(form)]
    seconds, ratio = column.seconds[place], history.ratio(row, at)
    if seconds is not None:
        lines[0] = fill(translate("Grid", "%1 · %2"), lines[0], took(seconds))
    if place in column.simulated:
        lines.append(translate("Grid", "Only simulated: nothing was run, and it tells nothing of the task"))
    if place in column.by_hand and place not in column.gates:
        lines.append(translate("Grid", "Marked by hand or bypassed: it did not run to this end"))
    if ratio is not None:
        lines.append(fill(translate("Grid", "%1× its usual %2"), times(ratio), took(float(history.usual[row]))))
    if place in column.attempts:
        lines.append(Plurals().attempts(column.attempts[place]))
    if column.device[place] >= 0:
        lines.append(fill(translate("Grid", "On %1"), column.devices[column.device[place]]))
    if place in column.errors:
        lines.append(plain(column.errors[place]))
    if column.titles[place] != history.title(row):
        lines.append(fill(translate("Grid", "Called “%1” then"), column.titles[place]))
    return lines


def times(ratio: float) -> str:
    """A ratio with one digit behind the point, from ten on with none: `1.8`."""
    return figure(f"{ratio:.1f}" if ratio < 10 else f"{ratio:,.0f}")


# ---- rows


def flaky_words(history: PlanHistory, row: int) -> str:
    """`flaky 3 of 20`; empty: the task is not flaky."""
    found = history.flakiness(row)
    return "" if found is None else fill(translate("Grid", "flaky %1 of %2"), amount(found.bad), amount(found.of))


def slower_words(history: PlanHistory, row: int) -> str:
    """`slower 1.8×`; empty: the task has not become slower."""
    found = history.slowdown(row)
    return "" if found is None else fill(translate("Grid", "slower %1×"), times(found.ratio))


def row_tip(history: PlanHistory, row: int) -> str:
    """What is told of a task, with the rules by which that is said."""
    title, task_id = history.title(row), history.ids[row]
    lines = [title if title == task_id else fill(translate("Grid", "%1 (%2)"), title, task_id)]
    if history.is_removed(row):
        lines.append(translate("Grid", "Not in the newest run: removed, or it has another id there"))
    lines += [fill(translate("Grid", "Called “%1” in earlier runs"), name) for name in history.earlier_titles(row)]
    if (flaky := history.flakiness(row)) is not None:
        lines.append(
            fill(
                translate(
                    "Grid", "Flaky: failed or was retried in %1 of %2 runs and was done in others, doing the same"
                ),
                amount(flaky.bad),
                amount(flaky.of),
            )
        )
    if (slow := history.slowdown(row)) is not None:
        words = translate("Grid", "Slower: took %1 last, and %2 in the median of %3 runs before")
        lines.append(fill(words, took(slow.last), took(slow.usual), amount(slow.samples)))
        rule = translate("Grid", "(from %1 earlier runs on, at least %2× and %3 longer, doing the same)")
        lines.append(fill(rule, amount(SAMPLES), times(SLOWER), took(SLOWER_BY)))
    return "\n".join(lines)


# ---- columns


def column_form(column: RunDigest) -> StatusForm | None:
    """The form whose glyph stands for the state of a run, as its tab has it; None: nobody knows it."""
    return form_of_run(column.state, CANCELLED in column.status)  # a count would take long in each paint


def _column_words(column: RunDigest) -> str:
    """The state of a run, as its tab says it."""
    cancelled, is_any_done = column.status.count(CANCELLED), COMPLETED in column.status
    simulated = sum(column.status[place] == COMPLETED for place in column.simulated)
    return end_words(column.state, len(column.warned), cancelled, is_any_done=is_any_done, simulated=simulated)


def column_tip(column: RunDigest, name: str) -> str:
    """What is told of a run: its name, start and state, and why not all of it can be read.

    Args:
        column: the run.
        name: what it is called on the screen.
    """
    state = _column_words(column)
    lines = [name, fill(translate("Grid", "%1 · %2"), column_time(column), state) if column.since else state]
    return "\n".join([*lines, plain(column.trouble, 400)] if column.trouble else lines)


# ---- for other programs


def as_csv(history: PlanHistory, rows: Iterable[int]) -> str:
    """A line for each task and run that had it, as far as `MOST_COPIED`; times are UTC."""
    out = io.StringIO()
    lines = writer(out)
    lines.writerow(["task", "name", "run", "started", "status", "seconds", "attempts", "device", "error"])
    left = MOST_COPIED
    for row in rows:
        for at, column in enumerate(history.columns):
            form = form_in(history, row, at)
            if form is None or not left:
                continue
            lines.writerow([cell(value) for value in _values(history, row, column, int(history.place[row, at]), form)])
            left -= 1
    return out.getvalue()


def _values(history: PlanHistory, row: int, column: RunDigest, place: int, form: StatusForm) -> list[object]:
    seconds = column.seconds[place]
    status = "removed" if column.status[place] == REMOVED else form.status.value
    return [
        history.ids[row],
        column.titles[place],
        column.run_id,
        datetime.fromtimestamp(column.since, UTC).isoformat(timespec="seconds"),
        status,
        "" if seconds is None else round(seconds, 3),
        column.attempts.get(place, 1 if column.device[place] >= 0 else 0),
        column.devices[column.device[place]] if column.device[place] >= 0 else "",
        column.errors.get(place, ""),
    ]

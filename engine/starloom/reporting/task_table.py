"""The table of all tasks of a report: command, end, attempts and last output line of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from markupsafe import Markup

from starloom.reporting import marks
from starloom.reporting.text import middle, one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.reporting.report import ReportedTask
    from starloom.reporting.report_presenter import ReportPresenter

MOST_TASKS: Final = 10_000
MOST_BYTES: Final = 1_800_000
"""Of the rows; a whole page with 10,000 tasks stays below 3 MB."""
_LENGTHS: Final = (120, 60, 30, 15, 8, 4)


class TaskInReport(NamedTuple):
    """The values for the cells of a task.

    Attributes:
        told: the report.
        task: of the row.
        name: what it is called there.
        longest: characters of a text; of longer ones the middle is left out.
    """

    told: ReportPresenter
    task: ReportedTask
    name: str
    longest: int

    def ended(self) -> str:
        """When its last attempt ended, or it was answered as a gate; empty: it was not."""
        end = self.task.ended
        return "" if end is None else self.told.clock(end, is_end=True)

    def state(self) -> str:
        """Its status in a word, and whether it came to that without running."""
        word = marks.WORDS.get(self.task.status, self.task.status)
        if self.task.simulated:
            return f"{word}, only simulated"
        if self.task.marked:
            return f"{word}, marked by hand"
        return f"{word}, bypassed" if self.task.bypassed else word


class ReportColumn(NamedTuple):
    """A column of the table.

    Attributes:
        heading: what stands over it.
        text: gives what stands in a cell.
        look: its class in the page's style; empty: none.
    """

    heading: str
    text: Callable[[TaskInReport], str]
    look: str = ""


COLUMNS: Final = (
    ReportColumn("Task", lambda one: middle(one_line(one.name), one.longest)),
    ReportColumn("State", TaskInReport.state),
    ReportColumn("Command", lambda one: middle(one.task.command, one.longest), "mono"),
    ReportColumn("Ended", TaskInReport.ended, "num"),
    ReportColumn("Attempts", lambda one: f"{len(one.task.attempts):,}", "num"),
    ReportColumn("Last line of its output", lambda one: middle(one.task.last_line, one.longest), "mono"),
)
"""From left to right. A new column is one more."""
_ROW: Final = Markup("<tr>{}\n").format(
    Markup().join(Markup(f"<td class={column.look}>{{}}" if column.look else "<td>{}") for column in COLUMNS)
)
"""Without end tags, which HTML does not need."""


def task_rows(told: ReportPresenter) -> Markup:
    """The rows of the first tasks as HTML, with texts shortened to fit."""
    made = Markup()
    for longest in _LENGTHS:
        made = Markup().join(_ROW.format(*row) for row in rows(told, longest))
        if len(made.encode()) <= MOST_BYTES:
            break
    return made


def rows(told: ReportPresenter, longest: int) -> list[list[str]]:
    """The cells of the first tasks.

    Args:
        told: the report.
        longest: characters of a name, a command and a line of output; of longer ones the middle is left out.
    """
    tasks = zip(told.report.tasks[:MOST_TASKS], told.names, strict=False)
    made = (TaskInReport(told, task, name, longest) for task, name in tasks)
    return [[column.text(one) for column in COLUMNS] for one in made]

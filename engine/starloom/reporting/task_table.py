"""The table of all tasks of a report: the command, end, attempts and last output line of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from starloom.reporting import marks
from starloom.reporting.rows import TaskRow
from starloom.reporting.text import middle, one_line

if TYPE_CHECKING:
    from starloom.reporting.telling import Telling

MOST_TASKS: Final = 10_000
MOST_BYTES: Final = 1_800_000
"""Of the rows; a whole page with 10,000 tasks stays below 3 MB."""
_LENGTHS: Final = (120, 60, 30, 15, 8, 4)
_ROW: Final = Markup("<tr><td>{}<td>{}<td class=mono>{}<td class=num>{}<td class=num>{}<td class=mono>{}\n")
"""Without end tags, which HTML does not need."""


def task_rows(told: Telling) -> Markup:
    """The rows of the first tasks as HTML, their texts as long as there is room for."""
    made = Markup()
    for longest in _LENGTHS:
        made = Markup().join(_ROW.format(*row) for row in rows(told, longest))
        if len(made.encode()) <= MOST_BYTES:
            break
    return made


def rows(told: Telling, longest: int) -> list[TaskRow]:
    """The first tasks as rows.

    Args:
        told: the report.
        longest: characters of a name, a command and a line of output; of longer ones the middle is left out.
    """
    return [
        TaskRow(
            name=middle(one_line(name), longest),
            state=marks.WORDS.get(task.status, task.status),
            command=middle(task.command, longest),
            ended="" if task.ended is None else told.clock(task.ended, is_end=True),
            attempts=f"{len(task.attempts):,}",
            output=middle(task.last_line, longest),
        )
        for task, name in zip(told.report.tasks[:MOST_TASKS], told.names, strict=False)
    ]

"""Tasks as text for the clipboard: rows for a spreadsheet, errors for a message to somebody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.model.status import TaskStatus
from starloom_gui.models.task_cells import TaskColumn, text
from starloom_gui.panels.task_facts import result_text
from starloom_gui.text.words import fill, plain, straight, translate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from starloom.scheduling.read.run_view import RunView, TaskView
    from starloom_gui.models.task_cells import TaskSource


def rows_text(source: TaskSource, numbers: Iterable[int], columns: Sequence[int]) -> str:
    """Tasks as lines of cells with tabs between, the headings first.

    Args:
        source: what the cells are read from.
        numbers: the tasks, in order.
        columns: which cells, in order.
    """
    lines = ["\t".join(TaskColumn.at(column).column.heading() for column in columns)]
    lines += ["\t".join(_cell(text(source, number, column)) for column in columns) for number in numbers]
    return "\n".join(lines)


def _cell(words: str) -> str:
    return plain(words, len(words) + 1) if "\t" in words or "\n" in words else words


def errors_text(run: RunView, numbers: Iterable[int]) -> str:
    """The errors of those tasks that have failed, one after the other; empty: none has.

    Each begins with the name of its task, and where and how often that was tried.
    """
    return "\n\n".join(_error(task) for task in run.tasks(numbers) if task.status is TaskStatus.FAILED)


def _error(task: TaskView) -> str:
    result, where = task.result, task.device
    head = straight(task.title)
    if where:
        head = fill(translate("Tasks", "%1 (on %2, attempt %3)"), head, where, task.attempt)
    return f"{head}\n{result_text(result)}" if result is not None else head

"""Tasks as text for the clipboard: rows for a spreadsheet, errors for a message to somebody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.scheduling.state.codes import FAILED
from starloom_gui.models.task_cells import TaskColumn, text, title
from starloom_gui.panels.task_facts import result_text
from starloom_gui.text.words import fill, plain, translate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from starloom.scheduling.state.run_facts import RunFacts
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


def errors_text(run: RunFacts, numbers: Iterable[int]) -> str:
    """What went wrong with those of the tasks that have failed, one after the other; empty: none has.

    Each begins with the name of its task, and where and how often that was tried.
    """
    return "\n\n".join(_error(run, number) for number in numbers if run.status[number] == FAILED)


def _error(run: RunFacts, number: int) -> str:
    result, where = run.results[number], run.device_of[number]
    head = title(run, number)
    if where:
        head = fill(translate("Tasks", "%1 (on %2, attempt %3)"), head, where, run.tries[number])
    return f"{head}\n{result_text(result)}" if result is not None else head

"""The columns of the table of tasks: what stands in a cell, and what a column is sorted by."""

from __future__ import annotations

from enum import IntEnum
from math import inf
from typing import TYPE_CHECKING, Any

from starloom.scheduling.codes import REMOVED, RUNNING
from starloom_gui import words
from starloom_gui.task_words import duration, second_line, wall_seconds
from starloom_gui.words import translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.run_facts import RunFacts


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


ON_THE_RIGHT = frozenset({Column.PRIORITY, Column.ATTEMPTS, Column.STARTED, Column.DURATION})
"""Columns of figures."""
BY_TIME = frozenset({Column.DURATION, Column.WHY})
"""Columns that change while nothing happens."""


def heading(column: int) -> str:
    """What stands over a column."""
    return {
        Column.STATUS: translate("Tasks", "Status"),
        Column.NAME: translate("Tasks", "Name"),
        Column.DEVICE: translate("Tasks", "Device"),
        Column.PRIORITY: translate("Tasks", "Priority"),
        Column.ATTEMPTS: translate("Tasks", "Attempts"),
        Column.STARTED: translate("Tasks", "Started"),
        Column.DURATION: translate("Tasks", "Duration"),
        Column.WHY: translate("Tasks", "Why"),
    }[Column(column)]


def title(run: RunFacts, number: int) -> str:
    """The name of a task; its id when it has none or was removed."""
    task = run.graph.tasks[number]
    return task.title if task is not None else run.graph.ids[number]


def device(run: RunFacts, number: int) -> str:
    """Where its last attempt runs or ran, else where it has to run."""
    return run.device_of[number] or (run.pin_of(number) if run.graph.tasks[number] is not None else None) or ""


def text(run: RunFacts, number: int, column: int, now: float) -> str:
    """What stands in a cell."""
    if column == Column.NAME:
        return title(run, number)
    if column == Column.STATUS:
        return status(run, number)
    if column == Column.DEVICE:
        return device(run, number)
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


def status(run: RunFacts, number: int) -> str:
    """The word for its status; held tasks say so."""
    if run.status[number] == REMOVED:
        return translate("Tasks", "Removed")
    word = words.status_word(run.status_of(number))
    return words.fill(translate("Tasks", "%1, held"), word) if number in run.held else word


def key(column: int, run: RunFacts, now: Callable[[], float]) -> Callable[[int], Any]:
    """What a column is sorted by; -1 stands for the place in line."""
    if column == Column.NAME:
        return lambda number: title(run, number).casefold()
    if column == Column.STATUS:
        return lambda number: run.status[number]
    if column == Column.DEVICE:
        return lambda number: device(run, number)
    if column == Column.PRIORITY:
        return lambda number: run.priority[number]
    if column == Column.ATTEMPTS:
        return lambda number: run.tries[number]
    if column == Column.STARTED:
        return lambda number: run.started_at[number] if run.has_last_attempt(number) else inf
    if column == Column.DURATION:
        return lambda number: duration(run, number, now()) if run.has_last_attempt(number) else -1.0
    if column == Column.WHY:
        return lambda number: second_line(run, number, now()).casefold()
    return lambda number: number

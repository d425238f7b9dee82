"""The priority that a task inherits: the highest one among the tasks that wait for it and have not started."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.scheduling.read.inherited_priority import lender_of
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from starloom.scheduling.read.run_view import TaskView


def inherited_words(task: TaskView) -> str:
    """From where a task has a higher priority than its own, as a sentence; empty: its own counts."""
    return inherited(task)[1]


def inherited(task: TaskView) -> tuple[str, str]:
    """A remark beside the field of a priority, `inherits 80`, and the sentence; both are empty: its own counts."""
    number = lender_of(task.run.facts, task.number) if task.status is not None else None
    if number is None:
        return "", ""
    lender = task.run.task(number)
    words = translate("Task", "%1 inherited from “%2”, which waits for it")
    return fill(translate("Task", "inherits %1"), lender.priority), fill(words, lender.priority, lender.title)

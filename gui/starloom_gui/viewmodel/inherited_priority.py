"""The priority that a task inherits: the highest one among the tasks that wait for it and have not started."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.scheduling.read.inherited_priority import lender_of
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from starloom.scheduling.read.run_view import TaskView


def inherited_words(task: TaskView) -> str:
    """From where a task has a higher priority than its own, as a sentence; empty: its own counts."""
    lender = lender_of(task.run.facts, task.number) if task.status is not None else None
    if lender is None:
        return ""
    from_it = task.run.task(lender)
    return fill(translate("Task", "%1 inherited from “%2”, which waits for it"), from_it.priority, from_it.title)


def inherited_note(task: TaskView) -> str:
    """The same as a remark beside a field: `inherits 80`."""
    lender = lender_of(task.run.facts, task.number) if task.status is not None else None
    return "" if lender is None else fill(translate("Task", "inherits %1"), task.run.task(lender).priority)

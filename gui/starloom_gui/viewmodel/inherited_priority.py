"""The priority that a task inherits: the highest one among the tasks that wait for it and have not started."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.scheduling.state.codes import PENDING
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from starloom.scheduling.read.run_view import TaskView
    from starloom.scheduling.state.run_facts import RunFacts


def lender_of(run: RunFacts, number: int) -> int | None:
    """The unstarted descendant of the highest priority, if that is above the task's own; None: it inherits nothing.

    Of equal ones it is the nearest; one that runs or has ended inherits nothing any more.
    """
    highest, found = run.priority[number], None
    if run.status[number] > PENDING or max(run.priority) <= highest:  # mostly all are equal: nothing is walked then
        return None
    seen, line = {number}, [number]
    for one in line:
        for child in sorted(run.graph.children[one]):
            if child not in seen and run.status[child] <= PENDING:
                seen.add(child)
                line.append(child)
                if run.priority[child] > highest:
                    highest, found = run.priority[child], child
    return found


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

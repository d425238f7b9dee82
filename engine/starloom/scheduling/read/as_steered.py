"""A task as its run has it now: of its graph, with the priority that it was given there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starloom.model.task import Task
    from starloom.scheduling.state.run_facts import RunFacts


def as_steered(run: RunFacts, number: int) -> Task:
    """A task with the base priority that holds for it, whether that was edited or set while it ran.

    Args:
        run: the facts.
        number: of a task that is present.
    """
    task = run.graph.tasks[number]
    assert task is not None, "it is present"
    return task if run.priority[number] == task.priority else replace(task, priority=run.priority[number])

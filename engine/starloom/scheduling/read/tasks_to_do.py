"""The tasks of a run that are left, or that run when some are run again, bound as somebody has moved them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from starloom.scheduling.read.run_view import RunView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.model.task import Task
    from starloom.scheduling.state.run_facts import RunFacts


def left_to_do(run: RunView) -> list[Task]:
    """The tasks of a run that have not ended, with the devices to which somebody has moved them."""
    return [_as_steered(run, number) for number, _ in run.graph.present() if not run.task(number).has_ended]


def left_to_start(run: RunView) -> list[Task]:
    """Those of `left_to_do` that do not run now."""
    numbers = [number for number, _ in run.graph.present()]
    return [_as_steered(run, one) for one in numbers if not run.task(one).has_ended and not run.task(one).is_running]


def run_again(run: RunFacts, ids: Iterable[str]) -> list[Task]:
    """The tasks that run when some of a run are run again: these and their descendants.

    Args:
        run: as it is.
        ids: of the tasks; unknown ones are left out.
    """
    graph, numbers = run.graph, set[int]()
    for number in (graph.place[id] for id in ids if id in graph.place):
        numbers.update((number, *graph.descendants(number)))
    view = RunView(run)
    return [_as_steered(view, number) for number in sorted(numbers)]


def _as_steered(run: RunView, number: int) -> Task:
    """A task with the device to which somebody has moved it."""
    task, fields = run.task(number), run.graph.tasks[number]
    assert fields is not None, "it is there"
    return fields if task.pin == fields.pin else replace(fields, device=task.pin)

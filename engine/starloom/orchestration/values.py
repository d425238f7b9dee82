"""The results that later tasks use: those of parents, and the values that templates may name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starloom.scheduling.read.left_behind import left_behind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.model.result import Result
    from starloom.orchestration.pump import Pump


def results_of_parents(pump: Pump, run_id: str, task_id: str) -> Mapping[str, Result]:
    """The results of a task's direct parents by id.

    Args:
        pump: whose runs.
        run_id: of a run in memory.
        task_id: of one of its tasks.
    """
    run = pump.scheduler.run(run_id)
    graph = run.graph
    parents = graph.parents[graph.place[task_id]]
    return {graph.ids[n]: result for n in sorted(parents) if (result := run.results[n]) is not None}


def values_of(pump: Pump, run_id: str, task_id: str) -> Mapping[str, Any] | None:
    """The values of a task that a template may name; None: there is no such task.

    Args:
        pump: whose runs.
        run_id: of a run in memory.
        task_id: which task.
    """
    return left_behind(pump.scheduler.run(run_id), task_id)

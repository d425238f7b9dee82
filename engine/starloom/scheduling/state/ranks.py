"""Upward ranks, for placement by critical path: seconds of the longest path from a task's start to the exit."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from starloom.scheduling.state.codes import COMPLETED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.model.task import Task
    from starloom.scheduling.state.run_index import RunIndex


def rebuild_ranks(index: RunIndex, total_speed: float, top_speed: float) -> None:
    """Compute every rank of a run; without any estimate a rank counts hops to the exit.

    Args:
        index: of the run.
        total_speed: of all devices that take tasks, each times its slots.
        top_speed: of the fastest of them.
    """
    run = index.run
    tasks = run.graph.tasks
    known = [t.expected_duration for t in tasks if t is not None and t.expected_duration is not None]
    unknown = sum(known) / len(known) if known else 1.0
    index.ranks = [0.0] * len(tasks)
    work = 0.0
    for number in reversed(run.graph.topological_order()):
        if run.status[number] >= COMPLETED:
            continue
        work += _rank(index, number, unknown)
    longest = max(index.ranks, default=0.0)
    index.horizon = max(longest / top_speed, work / total_speed) if known else 0.0


def _rank(index: RunIndex, number: int, unknown: float) -> float:
    task: Task = index.run.graph.tasks[number]  # type: ignore[assignment]  # from the topological order
    cost = task.expected_duration
    if cost is None:
        cost = unknown
    ranks = index.ranks
    ranks[number] = cost + max((ranks[child] for child in index.run.graph.children[number]), default=0.0)
    return cost


def spread_ranks(index: RunIndex, numbers: Iterable[int]) -> list[int]:
    """Recompute the ranks of these tasks and, where they change, of their ancestors; returns the changed ones.

    The last in topological order goes first: every rank behind a task is final when it is its turn, so that it comes
    once, however many paths lead to it.
    """
    index.ranks.extend([-1.0] * (len(index.run.status) - len(index.ranks)))
    graph = index.run.graph
    position = graph.positions()
    known = {number for number in numbers if graph.tasks[number] is not None}
    heap = [(-position[number], number) for number in known]
    heapify(heap)
    changed: list[int] = []
    while heap:
        number = heappop(heap)[1]
        old = index.ranks[number]
        _rank(index, number, 1.0)
        if index.ranks[number] != old:
            changed.append(number)
            for parent in index.unstarted_parents(number):
                if parent not in known:
                    known.add(parent)
                    heappush(heap, (-position[parent], parent))
    return changed

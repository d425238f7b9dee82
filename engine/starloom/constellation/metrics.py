"""Figures of a graph: its longest path, its width, its longest chain by duration, and how parallel it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.constellation.graph import Graph


class GraphStatistics(msgspec.Struct, frozen=True):
    """The figures of a graph's shape and durations, all tasks counted.

    Attributes:
        longest_path_length: tasks on the longest chain.
        max_width: the most tasks that stand equally far from the start.
        longest_chain_length: seconds on the longest chain by duration.
        longest_chain_tasks: its tasks, first to last.
        total_work: seconds of all tasks together.
        parallelism_ratio: total work over the longest chain by duration; 1 when nothing took time.
    """

    longest_path_length: int
    longest_path_tasks: tuple[str, ...]
    max_width: int
    longest_chain_length: float
    longest_chain_tasks: tuple[str, ...]
    total_work: float
    parallelism_ratio: float


def statistics(graph: Graph, duration: Callable[[int], float]) -> GraphStatistics:
    """The figures of a graph, given the seconds of each task by number; O(tasks + dependencies).

    Args:
        graph: may have gaps, where tasks were removed.
        duration: gives the seconds of a task by its number.
    """
    order = graph.topological_order()
    levels = _depths(graph, order)
    hops, hop_path = _longest(graph, order, lambda _number: 1.0)
    seconds, path = _longest(graph, order, duration)
    work = sum(duration(number) for number in order)
    widths: dict[int, int] = {}
    for level in levels.values():
        widths[level] = widths.get(level, 0) + 1
    return GraphStatistics(
        longest_path_length=int(hops),
        longest_path_tasks=tuple(graph.ids[number] for number in hop_path),
        max_width=max(widths.values(), default=0),
        longest_chain_length=seconds,
        longest_chain_tasks=tuple(graph.ids[number] for number in path),
        total_work=work,
        parallelism_ratio=work / seconds if seconds > 0 else 1.0,
    )


def _depths(graph: Graph, order: Sequence[int]) -> dict[int, int]:
    depth: dict[int, int] = {}
    for number in order:
        depth[number] = max((depth[parent] + 1 for parent in graph.parents[number]), default=0)
    return depth


def _longest(graph: Graph, order: Sequence[int], weight: Callable[[int], float]) -> tuple[float, list[int]]:
    """The weight of the heaviest path and its tasks, first to last; of equal ones the first in line."""
    total: dict[int, float] = {}
    before: dict[int, int] = {}
    for number in order:
        best, best_parent = 0.0, None
        for parent in graph.parents[number]:
            if best_parent is None or total[parent] > best:
                best, best_parent = total[parent], parent
        total[number] = best + weight(number)
        if best_parent is not None:
            before[number] = best_parent
    if not total:
        return 0.0, []
    last = max(total, key=lambda number: total[number])
    path = [last]
    while path[-1] in before:
        path.append(before[path[-1]])
    return total[last], path[::-1]

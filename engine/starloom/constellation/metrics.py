"""Figures of a graph: its longest path, its width, its longest chain by duration, and how parallel it is."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeVar

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.constellation.graph import Graph

N = TypeVar("N", int, float)


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
    levels, hop_path = _longest(graph, order, [1] * len(graph.tasks))
    seconds = [0.0] * len(graph.tasks)
    for number in order:
        seconds[number] = duration(number)
    lengths, path = _longest(graph, order, seconds)
    longest = lengths[path[-1]] if path else 0.0
    work = sum(map(seconds.__getitem__, order))
    widths = Counter(map(levels.__getitem__, order))
    return GraphStatistics(
        longest_path_length=len(hop_path),
        longest_path_tasks=tuple(graph.ids[number] for number in hop_path),
        max_width=max(widths.values(), default=0),
        longest_chain_length=longest,
        longest_chain_tasks=tuple(graph.ids[number] for number in path),
        total_work=work,
        parallelism_ratio=work / longest if longest > 0 else 1.0,
    )


def _longest(graph: Graph, order: Sequence[int], weights: Sequence[N]) -> tuple[list[N], list[int]]:
    """By number, the weight of the heaviest path that ends there; and the heaviest of all, of equal ones the first.

    Args:
        graph: as it is.
        order: its present numbers in topological order.
        weights: by number.
    """
    totals, parents = list(weights), graph.parents
    for number in order:
        above = parents[number]
        if above:
            totals[number] += max([totals[parent] for parent in above])
    if not order:
        return totals, []
    path = [max(order, key=totals.__getitem__)]
    while above := parents[path[-1]]:
        path.append(max(above, key=totals.__getitem__))
    return totals, path[::-1]

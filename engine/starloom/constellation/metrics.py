"""Figures of a graph: its longest path, its width, its longest chain by duration, and how parallel it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
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


def statistics(graph: Graph, seconds: Any) -> GraphStatistics:
    """The figures of a graph.

    What follows from its edges is kept by the graph: of a large one they take 10 ms when they are asked for again.

    Args:
        graph: may have gaps, where tasks were removed.
        seconds: of each task by number, as `LongestPaths.heaviest` takes them.
    """
    paths, parents, ids = graph.kept_paths.of(graph), graph.parents, graph.ids
    by_tasks = paths.longest(parents)
    longest, by_seconds = paths.heaviest(parents, seconds)
    work = paths.work(parents, seconds)
    return GraphStatistics(
        longest_path_length=len(by_tasks),
        longest_path_tasks=tuple(ids[number] for number in by_tasks),
        max_width=paths.width(parents),
        longest_chain_length=longest,
        longest_chain_tasks=tuple(ids[number] for number in by_seconds),
        total_work=work,
        parallelism_ratio=work / longest if longest > 0 else 1.0,
    )

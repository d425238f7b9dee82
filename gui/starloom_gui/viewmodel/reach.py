"""The ancestors and descendants of tasks. Pure, and without recursion."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from starloom.constellation.graph import Graph


class TaskScope(Enum):
    """The set of tasks that a change applies to, relative to the selected ones."""

    THESE = "these"
    """They alone."""
    UPSTREAM = "upstream"
    """They, and all they depend on, directly or not."""
    DOWNSTREAM = "downstream"
    """They, and all that depends on them, directly or not."""


def upstream(graph: Graph, numbers: Iterable[int]) -> frozenset[int]:
    """The ancestors of these tasks; of themselves, those on which others of them depend."""
    return _walked(graph.parents, numbers)


def downstream(graph: Graph, numbers: Iterable[int]) -> frozenset[int]:
    """The descendants of these tasks; of themselves, those that depend on others of them."""
    return _walked(graph.children, numbers)


def within(graph: Graph, numbers: Collection[int], scope: TaskScope) -> frozenset[int]:
    """The tasks in a scope; `numbers` are present.

    Args:
        graph: with gaps where tasks were removed.
        numbers: of present tasks.
        scope: these alone, or with all before or behind them.
    """
    if scope is TaskScope.THESE:
        return frozenset(numbers)
    walk = upstream if scope is TaskScope.UPSTREAM else downstream
    return walk(graph, numbers).union(numbers)


def _walked(beyond: Sequence[Sequence[int]], numbers: Iterable[int]) -> frozenset[int]:
    waiting = list(numbers)
    found: set[int] = set()
    while waiting:
        fresh = [number for number in beyond[waiting.pop()] if number not in found]
        found.update(fresh)
        waiting += fresh
    return frozenset(found)

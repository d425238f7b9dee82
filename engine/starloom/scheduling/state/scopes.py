"""Scopes of agents in a graph: which tasks are in one, by its own names or by what they depend on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.constellation.edits import AddTask
from starloom.constellation.validation import malformed, task_ids
from starloom.model.agent_terms import EditScope, ScopeKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from starloom.constellation.edits import Edit
    from starloom.constellation.graph import Graph


def holds(graph: Graph, scope: EditScope | None, ends: Collection[int], number: int, most: int | None = None) -> bool:
    """Whether a scope has a task in it.

    Args:
        graph: as it is now.
        scope: None: everything.
        ends: the tasks whose ends the agent was asked about.
        number: of the task.
        most: how many tasks above it are looked at, at most; None: all.
    """
    if scope is None:
        return True
    if scope.kind is ScopeKind.DESCENDANTS:
        return descends(graph, number, set(ends), most)
    return names(graph, scope, number)


def names(graph: Graph, scope: EditScope, number: int) -> bool:
    """Whether a scope that is no matter of dependencies has a task in it; one that is gone is in none."""
    task = graph.tasks[number]
    return task is not None and scope.names_task(task.id, task.groups)


def descends(graph: Graph, number: int, roots: Collection[int], most: int | None = None) -> bool:
    """Whether a task is one of the roots or depends on one; `most` tasks above it are looked at, or all."""
    above, seen = [number], {number}
    while above and (most is None or len(seen) < most):
        for parent in graph.parents[above.pop()]:
            if parent not in seen:
                seen.add(parent)
                above.append(parent)
    return not seen.isdisjoint(roots)


def cone(graph: Graph, roots: Iterable[int], known: Collection[int] = ()) -> set[int]:
    """These tasks and all that depend on them, but for what is known, whose descendants are known too."""
    found = {number for number in roots if number not in known}
    stack = list(found)
    while stack:
        for child in graph.children[stack.pop()]:
            if child not in found and child not in known:
                found.add(child)
                stack.append(child)
    return found


def bounds(
    graph: Graph, edits: Iterable[Edit], scope: EditScope | None, ends: Collection[int]
) -> Callable[[int], bool]:
    """What says of a task's number whether a batch may change it, by the graph as it is before the batch.

    Tasks that the batch itself adds may be.
    """
    if scope is None or scope.is_everything:
        return lambda _number: True
    sound = (edit for edit in edits if malformed(edit, 0) is None)
    named = {task_id for edit in sound if not isinstance(edit, AddTask) for task_id in task_ids(edit)}
    there = {graph.place[task_id] for task_id in named if task_id in graph}
    below = cone(graph, ends) if scope.kind is ScopeKind.DESCENDANTS and there else ()
    inside = {number for number in there if number in below or names(graph, scope, number)}
    return lambda number: number in inside or number not in there

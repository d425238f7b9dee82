"""Templates that edits leave without their result; a file of such a plan could not be opened again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.constellation import edits as ed
from starloom.constellation.transaction import perform
from starloom.formats.checks import check_reads

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from starloom.constellation.edits import Edit
    from starloom.constellation.graph import Graph
    from starloom.errors import Problem
    from starloom.model.task import Task


def frayed(graph: Graph, changes: Sequence[Edit]) -> tuple[Problem, ...]:
    """The problems of a plan's templates after these edits that it does not have before.

    Args:
        graph: as it is before; it stays so.
        changes: what a rehearsal on that graph has settled.
    """
    ids = _readers(graph, changes)
    if not ids:
        return ()
    after = graph.copy()
    for change in changes:
        perform(after, change)
    found = check_reads(_tasks(after, ids), after)
    known = set(map(str, check_reads(_tasks(graph, ids), graph))) if found else set()
    return tuple(problem for problem in found if str(problem) not in known)


def _readers(graph: Graph, changes: Sequence[Edit]) -> set[str]:
    """The tasks whose templates may read other values: changed ones, and those behind a removed dependency."""
    ids: set[str] = set()
    cut: set[int] = set()
    for change in changes:
        if isinstance(change, ed.AddTask):
            ids.add(change.task.id)
        elif isinstance(change, ed.UpdateTask):
            ids.add(change.task_id)
        elif isinstance(change, ed.RemoveTask):
            cut.add(graph.place.get(change.task_id, -1))
        elif isinstance(change, ed.RemoveDependency):
            cut.add(graph.place.get(change.child, -1))
    return ids | {graph.ids[number] for number in _behind(graph, cut - {-1})}


def _behind(graph: Graph, numbers: set[int]) -> set[int]:
    """These tasks and all that depend on them."""
    seen, stack = set(numbers), list(numbers)
    while stack:
        fresh = [child for child in graph.children[stack.pop()] if child not in seen]
        seen.update(fresh)
        stack.extend(fresh)
    return seen


def _tasks(graph: Graph, ids: Iterable[str]) -> list[Task]:
    return [graph.task(id) for id in sorted(ids) if id in graph]

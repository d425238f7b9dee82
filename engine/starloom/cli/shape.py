"""The shape of a plan's graph for `starloom plan`: components, redundant dependencies, cuts by a removal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from starloom.cli.screen import plain
from starloom.constellation.graph import Graph
from starloom.constellation.redundancy import redundant_dependencies
from starloom.model.plan import show_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from starloom.constellation.structure import Structure
    from starloom.model.plan import Plan

_SHOWN: Final = 5


class PlanShape(NamedTuple):
    """The figures of a plan's graph.

    Attributes:
        structure: its figures.
        redundant: the dependencies that others replace, as (parent, child).
        removed: the tasks that are thought away.
        cut_off: the tasks that nothing but these leads to.
    """

    structure: Structure
    redundant: Sequence[tuple[str, str]]
    removed: Sequence[str]
    cut_off: Sequence[str]


def shape_of(plan: Plan, removed: Sequence[str] = ()) -> PlanShape:
    """The shape of a plan's graph.

    Args:
        plan: the plan.
        removed: tasks that are thought away, for `cut_off`.

    Raises:
        CommandRefused: it has no such task.
    """
    from starloom.constellation.structure import cut_off, graph_of, structure  # networkx takes 0.2 s to import

    graph = Graph()
    graph.adopt(plan.tasks, plan.index)
    known = graph_of(graph)
    gone = tuple(dict.fromkeys(removed))
    return PlanShape(structure(known), redundant_dependencies(graph, lambda _number: False), gone, cut_off(known, gone))


def shape_rows(shape: PlanShape) -> Iterator[tuple[str, str]]:
    """A shape for people: names and texts of rows."""
    found = shape.structure
    if not found.tasks:
        return
    parts = len(found.components)
    separate = f"{parts:,} separate parts, " if parts > 1 else ""
    chain = show_path([plain(task_id) for task_id in found.longest_chain], 8)
    many = len(found.longest_chain)
    yield "graph", f"{separate}up to {found.width:,} tasks at one level" if found.width > 1 else f"{separate}one chain"
    yield "longest chain", f"{many:,} task{'s' if many > 1 else ''}: {chain}"
    if shape.redundant:
        yield "redundant", _names([f"{parent} → {child}" for parent, child in shape.redundant])
    if shape.removed:
        yield "cut off", f"{_names(shape.cut_off) or 'nothing'} without {_names(shape.removed)}"


def shape_values(shape: PlanShape) -> dict[str, Any]:
    """A shape as plain JSON values."""
    removal = {"removed": list(shape.removed), "cut_off": list(shape.cut_off)} if shape.removed else {}
    figures: dict[str, Any] = msgspec.to_builtins(shape.structure)
    return {**figures, "redundant": [list(pair) for pair in shape.redundant], **removal}


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return plain(", ".join(names[:_SHOWN])) + more

"""Plans as networkx graphs and back: what `Plan.to_networkx`, `Run.to_networkx` and `Plan.from_networkx` do.

A node is a task's id; its attributes are the fields of `Task` that are not at their defaults. An edge leads from
parent to child; its attributes are `kind`, `condition` and `metadata` of `Dependency`, and `order`, the place of the
dependency in the plan. The attributes of the graph are the other fields of `Plan`, likewise. A run adds
`RUN_ATTRIBUTES`.

networkx is imported here and nowhere above, as that takes 0.3 s which most programs need not spend.
"""

from __future__ import annotations

from dataclasses import fields
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, Final, Protocol

import networkx as nx
from pydantic import ValidationError

from starloom.errors import PlanError, Problem, nearest
from starloom.model.dependency import Dependency
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

RUN_ATTRIBUTES: Final = ("status", "attempts", "ran_on", "duration")
"""What the nodes of a run have besides: `status` as text, how many `attempts` there were, the device of the last one,
and its `duration` in seconds once it has ended. `from_networkx` leaves them out."""


def _defaults(kind: type[Any], without: Iterable[str]) -> dict[str, Any]:
    """The fields of a dataclass with their defaults."""
    return {field.name: field.default for field in fields(kind) if field.init and field.name not in without}


_TASK: Final = _defaults(Task, {"id"})
_DEPENDENCY: Final = _defaults(Dependency, {"parent", "child"})
_NODES_AND_EDGES: Final = {"tasks", "dependencies"}
"""The fields of a plan that are no attributes of the graph."""


def _given(value: Any, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a value that are not at their defaults."""
    found = ((name, getattr(value, name), default) for name, default in defaults.items())
    return {name: field for name, field, default in found if field is not default and field != default}


class _Plan(Protocol):
    """A plan, as far as it is known here: that it is a dataclass of these and other fields."""

    @property
    def name(self) -> str: ...

    @property
    def tasks(self) -> Sequence[Task]: ...

    @property
    def dependencies(self) -> Sequence[Dependency]: ...


def to_networkx(plan: _Plan) -> nx.DiGraph:
    """A plan as a graph of its own; changing it changes no plan. 10,000 tasks take about a quarter of a second."""
    graph = nx.DiGraph(**_given(plan, _defaults(type(plan), _NODES_AND_EDGES)))
    graph.graph["name"] = plan.name
    graph.add_nodes_from((task.id, _given(task, _TASK)) for task in plan.tasks)
    graph.add_edges_from(
        (edge.parent, edge.child, {"kind": str(edge.kind), **_given(edge, _DEPENDENCY), "order": place})
        for place, edge in enumerate(plan.dependencies)
    )
    return graph


def from_networkx(graph: nx.DiGraph, kind: type[Any]) -> Any:
    """The plan that a graph says; see `Plan.from_networkx`.

    Args:
        graph: what says it.
        kind: the class of the plan to make.

    Raises:
        PlanError: it says none; lists everything that is wrong with it.
    """
    _check_kind(graph)
    problems: list[Problem] = []
    tasks = [_task(node, attributes, problems) for node, attributes in graph.nodes(data=True)]
    edges = [_dependency(*edge, problems) for edge in _in_order(graph, problems)]
    rest = dict(graph.graph)
    _check_names(rest, _defaults(kind, _NODES_AND_EDGES), "graph", "a plan", problems)
    if not problems:
        if not rest.get("name"):
            rest["name"] = "plan"
        made = [task for task in tasks if task is not None]
        try:
            return kind(tasks=made, dependencies=[edge for edge in edges if edge is not None], **rest)
        except ValidationError as error:
            _note(error, "graph", None, problems)
    raise PlanError(problems)


def _check_kind(graph: object) -> None:
    if not isinstance(graph, nx.Graph):
        hint = "Give a networkx.DiGraph."
        raise PlanError([Problem(code="not_a_graph", message=f"{shortened(graph)} is no networkx graph.", hint=hint)])
    if not graph.is_directed():
        said = "the graph has no direction, so it does not say which task waits for which."
        raise PlanError([Problem(code="undirected", message=said, hint="Give a networkx.DiGraph.")])
    if graph.is_multigraph():
        said = "the graph may have several edges between two tasks; a plan has at most one."
        hint = "Choose among them with networkx.DiGraph(graph)."
        raise PlanError([Problem(code="multigraph", message=said, hint=hint)])


def _task(node: Any, attributes: Mapping[str, Any], problems: list[Problem]) -> Task | None:
    if not isinstance(node, str):
        message = f"the node {shortened(node)} is no text, and ids of tasks are."
        hint = "networkx.relabel_nodes(graph, str) makes texts of all of them."
        problems.append(Problem(code="bad_id", where="nodes", message=message, hint=hint))
        return None
    given = {name: value for name, value in attributes.items() if name not in RUN_ATTRIBUTES}
    if not _check_names(given, _TASK, f"tasks.{node}", "a task", problems, node):
        return None
    try:
        return Task(id=node, **given)
    except ValidationError as error:
        _note(error, f"tasks.{node}", node, problems)
        return None


def _in_order(graph: nx.DiGraph, problems: list[Problem]) -> list[tuple[Any, Any, dict[str, Any]]]:
    """The edges by their `order`, those without one last, with their other attributes."""
    found: list[tuple[float, tuple[Any, Any, dict[str, Any]]]] = []
    for parent, child, attributes in graph.edges(data=True):
        order = attributes.get("order", float("inf"))
        if isinstance(order, bool) or not isinstance(order, int | float):
            message = f"the order of a dependency is a number, not {shortened(order)}."
            problems.append(Problem(code="bad_order", where=f"{parent} → {child}", message=message))
            order = 0
        found.append((order, (parent, child, {name: value for name, value in attributes.items() if name != "order"})))
    return [edge for _, edge in sorted(found, key=lambda one: one[0])]


def _dependency(parent: Any, child: Any, given: dict[str, Any], problems: list[Problem]) -> Dependency | None:
    where = f"{parent} → {child}"
    if not (isinstance(parent, str) and isinstance(child, str)):
        return None  # its node is a problem already
    if not _check_names(given, _DEPENDENCY, where, "a dependency", problems, child):
        return None
    try:
        return Dependency(parent=parent, child=child, **given)
    except ValidationError as error:
        _note(error, where, child, problems)
        return None


def _check_names(
    given: Mapping[Any, Any],
    known: Mapping[str, Any],
    where: str,
    what: str,
    problems: list[Problem],
    task_id: str | None = None,
) -> bool:
    """Whether all attributes are fields; notes those that are none."""
    unknown = [name for name in given if name not in known]
    for name in unknown:
        near = nearest(str(name), known)
        hint = f"Did you mean {near!r}?" if near else "Remove it, or put it into metadata."
        message = f"{name!r} is no field of {what}."
        problems.append(
            Problem(code="unknown_field", where=f"{where}.{name}", message=message, hint=hint, task_id=task_id)
        )
    return not unknown


def _note(error: ValidationError, where: str, task_id: str | None, problems: list[Problem]) -> None:
    for one in error.errors():
        field = ".".join(map(str, one["loc"]))
        message = one["msg"].removeprefix("Value error, ")
        place = f"{where}.{field}" if field else where
        problems.append(Problem(code="bad_value", where=place, message=f"{message}.", task_id=task_id))

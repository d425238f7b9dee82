"""Encoding of plans in a journal: many tasks as columns, plain dependencies as pairs of numbers, fast and checked.

A column holds one field of all tasks; a field that all of them leave at its default has none, and in a column nothing
stands for the default, as `starloom.model.task_columns` reads them. A dependency of the kind `success` that says
nothing else is the places of its two ends among the tasks.
"""

from __future__ import annotations

from dataclasses import fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeVar

from starloom.journal.values import dependencies_from_plain, field_to_plain
from starloom.model.dependency import SUCCESS, Dependency
from starloom.model.plan import PlanIndex
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Sequence

_FIELDS: Final = {field.name: (field.default, attrgetter(field.name)) for field in fields(Task)}
_T = TypeVar("_T")


# ---- tasks


def tasks_to_columns(tasks: Sequence[Task]) -> dict[str, list[Any]]:
    """The fields that are not at their default in all of these tasks, each with its values for all.

    Raises:
        NotKeepable: a task holds something that is no plain value.
    """
    columns: dict[str, list[Any]] = {}
    for name, (default, field_of) in _FIELDS.items():
        values = list(map(field_of, tasks))  # field by field: to turn rows of thousands of tasks takes twice as long
        if values.count(default) < len(values):
            columns[name] = [None if value == default else field_to_plain(value) for value in values]
    return columns


# ---- dependencies


def split_dependencies(
    tasks: Sequence[Task], dependencies: Sequence[Dependency]
) -> tuple[list[int], list[int], list[tuple[int, Dependency]]]:
    """The plain dependencies as numbers of their parents and of their children, and the others, each with its index."""
    place = {task.id: number for number, task in enumerate(tasks)}
    parents: list[int] = []
    children: list[int] = []
    others: list[tuple[int, Dependency]] = []
    for number, one in enumerate(dependencies):
        parent, child = place.get(one.parent), place.get(one.child)
        if parent is None or child is None or not is_plain(one):
            others.append((number, one))
        else:
            parents.append(parent)
            children.append(child)
    return parents, children, others


def join_dependencies(
    tasks: Sequence[Task], parents: Sequence[int], children: Sequence[int], others: Sequence[tuple[int, Any]]
) -> tuple[tuple[Dependency, ...], PlanIndex | None]:
    """The dependencies in order, and the plan's index unless they name other tasks or break the graph's rules.

    Args:
        tasks: what the numbers count.
        parents: the parent of each plain dependency, as a number that is not negative.
        children: likewise.
        others: the place among all of them and the fields of each other one.

    Raises:
        ValueError: they are no dependencies of these tasks.
    """
    if len(parents) != len(children) or max(max(parents, default=-1), max(children, default=-1)) >= len(tasks):
        raise ValueError("a dependency has an end that is no task")
    ids = [task.id for task in tasks]
    plain = [Dependency.plain(ids[parent], ids[child]) for parent, child in zip(parents, children, strict=True)]
    if not others:
        return tuple(plain), PlanIndex.of_numbers(tasks, parents, children, {})
    places = [number for number, _ in others]
    rest = dependencies_from_plain([one for _, one in others])
    joined = tuple(_merged(plain, places, rest))
    number_of = {id: number for number, id in enumerate(ids)}
    if any(one.parent not in number_of or one.child not in number_of for one in rest):
        return joined, None
    starts, ends = [number_of[one.parent] for one in rest], [number_of[one.child] for one in rest]
    special = {(a, b): one for a, b, one in zip(starts, ends, rest, strict=True) if not is_plain(one)}
    all_parents, all_children = _merged(parents, places, starts), _merged(children, places, ends)
    return joined, PlanIndex.of_numbers(tasks, all_parents, all_children, special)


def is_plain(dependency: Dependency) -> bool:
    """Whether a dependency is of the kind `success` and has no other fields."""
    return dependency.kind is SUCCESS and not dependency.metadata


def _merged(plain: Sequence[_T], places: Sequence[int], others: Sequence[_T]) -> list[_T]:
    """All of them, the others at their places and the plain ones in order at the rest."""
    count = len(plain) + len(others)
    at = dict(zip(places, others, strict=True))
    if len(at) < len(others) or max(places) >= count:
        raise ValueError("two dependencies stand in one place")
    rest = iter(plain)
    return [at[number] if number in at else next(rest) for number in range(count)]

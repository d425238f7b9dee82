"""Encoding of plans in a journal: many tasks as columns, plain dependencies as pairs of numbers, fast and checked.

A column holds one field of all tasks; a field that all of them leave at its default has none, and in a column nothing
stands for the default. Columns are read through the validation the field has in a task, a whole column at a time, which
takes a tenth of the time of validating the tasks. A dependency of the kind `success` that says nothing else is the
places of its two ends among the tasks.
"""

from __future__ import annotations

from dataclasses import fields
from itertools import repeat
from operator import attrgetter
from types import GenericAlias
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_type_hints

from pydantic import TypeAdapter

from starloom.journal.values import dependencies_from_plain, field_to_plain
from starloom.model.dependency import Dependency
from starloom.model.plan import PlanIndex
from starloom.model.status import DependencyKind
from starloom.model.task import ACTIONS, CONFIG, TASK_FIELDS, Task

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_DEFAULTS: Final[dict[str, Any]] = {field.name: field.default for field in fields(Task)}


def _column_of(hint: Any) -> TypeAdapter[list[Any]]:
    values: Any = GenericAlias(list, (hint | None,))
    return TypeAdapter(values, config=CONFIG)


_COLUMNS: Final = {name: _column_of(hint) for name, hint in get_type_hints(Task, include_extras=True).items()}
"""For each field of a task the validation of a list of its values."""
_all_fields: Final = attrgetter(*TASK_FIELDS)
_T = TypeVar("_T")
_DEPENDENCY_FIELDS: Final = tuple(field.name for field in fields(Dependency))
_NO_METADATA: Final = next(field.default for field in fields(Dependency) if field.name == "metadata")


class _BlankTask:
    """A task in the making. What is frozen can be filled slot by slot only, which takes three times as long."""

    __slots__ = TASK_FIELDS


class _BlankDependency:
    """A dependency in the making, likewise."""

    __slots__ = _DEPENDENCY_FIELDS


# ---- tasks


def tasks_to_columns(tasks: Sequence[Task]) -> dict[str, list[Any]]:
    """The fields that are not at their default in all of these tasks, each with its values for all.

    Raises:
        NotKeepable: a task holds something that is no plain value.
    """
    columns: dict[str, list[Any]] = {}
    rows = zip(*map(_all_fields, tasks), strict=True)
    for name, default, values in zip(TASK_FIELDS, _DEFAULTS.values(), rows, strict=bool(tasks)):
        if values.count(default) < len(values):
            columns[name] = [None if value == default else field_to_plain(value) for value in values]
    return columns


def tasks_from_columns(columns: Mapping[str, Sequence[Any]]) -> list[Task]:
    """The tasks from the columns of `tasks_to_columns`.

    Raises:
        ValueError: they are no tasks.
        KeyError: a column is of no field.
    """
    count = len(columns["id"]) if columns else 0
    checked = {name: _checked(name, column, count) for name, column in columns.items()}
    _check_actions([checked[name] for name in ACTIONS if name in checked], count)
    return _made_tasks(
        zip(*(checked.get(name) or repeat(default, count) for name, default in _DEFAULTS.items()), strict=True)
    )


def _made_tasks(rows: Iterable[tuple[Any, ...]]) -> list[Task]:
    """Tasks of fields that have been checked, in the order of `TASK_FIELDS`."""
    tasks: list[Any] = []
    for row in rows:
        task: Any = _BlankTask()
        (
            task.id,
            task.name,
            task.description,
            task.tips,
            task.command,
            task.shell,
            task.python,
            task.call,
            task.prompt,
            task.expects,
            task.permissions,
            task.simulate,
            task.gate,
            task.inputs,
            task.env,
            task.cwd,
            task.upstream,
            task.files,
            task.priority,
            task.requires,
            task.device,
            task.groups,
            task.timeout,
            task.retry,
            task.severity,
            task.join,
            task.on_interrupt,
            task.estimate,
            task.breakpoint,
            task.bypass,
            task.metadata,
        ) = row
        task.__class__ = Task
        tasks.append(task)
    return tasks


def _checked(name: str, column: Sequence[Any], count: int) -> list[Any]:
    """A column as the validation of its field leaves it, with the default for missing values."""
    if len(column) != count:
        raise ValueError(f"the column {name} is not as long as that of the ids")
    values = _COLUMNS[name].validate_python(column)
    default = _DEFAULTS[name]
    if default is None or None not in values:
        return values
    if name == "id":
        raise ValueError("a task has no id")
    return [default if value is None else value for value in values]


def _check_actions(columns: Sequence[Sequence[Any]], count: int) -> None:
    """Refuse tasks without exactly one action; the only law of a task that is not one of a field."""
    given = [0] * count
    for column in columns:
        given = [number + (value is not None) for number, value in zip(given, column, strict=True)]
    if given.count(1) != count:
        raise ValueError("a task has not exactly one action")


# ---- dependencies


def split_dependencies(
    tasks: Sequence[Task], dependencies: Sequence[Dependency]
) -> tuple[list[tuple[int, int]], list[tuple[int, Dependency]]]:
    """The plain dependencies as indices of parent and child, and the others, each with its own index."""
    place = {task.id: number for number, task in enumerate(tasks)}
    plain: list[tuple[int, int]] = []
    others: list[tuple[int, Dependency]] = []
    for number, one in enumerate(dependencies):
        parent, child = place.get(one.parent), place.get(one.child)
        if parent is None or child is None or not is_plain(one):
            others.append((number, one))
        else:
            plain.append((parent, child))
    return plain, others


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
    plain = _plain_dependencies(ids, parents, children)
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
    return dependency.kind == "success" and not dependency.metadata


def _plain_dependencies(ids: Sequence[str], parents: Sequence[int], children: Sequence[int]) -> list[Dependency]:
    """Dependencies between tasks that are there; their ids were checked with the tasks, and nothing else needs it."""
    made: list[Any] = []
    success, metadata = DependencyKind.SUCCESS, _NO_METADATA
    for parent, child in zip(parents, children, strict=True):
        one: Any = _BlankDependency()
        one.parent, one.child = ids[parent], ids[child]
        one.kind, one.condition, one.metadata = success, None, metadata
        one.__class__ = Dependency
        made.append(one)
    return made


def _merged(plain: Sequence[_T], places: Sequence[int], others: Sequence[_T]) -> list[_T]:
    """All of them, the others at their places and the plain ones in order at the rest."""
    count = len(plain) + len(others)
    at = dict(zip(places, others, strict=True))
    if len(at) < len(others) or max(places) >= count:
        raise ValueError("two dependencies stand in one place")
    rest = iter(plain)
    return [at[number] if number in at else next(rest) for number in range(count)]

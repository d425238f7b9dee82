"""The groups of tasks in the outline: as the plan says, else by what their names have in common."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from starloom.constellation.graph import Graph
    from starloom.model.task import Task

GROUP: Final = "group"
"""The key of a task's metadata that says which group it is in."""
_DIGITS: Final = "0123456789"
_BETWEEN: Final = " _.-#"
_LEAST_LETTERS: Final = 3
"""Letters that names have to have in common: `k0` and `k1` are two names, and `k` says nothing of them."""


class Group(NamedTuple):
    """A group of tasks in the outline.

    Attributes:
        name: what they have in common; empty: a single task that stands for itself.
        numbers: the tasks, by place in line.
        is_declared: whether the plan says so.
    """

    name: str
    numbers: tuple[int, ...]
    is_declared: bool = False


def group_of(task: Task) -> tuple[str, bool]:
    """The name of a task's group, and whether its plan says so; else it is one only if there are several in it.

    First comes `metadata.group`, then the category of a WfFormat task, then the name without the number at its end.
    """
    declared = _declared(task.metadata) if task.metadata else ""
    return (declared, True) if declared else (without_number(task.title), False)


def without_number(name: str) -> str:
    """A name without the number at its end: `mProject_ID0000001` is one of `mProject`, `unit-12` of `unit`.

    What is left has three letters or more; of `k0` and `p-12` nothing is taken away.
    """
    rest = name.rstrip(_DIGITS)
    return name if rest == name else _stem(rest) or name


@lru_cache(maxsize=4096)  # thousands of tasks have few stems, and they are read whenever the graph is edited
def _stem(rest: str) -> str:
    """The part of a name before its number; empty: it is too short for a group name."""
    rest = rest.rstrip(_BETWEEN)
    if rest[-2:] == "ID" and rest[-3:-2] in _BETWEEN:
        rest = rest[:-2].rstrip(_BETWEEN)
    return rest if sum(map(str.isalpha, rest)) >= _LEAST_LETTERS else ""


def _declared(metadata: Mapping[str, Any]) -> str:
    kept: Any = metadata.get("wfformat")
    specification: Any = kept.get("specification") if hasattr(kept, "get") else None
    category = specification.get("category") if hasattr(specification, "get") else None
    return _text(metadata.get(GROUP)) or _text(category)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def put_into_groups(tasks: Iterable[tuple[int, Task]]) -> dict[str, list[int]]:
    """The tasks that were put into groups, by the group's name; those that only have similar names are in none.

    Args:
        tasks: each with what stands for it: its number, or its row.
    """
    found: dict[str, list[int]] = {}
    for number, task in tasks:
        name = _text(task.metadata.get(GROUP)) if task.metadata else ""
        if name:
            found.setdefault(name, []).append(number)
    return found


def groups(graph: Graph) -> list[Group]:
    """All present tasks in their groups, by the place in line of each one's first task."""
    return groups_of(graph.present())


def groups_of(tasks: Iterable[tuple[int, Task]]) -> list[Group]:
    """Tasks with their places in line in their groups, by the place of each one's first task."""
    found: dict[tuple[str, bool], list[int]] = {}
    for number, task in tasks:
        found.setdefault(group_of(task), []).append(number)
    made = [
        Group(name if is_declared or len(numbers) > 1 else "", tuple(numbers), is_declared)
        for (name, is_declared), numbers in found.items()
    ]
    return sorted(made, key=lambda group: group.numbers[0])

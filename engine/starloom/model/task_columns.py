"""Making many tasks from columns: a column holds one field of all of them, and None in it stands for the default.

Columns are validated as their fields are in a task, a whole column at a time, which takes a quarter of the time of
validating the tasks, and less where most fields are at their default.
"""

from __future__ import annotations

from dataclasses import fields
from itertools import repeat
from types import GenericAlias
from typing import TYPE_CHECKING, Any, Final, get_type_hints

from pydantic import TypeAdapter

from starloom.model.task import ACTIONS, CONFIG, TASK_FIELDS, Task

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_DEFAULTS: Final[dict[str, Any]] = {field.name: field.default for field in fields(Task)}


def _column_of(hint: Any) -> TypeAdapter[list[Any]]:
    values: Any = GenericAlias(list, (hint | None,))
    return TypeAdapter(values, config=CONFIG)


_COLUMNS: Final = {name: _column_of(hint) for name, hint in get_type_hints(Task, include_extras=True).items()}
"""For each field of a task the validation of a list of its values."""


class _BlankTask:
    """A task in the making. What is frozen can be filled slot by slot only, which takes three times as long."""

    __slots__ = TASK_FIELDS


def tasks_from_columns(columns: Mapping[str, Sequence[Any]]) -> list[Task]:
    """The tasks of these columns.

    Args:
        columns: by the names of the fields, all of one length; the ids among them, unless there is no task.

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

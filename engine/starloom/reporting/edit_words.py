"""Edits as phrases, in which no value stands that could be a secret."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom.constellation import edits as ed
from starloom.model.severity import ExitSeverity
from starloom.model.task import ACTIONS
from starloom.reporting.text import count, one_line, took

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from starloom.constellation.edits import Edit

_SHOWN_EDITS: Final = 4
_HARMLESS: Final = frozenset(
    {"name", "priority", "device", "timeout", "severity", "join", "estimate", "groups", "requires", "on_interrupt"}
    | {"expects", "permissions"}
)
"""Fields whose values may be shown; a command, environment or input could hold a secret."""


def name_words(id: str) -> str:
    """An id on one line."""
    return one_line(id, 80)


def changes_words(changes: Sequence[Edit]) -> str:
    """Some edits as a phrase, e.g. `2 edits: added b; c after b`."""
    shown = "; ".join(_edit(change) for change in changes[:_SHOWN_EDITS])
    more = len(changes) - _SHOWN_EDITS
    what = f"{shown}; and {more} more" if more > 0 else shown
    return what if len(changes) == 1 else f"{count(len(changes), 'edit')}: {what}"


def _edit(change: Edit) -> str:
    match change:
        case ed.AddTask():
            return f"added {name_words(change.task.id)}"
        case ed.RemoveTask():
            return f"removed {name_words(change.task_id)}"
        case ed.UpdateTask():
            return f"changed {name_words(change.task_id)} ({', '.join(map(_field, _told(change.fields)))})"
        case ed.RemoveDependency():
            return f"{name_words(change.child)} no longer after {name_words(change.parent)}"
        case ed.AddDependency():
            return f"{name_words(change.dependency.child)} after {name_words(change.dependency.parent)}"
        case _:
            ends = change.dependency
            return f"{name_words(ends.child)} after {name_words(ends.parent)}: {ends.kind}"


def _told(fields: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    """The fields that say something: with another kind of action, all others are set to nothing."""
    has_action = any(fields.get(name) is not None for name in ACTIONS)
    return [
        (name, value) for name, value in fields.items() if value is not None or not has_action or name not in ACTIONS
    ]


def _field(item: tuple[str, Any]) -> str:
    name, value = item
    if name not in _HARMLESS or value is None:
        return name
    if name in {"timeout", "estimate"} and isinstance(value, int | float):
        return f"{name} {took(value)}"
    return f"{name} {one_line(str(value), 40)}" if isinstance(value, str | int | float | ExitSeverity) else name


def task_of(change: Edit) -> str:
    """The id of the task that an edit is about; of a dependency the child."""
    match change:
        case ed.AddTask():
            return change.task.id
        case ed.RemoveTask() | ed.UpdateTask():
            return change.task_id
        case ed.RemoveDependency():
            return change.child
        case _:
            return change.dependency.child

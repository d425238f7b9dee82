"""Edits of the structure of a constellation, as values.

Priority, pins, holds and limits are commands (`starloom.scheduling.commands`): they steer and leave the revision alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.model.dependency import Dependency
    from starloom.model.task import Task


@dataclass(frozen=True, slots=True)
class AddTask:
    """Add a new task to the graph."""

    task: Task
    place: int | None = None
    """Where in line an inverse puts it back; None: at the end."""


@dataclass(frozen=True, slots=True)
class RemoveTask:
    """Remove a task that has not started from the graph, with its dependencies."""

    task_id: str


@dataclass(frozen=True, slots=True, init=False)
class UpdateTask:
    """Change fields of a task that has not started: `UpdateTask("a", timeout="5m", retry=2)`.

    Attributes:
        task_id: the task.
        fields: the new values by field.
        steering: the priority (0 to 100) and the device id that commands had given the task, under `priority` and
            `device`, where an inverse gives them back; an edit of these fields replaces what commands said.
    """

    task_id: str
    fields: Mapping[str, Any]
    steering: Mapping[str, Any]

    def __init__(self, task_id: str, /, **fields: Any) -> None:
        object.__setattr__(self, "task_id", task_id)
        object.__setattr__(self, "fields", fields)
        object.__setattr__(self, "steering", {})

    def with_steering(self, steering: Mapping[str, Any]) -> UpdateTask:
        """The same change, which also gives the task this steering back."""
        update = UpdateTask(self.task_id, **self.fields)
        object.__setattr__(update, "steering", dict(steering))
        return update


@dataclass(frozen=True, slots=True)
class AddDependency:
    """Add a dependency of a task that has not started."""

    dependency: Dependency


@dataclass(frozen=True, slots=True)
class RemoveDependency:
    """Remove a dependency of a task that has not started."""

    parent: str
    child: str


@dataclass(frozen=True, slots=True)
class UpdateDependency:
    """Replace kind and condition of the dependency between the same two tasks."""

    dependency: Dependency


KIND_OF: Final[Mapping[type[Any], str]] = {
    AddTask: "add_task",
    RemoveTask: "remove_task",
    UpdateTask: "update_task",
    AddDependency: "add_dependency",
    RemoveDependency: "remove_dependency",
    UpdateDependency: "update_dependency",
}
"""The word for each kind of edit, where people choose among them."""
ALL_KINDS: Final = tuple(KIND_OF.values())

Edit = AddTask | RemoveTask | UpdateTask | AddDependency | RemoveDependency | UpdateDependency


@dataclass(frozen=True, slots=True, kw_only=True)
class EditBatch:
    """Several edits that are applied together or not at all."""

    edits: tuple[Edit, ...]
    base_revision: int | None = None
    """The revision its author saw. What another origin changed since is a conflict; None: no such check."""
    origin: str = "operator"
    reason: str = ""

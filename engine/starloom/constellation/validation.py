"""The rules for edits, and the sentences for broken ones. Batches are decided elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, Final

from starloom.constellation import edits as ed
from starloom.constellation.conditions import check as check_condition
from starloom.errors import Problem, nearest
from starloom.model.dependency import Dependency
from starloom.model.plan import show_path
from starloom.model.task import UPDATABLE_FIELDS, Task

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import ValidationError

    from starloom.constellation.graph import Graph


def task_ids(edit: ed.Edit) -> tuple[str, ...]:
    """The ids of the tasks that an edit names."""
    if isinstance(edit, ed.AddTask):
        return (edit.task.id,)
    if isinstance(edit, ed.RemoveTask | ed.UpdateTask):
        return (edit.task_id,)
    if isinstance(edit, ed.RemoveDependency):
        return (edit.parent, edit.child)
    return (edit.dependency.parent, edit.dependency.child)


def undone(edit: ed.Edit) -> tuple[tuple[str, ...], ...]:
    """The state that the author of a failed edit did not get: a task or an edge that is `missing` or `kept`."""
    if isinstance(edit, ed.UpdateTask | ed.UpdateDependency):
        return ()
    is_new = isinstance(edit, ed.AddTask | ed.AddDependency)
    return (("missing" if is_new else "kept", *task_ids(edit)),)


def changes(graph: Graph, edit: ed.Edit) -> int | None:
    """The task that the edit removes, changes or gives another dependency; None: it adds one, or there is none."""
    return None if isinstance(edit, ed.AddTask) else graph.place.get(task_ids(edit)[-1])


def must_not_have_started(graph: Graph, edit: ed.Edit) -> tuple[int, ...]:
    """The tasks that the edit changes and that therefore must not have started."""
    if isinstance(edit, ed.AddTask):
        return ()
    if isinstance(edit, ed.RemoveTask):
        number = graph.place.get(edit.task_id)
        return () if number is None else (number, *graph.children[number])
    changed = changes(graph, edit)
    return () if changed is None else (changed,)


_MADE_OF: Final[Mapping[type[Any], Mapping[str, Any]]] = {
    ed.AddTask: {"task": Task, "place": int | None},
    ed.RemoveTask: {"task_id": str},
    ed.UpdateTask: {"task_id": str, "fields": Mapping, "steering": Mapping},
    ed.AddDependency: {"dependency": Dependency},
    ed.RemoveDependency: {"parent": str, "child": str},
    ed.UpdateDependency: {"dependency": Dependency},
}


def malformed(edit: object, position: int) -> Problem | None:
    """The problem of a value that is no edit, or has fields of other types than ids, tasks and dependencies."""
    parts = _MADE_OF.get(type(edit))
    has_parts = parts is not None and all(isinstance(getattr(edit, name), kind) for name, kind in parts.items())
    if has_parts and (not isinstance(edit, ed.UpdateTask) or is_steering(edit.steering)):
        return None
    return Problem(
        code="malformed_edit",
        message=f"{shortened(edit)} is no edit.",
        hint="Make it of ids as text, a Task or a Dependency, e.g. AddTask(Task(...)), AddDependency(Dependency(...)).",
        where=f"edits[{position}]",
    )


def is_steering(given: Mapping[str, Any]) -> bool:
    """Whether this can be the steering of an `UpdateTask`."""
    priority, device = given.get("priority", 0), given.get("device", "d")
    return (
        given.keys() <= {"priority", "device"}
        and type(priority) is int
        and 0 <= priority <= 100
        and isinstance(device, str)
    )


def keys(graph: Graph, edit: ed.Edit) -> tuple[tuple[Any, ...], ...]:
    """The fields and edges an edit touches, so that a later revision of them is noticed."""
    numbers = [graph.place.get(task_id) for task_id in task_ids(edit)]
    if isinstance(edit, ed.AddTask) or None in numbers:
        return ()
    number = numbers[0]
    if isinstance(edit, ed.UpdateTask):
        return tuple(("task", number, name) for name in edit.fields)
    if isinstance(edit, ed.RemoveTask):
        assert number is not None
        fields = (("task", number, name) for name in UPDATABLE_FIELDS)
        return (("task", number), *fields, *_edge_keys(graph, number))
    return (("edge", numbers[0], numbers[1]),)


def noted_keys(graph: Graph, edit: ed.Edit) -> tuple[tuple[Any, ...], ...]:
    """What is noted of an edit: its keys, but of all fields of a removed task that it is gone, which is a thirtieth."""
    if not isinstance(edit, ed.RemoveTask):
        return keys(graph, edit)
    number = graph.place.get(edit.task_id)
    return () if number is None else (("task", number), ("gone", number), *_edge_keys(graph, number))


def _edge_keys(graph: Graph, number: int) -> list[tuple[Any, ...]]:
    above = [("edge", parent, number) for parent in graph.parents[number]]
    return above + [("edge", number, child) for child in graph.children[number]]


def frozen(graph: Graph, edit: ed.Edit, number: int, why: str) -> Problem:
    """The task the edit would change has started or ended."""
    task_id = graph.ids[number]
    if isinstance(edit, ed.RemoveTask) and task_id != edit.task_id:
        message = f"{edit.task_id!r} cannot be removed: {task_id!r} depends on it and {why}."
        hint = "Tasks that have started keep their dependencies."
    else:
        message = f"{task_id!r} cannot change: it {why}."
        hint = "Only tasks that have not started can be edited; a retry or rerun makes a new attempt."
    return Problem(code="immutable", message=message, hint=hint, task_id=task_id)


def out_of_scope(task_id: str, scope: str) -> Problem:
    """The problem of an edit of a task that its author may not change."""
    return Problem(
        code="out_of_scope",
        message=f"{task_id!r} lies outside the scope of the agent: {scope}.",
        hint="The agent may change only what its scope holds; attach it with a wider one if that is intended.",
        task_id=task_id,
    )


def conflict(edit: ed.Edit, base: int, revision: int, origin: str) -> Problem:
    """The problem of an edit whose subject somebody else has changed since the author looked.

    Args:
        edit: the edit that is refused.
        base: the revision its author looked at.
        revision: the later one in which the same was changed.
        origin: who changed it.
    """
    task_id = task_ids(edit)[0]
    return Problem(
        code="conflict",
        message=f"{origin} changed {task_id!r} in revision {revision}; this edit was made on revision {base}.",
        hint="Look at the change and make the edit again.",
        task_id=task_id,
    )


def replaced(task_id: str, base: int) -> Problem:
    """The task the author saw was removed, and another one has its id."""
    return Problem(
        code="conflict",
        message=f"{task_id!r} is another task by now: it was added after revision {base}, on which this edit was made.",
        hint="Look at the task and make the edit again.",
        task_id=task_id,
    )


def unknown_task(task_id: str, known: Iterable[str]) -> Problem:
    """The edit names a task that is not there."""
    near = nearest(task_id, known)
    return Problem(
        code="unknown_task",
        message=f"there is no task {task_id!r}.",
        hint=f"Did you mean {near!r}?" if near else "Add the task first, in the same batch if you like.",
        task_id=task_id,
    )


REMOVED_HINT: Final = "Undo of that brings it back; or add it again."
"""What to do about a task that somebody has removed."""


def removed(task_id: str, sentence: str, where: str) -> Problem:
    """The edit at a place names a task that somebody has removed; `sentence` says who, and when."""
    return Problem(code="unknown_task", message=sentence, hint=REMOVED_HINT, where=where, task_id=task_id)


def duplicate(task_id: str) -> Problem:
    """The id is taken."""
    return Problem(
        code="duplicate_task",
        message=f"there is a task {task_id!r} already.",
        hint="Choose another id; names may repeat.",
        task_id=task_id,
    )


def cycle(ids: list[str]) -> Problem:
    """The dependency would close a cycle."""
    return Problem(
        code="cycle",
        message=f"the dependency would close the cycle {show_path(ids)}.",
        hint="Remove another dependency of it first.",
        task_id=ids[0],
    )


def no_such_dependency(parent: str, child: str) -> Problem:
    """The problem of a missing edge."""
    return Problem(
        code="unknown_dependency",
        message=f"{child!r} does not depend on {parent!r}.",
        hint="Add the dependency first.",
        task_id=child,
    )


def dependency_exists(dependency: Dependency) -> Problem:
    """The problem of an edge that exists already."""
    return Problem(
        code="duplicate_dependency",
        message=f"{dependency.child!r} depends on {dependency.parent!r} already.",
        hint="Update the dependency to change its kind.",
        task_id=dependency.child,
    )


def bad_condition(dependency: Dependency) -> Problem | None:
    """The condition cannot be read."""
    if dependency.condition is None:
        return None
    wrong = check_condition(dependency.condition)
    if wrong is None:
        return None
    return Problem(code="bad_condition", message=wrong, task_id=dependency.child)


def unknown_field(edit: ed.UpdateTask) -> Problem | None:
    """The update names a field that tasks do not have, or none at all."""
    if not edit.fields:
        return Problem(
            code="no_fields",
            message=f"the update of {edit.task_id!r} names no field.",
            hint="Say what is to change, e.g. timeout='5m'.",
            task_id=edit.task_id,
        )
    for name in edit.fields:
        if name not in UPDATABLE_FIELDS:
            near = nearest(name, UPDATABLE_FIELDS)
            hint = "An id never changes; add a new task instead." if name == "id" else ""
            return Problem(
                code="unknown_field",
                message=f"a task has no field {name!r} that can change.",
                hint=f"Did you mean {near!r}?" if near else hint or "See the schema for the fields of a task.",
                task_id=edit.task_id,
            )
    return None


def bad_fields(task_id: str, error: ValidationError) -> Problem:
    """A field has a value it cannot have."""
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    return Problem(
        code="bad_field",
        message=f"{where}: {message}." if where else f"{message}.",
        task_id=task_id,
    )

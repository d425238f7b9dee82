"""Events with task labels instead of task ids."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from msgspec import structs

from starloom.constellation import edits as ed

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.constellation.edits import Edit
    from starloom.constellation.graph import Graph
    from starloom.events import Event

_TASKS: Final = frozenset({"task_id", "task_ids", "because", "child", "parent"})
"""Fields of events that hold ids of tasks."""
_EDITS: Final = frozenset({"changes", "edits"})
"""Fields of events that hold edits."""


class NamedRun(Protocol):
    """The protocol of a run whose tasks have labels, as `RunFacts` has it."""

    @property
    def run_id(self) -> str:
        """The id of the run."""

    @property
    def graph(self) -> Graph:
        """Its tasks."""


def named(event: Event, run: NamedRun | None) -> Event:
    """The event with labels instead of task ids, in its edits too.

    Args:
        event: any.
        run: the facts of its run, or what else knows its tasks; without them, and for tasks that it never had, ids
            stay.
    """
    if run is None or event.run_id != run.run_id:
        return event
    changed: dict[str, Any] = {}
    for field in (_TASKS | _EDITS).intersection(event.__struct_fields__):
        value = getattr(event, field)
        inverse = getattr(event, "inverse", ())  # which knows the tasks that the edits removed
        called = _edits_named(value, inverse, run) if field in _EDITS else _ids_named(value, run)
        if called != value:
            changed[field] = called
    return structs.replace(event, **changed) if changed else event


def title_of(run: NamedRun, task_id: str | None) -> str | None:
    """The label of a task, see `Graph.label_of`; None for None.

    Args:
        run: the run.
        task_id: of the task, which need not be in the run any more; None: no task is meant.
    """
    return None if task_id is None else run.graph.names.label_of(task_id)


def _ids_named(value: Any, run: NamedRun) -> Any:
    return tuple(title_of(run, one) for one in value) if isinstance(value, tuple) else title_of(run, value)


def _edits_named(edits: tuple[Edit, ...], inverse: tuple[Edit, ...], run: NamedRun) -> tuple[Edit, ...]:
    known = {edit.task.id: edit.task.title for edit in (*inverse, *edits) if isinstance(edit, ed.AddTask)}

    def call(task_id: str) -> str:
        return (
            run.graph.names.label_of(task_id)
            if task_id in run.graph
            else known.get(task_id, run.graph.names.label_of(task_id))
        )

    return tuple(_edit_named(edit, call) for edit in edits)


def _edit_named(edit: Edit, call: Callable[[str], str]) -> Edit:
    match edit:
        case ed.AddTask():
            return ed.AddTask(replace(edit.task, id=call(edit.task.id)), edit.place)
        case ed.RemoveTask():
            return ed.RemoveTask(call(edit.task_id))
        case ed.UpdateTask():
            return ed.UpdateTask(call(edit.task_id), **edit.fields).with_steering(edit.steering)
        case ed.RemoveDependency():
            return ed.RemoveDependency(call(edit.parent), call(edit.child))
        case _:
            ends = edit.dependency
            return type(edit)(replace(ends, parent=call(ends.parent), child=call(ends.child)))

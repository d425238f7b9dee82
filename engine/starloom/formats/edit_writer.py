"""Edits as the plain JSON that `edit_forms` reads: each becomes a form of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starloom.constellation import edits as ed
from starloom.formats.edit_forms import PLACE, STEERING, TASK
from starloom.formats.native_writer import dependency_value, field_value, task_value
from starloom.model.task import ACTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from starloom.constellation.edits import Edit


def edit_forms(edits: Iterable[Edit]) -> list[dict[str, Any]]:
    """The forms of these edits, in their order.

    Raises:
        PlanError: one of them holds a value that a file cannot.
    """
    return [{ed.KIND_OF[type(edit)]: _content(edit)} for edit in edits]


def _content(edit: Edit) -> Any:
    match edit:
        case ed.AddTask():
            return task_value(edit.task) | ({PLACE: edit.place} if edit.place is not None else {})
        case ed.RemoveTask():
            return edit.task_id
        case ed.UpdateTask():
            steering = {STEERING: dict(edit.steering)} if edit.steering else {}
            return {TASK: edit.task_id} | fields_form(edit.fields, f"edits.{edit.task_id}") | steering
        case ed.RemoveDependency():
            return {"parent": edit.parent, "child": edit.child}
        case _:
            return dependency_value(edit.dependency)


def fields_form(fields: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Some fields of a task; with another kind of action, that all others are set to nothing goes without saying."""
    has_action = any(fields.get(name) is not None for name in ACTIONS)
    return {
        name: field_value(name, given, f"{where}.{name}")
        for name, given in fields.items()
        if given is not None or not has_action or name not in ACTIONS
    }

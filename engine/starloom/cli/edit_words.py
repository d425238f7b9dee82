"""Describes an edit in one line for the people who approve it, with everything that would run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from pydantic import TypeAdapter

from starloom.cli.screen import plain
from starloom.constellation import edits as ed
from starloom.model.task import Task

if TYPE_CHECKING:
    from starloom.constellation.graph import Graph

_TASK: Final = TypeAdapter(Task)


def edit_words(edit: ed.Edit, graph: Graph) -> str:
    """The edit as a line of a diff: `+`, `-` or `~`, and what; of a changed field also its present value."""
    match edit:
        case ed.AddTask():
            return plain(f"+ task {edit.task.id}: {_shown(_TASK.dump_python(edit.task, mode='json', **_SET_ONLY))}")
        case ed.RemoveTask():
            return plain(f"- task {edit.task_id}")
        case ed.UpdateTask():
            return plain(f"~ task {edit.task_id}: {_changes(edit, graph)}")
        case ed.RemoveDependency():
            return plain(f"- {edit.child} after {edit.parent}")
        case _:
            sign = "+" if isinstance(edit, ed.AddDependency) else "~"
            edge = edit.dependency
            kind = "" if edge.kind == "success" else f" ({edge.condition or edge.kind})"
            return plain(f"{sign} {edge.child} after {edge.parent}{kind}")


_SET_ONLY: Final[dict[str, Any]] = {"exclude_defaults": True, "exclude": {"id"}}


def _changes(edit: ed.UpdateTask, graph: Graph) -> str:
    now = _TASK.dump_python(graph.task(edit.task_id), mode="json") if edit.task_id in graph else {}
    changed = {name: value for name, value in edit.fields.items() if name not in now or now[name] != value}
    return ", ".join(f"{name} {_json(now.get(name))} -> {_json(value)}" for name, value in changed.items())


def _shown(fields: dict[str, Any]) -> str:
    return ", ".join(f"{name} {_json(value)}" for name, value in fields.items())


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)

"""Writes constellations that UFO reads; unchanged parts of one that was read are written as they were.

Tasks and dependencies are mappings by id unless the plan came from a file with lists: UFO cannot read its own lists.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from starloom.formats.native_writer import plain_json
from starloom.formats.ufo_fields import KEY, PROMPT, TASK_FIELDS, dependency_type, kind_of, prose

if TYPE_CHECKING:
    from starloom.model.dependency import Dependency
    from starloom.model.plan import Plan
    from starloom.model.task import Task


def write_plan(plan: Plan) -> str:
    """A plan as a constellation; one that was read from a constellation is read back as an equal one.

    Raises:
        PlanError: the plan holds a value that a file cannot.
    """
    return json.dumps(plan_value(plan), indent=2, ensure_ascii=False) + "\n"


def plan_value(plan: Plan) -> dict[str, Any]:
    """A plan as a constellation of plain mappings and lists.

    Raises:
        PlanError: as for `write_plan`.
    """
    kept = _kept(plan, "metadata")
    fields, forms = _mapping(kept.get("fields")), _mapping(kept.get("forms"))
    head = {**fields} if kept else {"constellation_id": plan.name, "name": plan.name, "state": "created"}
    if (head.get("name") or head.get("constellation_id") or "constellation") != plan.name:
        head["name"] = plan.name
    tasks = _task_values(plan)
    lines = _line_values(plan)
    return {
        **head,
        "tasks": list(tasks.values()) if "tasks" in forms else tasks,
        "dependencies": list(lines.values()) if "dependencies" in forms else lines,
    }


def _task_values(plan: Plan) -> dict[str, dict[str, Any]]:
    tasks, index = plan.tasks, plan.index
    return {
        task.id: _task_value(
            task,
            [tasks[parent].id for parent in index.parents[number]],
            [tasks[child].id for child in index.children[number]],
        )
        for number, task in enumerate(tasks)
    }


def _task_value(task: Task, parents: list[str], children: list[str]) -> dict[str, Any]:
    where = f"tasks.{task.id}.metadata"
    kept = _kept(task, where)
    value: dict[str, Any] = {**kept, "task_id": task.id} if kept else {"task_id": task.id, "status": "pending"}
    for field in TASK_FIELDS:
        if not kept or field.read(kept, task.id) != getattr(task, field.field):
            value[field.key] = plain_json(field.write(task), f"tasks.{task.id}.{field.field}")
    if PROMPT.read(value, task.id) != task.prompt:  # it was made of a name that has changed
        value[PROMPT.key] = PROMPT.write(task)
    neighbours = {"dependencies": parents, "dependents": children}
    return value | {
        key: actual
        for key, actual in neighbours.items()
        if not kept or (key in kept and _sorted(kept[key]) != sorted(actual))
    }


def _sorted(value: Any) -> Any:
    return sorted(value) if isinstance(value, list) and all(isinstance(item, str) for item in value) else value


def _line_values(plan: Plan) -> dict[str, dict[str, Any]]:
    kept = [_kept(dependency, f"dependencies.{dependency.parent}.metadata") for dependency in plan.dependencies]
    own = [value.get("line_id") for value in kept]
    taken = {line_id for line_id in own if isinstance(line_id, str)}
    values: dict[str, dict[str, Any]] = {}
    number = 0
    for dependency, value, given in zip(plan.dependencies, kept, own, strict=True):
        line_id = given if isinstance(given, str) else ""
        if not line_id or line_id in values:  # new, or copied with its metadata
            number += 1
            while (line_id := f"line_{number:03d}") in taken:
                number += 1
        values[line_id] = _line_value(dependency, value, line_id)
    return values


def _line_value(dependency: Dependency, kept: dict[str, Any], line_id: str) -> dict[str, Any]:
    value = {**kept} if kept else {"metadata": {}}
    value |= {"line_id": line_id, "from_task_id": dependency.parent, "to_task_id": dependency.child}
    if not kept or kind_of(kept.get("dependency_type")) is not dependency.kind:
        value["dependency_type"] = dependency_type(dependency)
    if (kept.get("condition_description") or "") != prose(dependency):
        value["condition_description"] = prose(dependency)
    return value


def _kept(owner: Plan | Task | Dependency, where: str) -> dict[str, Any]:
    return _mapping(plain_json(owner.metadata.get(KEY), where))


def _mapping(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, dict) else {}

"""`--set task.field=value`: changing fields of a plan's tasks, checked as an edit is."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

from pydantic import ValidationError

from starloom.constellation.transaction import with_other_actions_cleared
from starloom.constellation.validation import bad_fields, unknown_task
from starloom.errors import PlanError, Problem, nearest
from starloom.formats.checks import check_plan
from starloom.model.task import UPDATABLE_FIELDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.model.plan import Plan
    from starloom.model.task import Task

_FORM = "Write --set TASK.FIELD=VALUE, e.g. --set build.timeout=5m."


def changed_plan(plan: Plan, changes: Sequence[str]) -> Plan:
    """The plan with these changes; later ones override earlier ones.

    Args:
        plan: stays as it is.
        changes: each `task.field=value`. Ids may hold dots: the longest id that fits is meant. The value is JSON, or
            text where it is none or where the field takes no such JSON.

    Raises:
        PlanError: a change cannot be read, or the plan cannot be so.
    """
    if not changes:
        return plan
    tasks = list(plan.tasks)
    for change in changes:
        number, field, value = _read(plan, change)
        tasks[number] = _with_field(tasks[number], field, value, change)
    changed = replace(plan, tasks=tuple(tasks))
    problems = check_plan(changed)
    if problems:
        raise PlanError(problems, "--set")
    return changed


def _read(plan: Plan, change: str) -> tuple[int, str, str]:
    """The number of the task, the field, and the value as it was written."""
    place = plan.index.place
    fitting = [task_id for task_id in place if change.startswith(f"{task_id}.")]
    if not fitting:
        key, equals, _ = change.partition("=")
        task_id, dot, _ = key.rpartition(".")
        if not equals or not dot:
            _refuse(change, Problem(message="this says no task, field and value.", hint=_FORM))
        _refuse(change, unknown_task(task_id, place))
    task_id = max(fitting, key=len)
    field, equals, value = change[len(task_id) + 1 :].partition("=")
    if not equals:
        _refuse(change, Problem(message=f"this gives {field!r} no value.", hint=_FORM))
    if field not in UPDATABLE_FIELDS:
        near = nearest(field, UPDATABLE_FIELDS)
        hint = f"Did you mean {near!r}?" if near else "`starloom schema` lists the fields of a task."
        _refuse(change, Problem(message=f"a task has no field {field!r} that can change.", hint=hint))
    return place[task_id], field, value


def _with_field(task: Task, field: str, text: str, change: str) -> Task:
    value = parsed_value(text)
    try:
        return _replaced(task, field, value)
    except ValidationError as error:
        first = error
    if value is None or isinstance(value, str):
        _refuse(change, bad_fields(task.id, first))
    try:
        return _replaced(task, field, text)  # e.g. --set build.shell=true
    except ValidationError:
        _refuse(change, bad_fields(task.id, first))


def _replaced(task: Task, field: str, value: Any) -> Task:
    changed: Task = replace(task, **with_other_actions_cleared({field: value}))
    return changed


def parsed_value(text: str) -> Any:
    """The JSON value that a text is or, where it is none, the text."""
    try:
        return json.loads(text, parse_constant=_not_json)
    except (ValueError, RecursionError):
        return text


def _not_json(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _refuse(change: str, problem: Problem) -> NoReturn:
    raise PlanError([problem], f"--set {change}")

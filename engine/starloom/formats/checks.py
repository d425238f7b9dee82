"""Checks of a whole plan that its structure alone does not settle: who reads whose result."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Final

from starloom.errors import Problem
from starloom.model.templates import TemplateError, has_templates, references

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.model.plan import Plan, PlanIndex
    from starloom.model.task import Task

TEMPLATE_FIELDS: Final = ("command", "env", "inputs", "prompt")
"""The task fields in which `${task.value}` stands for an upstream result."""


def check_plan(plan: Plan) -> list[Problem]:
    """Every template that names a task whose result cannot be there yet."""
    return [problem for task in plan.tasks for problem in _check_task(plan.index, task)]


def _check_task(index: PlanIndex, task: Task) -> Iterator[Problem]:
    for name in TEMPLATE_FIELDS:
        value = getattr(task, name)
        if value:
            yield from _check_field(index, task, name, value)


def _check_field(index: PlanIndex, task: Task, name: str, value: Any) -> Iterator[Problem]:
    where = f"tasks.{task.id}.{name}"
    try:
        if not has_templates(value):
            return
        named = sorted(references(value, index.place))
    except TemplateError as error:
        yield Problem(code="template", where=where, message=str(error), task_id=task.id)
        return
    for other in named:
        fault = _fault(index, task.id, other)
        if fault is not None:
            message, hint = fault
            yield Problem(code="template", where=where, message=message, hint=hint, task_id=task.id)


def _fault(index: PlanIndex, task_id: str, other: str) -> tuple[str, str] | None:
    if other == task_id:
        return f"{task_id!r} reads its own result, which is there only when it has ended.", "Name another task."
    place = index.place.get(other)
    if place is None:
        message = f"{task_id!r} reads the result of {other!r}, which is not a task."
        return message, "Correct the id, or write $${ where a plain ${ is meant."
    if _is_ancestor(index, place, index.place[task_id]):
        return None
    return f"{task_id!r} reads the result of {other!r}, but does not wait for it.", f"Add needs: [{other}]."


def _is_ancestor(index: PlanIndex, ancestor: int, task: int) -> bool:
    parents = index.parents
    if ancestor in parents[task]:  # nearly always; a walk through a deep plan would cost much more
        return True
    seen = {task}
    queue = deque(parents[task])
    while queue:
        number = queue.popleft()
        if number == ancestor:
            return True
        if number not in seen:
            seen.add(number)
            queue.extend(parents[number])
    return False

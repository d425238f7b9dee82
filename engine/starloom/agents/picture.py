"""The view of a run for an agent in another process, as plain JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pydantic import TypeAdapter

from starloom.model.dependency import Dependency
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.agents.base import AgentView, FinishedTask
    from starloom.model.result import Result

_TASK: Final = TypeAdapter(Task)
_DEPENDENCY: Final = TypeAdapter(Dependency)


def picture(view: AgentView) -> dict[str, Any]:
    """The run: its tasks with what is set of their fields, their status and attempts, and its dependencies.

    And the scope, as on the command line, if not everything may be changed, and what becomes of edits of running tasks.
    Results are not among it: those of the tasks an agent is asked about are in `ended`.
    """
    terms = {} if view.scope is None else {"scope": str(view.scope)}
    if view.on_conflict is not None:
        terms["on_conflict"] = str(view.on_conflict)
    return {
        "run_id": view.run_id,
        "name": view.name,
        "revision": view.revision,
        **terms,
        "tasks": [
            {**_fields(task), "status": str(view.status(task.id)), "attempts": view.attempts(task.id)} for task in view
        ],
        "dependencies": [
            _DEPENDENCY.dump_python(edge, mode="json", exclude_defaults=True) for edge in view.dependencies()
        ],
    }


def ended(finished: Sequence[FinishedTask]) -> list[dict[str, Any]]:
    """The tasks an agent is asked about, with how they ended and what they left behind."""
    return [
        {**_fields(one.task), "status": str(one.status), "attempts": one.attempts, "result": _result(one.result)}
        for one in finished
    ]


def _fields(task: Task) -> dict[str, Any]:
    fields: dict[str, Any] = _TASK.dump_python(task, mode="json", exclude_defaults=True)
    return fields


def _result(result: Result) -> dict[str, Any]:
    told = {"value": result.value, "exit_code": result.exit_code, "output": result.output}
    if result.error is not None:
        told["error"] = {"code": result.error.code, "message": result.error.message}
        if result.error.severity is not None:
            told["error"]["severity"] = str(result.error.severity)
    return told

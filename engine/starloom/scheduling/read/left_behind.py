"""What tasks of a run left behind, as templates name it, and the messages of gates made of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from starloom.model.templates import TemplateError, resolve_text
from starloom.scheduling.state.codes import STATUS_OF

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.scheduling.state.run_facts import RunFacts

_LONGEST_MESSAGE: Final = 2000
"""Characters of a message with results in it; the rest of a long output is left out."""


def left_behind(run: RunFacts, task_id: str) -> Mapping[str, Any] | None:
    """The values of a task that a template may name; None: there is no such task.

    Args:
        run: which run.
        task_id: which task.
    """
    number = run.graph.place.get(task_id)
    if number is None:
        return None
    result = run.results[number]
    status = STATUS_OF[run.status[number]].value
    if result is None:
        return {"value": None, "output": "", "exit_code": None, "status": status}
    return {"value": result.value, "output": result.output, "exit_code": result.exit_code, "status": status}


def gate_message(run: RunFacts, number: int) -> str:
    """The message of a gate, its templates replaced; the title of its task if it has none; empty: it is no gate.

    A message stays as it is written while a template in it names a value that is not there: no person is kept from
    answering by it.

    Args:
        run: which run.
        number: of the task.
    """
    task = run.graph.tasks[number]
    if task is None or task.gate is None:
        return ""
    message = task.gate.message
    try:
        resolved = resolve_text(message, partial(left_behind, run))
    except TemplateError:
        resolved = message
    if len(resolved) > max(len(message), _LONGEST_MESSAGE):
        resolved = resolved[:_LONGEST_MESSAGE] + "…"
    return resolved or task.title

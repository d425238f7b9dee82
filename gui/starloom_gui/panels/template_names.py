"""The names that are allowed in `${…}` in a field of a task: results of its parents, or environment variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom_gui.text.words import plain, translate
from starloom_gui.viewmodel.result_words import value_text
from starloom_gui.widgets.template_completer import TemplateName

if TYPE_CHECKING:
    from starloom.scheduling.read.run_view import TaskView

_MOST_PARENTS: Final = 200
_LONGEST: Final = 40
_OWN: Final = ("STARLOOM_TASK_ID", "STARLOOM_RUN_ID", "STARLOOM_ATTEMPT", "STARLOOM_RESULT", "STARLOOM_UPSTREAM")
"""The variables that every attempt has; the last one where the task asks for its parents' results."""


def template_names(task: TaskView, field: str) -> list[TemplateName]:
    """The names in their order; a shell expands its variables itself, all other fields get results of parents.

    Args:
        task: whose field it is.
        field: where they are typed, e.g. `prompt`.
    """
    if field == "shell":
        return _variables(task)
    parents = list(task.run.tasks(sorted(task.parents)[:_MOST_PARENTS]))
    return [one for parent in parents for one in _parts(parent)]


def _parts(parent: TaskView) -> list[TemplateName]:
    result = parent.result
    value = value_text(result.value) if result is not None else ""
    about = plain(value, _LONGEST) if value else translate("Inspector", "no value yet")
    names = [TemplateName(f"{parent.id}.value", about)]
    return [*names, *(TemplateName(f"{parent.id}.{part}") for part in ("output", "exit_code", "status"))]


def _variables(task: TaskView) -> list[TemplateName]:
    fields = task.fields
    if fields is None:
        return []
    given = [TemplateName(name, plain(str(value), _LONGEST)) for name, value in fields.env.items()]
    return given + [TemplateName(name) for name in (_OWN if fields.upstream else _OWN[:-1])]

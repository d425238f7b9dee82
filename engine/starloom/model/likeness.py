"""The likeness of tasks, by which durations are estimated."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from starloom.model.task import Task

Key = tuple[object, ...]
"""First `name` or `kind`, then what is alike."""
UNNAMED: Final = "plan"
"""What a plan is called to which nobody has given a name; so many are, which have nothing else in common."""


def keys_of(task: Task, plan: str, run_id: str) -> list[Key]:
    """The keys that earlier tasks may share with this one, the closest likeness first: its name, then its kind.

    Tasks of different plans have nothing in common, whatever they are called. Of one name are tasks that do exactly the
    same under the same name. Of one kind are tasks that do the same and whose names differ in a number at the end only;
    then those that run the same program, handler or function.

    Args:
        task: the task.
        plan: the name of its plan. Plans without one are told apart by their tasks' work, and by run for kinds.
        run_id: the run it belongs to.
    """
    title = task.name or task.id
    action, what = _doing(task)
    among = all_of(plan, run_id)
    found: list[Key] = [
        ("name", plan, title, action, _work(task, action)),
        ("kind", among, action, what, title.rstrip("0123456789")),
    ]
    if what:
        found.append(("kind", among, action, what))
    return found


def all_of(plan: str, run_id: str) -> Key:
    """The key that all tasks of a plan share; of a plan without a name, only those of the same run.

    Args:
        plan: the plan's name.
        run_id: tells plans without a name apart.
    """
    return (plan, run_id) if plan == UNNAMED else (plan,)


def _work(task: Task, action: str) -> object:
    """The exact work of a task in its plan; empty for simulated tasks and gates."""
    value = getattr(task, action)
    return value if isinstance(value, str | tuple) else None


def _doing(task: Task) -> tuple[str, str]:
    """The action, and what exactly it runs where that has a name."""
    if task.command is not None:
        return "command", PurePath(task.command[0]).name
    if task.call is not None:
        return "call", task.call
    if task.python is not None:
        return "python", task.python
    return task.action, ""

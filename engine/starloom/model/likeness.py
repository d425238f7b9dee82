"""What tasks have in common that lets one tell how long another will take."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starloom.model.task import Task

Key = tuple[str, ...]


def keys_of(task: Task) -> list[Key]:
    """What earlier tasks may have in common with this one, the closest likeness first: its name, then its kind.

    Of one kind are tasks that do the same and whose names differ in a number at the end only; then those that run the
    same program, handler or function.
    """
    title = task.name or task.id
    action, what = _doing(task)
    found: list[Key] = [("name", title), ("kind", action, what, title.rstrip("0123456789"))]
    if what:
        found.append(("kind", action, what))
    return found


def _doing(task: Task) -> tuple[str, str]:
    """The action, and what exactly it runs where that has a name."""
    if task.command is not None:
        return "command", PurePath(task.command[0]).name
    if task.call is not None:
        return "call", task.call
    if task.python is not None:
        return "python", task.python
    return task.action, ""

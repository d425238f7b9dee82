"""Changing the kind of a task's work, keeping what it does as far as the new kind can say it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, Final

from starloom.model.task import ACTIONS
from starloom_gui.text.words import translate

if TYPE_CHECKING:
    from starloom.model.task import Task

_FIRST: Final[dict[str, Any]] = {
    "command": ("echo", "hello"),
    "shell": "echo hello",
    "python": "platform:platform",
    "call": "handler",
    "prompt": "Say hello.",
    "simulate": {"duration": 10},
    "gate": {"message": "Go on?"},
}
"""What each kind begins with where nothing can be kept; it does no harm where it runs at once."""
_LINES: Final = frozenset({"command", "shell"})
_SENTENCES: Final = frozenset({"prompt", "gate"})


def as_kind(task: Task, kind: str) -> dict[str, Any]:
    """The new values of a task that does its work in another way, as one edit takes them.

    A command and a shell text become each other, as do a prompt and the question of a gate.

    Raises:
        ValueError: there is no such kind.
    """
    if kind not in ACTIONS:
        raise ValueError(translate("Inspector", "there is no such kind of task"))
    old = task.action
    return {kind: getattr(task, kind)} if kind == old else {old: None, kind: _kept(task, old, kind)}


def lost_work(task: Task, kind: str) -> str:
    """What a task does of which another kind keeps nothing, as a text; empty: all of it is kept."""
    is_kept = kind == task.action or _kept(task, task.action, kind) is not _FIRST[kind]
    return "" if is_kept else task.action_text


def _kept(task: Task, old: str, kind: str) -> Any:
    words = task.action_text
    if {old, kind} == _LINES:
        if kind == "shell":
            return words
        try:
            return tuple(shlex.split(words)) or _FIRST[kind]
        except ValueError:  # a text that only a shell can read
            return _FIRST[kind]
    if {old, kind} == _SENTENCES:
        return {"message": words} if kind == "gate" else words
    return _FIRST[kind]

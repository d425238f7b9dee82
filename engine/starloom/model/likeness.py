"""The likeness of tasks, by which durations are estimated."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.model.task import Task

Key = tuple[object, ...]
"""First `name`, `kind` or `overhead`, then what is alike."""
UNNAMED: Final = "plan"
"""What a plan is called to which nobody has given a name; so many are, which have nothing else in common."""
_LOOKED_AT: Final = 1_000
"""Characters of a text for the shell in which numbers are looked for: a task is asked for its keys at start and end."""
_NUMBER: Final = re.compile(r"[0-9]+(?:\.[0-9]+)*")


def key_from_plain(plain: Iterable[Any]) -> Key:
    """A key whose tuples were sent or kept as lists."""
    return tuple(key_from_plain(one) if isinstance(one, list | tuple) else one for one in plain)


def keys_of(task: Task, plan: str, run_id: str) -> list[Key]:
    """The keys that earlier tasks may share with this one, the closest likeness first: its name, then its kind.

    Those of `close_keys_of`; then of one kind are tasks that run the same program, handler or function.

    Args:
        task: the task.
        plan: the name of its plan. Plans without one are told apart by their tasks' work, and by run for kinds.
        run_id: the run it belongs to.
    """
    action, what = _doing(task)
    found = close_keys_of(task, plan, run_id)
    if what:
        found.append(("kind", all_of(plan, run_id), action, what))
    return found


def close_keys_of(task: Task, plan: str, run_id: str) -> list[Key]:
    """The keys of those that are so much alike that one of them takes about as long as another; see `keys_of`.

    Tasks of different plans have nothing in common, whatever they are called. Of one name are tasks that do exactly the
    same under the same name. Of one kind are those whose texts for the shell differ in numbers only, whatever they are
    called; then those that do the same and whose names differ in a number at the end only.
    """
    title = task.name or task.id
    action, what = _doing(task)
    among = all_of(plan, run_id)
    found: list[Key] = [("name", plan, title, action, _work(task, action))]
    if task.shell is not None:
        found.append(("kind", among, action, "text", _without_numbers(task.shell)))
    found.append(("kind", among, action, what, title.rstrip("0123456789")))
    return found


def _without_numbers(text: str) -> str:
    """A text for the shell with one sign for every number, as far as it is looked at: scripts may be long."""
    return _NUMBER.sub("#", text[:_LOOKED_AT]) + text[_LOOKED_AT:]


def overhead_key(device_id: str, run_id: str = "") -> Key:
    """The key that attempts on a device share for the seconds for which they hold its slots besides their work.

    Args:
        device_id: the device.
        run_id: only those of this run; empty: those of all runs.
    """
    return ("overhead", device_id, run_id) if run_id else ("overhead", device_id)


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


class ObservedDurations(msgspec.Struct, array_like=True, frozen=True):
    """What runs that have ended tell of durations, for a program that does not have their facts.

    Attributes:
        runs: their ids.
        observed: key of likeness and seconds of each: of work at speed 1, or of overhead.
        ratios: likewise the logarithms of their ratios to what was declared.
    """

    runs: list[str] = []
    observed: list[tuple[Any, list[float]]] = []
    ratios: list[tuple[Any, list[float]]] = []


NO_DURATIONS: Final = ObservedDurations()

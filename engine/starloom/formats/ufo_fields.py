"""The mapping between the fields of UFO's constellations and ours, in both directions.

A task of UFO is a request in plain words to an agent on a device: here a `prompt`, in which nothing is a template.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from starloom.model.frozen import EMPTY
from starloom.model.status import DependencyKind
from starloom.model.task import NO_RETRY, Retry

if TYPE_CHECKING:
    from starloom.model.dependency import Dependency
    from starloom.model.task import Task

KEY: Final = "ufo"
"""The metadata key of plan, tasks and dependencies under which everything UFO said about them is kept."""
BESIDE: Final = "devices_beside"
"""The key in there which says that the plan's devices were read from the file beside it."""
NOTE: Final = "note"
"""The metadata key of a dependency under which the prose of its condition stands."""

PRIORITIES: Final = {"low": 20, "medium": 50, "high": 80, "critical": 100}
DEVICE_TYPES: Final = ("windows", "macos", "linux", "android", "ios", "web", "api")
TASK_STATUSES: Final = ("pending", "running", "completed", "failed", "cancelled", "waiting_dependency")
STATES: Final = ("created", "ready", "executing", "completed", "failed", "partially_failed", "cancelled")
KINDS: Final[Mapping[str, DependencyKind]] = {
    "unconditional": DependencyKind.ALWAYS,  # UFO goes on when the parent has ended, in whatever way
    "completion_only": DependencyKind.ALWAYS,
    "success_only": DependencyKind.SUCCESS,
    "conditional": DependencyKind.SUCCESS,  # its condition is prose that no machine can decide
}
_KIND_NAMES: Final[Mapping[DependencyKind, str]] = {
    DependencyKind.ALWAYS: "completion_only",
    DependencyKind.SUCCESS: "success_only",
    DependencyKind.FAILURE: "conditional",
    DependencyKind.CONDITION: "conditional",
}
_MOST_RETRIES: Final = 9_999


class TaskField(NamedTuple):
    """A field of a UFO task that a plan has a field for.

    Attributes:
        key: what UFO calls it.
        field: what a task calls it.
        read: the value for the task, from all fields of the UFO task and the task's id; a value that
            means nothing is handed on as it is, so that the task refuses it.
        write: the value for UFO.
    """

    key: str
    field: str
    read: Callable[[Mapping[str, Any], str], Any]
    write: Callable[[Task], Any]


def word(value: Any) -> Any:
    """A word of UFO in lower case, which it writes in either case; any other value as it is."""
    return value.strip().lower() if isinstance(value, str) else value


def priority_of(value: Any) -> int | None:
    """The priority for UFO's 1 to 4 or word; None: there is none."""
    if value is None:
        return PRIORITIES["medium"]
    if type(value) is int and 1 <= value <= len(PRIORITIES):
        return list(PRIORITIES.values())[value - 1]
    return PRIORITIES.get(word(value)) if isinstance(value, str) else None


def kind_of(value: Any) -> DependencyKind | None:
    """The kind that a dependency type of UFO stands for, its default where none is given; None: it stands for none."""
    return KINDS.get(word(value) or "unconditional") if value is None or isinstance(value, str) else None


def dependency_type(dependency: Dependency) -> str:
    """UFO's name for the kind of a dependency."""
    return _KIND_NAMES[dependency.kind]


def prose(dependency: Dependency) -> str:
    """The condition in words, as UFO has it."""
    if dependency.condition is not None:
        return dependency.condition
    if dependency.kind is DependencyKind.FAILURE:
        return "the task before has failed"
    note = dependency.metadata.get(NOTE)
    return note if isinstance(note, str) else ""


def as_literal(value: Any) -> Any:
    """The value with every `${` in its texts written so that it is no template."""
    return _in_texts(value, lambda text: text.replace("${", "$${"))


def from_literal(value: Any) -> Any:
    """The inverse of `as_literal`; templates are unchanged."""
    return _in_texts(value, lambda text: text.replace("$${", "${"))


def _in_texts(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: _in_texts(item, change) for key, item in value.items()}
    return [_in_texts(item, change) for item in value] if isinstance(value, list | tuple) else value


def _read_prompt(entry: Mapping[str, Any], task_id: str) -> Any:
    return as_literal(entry.get("description") or entry.get("name") or task_id)


def _write_prompt(task: Task) -> str:
    """The prompt for an agent; of a task without one, its description and its work."""
    if task.prompt is not None:
        return str(from_literal(task.prompt))
    told = [task.description] if task.description else []
    if task.gate is not None and task.gate.message:
        told.append(f"Ask a person: {task.gate.message}")
    if task.command is not None:
        told.append(f"Run this command: {shlex.join(task.command)}")
    if task.shell is not None:
        told.append(f"Run this in a shell: {task.shell}")
    return "\n".join(told) or task.title


def _read_tips(entry: Mapping[str, Any], _task_id: str) -> Any:
    tips = entry.get("tips")
    return () if tips is None else tuple(tips) if isinstance(tips, list) else (tips,) if isinstance(tips, str) else tips


def _read_type(entry: Mapping[str, Any], _task_id: str) -> Any:
    kind = word(entry.get("device_type"))
    return frozenset({kind}) if kind in DEVICE_TYPES else frozenset()


def _read_retry(entry: Mapping[str, Any], _task_id: str) -> Any:
    count = entry.get("retry_count")
    if count is None:
        return NO_RETRY
    return Retry(attempts=count + 1) if type(count) is int and 0 <= count <= _MOST_RETRIES else count


def _read_data(entry: Mapping[str, Any], _task_id: str) -> Any:
    data = entry.get("task_data")
    return EMPTY if data is None else as_literal(data) if isinstance(data, Mapping) else data


def _read_priority(entry: Mapping[str, Any], _task_id: str) -> Any:
    return priority_of(entry.get("priority")) or PRIORITIES["medium"]


def _write_priority(task: Task) -> int:
    """1 to 4, the next that is no higher, but at least 1."""
    return max(1, sum(task.priority >= least for least in PRIORITIES.values()))


PROMPT: Final = TaskField("description", "prompt", _read_prompt, _write_prompt)
TASK_FIELDS: Final = (
    TaskField("name", "name", lambda e, _: "" if e.get("name") is None else e["name"], lambda t: t.title),
    PROMPT,
    TaskField("tips", "tips", _read_tips, lambda t: list(t.tips)),
    TaskField("target_device_id", "device", lambda e, _: e.get("target_device_id") or None, lambda t: t.pin),
    TaskField("device_type", "requires", _read_type, lambda t: next(iter(sorted(t.requires & {*DEVICE_TYPES})), None)),
    TaskField("priority", "priority", _read_priority, _write_priority),
    TaskField("timeout", "timeout", lambda e, _: e.get("timeout"), lambda t: t.timeout),
    TaskField("retry_count", "retry", _read_retry, lambda t: t.retry.attempts - 1),
    TaskField("task_data", "inputs", _read_data, lambda t: from_literal(t.inputs)),
)
KEY_OF_FIELD: Final = {field.field: field.key for field in TASK_FIELDS} | {
    "id": "task_id",
    "parent": "from_task_id",
    "child": "to_task_id",
}

"""The difference between two plans in words: a row for each thing, field by field."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from starloom.model.quantities import format_duration
from starloom.model.severity import ExitSeverity
from starloom.model.status import DependencyKind
from starloom.model.task import Gate, Prefer, Retry, Simulate
from starloom_gui.words import Counted, fill, plain, priority_word, translate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.model.dependency import Dependency
    from starloom.model.task import Task
    from starloom_gui.documents.difference import Difference, FieldChange

_DURATIONS: Final = frozenset({"timeout", "estimate"})
_LONGEST: Final = 120


class Sign(Enum):
    """What happens to something."""

    ADDED = "+"
    CHANGED = "Δ"
    REMOVED = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that differs.

    Attributes:
        title: a task, a dependency or the plan.
        lines: what it is or how it changes, each a line.
        ids: of the tasks it is about; none: it is about the plan.
    """

    sign: Sign
    title: str
    lines: tuple[str, ...]
    ids: tuple[str, ...] = ()


def rows_of(changes: Difference) -> list[Row]:
    """All that differs: first the plan itself, then tasks, then the dependencies between them."""
    return list(each_row(changes))


def each_row(changes: Difference) -> Iterator[Row]:
    """The same one by one: of very many not all need be made."""
    if changes.fields:
        yield Row(Sign.CHANGED, translate("Difference", "Plan"), tuple(map(_change_words, changes.fields)))
    for task in changes.removed:
        yield Row(Sign.REMOVED, task.title, (translate("Difference", "Task"),), (task.id,))
    for task in changes.added:
        yield Row(Sign.ADDED, task.title, (_task_words(task),), (task.id,))
    for one in changes.changed:
        yield Row(Sign.CHANGED, one.after.title, tuple(map(_change_words, one.fields)), (one.after.id,))
    for gone in changes.disconnected:
        yield Row(Sign.REMOVED, _pair(gone), (_link_words(gone),), _ends(gone))
    for come in changes.connected:
        yield Row(Sign.ADDED, _pair(come), (_link_words(come),), _ends(come))
    for change in changes.altered:
        before, after = kind_words(change.before), kind_words(change.after)
        words = _arrow(before, after) if before != after else translate("Difference", "other notes")
        yield Row(Sign.CHANGED, _pair(change.after), (words,), _ends(change.after))


def as_text(rows: list[Row]) -> str:
    """The rows as text to be copied."""
    return "\n".join(
        "\n".join([f"{row.sign.value} {row.title}", *(f"    {line}" for line in row.lines)]) for row in rows
    )


def _arrow(before: str, after: str) -> str:
    return fill(translate("Difference", "%1 → %2"), before, after)


def _change_words(change: FieldChange) -> str:
    if change.name == "layout":
        return translate("Difference", "Nodes stand elsewhere in the drawing")
    before, after = (value_words(change.name, value) for value in (change.before, change.after))
    if before == after:  # they differ further on than is shown
        after = translate("Difference", "another value")
    return fill(translate("Difference", "%1: %2"), field_word(change.name), _arrow(before, after))


def _task_words(task: Task) -> str:
    what = fill(translate("Difference", "Task · %1"), value_words(task.action, getattr(task, task.action)))
    return fill(translate("Difference", "%1 · on %2"), what, task.pin) if task.pin else what


def _pair(one: Dependency) -> str:
    return fill("%1 → %2", one.parent, one.child)


def _ends(one: Dependency) -> tuple[str, str]:
    return one.parent, one.child


def _link_words(one: Dependency) -> str:
    return fill(translate("Difference", "Dependency · %1"), kind_words(one))


def kind_words(one: Dependency) -> str:
    """What a dependency asks of its parent, e.g. `on success`."""
    return {
        DependencyKind.SUCCESS: translate("Difference", "on success"),
        DependencyKind.ALWAYS: translate("Difference", "always"),
        DependencyKind.FAILURE: translate("Difference", "on failure"),
        DependencyKind.CONDITION: fill(translate("Difference", "if %1"), one.condition),
    }[one.kind]


def value_words(name: str, value: Any) -> str:
    """The value of a field of a task or of a plan, in one line."""
    if value is None or value == "" or (isinstance(value, tuple | frozenset | Mapping) and not value):
        return translate("Difference", "none")
    if name in _DURATIONS:
        return format_duration(value)
    if name == "priority":
        return priority_word(value)
    return plain(_structure_words(name, value), _LONGEST)


def _structure_words(name: str, value: Any) -> str:
    if isinstance(value, Retry):
        attempts = Counted().attempts(value.attempts)
        pause = format_duration(value.delay)
        return fill(translate("Difference", "%1, %2 apart"), attempts, pause) if value.delay else attempts
    if isinstance(value, Simulate):
        return fill(translate("Difference", "simulated %1"), format_duration(value.duration))
    if isinstance(value, Gate):
        return value.message or translate("Difference", "waits for a person")
    if isinstance(value, ExitSeverity):
        return str(value)
    if isinstance(value, Prefer):
        return fill(translate("Difference", "rather %1"), value.prefer)
    if name == "notes":
        return " · ".join(note.text for note in value)
    if name == "devices":
        return ", ".join(device.id for device in value)
    if isinstance(value, tuple | frozenset):
        parts = sorted(value) if isinstance(value, frozenset) else value
        return (" " if name == "command" else ", ").join(map(str, parts))
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, Mapping) else str(value)


_FIELDS: Final[dict[str, Callable[[], str]]] = {
    "name": lambda: translate("Difference", "Name"),
    "description": lambda: translate("Difference", "Description"),
    "tips": lambda: translate("Difference", "Tips"),
    "command": lambda: translate("Difference", "Command"),
    "shell": lambda: translate("Difference", "Shell"),
    "python": lambda: translate("Difference", "Python"),
    "call": lambda: translate("Difference", "Call"),
    "prompt": lambda: translate("Difference", "Prompt"),
    "simulate": lambda: translate("Difference", "Simulate"),
    "gate": lambda: translate("Difference", "Gate"),
    "breakpoint": lambda: translate("Difference", "Breakpoint"),
    "inputs": lambda: translate("Difference", "Inputs"),
    "env": lambda: translate("Difference", "Variables"),
    "cwd": lambda: translate("Difference", "Folder"),
    "upstream": lambda: translate("Difference", "Upstream results"),
    "files": lambda: translate("Difference", "Files"),
    "priority": lambda: translate("Difference", "Priority"),
    "requires": lambda: translate("Difference", "Requires"),
    "device": lambda: translate("Difference", "Device"),
    "groups": lambda: translate("Difference", "Limit groups"),
    "timeout": lambda: translate("Difference", "Timeout"),
    "retry": lambda: translate("Difference", "Attempts"),
    "severity": lambda: translate("Difference", "Severity"),
    "join": lambda: translate("Difference", "Join"),
    "on_interrupt": lambda: translate("Difference", "When interrupted"),
    "estimate": lambda: translate("Difference", "Estimate"),
    "metadata": lambda: translate("Difference", "Metadata"),
    "devices": lambda: translate("Difference", "Devices"),
    "limits": lambda: translate("Difference", "Limits"),
    "notes": lambda: translate("Difference", "Notes"),
    "fence": lambda: translate("Difference", "Fence"),
}


def field_word(name: str) -> str:
    """What a field of a task or of a plan is called."""
    word = _FIELDS.get(name)
    return word() if word is not None else name

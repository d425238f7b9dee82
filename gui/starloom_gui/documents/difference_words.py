"""The difference between two plans in words: a row for each thing, field by field."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from starloom.model.quantities import format_duration
from starloom.model.status import DependencyKind
from starloom.model.task import Gate, Prefer, Retry, Simulate
from starloom_gui.words import Counted, fill, plain, priority_word, translate

if TYPE_CHECKING:
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
    rows: list[Row] = []
    if changes.fields:
        rows.append(Row(Sign.CHANGED, translate("Difference", "Plan"), tuple(map(_change_words, changes.fields))))
    gone = translate("Difference", "Task")
    rows += [Row(Sign.REMOVED, task.title, (gone,), (task.id,)) for task in changes.removed]
    rows += [Row(Sign.ADDED, task.title, (_task_words(task),), (task.id,)) for task in changes.added]
    for one in changes.changed:
        rows.append(Row(Sign.CHANGED, one.after.title, tuple(map(_change_words, one.fields)), (one.after.id,)))
    rows += [Row(Sign.REMOVED, _pair(one), (_link_words(one),), _ends(one)) for one in changes.disconnected]
    rows += [Row(Sign.ADDED, _pair(one), (_link_words(one),), _ends(one)) for one in changes.connected]
    for change in changes.altered:
        before, after = kind_words(change.before), kind_words(change.after)
        words = _arrow(before, after) if before != after else translate("Difference", "other notes")
        rows.append(Row(Sign.CHANGED, _pair(change.after), (words,), _ends(change.after)))
    return rows


def as_text(rows: list[Row]) -> str:
    """The rows as text to be copied."""
    return "\n".join(
        "\n".join([f"{row.sign.value} {row.title}", *(f"    {line}" for line in row.lines)]) for row in rows
    )


def _arrow(before: str, after: str) -> str:
    return fill(translate("Difference", "%1 → %2"), before, after)


def _change_words(change: FieldChange) -> str:
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


def field_word(name: str) -> str:
    """What a field of a task or of a plan is called."""
    words = {
        "name": translate("Difference", "Name"),
        "description": translate("Difference", "Description"),
        "tips": translate("Difference", "Tips"),
        "command": translate("Difference", "Command"),
        "shell": translate("Difference", "Shell"),
        "python": translate("Difference", "Python"),
        "call": translate("Difference", "Call"),
        "prompt": translate("Difference", "Prompt"),
        "simulate": translate("Difference", "Simulate"),
        "gate": translate("Difference", "Gate"),
        "breakpoint": translate("Difference", "Breakpoint"),
        "inputs": translate("Difference", "Inputs"),
        "env": translate("Difference", "Variables"),
        "cwd": translate("Difference", "Folder"),
        "upstream": translate("Difference", "Upstream results"),
        "priority": translate("Difference", "Priority"),
        "requires": translate("Difference", "Requires"),
        "device": translate("Difference", "Device"),
        "groups": translate("Difference", "Groups"),
        "timeout": translate("Difference", "Timeout"),
        "retry": translate("Difference", "Attempts"),
        "severity": translate("Difference", "Severity"),
        "join": translate("Difference", "Join"),
        "on_interrupt": translate("Difference", "When interrupted"),
        "estimate": translate("Difference", "Estimate"),
        "metadata": translate("Difference", "Metadata"),
        "notes": translate("Difference", "Notes"),
        "devices": translate("Difference", "Devices"),
        "limits": translate("Difference", "Limits"),
        "fence": translate("Difference", "Fence"),
    }
    return words.get(name, name)

"""Fields of tasks, dependencies and plans in words: their names, and their values in one line."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any, Final

from starloom.model.quantities import format_duration
from starloom.model.severity import ExitSeverity
from starloom.model.status import DependencyKind
from starloom.model.task import BypassValue, Gate, Prefer, Retry, Simulate
from starloom_gui.text.words import Plurals, fill, plain, priority_word, translate

if TYPE_CHECKING:
    from starloom.model.dependency import Dependency


_DURATIONS: Final = frozenset({"timeout", "estimate"})


_LONGEST: Final = 120


def kind_words(one: Dependency) -> str:
    """The kind of a dependency in words, e.g. `on success`."""
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
    if name in _DURATIONS and not isinstance(value, str):  # else it stands as it was typed
        return format_duration(value)
    if name == "priority":
        return priority_word(value)
    if name == "bypass":
        return bypass_words(value)
    if isinstance(value, bool):
        return translate("Difference", "yes") if value else translate("Difference", "no")
    return plain(_structure_words(name, value), _LONGEST)


def bypass_words(value: bool | BypassValue) -> str:
    """The value that a bypassed task passes on, in one line; `none`: it is not bypassed."""
    if isinstance(value, BypassValue):
        return plain(json.dumps(value.value, ensure_ascii=False, default=str), _LONGEST)
    return translate("Difference", "its parents' values") if value else translate("Difference", "none")


def _structure_words(name: str, value: Any) -> str:
    if isinstance(value, Retry):
        attempts = Plurals().attempts(value.attempts)
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
    "expects": lambda: translate("Difference", "Expects"),
    "permissions": lambda: translate("Difference", "Permissions"),
    "simulate": lambda: translate("Difference", "Simulate"),
    "gate": lambda: translate("Difference", "Gate"),
    "breakpoint": lambda: translate("Difference", "Breakpoint"),
    "bypass": lambda: translate("Difference", "Bypass"),
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
    "agents": lambda: translate("Difference", "Agents"),
}


def field_word(name: str) -> str:
    """The name of a field of a task or of a plan."""
    word = _FIELDS.get(name)
    return word() if word is not None else name

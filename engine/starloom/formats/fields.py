"""From pydantic's findings about one value to sentences of our own. Pydantic's wording never reaches a reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

from starloom.errors import nearest
from starloom.model.dependency import Dependency
from starloom.model.device import DeviceSpec
from starloom.model.files import Files
from starloom.model.note import Note
from starloom.model.plan import Limits, Plan
from starloom.model.task import Gate, Retry, Simulate

if TYPE_CHECKING:
    from pydantic import ValidationError

Step = str | int
Finding = tuple[tuple[Step, ...], str, str]
"""Where in the value (its own keys and positions), what is wrong, what to do."""

_KNOWN_FIELDS: Final[Mapping[type, tuple[str, ...]]] = {
    cls: tuple(f.name for f in fields(cls))
    for cls in (DeviceSpec, Dependency, Files, Gate, Limits, Note, Plan, Retry, Simulate)
}
_INNER: Final[Mapping[str, type]] = {
    "retry": Retry,
    "simulate": Simulate,
    "gate": Gate,
    "files": Files,
    "limits": Limits,
    "notes": Note,
}
_PATTERNS: Final[Mapping[str, tuple[str, str]]] = {
    "python": ("must name a function as module:function", "For example package.module:function."),
    "kind": ("must be a word of lower-case letters, digits, - and _", "For example local."),
}
_UNKNOWN: Final = frozenset({"unexpected_keyword_argument", "extra_forbidden"})
_MISSING: Final = frozenset({"missing", "missing_argument", "missing_keyword_only_argument"})
_NAMES_ELSEWHERE: Final[Mapping[str, str]] = {
    "after": "needs",
    "depends": "needs",
    "depends_on": "needs",
    "dependencies": "needs",
    "parents": "needs",
    "run": "shell",
    "script": "shell",
    "cmd": "command",
    "args": "command",
    "environment": "env",
    "variables": "env",
    "workdir": "cwd",
    "working_directory": "cwd",
    "retries": "retry",
    "max_retries": "retry",
    "time_limit": "timeout",
}
"""What other tools call a field of ours: by its letters the nearest one would be another."""


def findings(error: ValidationError, value: Any, known: Sequence[str]) -> list[Finding]:
    """The errors of a mapping of fields, one for each place.

    Args:
        error: what pydantic says about it.
        value: the mapping as it was read.
        known: the names of the fields there are, for the nearest one to a typing error.
    """
    found: dict[tuple[Step, ...], Finding] = {}
    items = error.errors(include_url=False)
    inside = {item["loc"][:-1] for item in items}
    for item in items:
        if item["type"] == "too_short" and item["loc"] in inside:
            continue  # the list has entries; pydantic counts only the good ones
        location = _real_path(item["loc"], value)
        if location not in found or item["type"] in _UNKNOWN:
            found[location] = (location, *_sentence(dict(item), location, known))
    return list(found.values())


def unknown_field(name: str, known: Iterable[str]) -> tuple[str, str]:
    """The problem of a field that does not exist, with its remedy."""
    words = list(known)
    other = _NAMES_ELSEWHERE.get(name)
    near = other if other in words else nearest(name, words)
    return f"unknown field {name!r}.", f"Did you mean {near!r}?" if near else f"Known fields: {', '.join(words)}."


def describe(value: Any) -> str:
    """A value as a reader recognises it, kept short."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "a mapping" if value else "an empty mapping"
    if isinstance(value, list | tuple):
        return "a list" if value else "an empty list"
    text = repr(value)
    end = text[-1] if isinstance(value, str) else ""  # text that is cut stays in its quotes
    return text if len(text) <= 60 else f"{text[:57]}…{end}"


def _real_path(location: tuple[Step, ...], value: Any) -> tuple[Step, ...]:
    """The part of a location that exists in the value: pydantic adds names of union members and of keys."""
    path: list[Step] = []
    for step in location:
        if isinstance(value, Mapping) and isinstance(step, str):
            if step not in value:
                return (*path, step) if step != "[key]" and _is_field(step) else tuple(path)
            value = value[step]
        elif isinstance(value, list | tuple) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            break
        path.append(step)
    return tuple(path)


def _is_field(step: str) -> bool:
    """Whether a step is a field that is missing, not the name of a type."""
    return step.isidentifier() and step.islower() and step != "bool"  # no field has that name


def _sentence(item: Mapping[str, Any], location: tuple[Step, ...], known: Sequence[str]) -> tuple[str, str]:
    kind, given = item["type"], item.get("input")
    is_id = isinstance(given, str) and kind in _SENTENCES  # only its letters or its length are wrong
    if location == ("device",) and len(item["loc"]) > 1 and not is_id:  # pydantic reports on each member of the union
        return "must be the id of a device, or a mapping with prefer and an id.", "For example {prefer: workstation}."
    if location[:1] == ("bypass",) and len(item["loc"]) > 1:
        return "must be true, false, or a mapping with the value to complete with.", "For example {value: 3}."
    name = next((step for step in reversed(location) if isinstance(step, str)), "")
    context: Mapping[str, Any] = item.get("ctx") or {}
    if kind in _UNKNOWN:
        inner = _INNER.get(next((step for step in reversed(location[:-1]) if isinstance(step, str)), ""))
        return unknown_field(str(location[-1]), _KNOWN_FIELDS[inner] if inner else known)
    if kind in _MISSING:
        return f"the field {str(item['loc'][-1])!r} is missing.", "Add it."
    if kind == "value_error":
        return _capped(str(context.get("error", "this cannot be used"))), ""
    if kind in {"enum", "literal_error"}:
        return _not_a_choice(given, str(context.get("expected", "")))
    if kind == "string_pattern_mismatch":
        what, hint = _PATTERNS.get(name, ("must not hold control characters such as line breaks", "Remove them."))
        return f"{what}, not {describe(given)}.", hint
    if kind == "string_type":
        return f"must be text, not {describe(given)}.", _quote_hint(given)
    make = _SENTENCES.get(kind)
    what = make(context) if make else "cannot be used like this"
    return f"{what}, not {describe(given)}.", _ELSE.get(kind, "")


def _bound(number: Any) -> Any:
    """A bound as people write it: the one of a float is a float, whatever the model says."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _quote_hint(given: Any) -> str:
    if isinstance(given, bool | int | float):
        return "Put it in quotes."
    return "" if given is None or isinstance(given, Mapping | list) else "Write text."


def _capped(sentence: str) -> str:
    text = sentence if len(sentence) <= 500 else f"{sentence[:499]}…"
    return text if text.endswith((".", "…", "?")) else f"{text}."


def _not_a_choice(given: Any, expected: str) -> tuple[str, str]:
    choices = [part for part in expected.replace(" or ", ", ").replace("'", "").split(", ") if part]
    near = nearest(given, choices) if isinstance(given, str) else None
    allowed = f"{', '.join(choices[:-1])} or {choices[-1]}" if len(choices) > 1 else "".join(choices)
    return f"must be {allowed}, not {describe(given)}.", f"Did you mean {near!r}?" if near else ""


_WHOLE: Final = "must be a whole number"
_NUMBER: Final = "must be a number"
_LIST: Final = "must be a list"
_MAPPING: Final = "must be a mapping"
_SENTENCES: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "int_type": lambda _: _WHOLE,
    "int_parsing": lambda _: _WHOLE,
    "int_from_float": lambda _: _WHOLE,
    "int_parsing_size": lambda _: "must be a whole number of a sensible size",
    "float_type": lambda _: _NUMBER,
    "float_parsing": lambda _: _NUMBER,
    "finite_number": lambda _: "must be a finite number",
    "bool_type": lambda _: "must be true or false",
    "bool_parsing": lambda _: "must be true or false",
    "tuple_type": lambda _: _LIST,
    "list_type": lambda _: _LIST,
    "set_type": lambda _: _LIST,
    "frozen_set_type": lambda _: _LIST,
    "mapping_type": lambda _: _MAPPING,
    "dict_type": lambda _: _MAPPING,
    "dataclass_type": lambda _: _MAPPING,
    "too_long": lambda c: f"must have at most {c.get('max_length')} entries",
    "too_short": lambda c: f"must have {c.get('min_length', 1)} or more entries",
    "string_too_short": lambda _: "must not be empty",
    "string_too_long": lambda c: f"must have at most {c.get('max_length')} characters",
    "string_unicode": lambda _: "must be whole characters",
    "greater_than": lambda c: f"must be more than {c.get('gt'):g}",
    "greater_than_equal": lambda c: f"must be {_bound(c.get('ge'))} or more",
    "less_than": lambda c: f"must be less than {c.get('lt'):g}",
    "less_than_equal": lambda c: f"must be {_bound(c.get('le'))} or less",
}
_ELSE: Final[Mapping[str, str]] = {
    "tuple_type": "Write [a, b], or one entry a line after '- '.",
    "mapping_type": "Write key: value, one a line.",
    "dict_type": "Write key: value, one a line.",
}

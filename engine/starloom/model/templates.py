"""Templates: how a task's text and inputs name what other tasks left behind, e.g. `${build.value.files[0]}`.

A template is `${<task id>.<part><path>}`. The part is `value`, `output`, `exit_code` or `status`; the path is any
number of `.name`, `.0` or `[0]`. A task id may hold dots and nearly anything else but `}` and `${`. `$${` stands for a
literal `${`, and a `${…}` without a part, like `${HOME}`, is no template and stays as it is. What a template stands for
is never searched for templates again. The text of `shell` is never a template: it belongs to the shell.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from starloom.errors import StarloomError

if TYPE_CHECKING:
    from starloom.model.task import Task

Lookup = Callable[[str], Mapping[str, Any] | None]
"""Says what a task left behind, as {"value", "output", "exit_code", "status"}; None: no such task, or nothing yet."""

TEMPLATE_FIELDS: Final = ("command", "env", "inputs", "prompt")
"""The task fields in which `${task.value}` stands for an upstream result while it runs; see `template_values`."""
MAX_DEPTH: Final = 100
"""How deep the values may be nested that are searched for templates."""

_TOKEN: Final = re.compile(r"\$\$\{|\$\{((?:(?!\$\{)[^}\x00-\x1f\x7f])+)\}")
_PART: Final = re.compile(r"\.(value|output|exit_code|status)(?=[.\[]|$)")
_STEP: Final = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")
_NAMES_SHOWN: Final = 10
_LONGEST_ID: Final = 500
_LONGEST_SHOWN: Final = 200


class TemplateError(StarloomError):
    """Raised for a template that cannot be replaced; the sentence has it, its task and the value found instead."""


class _Reading(NamedTuple):
    """One way to read a template; an id that holds `.value` allows for more than one."""

    task_id: str
    part: str
    path: str


def template_values(task: Task) -> dict[str, Any]:
    """The values of a task in which templates stand for results, by the names of the fields; of a gate its message."""
    found = {name: getattr(task, name) for name in TEMPLATE_FIELDS}
    return found | {"gate": task.gate.message} if task.gate is not None else found


def has_templates(value: object) -> bool:
    """Whether `resolve` could change the value. False is certain; True may turn out to be text like `${HOME}`."""
    if isinstance(value, str):
        return "${" in value
    return bool(value) and any("${" in text for text in _texts(value))


def references(value: object, known: Container[str] | None = None) -> frozenset[str]:
    """The ids of the tasks that the templates in a value name.

    Args:
        value: text, or JSON made of sequences and mappings; the keys of mappings are not searched.
        known: the ids that exist; of two ways to read a template the one that names a known id wins.

    Raises:
        TemplateError: the value is nested deeper than `MAX_DEPTH`.
    """
    found = set()
    for text in _texts(value):
        for token in _TOKEN.finditer(text):
            readings = _readings(token[1])
            if readings:
                found.add(
                    next((r.task_id for r in readings if known is not None and r.task_id in known), readings[0].task_id)
                )
    return frozenset(found)


def resolve(value: Any, lookup: Lookup) -> Any:
    """The value with every template replaced; text that is one template and nothing else becomes the JSON value itself.

    Args:
        value: any JSON value.
        lookup: says what a task left behind.

    Raises:
        TemplateError: a task or a path is missing, or the value is nested deeper than `MAX_DEPTH`.
    """
    return _resolve(value, lookup, 0)


def resolve_text(text: str, lookup: Lookup) -> str:
    """The text with every template replaced by text: strings as they are, any other JSON in its compact form.

    Args:
        text: may hold any number of templates.
        lookup: says what a task left behind.

    Raises:
        TemplateError: a task or a path is missing.
    """
    if "${" not in text:
        return text
    return _TOKEN.sub(lambda token: _as_text(token, lookup), text)


def resolve_task(task: Task, lookup: Lookup) -> Task:
    """The task with the templates in its command, env, inputs and prompt replaced; the same object if it has none.

    Args:
        task: as its plan has it.
        lookup: says what a task left behind.

    Raises:
        TemplateError: a task or a path is missing, or a NUL character would get into the command or the environment.
    """
    changes: dict[str, Any] = {}
    if task.command is not None and has_templates(task.command):
        command = task.command
        changes["command"] = tuple(_argument(f"command[{i}]", item, lookup) for i, item in enumerate(command))
    if has_templates(task.env):
        changes["env"] = {
            name: _argument(f"env.{name}", value, lookup) if isinstance(value, str) else value
            for name, value in task.env.items()
        }
    if has_templates(task.inputs):
        changes["inputs"] = resolve(task.inputs, lookup)
    if task.prompt is not None and has_templates(task.prompt):
        changes["prompt"] = resolve_text(task.prompt, lookup)
    return with_fields(task, changes) if changes else task


def with_fields(task: Task, changes: Mapping[str, Any]) -> Task:
    """The task with other values in these fields, which are not validated.

    Args:
        task: which stays as it is.
        changes: what takes the place of what, by the fields' names.
    """
    # Not dataclasses.replace: it would validate again, and a plan's length limits are not meant for upstream results.
    resolved = copy.copy(task)
    for name, value in changes.items():
        object.__setattr__(resolved, name, value)
    return resolved


def _argument(where: str, text: str, lookup: Lookup) -> str:
    resolved = resolve_text(text, lookup)
    if "\0" in resolved:
        raise TemplateError(
            f"{where} would hold a NUL character once {text!r} is replaced, which no program can be given; "
            "pass the value through `inputs` or the file that $STARLOOM_UPSTREAM names."
        )
    return resolved


def _resolve(value: Any, lookup: Lookup, depth: int) -> Any:
    if isinstance(value, str):
        token = _TOKEN.fullmatch(value) if "${" in value else None
        if token is not None and token[1] is not None and _readings(token[1]):
            return _value_of(token[0], _readings(token[1]), lookup)
        return resolve_text(value, lookup)
    _check_depth(depth)
    if isinstance(value, Mapping):
        return {key: _resolve(item, lookup, depth + 1) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [_resolve(item, lookup, depth + 1) for item in value]
    return value


def _texts(value: object) -> Iterator[str]:
    """Every text in a value, walked with a stack of our own."""
    stack = [(value, 0)]
    while stack:
        item, depth = stack.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            _check_depth(depth)
            stack.extend((child, depth + 1) for child in item.values())
        elif isinstance(item, Sequence) and not isinstance(item, bytes | bytearray):
            _check_depth(depth)
            stack.extend((child, depth + 1) for child in item)


def _check_depth(depth: int) -> None:
    if depth > MAX_DEPTH:
        raise TemplateError(f"The value is nested deeper than {MAX_DEPTH} levels; make it flatter.")


def _readings(body: str | None) -> list[_Reading]:
    """Every way to read what stands between the braces, the shortest id first; none: it is no template."""
    if body is None:
        return []
    # No id is longer; without the bound a text of many `.value` would cost the square of its length.
    parts = _PART.finditer(body, 0, _LONGEST_ID + len(".exit_code."))
    return [
        _Reading(body[: part.start()], part[1], body[part.end() :]) for part in parts if 0 < part.start() <= _LONGEST_ID
    ]


def _as_text(token: re.Match[str], lookup: Lookup) -> str:
    readings = _readings(token[1])
    if not readings:
        return "${" if token[1] is None else token[0]
    value = _value_of(token[0], readings, lookup)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _value_of(template: str, readings: Sequence[_Reading], lookup: Lookup) -> Any:
    if len(template) > _LONGEST_SHOWN:
        template = template[:_LONGEST_SHOWN] + "…"
    for reading in readings:
        parts = lookup(reading.task_id)
        if parts is not None:
            return _walk(template, reading, parts)
    raise TemplateError(f"{template}: there is no task {readings[0].task_id!r} whose result can be used here.")


def _walk(template: str, reading: _Reading, parts: Mapping[str, Any]) -> Any:
    value, at, position = parts.get(reading.part), reading.part, 0
    while position < len(reading.path):
        step = _STEP.match(reading.path, position)
        if step is None:
            raise TemplateError(
                f"{template}: {reading.path[position:][:_LONGEST_SHOWN]!r} is no path into the {reading.part} of task "
                f"{reading.task_id!r}; write .name, .0 or [0]."
            )
        name = step[1] if step[1] is not None else step[2]
        value = _step(template, reading.task_id, at, value, name)
        at, position = at + step[0], step.end()
    return value


def _step(template: str, task_id: str, at: str, value: Any, name: str) -> Any:
    if isinstance(value, Mapping):
        if name in value:
            return value[name]
        there = f"has no {name!r}; it has {_names(value)}"
    elif isinstance(value, Sequence) and not isinstance(value, str):
        if re.fullmatch(r"[0-9]{1,9}", name) and int(name) < len(value):
            return value[int(name)]
        there = f"has no item {name}; it is a list of {len(value)}" + (", counted from 0" if value else "")
    else:
        there = f"is {_kind(value)}, so it has no {name!r}"
    raise TemplateError(f"{template}: the {at} of task {task_id!r} {there}.")


def _names(value: Mapping[str, Any]) -> str:
    names = [repr(str(name)) for name in value]
    if not names:
        return "nothing"
    more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
    return ", ".join(names[:_NAMES_SHOWN]) + more


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "text" if isinstance(value, str) else "a number"

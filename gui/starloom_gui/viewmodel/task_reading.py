"""Values of a task's fields as texts, and what a text changes; see `task_specs` for which field has which."""

from __future__ import annotations

import json
import shlex
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from starloom.model.expected import JsonSchema
from starloom.model.quantities import format_duration
from starloom.model.severity import ELSE, ExitSeverity
from starloom.model.status import Expects
from starloom.model.task import BypassValue
from starloom_gui.text import cell_text as cells
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from starloom.model.files import FileCopy
    from starloom.model.task import Task

Values = dict[str, Any]
"""New values of fields of a task, as an edit takes them."""


def duration_shown(value: float | None) -> str:
    """A duration as people write it; empty: there is none."""
    return "" if value is None else format_duration(value)


def _whole(text: str, words: str) -> int:
    if not text.isdecimal():
        raise ValueError(words)
    return int(text)


def names_shown(names: Iterable[str]) -> str:
    """Names in one line."""
    return cells.names_text(sorted(names) if isinstance(names, frozenset) else names)


def switch_shown(value: bool) -> str:
    """A switch as a text."""
    return "true" if value else "false"


def as_switch(text: str) -> bool:
    """Whether a switch is on.

    Raises:
        ValueError: it says neither.
    """
    if text not in {"true", "false"}:
        raise ValueError(translate("Inspector", "it is on or off"))
    return text == "true"


def list_shown(items: Iterable[str]) -> str:
    """Texts as lines."""
    return "\n".join(cells.cell_of_name(item) for item in items)


def mapping_shown(shown: Callable[[Any], str]) -> Callable[[Mapping[str, Any]], str]:
    """Make a formatter of mappings as rows, whose values are formatted by the given one."""
    return lambda value: cells.lines_of((cells.cell_of_name(name), shown(one)) for name, one in value.items())


def as_mapping(text: str, read: Callable[[str], Any]) -> Values:
    """The mapping that rows stand for.

    Raises:
        ValueError: a row has no name, two have the same one, or a value cannot be read.
    """
    made: Values = {}
    for cell, value in cells.rows_of(text, 2):
        if not cell:
            raise ValueError(fill(translate("Inspector", "the value %1 has no name"), value))
        name = cells.text_of_cell(cell)
        if name in made:
            raise ValueError(fill(translate("Inspector", "%1 stands there twice"), name))
        made[name] = read(value)
    return made


def as_env(text: str) -> Values:
    """Variables of an environment, as an edit takes them.

    Raises:
        ValueError: a row has no name, or one that no variable can have.
    """
    made = as_mapping(text, cells.variable_of_cell)
    for name in made:
        if any(mark.isspace() or mark == "=" for mark in name):
            raise ValueError(fill(translate("Inspector", "a name holds no spaces and no “=”: %1"), name))
    return made


def files_shown(copies: Sequence[FileCopy]) -> str:
    """Copies of files as rows."""
    rows = ((cells.cell_of_name(one.source), cells.cell_of_name(one.target)) for one in copies)
    return cells.lines_of((source, "" if source == target else target) for source, target in rows)


def _as_files(text: str) -> list[Any]:
    rows = [[cells.text_of_cell(cell) for cell in row] for row in cells.rows_of(text, 2)]
    return [{"from": source, "to": target or source} for source, target in rows]


def codes_shown(value: Any) -> str:
    """The exit codes of a severity as rows."""
    codes = value.codes.items() if isinstance(value, ExitSeverity) else ()
    return cells.lines_of((str(code), str(severity)) for code, severity in codes)


def otherwise_of(task: Task) -> str:
    """The severity of failures whose exit code is not listed."""
    value = task.severity
    return str(value.otherwise if isinstance(value, ExitSeverity) else value)


def with_word(task: Task, text: str) -> Values:
    """Change the severity of failures whose exit code is not listed."""
    value = task.severity
    codes = value.to_plain() if isinstance(value, ExitSeverity) else {}
    return {"severity": {**codes, ELSE: text} if codes else text}


def with_codes(task: Task, text: str) -> Values:
    """Other meanings of exit codes.

    Raises:
        ValueError: one of them stands there twice, or is missing.
    """
    codes = as_mapping(text, str)
    return {"severity": {ELSE: otherwise_of(task), **codes} if codes else otherwise_of(task)}


def expects_word(task: Task) -> str:
    """What the last message has to end with; empty: any text will do."""
    return "" if task.expects is None else Expects.JSON.value


def with_expects(task: Task, text: str) -> Values:
    """Change what the last message has to end with; a schema stays where it is still JSON."""
    stays = text == Expects.JSON and isinstance(task.expects, JsonSchema)
    return {"expects": task.expects if stays else text or None}


def with_schema(_task: Task, text: str) -> Values:
    """Change the schema of the JSON at the end of the last message; empty: any JSON."""
    return {"expects": as_schema(text) if text.strip() else Expects.JSON}


def as_schema(text: str) -> dict[str, Any]:
    """The JSON object in a text.

    Raises:
        ValueError: there is none.
    """
    try:
        schema = json.loads(text)
    except json.JSONDecodeError as error:
        said = translate("Inspector", "the schema is not JSON: in line %1, column %2, %3")
        raise ValueError(fill(said, error.lineno, error.colno, error.msg)) from None
    except (ValueError, RecursionError):
        schema = None
    if isinstance(schema, dict):
        return schema
    raise ValueError(translate("Inspector", 'a schema is a JSON object, such as {"type": "object"}'))


def schema_shown(value: Any) -> str:
    """The schema as JSON with a line for each entry."""
    return json.dumps(value.to_plain(), ensure_ascii=False, indent=2) if isinstance(value, JsonSchema) else ""


def with_prefer(_task: Task, text: str) -> Values:
    """Change the preferred device."""
    return {"device": {"prefer": text} if text else None}


def _with(value: Any, /, **given: Any) -> Values:
    """The fields of a value, with some of them replaced."""
    return {one.name: getattr(value, one.name) for one in fields(value)} | given


def of_retry(part: str, read: Callable[[str], Any]) -> Callable[[Task, str], Values]:
    """Make a function that changes one value of a retry."""
    return lambda task, text: {"retry": _with(task.retry, **{part: read(text)})}


def of_simulate(part: str, read: Callable[[str], Any]) -> Callable[[Task, str], Values]:
    """Make a function that changes one value of simulated work."""
    return lambda task, text: {"simulate": _with(task.simulate, **{part: read(text)})}


def of_files(part: str) -> Callable[[Task, str], Values]:
    """Make a function that changes one list of files."""
    return lambda task, text: {
        "files": {
            name: _as_files(text if name == part else files_shown(getattr(task.files, name)))
            for name in ("send", "fetch")
        }
    }


def with_message(task: Task, text: str) -> Values:
    """Change the question of a gate."""
    return {"gate": _with(task.gate, message=text)}


def with_after(task: Task, text: str) -> Values:
    """Change the countdown of a gate: without one it waits for an answer, with one it is skipped by default."""
    gate = task.gate
    assert gate is not None, "it is a field of gates only"
    return {"gate": _with(gate, after=text or None, then=(gate.then or "skip") if text else None)}


def with_then(task: Task, text: str) -> Values:
    """Change the outcome of a gate when its countdown is over.

    Raises:
        ValueError: it waits for however long it takes.
    """
    gate = task.gate
    assert gate is not None, "it is a field of gates only"
    if text and gate.after is None:
        raise ValueError(translate("Inspector", "say first how long it waits for an answer"))
    return {"gate": _with(gate, after=gate.after if text else None, then=text or None)}


def with_bypass(task: Task, text: str) -> Values:
    """Bypass a task, or do not; a value that it passes on stays."""
    return {"bypass": (task.bypass or True) if as_switch(text) else False}


def with_bypass_value(_task: Task, text: str) -> Values:
    """Change the value that a bypassed task passes on; empty: those of its parents."""
    return {"bypass": BypassValue(cells.json_of_cell(text)) if text else True}


def bypass_value_shown(value: bool | BypassValue) -> str:
    """The value that a bypassed task passes on; empty: those of its parents."""
    return (cells.cell_of_json(value.value) or '""') if isinstance(value, BypassValue) else ""


def retries(text: str) -> int:
    """The total number of attempts.

    Raises:
        ValueError: the text is no number of further ones.
    """
    return 1 + _whole(text, translate("Inspector", "write how many more attempts there may be, 0 or more"))


def failing(text: str) -> int:
    """The number of first attempts that fail.

    Raises:
        ValueError: the text is no number.
    """
    return _whole(text or "0", translate("Inspector", "write how many attempts fail, 0 or more"))


def command_of(_task: Task, text: str) -> Values:
    """The program and its arguments in a line.

    Raises:
        ValueError: the line is empty, or a quotation is not closed.
    """
    return {"command": tuple(shlex.split(given(text)))}


def given(text: str) -> str:
    """Return the text of a task's work, which must not be empty.

    Raises:
        ValueError: it is empty.
    """
    if not text:
        raise ValueError(translate("Inspector", "write what the task does"))
    return text


def does(action: str) -> Callable[[Task], bool]:
    """Whether a task does its work in this way."""
    return lambda task: getattr(task, action) is not None

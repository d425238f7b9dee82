"""The fields of a task in a plan file, one entry each: their place in the form, editor, format and parser.

A value is shown as a text and read from one: lists and tables as lines, see `starloom_gui.text.cell_text`. What is
wrong with a value of the right shape is the engine's to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from starloom.model.task import ACTIONS
from starloom_gui.text import cell_text as cells
from starloom_gui.text.command_text import command_text
from starloom_gui.text.words import priority_word
from starloom_gui.viewmodel import task_reading as r
from starloom_gui.viewmodel.task_kinds import as_kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.model.task import Task
    from starloom_gui.viewmodel.task_reading import Values


class FormPart(StrEnum):
    """The parts of a task's form, from top to bottom."""

    WHAT = "what"
    WHERE = "where"
    WHEN = "when"
    RETRY = "retry"
    INPUTS = "inputs"
    ABOUT = "about"


class EditorKind(StrEnum):
    """The kind of editor of a value."""

    LINE = "line"
    WORK = "work"
    """A line, or as much room as several lines need."""
    SCRIPT = "script"
    PROSE = "prose"
    NAMES = "names"
    DEVICE = "device"
    LIST = "list"
    VARIABLES = "variables"
    """A map of texts and secrets, as a tree."""
    VALUES = "values"
    """A map of JSON values, as a tree."""
    VALUE = "value"
    CODES = "codes"
    FILES = "files"
    CHOICE = "choice"
    SWITCH = "switch"


SEVERAL_LINES: Final = frozenset(
    {
        EditorKind.SCRIPT,
        EditorKind.PROSE,
        EditorKind.LIST,
        EditorKind.VARIABLES,
        EditorKind.VALUES,
        EditorKind.VALUE,
        EditorKind.CODES,
        EditorKind.FILES,
    }
)
"""The editors of texts that have lines; they are as wide as the form."""


def _always(_task: Task) -> bool:
    return True


def _is_run(task: Task) -> bool:
    """Whether a task has attempts, so that where and how they run means something: a gate has none."""
    return task.gate is None


def _has_inputs(task: Task) -> bool:
    """Whether anything reads the inputs of a task: functions do, programs get variables; those that are there stay."""
    return _is_run(task) and ((task.command is None and task.shell is None) or bool(task.inputs))


def _as_it_is(value: Any) -> str:
    return "" if value is None else str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskFieldSpec:
    """One field of a task's form.

    Attributes:
        name: of the field of the task; of one value within it, e.g. `retry.delay`.
        part: where it stands.
        kind: what it is edited in.
        value: of a task, comparable with that of another one.
        parse: the new values that a text comes to; raises ValueError where it is none, with a sentence.
        show: the text of a value.
        applies: whether a task has such a field.
        code: whether it is read by programs.
    """

    name: str
    part: FormPart
    kind: EditorKind
    value: Callable[[Task], Any]
    parse: Callable[[Task, str], Values]
    show: Callable[[Any], str] = _as_it_is
    applies: Callable[[Task], bool] = _always
    code: bool = False

    def read(self, task: Task) -> str:
        """The text of its value of a task."""
        return self.show(self.value(task))


# ---- the table


def _spec(
    name: str, part: FormPart, kind: EditorKind, parse: Callable[[Task, str], Values], **more: Any
) -> TaskFieldSpec:
    """A field whose value is the attribute of the task that its name says."""
    return TaskFieldSpec(name=name, part=part, kind=kind, parse=parse, **{"value": attrgetter(name), **more})


def _work(name: str, kind: EditorKind, parse: Callable[[Task, str], Values], **more: Any) -> TaskFieldSpec:
    return _spec(name, FormPart.WHAT, kind, parse, applies=r.does(name), code=True, **more)


def _work_text(name: str, kind: EditorKind) -> TaskFieldSpec:
    return _work(name, kind, lambda _task, text: {name: r.given(text)})


def _plain(name: str, part: FormPart, kind: EditorKind, read: Callable[[str], Any] = str, **more: Any) -> TaskFieldSpec:
    return _spec(name, part, kind, lambda _task, text: {name: read(text)}, **more)


def _run_spec(
    name: str, part: FormPart, kind: EditorKind, parse: Callable[[Task, str], Values], **more: Any
) -> TaskFieldSpec:
    """A field of where and how attempts run, which a gate does not have."""
    return _spec(name, part, kind, parse, applies=_is_run, **more)


def _run_plain(
    name: str, part: FormPart, kind: EditorKind, read: Callable[[str], Any] = str, **more: Any
) -> TaskFieldSpec:
    return _plain(name, part, kind, read, applies=_is_run, **more)


def _or_none(text: str) -> str | None:
    return text or None


_P, _K = FormPart, EditorKind
SPECS: Final = (
    _plain("name", _P.WHAT, _K.LINE),
    _spec("kind", _P.WHAT, _K.CHOICE, as_kind, value=attrgetter("action")),
    _work("command", _K.WORK, r.command_of, show=command_text),
    _work_text("shell", _K.SCRIPT),
    _work_text("python", _K.LINE),
    _work_text("call", _K.LINE),
    _work_text("prompt", _K.SCRIPT),
    _plain("permissions", _P.WHAT, _K.CHOICE, _or_none, applies=r.does("prompt")),
    _spec("expects", _P.WHAT, _K.CHOICE, r.with_expects, value=r.expects_word, applies=r.does("prompt")),
    _spec(
        "expects.schema",
        _P.WHAT,
        _K.SCRIPT,
        r.with_schema,
        value=attrgetter("expects"),
        show=r.schema_shown,
        applies=attrgetter("expects"),
        code=True,
    ),
    _work(
        "simulate",
        _K.LINE,
        r.of_simulate("duration", str),
        value=attrgetter("simulate.duration"),
        show=r.duration_shown,
    ),
    _spec("simulate.outcome", _P.WHAT, _K.CHOICE, r.of_simulate("outcome", str), applies=r.does("simulate")),
    _spec(
        "simulate.fail_attempts",
        _P.WHAT,
        _K.LINE,
        r.of_simulate("fail_attempts", r.failing),
        applies=r.does("simulate"),
    ),
    _spec(
        "simulate.value",
        _P.WHAT,
        _K.VALUE,
        r.of_simulate("value", lambda text: cells.json_of_cell(text) if text else None),
        show=lambda value: "" if value is None else cells.cell_of_json(value) or '""',
        applies=r.does("simulate"),
        code=True,
    ),
    _work("gate", _K.WORK, r.with_message, value=attrgetter("gate.message")),
    _spec("gate.after", _P.WHAT, _K.LINE, r.with_after, show=r.duration_shown, applies=r.does("gate")),
    _spec("gate.then", _P.WHAT, _K.CHOICE, r.with_then, applies=r.does("gate")),
    _run_plain("device", _P.WHERE, _K.DEVICE, _or_none, value=attrgetter("pin")),
    _run_spec("device.prefer", _P.WHERE, _K.DEVICE, r.with_prefer, value=attrgetter("preference")),
    _run_plain("requires", _P.WHERE, _K.NAMES, lambda text: frozenset(cells.names_of(text)), show=r.names_shown),
    _plain("groups", _P.WHERE, _K.NAMES, lambda text: tuple(cells.names_of(text)), show=r.names_shown),
    _run_plain("cwd", _P.WHERE, _K.LINE, _or_none, code=True),
    _run_spec("files.send", _P.WHERE, _K.FILES, r.of_files("send"), show=r.files_shown, code=True),
    _run_spec("files.fetch", _P.WHERE, _K.FILES, r.of_files("fetch"), show=r.files_shown, code=True),
    _plain("priority", _P.WHEN, _K.LINE, show=priority_word),
    _run_plain("timeout", _P.WHEN, _K.LINE, _or_none, show=r.duration_shown),
    _plain("estimate", _P.WHEN, _K.LINE, _or_none, show=r.duration_shown),
    _plain("join", _P.WHEN, _K.CHOICE),
    _plain("breakpoint", _P.WHEN, _K.SWITCH, r.as_switch, show=r.switch_shown),
    _spec("bypass", _P.WHEN, _K.SWITCH, r.with_bypass, value=attrgetter("is_bypassed"), show=r.switch_shown),
    _spec(
        "bypass.value",
        _P.WHEN,
        _K.VALUE,
        r.with_bypass_value,
        value=attrgetter("bypass"),
        show=r.bypass_value_shown,
        applies=attrgetter("is_bypassed"),
        code=True,
    ),
    _run_spec(
        "retry",
        _P.RETRY,
        _K.LINE,
        r.of_retry("attempts", r.retries),
        value=attrgetter("retry.attempts"),
        show=lambda attempts: str(attempts - 1),
    ),
    _run_spec("retry.backoff", _P.RETRY, _K.CHOICE, r.of_retry("backoff", str)),
    _run_spec(
        "retry.delay",
        _P.RETRY,
        _K.LINE,
        r.of_retry("delay", lambda text: text or 0),
        show=lambda seconds: r.duration_shown(seconds or None),
    ),
    _run_spec("retry.cap", _P.RETRY, _K.LINE, r.of_retry("cap", _or_none), show=r.duration_shown),
    _spec("severity", _P.RETRY, _K.CHOICE, r.with_word, value=r.otherwise_of),
    _run_spec("severity.codes", _P.RETRY, _K.CODES, r.with_codes, value=attrgetter("severity"), show=r.codes_shown),
    _run_plain("on_interrupt", _P.RETRY, _K.CHOICE),
    _plain(
        "inputs",
        _P.INPUTS,
        _K.VALUES,
        lambda text: r.as_mapping(text, cells.json_of_cell),
        show=r.mapping_shown(cells.cell_of_json),
        applies=_has_inputs,
        code=True,
    ),
    _run_plain("env", _P.INPUTS, _K.VARIABLES, r.as_env, show=r.mapping_shown(cells.cell_of_variable), code=True),
    _run_plain("upstream", _P.INPUTS, _K.SWITCH, r.as_switch, show=r.switch_shown),
    _plain("description", _P.ABOUT, _K.PROSE),
    _plain(
        "tips",
        _P.ABOUT,
        _K.LIST,
        lambda text: tuple(cells.text_of_cell(line) for line in text.split("\n") if line.strip()),
        show=r.list_shown,
    ),
    _plain(
        "metadata",
        _P.ABOUT,
        _K.VALUES,
        lambda text: r.as_mapping(text, cells.json_of_cell),
        show=r.mapping_shown(cells.cell_of_json),
        code=True,
    ),
)
SPEC_OF: Final = {one.name: one for one in SPECS}
WORK: Final = frozenset(ACTIONS) | {one.name for one in SPECS if one.name.startswith(("simulate", "gate"))}
"""The fields that say what a task does."""

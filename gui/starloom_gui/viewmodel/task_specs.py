"""All that a plan file may say of a task, one entry a field: where it stands, how it is edited, shown and read.

A value is shown as a text and read from one: lists and tables as lines, see `starloom_gui.text.cell_text`. What is
wrong with a value of the right shape is the engine's to say.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from starloom.model.files import NO_FILES
from starloom.model.task import ACTIONS
from starloom_gui.text import cell_text as cells
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
    """What a value is edited in."""

    LINE = "line"
    WORK = "work"
    """A line, or as much room as several lines need."""
    SCRIPT = "script"
    PROSE = "prose"
    NAMES = "names"
    DEVICE = "device"
    LIST = "list"
    TABLE = "table"
    CODES = "codes"
    FILES = "files"
    CHOICE = "choice"
    SWITCH = "switch"


def _always(_task: Task) -> bool:
    return True


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
        unset: the value that clears it, as a text; None: it cannot be cleared.
    """

    name: str
    part: FormPart
    kind: EditorKind
    value: Callable[[Task], Any]
    parse: Callable[[Task, str], Values]
    show: Callable[[Any], str] = _as_it_is
    applies: Callable[[Task], bool] = _always
    code: bool = False
    unset: str | None = ""

    def read(self, task: Task) -> str:
        """The text of its value of a task."""
        return self.show(self.value(task))


# ---- the table


def _work(name: str, kind: EditorKind, parse: Callable[[Task, str], Values], **more: Any) -> TaskFieldSpec:
    given = {"value": lambda task: getattr(task, name), "unset": None, **more}
    return TaskFieldSpec(
        name=name, part=FormPart.WHAT, kind=kind, parse=parse, applies=r.does(name), code=True, **given
    )


def _plain(name: str, part: FormPart, kind: EditorKind, read: Callable[[str], Any] = str, **more: Any) -> TaskFieldSpec:
    def value(task: Task) -> Any:
        return getattr(task, name)

    return TaskFieldSpec(
        name=name, part=part, kind=kind, value=value, parse=lambda _task, text: {name: read(text)}, **more
    )


def _or_none(text: str) -> str | None:
    return text or None


_P, _K = FormPart, EditorKind
SPECS: Final = (
    _plain("name", _P.WHAT, _K.LINE),
    TaskFieldSpec(name="kind", part=_P.WHAT, kind=_K.CHOICE, value=lambda task: task.action, parse=as_kind, unset=None),
    _work("command", _K.WORK, r.command_of, show=shlex.join),
    _work("shell", _K.SCRIPT, lambda _, text: {"shell": r.given(text)}),
    _work("python", _K.LINE, lambda _, text: {"python": r.given(text)}),
    _work("call", _K.LINE, lambda _, text: {"call": r.given(text)}),
    _work("prompt", _K.SCRIPT, lambda _, text: {"prompt": r.given(text)}),
    _work(
        "simulate", _K.LINE, r.of_simulate("duration", str), value=lambda t: t.simulate.duration, show=r.duration_shown
    ),
    TaskFieldSpec(
        name="simulate.outcome",
        part=_P.WHAT,
        kind=_K.CHOICE,
        value=lambda task: task.simulate.outcome,  # type: ignore[union-attr]  # `applies` says where there is one
        parse=r.of_simulate("outcome", str),
        applies=r.does("simulate"),
        unset="completed",
    ),
    TaskFieldSpec(
        name="simulate.fail_attempts",
        part=_P.WHAT,
        kind=_K.LINE,
        value=lambda task: task.simulate.fail_attempts,  # type: ignore[union-attr]  # as above
        parse=r.of_simulate("fail_attempts", r.failing),
        unset="0",
        applies=r.does("simulate"),
    ),
    TaskFieldSpec(
        name="simulate.value",
        part=_P.WHAT,
        kind=_K.LINE,
        value=lambda task: task.simulate.value,  # type: ignore[union-attr]  # as above
        parse=r.of_simulate("value", lambda text: cells.json_of_cell(text) if text else None),
        show=lambda value: "" if value is None else cells.cell_of_json(value) or '""',
        applies=r.does("simulate"),
        code=True,
    ),
    _work("gate", _K.WORK, r.with_message, value=lambda task: task.gate.message, unset=""),
    TaskFieldSpec(
        name="gate.after",
        part=_P.WHAT,
        kind=_K.LINE,
        value=lambda task: task.gate.after,  # type: ignore[union-attr]  # as above
        parse=r.with_after,
        show=r.duration_shown,
        applies=r.does("gate"),
    ),
    TaskFieldSpec(
        name="gate.then",
        part=_P.WHAT,
        kind=_K.CHOICE,
        value=lambda task: task.gate.then,  # type: ignore[union-attr]  # as above
        parse=r.with_then,
        applies=r.does("gate"),
    ),
    TaskFieldSpec(
        name="device",
        part=_P.WHERE,
        kind=_K.DEVICE,
        value=lambda task: task.pin,
        parse=lambda _, text: {"device": text or None},
    ),
    TaskFieldSpec(
        name="device.prefer",
        part=_P.WHERE,
        kind=_K.DEVICE,
        value=lambda task: task.preference,
        parse=r.with_prefer,
    ),
    _plain("requires", _P.WHERE, _K.NAMES, lambda text: frozenset(cells.names_of(text)), show=r.names_shown),
    _plain("groups", _P.WHERE, _K.NAMES, lambda text: tuple(cells.names_of(text)), show=r.names_shown),
    _plain("cwd", _P.WHERE, _K.LINE, _or_none, code=True),
    TaskFieldSpec(
        name="files.send",
        part=_P.WHERE,
        kind=_K.FILES,
        value=lambda task: task.files.send if task.files is not NO_FILES else (),
        parse=r.of_files("send"),
        show=r.files_shown,
        code=True,
    ),
    TaskFieldSpec(
        name="files.fetch",
        part=_P.WHERE,
        kind=_K.FILES,
        value=lambda task: task.files.fetch if task.files is not NO_FILES else (),
        parse=r.of_files("fetch"),
        show=r.files_shown,
        code=True,
    ),
    _plain("priority", _P.WHEN, _K.LINE, show=priority_word, unset="normal"),
    _plain("timeout", _P.WHEN, _K.LINE, _or_none, show=r.duration_shown),
    _plain("estimate", _P.WHEN, _K.LINE, _or_none, show=r.duration_shown),
    _plain("join", _P.WHEN, _K.CHOICE, unset="all"),
    _plain("breakpoint", _P.WHEN, _K.SWITCH, r.as_switch, show=r.switch_shown, unset="false"),
    TaskFieldSpec(
        name="retry",
        part=_P.RETRY,
        kind=_K.LINE,
        value=lambda task: task.retry.attempts,
        parse=r.of_retry("attempts", r.retries),
        show=lambda attempts: str(attempts - 1),
        unset="0",
    ),
    TaskFieldSpec(
        name="retry.backoff",
        part=_P.RETRY,
        kind=_K.CHOICE,
        value=lambda task: task.retry.backoff,
        parse=r.of_retry("backoff", str),
        unset="fixed",
    ),
    TaskFieldSpec(
        name="retry.delay",
        part=_P.RETRY,
        kind=_K.LINE,
        value=lambda task: task.retry.delay,
        parse=r.of_retry("delay", lambda text: text or 0),
        show=lambda seconds: r.duration_shown(seconds) if seconds else "",
    ),
    TaskFieldSpec(
        name="retry.cap",
        part=_P.RETRY,
        kind=_K.LINE,
        value=lambda task: task.retry.cap,
        parse=r.of_retry("cap", _or_none),
        show=r.duration_shown,
    ),
    TaskFieldSpec(
        name="severity", part=_P.RETRY, kind=_K.CHOICE, value=r.otherwise_of, parse=r.with_word, unset="error"
    ),
    TaskFieldSpec(
        name="severity.codes",
        part=_P.RETRY,
        kind=_K.CODES,
        value=lambda task: task.severity,
        parse=r.with_codes,
        show=r.codes_shown,
    ),
    _plain("on_interrupt", _P.RETRY, _K.CHOICE, unset="reattach"),
    _plain(
        "inputs",
        _P.INPUTS,
        _K.TABLE,
        lambda text: r.as_mapping(text, cells.json_of_cell),
        show=r.mapping_shown(cells.cell_of_json),
        code=True,
    ),
    _plain("env", _P.INPUTS, _K.TABLE, r.as_env, show=r.mapping_shown(cells.cell_of_variable), code=True),
    _plain("upstream", _P.INPUTS, _K.SWITCH, r.as_switch, show=r.switch_shown, unset="false"),
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
        _K.TABLE,
        lambda text: r.as_mapping(text, cells.json_of_cell),
        show=r.mapping_shown(cells.cell_of_json),
        code=True,
    ),
)
SPEC_OF: Final = {one.name: one for one in SPECS}
WORK: Final = frozenset(ACTIONS) | {one.name for one in SPECS if one.name.startswith(("simulate", "gate"))}
"""The fields that say what a task does."""

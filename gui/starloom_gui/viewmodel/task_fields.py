"""The fields of a task as texts, and the commands and edits that a changed text comes to."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from starloom.constellation.edits import EditBatch, UpdateTask
from starloom.formats.fields import findings
from starloom.model.quantities import PRIORITY_NAMES, beyond_priorities, parse_priority
from starloom.model.status import RunState, TaskStatus
from starloom.model.task import TASK_FIELDS
from starloom.scheduling.commands import (
    ClearBreakpoints,
    Command,
    EditConstellation,
    PinTasks,
    RetryTasks,
    SetBreakpoints,
    SetPriority,
)
from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.text.engine_words import said
from starloom_gui.text.words import fill, plain, priority_word, translate
from starloom_gui.viewmodel.inherited_priority import inherited
from starloom_gui.viewmodel.task_field_words import backoff_words, help_of, label_of, placeholder
from starloom_gui.viewmodel.task_specs import SEVERAL_LINES, SPEC_OF, SPECS, WORK, EditorKind, FormPart

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from starloom.model.task import Task
    from starloom.scheduling.read.run_view import RunView, TaskView
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.viewmodel.task_specs import TaskFieldSpec

PRIORITY: Final = "priority"
DEVICE: Final = "device"
GROUPS: Final = "groups"
REQUIRES: Final = "requires"
RETRY: Final = "retry"
BREAKPOINT: Final = "breakpoint"
ID: Final = "id"
NAME: Final = "name"
KIND: Final = "kind"
_QUOTED: Final = re.compile(r"""\\.|'[^']*'|"(?:\\.|[^"\\])*\"""")
_OPERATOR: Final = re.compile(r"(?<!\S)(?:&&|\|\|?|&(?!\S)|\d?>>?|<)|;(?!\S)")
"""What stands as a word, or begins one; a semicolon may end one."""


@dataclass(frozen=True, slots=True)
class FieldValue:
    """The value of one field of a task at one moment.

    Attributes:
        name: of its specification.
        label: what is read before it.
        text: its value, as it is edited.
        note: what is said beside it.
        code: whether it is read by programs.
        locked: why it cannot be changed now; empty: it can.
        hint: what is read in the empty field.
        again: whether its task has ended, so that a new value also runs it again.
        by_enter: see `is_by_enter`.
        said: what is told of it under the pointer.
    """

    name: str
    label: str
    text: str
    note: str = ""
    code: bool = False
    locked: str = ""
    hint: str = ""
    again: bool = False
    by_enter: bool = False
    said: str = ""


def fields_of(shown: TaskView, wanted: Collection[FormPart] = tuple(FormPart)) -> tuple[FieldValue, ...]:
    """The fields that the inspector shows of a present task: all that a plan file may say of it.

    Args:
        shown: the task.
        wanted: the parts of the form that are in sight; of others nothing is read.
    """
    task = shown.fields
    if task is None:
        return ()
    locked, again = why_locked(shown), runs_again(shown)
    inherits, more = inherited(shown) if SPEC_OF[PRIORITY].part in wanted else ("", "")
    values = [
        replace(
            field_value(spec, spec.show(value_of(spec, shown)), more=more if spec.name == PRIORITY else ""),
            note=inherits if spec.name == PRIORITY else _note(spec.name, shown, task),
            locked=locked,
            again=again,
            by_enter=is_by_enter(spec, shown.run),
        )
        for spec in SPECS
        if spec.part in wanted and spec.applies(task)
    ]
    if FormPart.ABOUT not in wanted:
        return tuple(values)
    label, stays = label_of(ID), help_of(ID)
    return (*values, FieldValue(ID, label, task.id, code=True, locked=locked or stays, said=stays))


def is_by_enter(spec: TaskFieldSpec, run: RunView) -> bool:
    """Whether only Enter sends a field of tasks of a run: what one that goes on executes must not be half typed."""
    goes_on = run.state in {RunState.EXECUTING, RunState.PAUSED}
    return goes_on and spec.name in WORK and spec.kind is not EditorKind.CHOICE


def parts_of(tasks: Iterable[Task]) -> frozenset[FormPart]:
    """The parts of the form of which some field applies to all of these tasks."""
    known = tuple(tasks)
    return frozenset(spec.part for spec in SPECS if all(map(spec.applies, known)))


def value_of(spec: TaskFieldSpec, shown: TaskView) -> Any:
    """The value of a field, with later changes by commands."""
    if spec.name in {PRIORITY, DEVICE}:
        return shown.priority if spec.name == PRIORITY else shown.pin
    if spec.name == BREAKPOINT:
        return shown.has_breakpoint
    assert shown.fields is not None, "it is there"
    return spec.value(shown.fields)


def field_value(spec: TaskFieldSpec, text: str, hint: str = "", more: str = "") -> FieldValue:
    """A field with this text.

    Args:
        spec: the field.
        text: of its value.
        hint: what is read in the empty field, other than what being empty means.
        more: what else its tooltip says of the value.
    """
    hint, about = hint or placeholder(spec.name), help_of(spec.name)
    said = text if spec.kind in {EditorKind.LINE, EditorKind.WORK, EditorKind.DEVICE, EditorKind.NAMES} else ""
    said = "\n".join(filter(None, (said or hint, more, about)))
    return FieldValue(spec.name, label_of(spec.name), text, code=spec.code, hint=hint, said=said)


def _note(name: str, shown: TaskView, task: Task) -> str:
    """The note beside a field."""
    if name == DEVICE:
        return translate("Inspector", "pinned") if shown.pin is not None and shown.steered_to is not None else ""
    return backoff_words(task.retry) if name == RETRY else ""


def runs_again(task: TaskView) -> bool:
    """Whether a task has ended in such a way that new values run it again: it failed, or was cancelled."""
    return task.status in {TaskStatus.FAILED, TaskStatus.CANCELLED}


def why_locked(task: TaskView) -> str:
    """The reason why a task can no longer be edited; empty: it can, if only together with a retry."""
    if task.is_to_start or runs_again(task):
        return ""
    if task.is_running:
        return translate("Inspector", "Not while it runs")
    return translate("Inspector", "Not after its end; rerun it")


def work_of(task: Task) -> FieldValue:
    """The field with the work of a task."""
    name = task.action
    label, value = label_of(name), SPEC_OF[name].read(task)
    if "\n" in value:
        lines = translate("Inspector", "It has several lines, which this field cannot hold")
        return FieldValue(name, label, plain(value), code=True, locked=lines)
    return FieldValue(name, label, value, code=True)


# ---- changing


def change(gateway: CommandGateway, changed: TaskView, name: str, text: str, revision: int) -> str:
    """Send a field's new value; returns the reason why it was not sent, empty if it was.

    Args:
        gateway: what it is sent by.
        changed: the task.
        name: the field.
        text: what was typed.
        revision: the one its author saw.
    """
    task, run_id = changed.fields, changed.run.run_id
    if task is None:
        return translate("Inspector", "The task has been removed.")
    text = trimmed(name, text)
    if name == PRIORITY:
        return prioritise(gateway, run_id, (task.id,), text)
    if name == DEVICE and not (not text and task.device is not None and changed.steered_to is None):
        return send(gateway, PinTasks(run_id=run_id, task_ids=(task.id,), device_id=text or None))
    if wrong := refusal(task, name, text):
        return wrong
    values = values_of(task, name, text)
    if name == BREAKPOINT and values[name] is task.breakpoint:  # a command has set it otherwise
        return send(gateway, breakpoints(run_id, (task.id,), is_set=values[name]))
    batch = EditBatch(edits=(UpdateTask(task.id, **values),), base_revision=revision)
    return send(gateway, EditConstellation(run_id=run_id, batch=batch))


def change_and_retry(gateway: CommandGateway, changed: Sequence[TaskView], texts: Mapping[str, str]) -> tuple[str, str]:
    """Send new values of ended tasks and a retry with them: one command for all that get the same values.

    Args:
        gateway: what it is sent by.
        changed: the tasks; at least one.
        texts: what was typed, by field.

    Returns:
        The field that is wrong, and why; both are empty if it was sent. Nothing has changed otherwise.
    """
    run_id, name, text = changed[0].run.run_id, next(iter(texts), ""), ""
    wanted: list[tuple[dict[str, Any], list[str]]] = []
    for one in changed:
        task, values = one.fields, dict[str, Any]()
        if task is None:
            return name, translate("Inspector", "The task has been removed.")
        try:
            for name, text in texts.items():
                given = trimmed(name, text)
                new = {name: priority_in(given)} if name == PRIORITY else values_of(_with(task, values), name, given)
                values |= new
        except ValueError as error:
            return name, unreadable(text, error)
        alike = next((ids for known, ids in wanted if known == values), None)
        wanted.append((values, [task.id])) if alike is None else alike.append(task.id)
    commands = [RetryTasks(run_id=run_id, task_ids=tuple(ids), fields=values) for values, ids in wanted]
    reason = next(filter(None, (reason_of(gateway.can(command)) for command in commands)), "")
    if reason:
        return next(iter(texts), ""), reason
    for command in commands:
        gateway.do(command)
    return "", ""


def refusal(task: Task, name: str, text: str) -> str:
    """The error of a text typed into a field of a task, as a sentence; empty: none was found here."""
    try:
        values = values_of(task, name, text)
    except ValueError as error:
        return unreadable(text, error)
    return wrong_value(task, name, values)


def wrong_value(task: Task, name: str, values: Mapping[str, Any]) -> str:
    """The error of new values of a task, as a sentence for its form; empty: none was found here.

    Args:
        task: as it is.
        name: the field they come from.
        values: of its fields, as an edit takes them.
    """
    try:
        replace(task, **values)
    except ValidationError as error:
        _, message, hint = findings(error, values, TASK_FIELDS)[0]
        return f"{label_of(name)}: {said(message)} {said(hint)}".strip()
    return ""


def trimmed(name: str, text: str) -> str:
    """The typed text, without spaces around it where these have no meaning."""
    return text if SPEC_OF[name].kind in SEVERAL_LINES and text.strip() else text.strip()


def _with(task: Task, values: Mapping[str, Any]) -> Task:
    """A task with some new values, of which another one may be a part; the task itself if they are wrong."""
    try:
        return replace(task, **values)
    except ValueError:  # the engine says why
        return task


def priority_in(text: str) -> str:
    """The priority in what was typed: `80 high` is read as 80, and so is `80 normal`, of which the number was changed.

    Raises:
        ValueError: it is none, or a number beyond 0 to 100.
    """
    number, _, name = text.strip().partition(" ")
    names = {priority_word(one).partition(" ")[2] for one in PRIORITY_NAMES.values()}
    is_shown = number.isdigit() and name.strip() in names
    given = number if is_shown else text
    try:
        parse_priority(given)
        is_one = not beyond_priorities(given)
    except ValueError:
        is_one = False
    if not is_one:
        raise ValueError(translate("Inspector", "use 0 to 100, or critical, high, normal, low or background"))
    return given


def prioritise(gateway: CommandGateway, run_id: str, task_ids: tuple[str, ...], text: str) -> str:
    """Send another priority; returns the reason why it was not sent, empty if it was."""
    try:
        return send(gateway, SetPriority(run_id=run_id, task_ids=task_ids, priority=priority_in(text)))
    except ValueError as error:
        return unreadable(text, error)


def breakpoints(run_id: str, task_ids: tuple[str, ...], *, is_set: bool) -> Command:
    """The command that sets or clears the breakpoints of tasks."""
    return (SetBreakpoints if is_set else ClearBreakpoints)(run_id=run_id, task_ids=task_ids)


def send(gateway: CommandGateway, command: Command) -> str:
    """Send a command; returns the reason why it was not sent, empty if it was."""
    reason = reason_of(gateway.can(command))
    if not reason:
        gateway.do(command)
    return reason


def unreadable(text: str, error: ValueError) -> str:
    """The error of a text that is no value of its field."""
    why = said(str(error)).rstrip(".")
    if not text:
        return fill(translate("Inspector", "It is empty: %1."), why)
    if "\n" in text or "\t" in text:
        return fill(translate("Inspector", "It cannot be read: %1."), why)
    return fill(translate("Inspector", "“%1” cannot be read: %2."), text, why)


def values_of(task: Task, name: str, text: str) -> dict[str, Any]:
    """The fields of a task that a text typed into one of them changes.

    A command that holds unquoted operators of a shell becomes a shell text: to the program these would be arguments.

    Raises:
        ValueError: the text is no value of the field; as far as that is to be seen here.
    """
    if name == "command" and needs_shell(text):
        shlex.split(text)  # a quotation that is not closed is none for a shell either
        return {"command": None, "shell": text}
    return SPEC_OF[name].parse(task, text)


def needs_shell(text: str) -> bool:
    """Whether a line has unquoted words with a meaning only to a shell: `;`, `&&`, `|` or `> file`."""
    return _OPERATOR.search(_QUOTED.sub("_", text)) is not None

"""The fields of a task as texts, and the commands and edits that a changed text comes to."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from starloom.constellation.edits import EditBatch, UpdateTask
from starloom.model.quantities import beyond_priorities, format_duration, parse_priority
from starloom.model.severity import ExitSeverity
from starloom.model.status import Backoff, RunState, Severity, TaskStatus
from starloom.scheduling.commands import Command, EditConstellation, PinTasks, RetryTasks, SetPriority
from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.text.engine_words import said
from starloom_gui.text.words import fill, plain, priority_word, translate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.model.task import Retry, Task
    from starloom.scheduling.read.run_view import TaskView
    from starloom_gui.gateway.command_gateway import CommandGateway

PRIORITY: Final = "priority"
DEVICE: Final = "device"
GROUPS: Final = "groups"
REQUIRES: Final = "requires"
TIMEOUT: Final = "timeout"
RETRY: Final = "retry"
_WORK: Final = frozenset({"command", "shell", "python", "call", "prompt"})
"""The fields that say what a task does by a text."""
_QUOTED: Final = re.compile(r"""\\.|'[^']*'|"(?:\\.|[^"\\])*\"""")
_OPERATOR: Final = re.compile(r"(?<!\S)(?:&&|\|\|?|&(?!\S)|\d?>>?|<)|;(?!\S)")
"""What stands as a word, or begins one; a semicolon may end one."""


@dataclass(frozen=True, slots=True)
class FieldValue:
    """The value of one field of a task at one moment.

    Attributes:
        name: of the field in a task.
        label: what is read before it.
        text: its value, as it is edited.
        note: what is said beside it.
        code: whether it is read by programs.
        locked: why it cannot be changed now; empty: it can.
        hint: what is read in the empty field, other than what being empty means.
        again: whether its task has ended, so that a new value also runs it again.
        by_enter: whether only Enter sends it: what a run that goes on executes must not be half typed.
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


def fields_of(shown: TaskView) -> tuple[FieldValue, ...]:
    """The fields that the inspector shows of a present task."""
    task = shown.fields
    if task is None:
        return ()
    locked, again = why_locked(shown), runs_again(shown)
    retry = task.retry
    values = [
        FieldValue(PRIORITY, translate("Inspector", "Priority"), priority_word(shown.priority)),
        FieldValue(DEVICE, translate("Inspector", "Device"), *_device(shown, task)),
        FieldValue(GROUPS, translate("Inspector", "Limit group"), ", ".join(task.groups)),
        FieldValue(
            TIMEOUT, translate("Inspector", "Timeout"), "" if task.timeout is None else format_duration(task.timeout)
        ),
        FieldValue(RETRY, translate("Inspector", "Retries"), str(retry.attempts - 1), _backoff(retry)),
        replace(work_of(task), by_enter=shown.run.state in {RunState.EXECUTING, RunState.PAUSED}),
    ]
    if task.requires:
        values.insert(3, FieldValue(REQUIRES, translate("Inspector", "Requires"), ", ".join(sorted(task.requires))))
    if task.severity != Severity.ERROR:
        values.insert(-1, _severity(task))
    return tuple(replace(one, locked=one.locked or locked, again=again) for one in values)


def _severity(task: Task) -> FieldValue:
    """What its failure means for the run, where that is not what a failure usually means."""
    words = {
        Severity.WARNING: translate("Inspector", "a warning"),
        Severity.CRITICAL: translate("Inspector", "critical, ends the run"),
    }
    said = str(task.severity) if isinstance(task.severity, ExitSeverity) else words.get(task.severity, "")
    locked = translate("Inspector", "It cannot be changed here")
    return FieldValue("severity", translate("Inspector", "A failure is"), said, locked=locked)


def runs_again(task: TaskView) -> bool:
    """Whether a task has ended in such a way that new values run it again: it failed, or was cancelled."""
    return task.status in {TaskStatus.FAILED, TaskStatus.CANCELLED}


def why_locked(task: TaskView) -> str:
    """Why nothing of a task can be edited any more; empty: it can, if only together with a retry."""
    if task.is_to_start or runs_again(task):
        return ""
    if task.is_running:
        return translate("Inspector", "Not while it runs")
    return translate("Inspector", "Not after its end; rerun it")


def _device(shown: TaskView, task: Task) -> tuple[str, str]:
    pin = shown.pin
    if pin is not None:
        return pin, translate("Inspector", "pinned") if shown.steered_to is not None else ""
    if task.preference is not None:
        return "", fill(translate("Inspector", "rather %1"), task.preference)
    return "", ""


def _backoff(retry: Retry) -> str:
    if retry.attempts == 1 or not retry.delay:
        return ""
    text = (
        translate("Inspector", "back off %1")
        if retry.backoff is Backoff.FIXED
        else translate("Inspector", "back off from %1")
    )
    return fill(text, format_duration(retry.delay))


def work_of(task: Task) -> FieldValue:
    """The field that says what a task does."""
    name = task.action
    value = getattr(task, name)
    label = {
        "command": translate("Inspector", "Command"),
        "shell": translate("Inspector", "Shell"),
        "python": translate("Inspector", "Python"),
        "call": translate("Inspector", "Call"),
        "prompt": translate("Inspector", "Prompt"),
        "simulate": translate("Inspector", "Simulate"),
        "gate": translate("Inspector", "Gate"),
    }[name]
    if name == "command":
        value = shlex.join(value)
    elif name == "simulate":
        value = format_duration(value.duration)
    elif name == "gate":
        value = value.message
    if "\n" in value:
        lines = translate("Inspector", "It has several lines, which this field cannot hold")
        return FieldValue(name, label, plain(value), code=True, locked=lines)
    return FieldValue(name, label, value, code=True)


def placeholder(name: str) -> str:
    """What an empty field means."""
    return {
        DEVICE: translate("Inspector", "any"),
        GROUPS: translate("Inspector", "none"),
        REQUIRES: translate("Inspector", "nothing"),
        TIMEOUT: translate("Inspector", "none"),
    }.get(name, "")


# ---- changing


def change(gateway: CommandGateway, changed: TaskView, name: str, text: str, revision: int) -> str:
    """Ask for a field's new value; empty: it was sent, else why not, and nothing has changed.

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
    text = text.strip()
    if name == PRIORITY:
        return prioritise(gateway, run_id, (task.id,), text)
    if name == DEVICE and not (not text and task.device is not None and changed.steered_to is None):
        return send(gateway, PinTasks(run_id=run_id, task_ids=(task.id,), device_id=text or None))
    try:
        values = values_of(task, name, text)
    except ValueError as error:
        return unreadable(text, error)
    batch = EditBatch(edits=(UpdateTask(task.id, **values),), base_revision=revision)
    return send(gateway, EditConstellation(run_id=run_id, batch=batch))


def change_and_retry(gateway: CommandGateway, changed: TaskView, texts: Mapping[str, str]) -> tuple[str, str]:
    """Ask for new values of an ended task and for another attempt with them, as one act.

    Args:
        gateway: what it is sent by.
        changed: the task.
        texts: what was typed, by field.

    Returns:
        The field that is wrong, and why; both are empty if it was sent. Nothing has changed otherwise.
    """
    task, run_id, name, text = changed.fields, changed.run.run_id, next(iter(texts), ""), ""
    if task is None:
        return name, translate("Inspector", "The task has been removed.")
    values: dict[str, Any] = {}
    try:
        for name, text in texts.items():
            given = text.strip()
            values |= {name: priority_in(given)} if name == PRIORITY else values_of(task, name, given)
    except ValueError as error:
        return name, unreadable(text, error)
    reason = send(gateway, RetryTasks(run_id=run_id, task_ids=(task.id,), fields=values))
    return (next(iter(texts), ""), reason) if reason else ("", "")


def priority_in(text: str) -> str:
    """The priority in what was typed: `80 high` is read as 80.

    Raises:
        ValueError: it is none, or a number beyond 0 to 100.
    """
    given = text.split()[0] if text[:1].isdigit() else text
    try:
        parse_priority(given)
        is_one = not beyond_priorities(given)
    except ValueError:
        is_one = False
    if not is_one:
        raise ValueError(translate("Inspector", "use 0 to 100, or critical, high, normal, low or background"))
    return given


def prioritise(gateway: CommandGateway, run_id: str, task_ids: tuple[str, ...], text: str) -> str:
    """Ask for another priority; empty: it was sent, else why not, and nothing has changed."""
    try:
        return send(gateway, SetPriority(run_id=run_id, task_ids=task_ids, priority=priority_in(text)))
    except ValueError as error:
        return unreadable(text, error)


def send(gateway: CommandGateway, command: Command) -> str:
    """Ask for a command; empty: it was sent, else why not, and nothing has changed."""
    reason = reason_of(gateway.can(command))
    if not reason:
        gateway.do(command)
    return reason


def unreadable(text: str, error: ValueError) -> str:
    """What is said of a text that is no value of its field."""
    why = said(str(error)).rstrip(".")
    if not text:
        return fill(translate("Inspector", "It is empty: %1."), why)
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
    return {name: parsed(task, name, text)}


def needs_shell(text: str) -> bool:
    """Whether a line holds unquoted words that mean something to a shell only: `;`, `&&`, `|` or `> file`."""
    return _OPERATOR.search(_QUOTED.sub("_", text)) is not None


def parsed(task: Task, name: str, text: str) -> Any:
    """A field's new value, as an edit takes it.

    Raises:
        ValueError: the text is none; as far as that is to be seen here.
    """
    if name in {GROUPS, REQUIRES}:
        names = [one.strip() for one in text.split(",") if one.strip()]
        return frozenset(names) if name == REQUIRES else tuple(names)
    if name in {TIMEOUT, DEVICE}:
        return text or None
    if name == RETRY:
        count = int(text) if text.isdecimal() else -1
        if count < 0:
            raise ValueError(translate("Inspector", "write how many more attempts there may be, 0 or more"))
        kept = task.retry
        return {"attempts": count + 1, "backoff": kept.backoff, "delay": kept.delay, "cap": kept.cap}
    if name in _WORK and not text:
        raise ValueError(translate("Inspector", "write what the task does"))
    if name == "command":
        return tuple(shlex.split(text))
    if name == "simulate" and task.simulate is not None:
        kept_work = task.simulate
        return {
            "duration": text,
            "outcome": kept_work.outcome,
            "fail_attempts": kept_work.fail_attempts,
            "value": kept_work.value,
        }
    if name == "gate" and task.gate is not None:
        return {"message": text, "after": task.gate.after, "then": task.gate.then}
    return text

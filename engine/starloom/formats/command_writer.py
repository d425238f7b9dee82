"""Commands written as plain JSON, which `command_forms` reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Final

from msgspec import UNSET

from starloom.formats.command_forms import DEVICE, FOR, QUESTION, REASON, TASKS
from starloom.formats.edit_forms import TASK
from starloom.formats.edit_writer import edit_forms, fields_form
from starloom.formats.native_writer import field_value, plain_json
from starloom.model.quantities import format_duration
from starloom.scheduling import commands as c
from starloom.scheduling.decide.specs import SPECS
from starloom.scheduling.reservation_commands import (
    BreakReservation,
    ReleaseReservation,
    ReservationCommand,
    Reserve,
)

_LIMITS: Final = tuple(name for name in c.SetLimits.__struct_fields__ if name not in c.Command.__struct_fields__)


def command_form(command: Any) -> Any:
    """The form of a command, which `read_command` turns into an equal one.

    Raises:
        PlanError: it holds a value that a file cannot.
        KeyError: there is no form of such a command.
    """
    write = _WRITERS.get(type(command))
    if write is not None:
        return write(command)
    word = SPECS[type(command)].word
    if not word:
        raise KeyError(type(command).__name__)
    if isinstance(command, c.TasksCommand):
        return {word: _names(command.task_ids)}
    if isinstance(command, c.AgentCommand):
        return {word: command.agent}
    return {word: command.device_id} if isinstance(command, c.DeviceCommand) else word


def _names(ids: tuple[str, ...]) -> Any:
    return ids[0] if len(ids) == 1 else list(ids)


def _of_tasks(command: Any, **more: Any) -> dict[str, Any]:
    return {TASKS: _names(command.task_ids), **more}


def _retry(command: c.RetryTasks) -> Any:
    if not command.fields:
        return {"retry": _names(command.task_ids)}
    return {"retry": _of_tasks(command, fields=fields_form(command.fields, "retry"))}


def _mark(command: c.MarkTasks) -> Any:
    value = {} if command.value is None else {"value": plain_json(command.value, "mark.value")}
    return {"mark": _of_tasks(command, status=str(command.status), **value)}


def _rerun(command: c.RerunFrom) -> Any:
    return {
        "rerun_from": {TASK: command.task_id, "cancel_running": True} if command.cancel_running else command.task_id
    }


def _answer(command: c.AnswerGate) -> Any:
    note = {"note": command.note} if command.note else {}
    return {"answer_gate": {TASK: command.task_id, "approve": command.approve, **note}}


def _answer_question(command: c.AnswerQuestion) -> Any:
    numbers = command.numbers[0] if len(command.numbers) == 1 else list(command.numbers)
    given = {"option": command.option, "note": command.note, "reject": command.reject}
    return {"answer_question": {QUESTION: numbers} | {name: value for name, value in given.items() if value}}


def _limits(command: c.SetLimits) -> Any:
    given = {name: getattr(command, name) for name in _LIMITS}
    return {"set_limits": {name: _plain(value) for name, value in given.items() if value is not UNSET}}


def _approval(command: c.AnswerApproval) -> Any:
    more = {"note": command.note, "without": list(command.without)}
    told = {name: value for name, value in more.items() if value}
    return {"answer_approval": {"approval": command.approval, "accept": command.accept} | told}


def _fence(command: c.SetFence) -> Any:
    given = {name: getattr(command, name) for name in ("fence", "modification_timeout", "approval_timeout")}
    return {"set_fence": {name: _plain(value) for name, value in given.items() if value is not UNSET}}


def _device(command: ReservationCommand) -> dict[str, Any]:
    return {DEVICE: command.device_id} if command.device_id else {}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return str(value) if isinstance(value, StrEnum) else value


_WRITERS: Final[Mapping[type[Any], Callable[[Any], Any]]] = {
    c.EditConstellation: lambda command: {"edit": edit_forms(command.batch.edits)},
    c.RetryTasks: _retry,
    c.MarkTasks: _mark,
    c.RerunFrom: _rerun,
    c.SetPriority: lambda command: {
        "set_priority": _of_tasks(command, priority=field_value("priority", command.priority, "priority"))
    },
    c.PinTasks: lambda command: {"pin": _of_tasks(command, device=command.device_id)},
    c.AnswerGate: _answer,
    c.AnswerQuestion: _answer_question,
    c.SetRunLimit: lambda command: {"set_limit": command.max_concurrency},
    c.HoldRunOpen: lambda command: {"hold_open": command.hold_open},
    c.RunUntil: lambda command: {"run_until": _names(command.task_ids) if command.task_ids else []},
    c.StepRun: lambda command: {"step": command.task_id} if command.task_id else "step",
    c.SetSlots: lambda command: {"set_slots": {"device": command.device_id, "slots": command.slots}},
    c.SetLimits: _limits,
    c.AnswerApproval: _approval,
    c.SetFence: _fence,
    c.TrustAgent: lambda command: {"trust_agent": {"agent": command.agent, "asks": list(command.asks)}},
    Reserve: lambda command: {
        "reserve": _device(command) | {FOR: format_duration(command.seconds), REASON: command.reason}
    },
    ReleaseReservation: lambda command: (
        {"release_reservation": command.device_id} if command.device_id else "release_reservation"
    ),
    BreakReservation: lambda command: {"break_reservation": _device(command) | {REASON: command.reason}},
}

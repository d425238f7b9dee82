"""The fields that several tasks have in common, and the one step that a new value for all of them comes to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from starloom.constellation.edits import EditBatch, UpdateTask
from starloom.model.quantities import format_duration
from starloom.scheduling.commands import EditConstellation, PinTasks
from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.text.words import priority_word, translate
from starloom_gui.viewmodel.task_fields import (
    DEVICE,
    GROUPS,
    PRIORITY,
    RETRY,
    TIMEOUT,
    FieldValue,
    parsed,
    placeholder,
    prioritise,
    send,
    unreadable,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from starloom.scheduling.read.run_view import RunView, TaskView
    from starloom_gui.gateway.command_gateway import CommandGateway

_MIXED: Final = object()


def free_of(run: RunView, numbers: Iterable[int]) -> tuple[int, ...]:
    """Those of the tasks that are there and have not started: only they can still be changed."""
    return tuple(task.number for task in run.tasks(sorted(numbers)) if task.is_to_start)


def common_fields(run: RunView, numbers: Collection[int]) -> tuple[FieldValue, ...]:
    """The fields that make sense for several tasks; one whose values differ is empty and says so."""
    free = free_of(run, numbers)
    locked = "" if free else translate("Inspector", "All of them have started")
    about = free or tuple(sorted(numbers))
    return tuple(_field(run, about, name, locked) for name in (PRIORITY, DEVICE, GROUPS, TIMEOUT, RETRY))


def _field(run: RunView, numbers: Collection[int], name: str, locked: str) -> FieldValue:
    value = _common(_READ[name](task) for task in run.tasks(numbers))
    label = {
        PRIORITY: translate("Inspector", "Priority"),
        DEVICE: translate("Inspector", "Device"),
        GROUPS: translate("Inspector", "Limit group"),
        TIMEOUT: translate("Inspector", "Timeout"),
        RETRY: translate("Inspector", "Retries"),
    }[name]
    if value is _MIXED:
        return FieldValue(name, label, "", locked=locked, hint=translate("Inspector", "several values"))
    return FieldValue(name, label, _shown(name, value), locked=locked)


def _common(values: Iterable[Any]) -> Any:
    """The value that all have; `_MIXED`: they differ."""
    iterator = iter(values)
    first = next(iterator)
    return first if all(one == first for one in iterator) else _MIXED


def _fields(task: TaskView) -> Any:
    return task.fields


_READ: Final[dict[str, Callable[[TaskView], Any]]] = {
    PRIORITY: lambda task: task.priority,
    DEVICE: lambda task: task.pin,
    GROUPS: lambda task: task.groups,
    TIMEOUT: lambda task: _fields(task).timeout,
    RETRY: lambda task: _fields(task).retry.attempts,
}


def _shown(name: str, value: Any) -> str:
    if name == PRIORITY:
        return priority_word(value)
    if name == GROUPS:
        return ", ".join(value)
    if name == RETRY:
        return str(value - 1)
    if value is None:
        return ""
    return format_duration(value) if name == TIMEOUT else str(value)


# ---- changing


def change_all(
    gateway: CommandGateway, run: RunView, numbers: Collection[int], name: str, text: str, revision: int
) -> str:
    """Ask for a field's new value for all of the tasks that have not started; empty: it was sent, else why not.

    Priority and device are steered, everything else is one batch of edits: all of it is done, or nothing.

    Args:
        gateway: what it is sent by.
        run: the one they are of.
        numbers: of the tasks.
        name: the field.
        text: what was typed; what being empty means, e.g. `none`, can be written where the values differ.
        revision: the one its author saw.
    """
    free = free_of(run, numbers)
    if not free:
        return translate("Inspector", "All of them have started.")
    text = text.strip()
    if text and text.casefold() == placeholder(name).casefold():
        text = ""
    if name == PRIORITY:
        return prioritise(gateway, run.run_id, _ids(run, free), text)
    if name == DEVICE:
        return _pin_all(gateway, run, free, text, revision)
    return _edit_all(gateway, run, free, name, text, revision)


def _ids(run: RunView, numbers: Iterable[int]) -> tuple[str, ...]:
    return tuple(task.id for task in run.tasks(numbers))


def _pin(gateway: CommandGateway, run: RunView, numbers: Iterable[int], device: str | None) -> str:
    return send(gateway, PinTasks(run_id=run.run_id, task_ids=_ids(run, numbers), device_id=device))


def _pin_all(gateway: CommandGateway, run: RunView, free: tuple[int, ...], device: str, revision: int) -> str:
    """Pin all, or take from each what binds it: its pin, else what its field says."""
    if device:
        return _pin(gateway, run, free, device)
    tasks = list(run.tasks(free))
    pinned = tuple(task.number for task in tasks if task.steered_to is not None)
    bound = tuple(task.number for task in tasks if task.steered_to is None and _fields(task).device is not None)
    # edits first: they may be refused, while what is pinned and has not started can always be let go
    reason = _edit_all(gateway, run, bound, DEVICE, "", revision) if bound else ""
    return reason or (_pin(gateway, run, pinned, None) if pinned else "")


def _edit_all(gateway: CommandGateway, run: RunView, free: tuple[int, ...], name: str, text: str, revision: int) -> str:
    try:
        values = {task.id: parsed(_fields(task), name, text) for task in run.tasks(free)}
    except ValueError as error:
        return unreadable(text, error)
    edits = tuple(UpdateTask(id, **{name: value}) for id, value in values.items())
    batch = EditBatch(edits=edits, base_revision=revision)
    # what is wrong with the value is wrong for each of them, and said once
    first = EditConstellation(run_id=run.run_id, batch=replace(batch, edits=edits[:1]))
    return reason_of(gateway.can(first)) or send(gateway, EditConstellation(run_id=run.run_id, batch=batch))

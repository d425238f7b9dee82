"""The fields that several tasks have in common, and the one command that changes a field of all of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from starloom.constellation.edits import EditBatch, UpdateTask
from starloom.scheduling.commands import EditConstellation, PinTasks
from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.text.words import translate
from starloom_gui.viewmodel.task_field_words import placeholder
from starloom_gui.viewmodel.task_fields import (
    BREAKPOINT,
    DEVICE,
    NAME,
    PRIORITY,
    FieldValue,
    breakpoints,
    field_value,
    is_by_enter,
    prioritise,
    runs_again,
    send,
    trimmed,
    unreadable,
    value_of,
    values_of,
    wrong_value,
)
from starloom_gui.viewmodel.task_specs import SPEC_OF, SPECS, FormPart

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from starloom.scheduling.read.run_view import RunView, TaskView
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.viewmodel.task_specs import TaskFieldSpec

_MIXED: Final = object()


def free_of(run: RunView, numbers: Iterable[int]) -> tuple[int, ...]:
    """The tasks among these that have not started: only they can still be changed."""
    return tuple(task.number for task in run.tasks(sorted(numbers)) if task.is_to_start)


def again_of(run: RunView, numbers: Iterable[int]) -> tuple[int, ...]:
    """The tasks among these that new values run again; none while some have not started: those can be changed."""
    tasks = list(run.tasks(sorted(numbers)))
    is_any_free = any(task.is_to_start for task in tasks)
    return () if is_any_free else tuple(task.number for task in tasks if runs_again(task))


def common_fields(
    run: RunView, numbers: Collection[int], wanted: Collection[FormPart] = tuple(FormPart)
) -> tuple[FieldValue, ...]:
    """The fields that apply to several tasks; one whose values differ is empty and says so.

    Args:
        run: the run of the tasks.
        numbers: of the tasks.
        wanted: the parts of the form that are unfolded; of others nothing is read.
    """
    free, again = free_of(run, numbers), again_of(run, numbers)
    locked = "" if free or again else translate("Inspector", "All of them have started")
    tasks = [task for task in run.tasks(free or again or sorted(numbers)) if task.fields is not None]
    fields = [task.fields for task in tasks if task.fields is not None]
    specs = [one for one in SPECS if one.part in wanted and one.name != NAME and all(map(one.applies, fields))]
    return tuple(
        replace(_field(spec, tasks), locked=locked, again=bool(again), by_enter=is_by_enter(spec, run))
        for spec in specs
    )


def _field(spec: TaskFieldSpec, tasks: Sequence[TaskView]) -> FieldValue:
    value = _common(value_of(spec, task) for task in tasks)
    if value is _MIXED:
        return field_value(spec, "", translate("Inspector", "several values"))
    return field_value(spec, spec.show(value))


def _common(values: Iterable[Any]) -> Any:
    """The common value; `_MIXED`: the values differ."""
    iterator = iter(values)
    first = next(iterator)
    return first if all(one is first or one == first for one in iterator) else _MIXED


def _fields(task: TaskView) -> Any:
    return task.fields


# ---- changing


def change_all(
    gateway: CommandGateway, run: RunView, numbers: Collection[int], name: str, text: str, revision: int
) -> str:
    """Send a field's new value for all of the tasks that have not started; returns why not, empty: it was sent.

    Priority and device are steered, everything else is one batch of edits: all of it is done, or nothing.

    Args:
        gateway: sends the command.
        run: the run of the tasks.
        numbers: of the tasks.
        name: the field.
        text: what was typed; what being empty means, e.g. `none`, can be written where the values differ.
        revision: the revision that the author saw.
    """
    free = free_of(run, numbers)
    if not free:
        return translate("Inspector", "All of them have started.")
    text = trimmed(name, text)
    if text and text.casefold() == placeholder(name).casefold():
        text = ""
    if name == PRIORITY:
        return prioritise(gateway, run.run_id, _ids(run, free), text)
    if name == DEVICE:
        return _pin_all(gateway, run, free, text, revision)
    if name == BREAKPOINT:
        return _break_all(gateway, run, free, text, revision)
    return _edit_all(gateway, run, free, name, text, revision)


def _ids(run: RunView, numbers: Iterable[int]) -> tuple[str, ...]:
    return tuple(task.id for task in run.tasks(numbers))


def _pin(gateway: CommandGateway, run: RunView, numbers: Iterable[int], device: str | None) -> str:
    return send(gateway, PinTasks(run_id=run.run_id, task_ids=_ids(run, numbers), device_id=device))


def _pin_all(gateway: CommandGateway, run: RunView, free: tuple[int, ...], device: str, revision: int) -> str:
    """Pin all tasks, or release each: from its pin, else from the device of its field."""
    if device:
        return _pin(gateway, run, free, device)
    tasks = list(run.tasks(free))
    pinned = tuple(task.number for task in tasks if task.steered_to is not None)
    bound = tuple(task.number for task in tasks if task.steered_to is None and _fields(task).device is not None)
    # edits first: they may be refused, while what is pinned and has not started can always be let go
    reason = _edit_all(gateway, run, bound, DEVICE, "", revision) if bound else ""
    return reason or (_pin(gateway, run, pinned, None) if pinned else "")


def _break_all(gateway: CommandGateway, run: RunView, free: tuple[int, ...], text: str, revision: int) -> str:
    """Change the field, and where a command has set it otherwise, the breakpoint itself."""
    is_set = SPEC_OF[BREAKPOINT].parse(_fields(run.task(free[0])), text)[BREAKPOINT]
    tasks = list(run.tasks(free))
    by_field = tuple(task.number for task in tasks if _fields(task).breakpoint is not is_set)
    steered = [task for task in tasks if _fields(task).breakpoint is is_set and task.has_breakpoint is not is_set]
    reason = _edit_all(gateway, run, by_field, BREAKPOINT, text, revision) if by_field else ""
    if reason or not steered:
        return reason
    return send(gateway, breakpoints(run.run_id, tuple(task.id for task in steered), is_set=is_set))


def _edit_all(gateway: CommandGateway, run: RunView, free: tuple[int, ...], name: str, text: str, revision: int) -> str:
    try:
        values = {task.id: values_of(_fields(task), name, text) for task in run.tasks(free)}
    except ValueError as error:
        return unreadable(text, error)
    first_task = _fields(run.task(free[0]))
    if wrong := wrong_value(first_task, name, values[first_task.id]):
        return wrong
    edits = tuple(UpdateTask(id, **value) for id, value in values.items())
    batch = EditBatch(edits=edits, base_revision=revision)
    # what is wrong with the value is wrong for each of them, and said once
    first = EditConstellation(run_id=run.run_id, batch=replace(batch, edits=edits[:1]))
    return reason_of(gateway.can(first)) or send(gateway, EditConstellation(run_id=run.run_id, batch=batch))

"""The command that each verb comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom.model.status import TaskStatus
from starloom.scheduling import commands as c
from starloom_gui.bridge.verbs import Verb

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.bridge.verbs import Target

_TASKS: Final[dict[Verb, type[c.TasksCommand]]] = {
    Verb.CANCEL: c.CancelTasks,
    Verb.HOLD: c.HoldTasks,
    Verb.RELEASE: c.ReleaseTasks,
    Verb.RETRY: c.RetryTasks,
    Verb.SKIP: c.SkipTasks,
    Verb.MARK: c.MarkTasks,
    Verb.PRIORITISE: c.SetPriority,
    Verb.PIN: c.PinTasks,
}
_RUNS: Final[dict[Verb, type[c.RunCommand]]] = {
    Verb.START: c.StartRun,
    Verb.PAUSE: c.PauseRun,
    Verb.RESUME: c.ResumeRun,
    Verb.CANCEL_RUN: c.CancelRun,
    Verb.HOLD_OPEN: c.HoldRunOpen,
    Verb.LIMIT_RUN: c.SetRunLimit,
}
_DEVICES: Final[dict[Verb, type[c.DeviceCommand]]] = {
    Verb.DRAIN: c.DrainDevice,
    Verb.UNDRAIN: c.ResumeDevice,
    Verb.ENABLE: c.EnableDevice,
    Verb.DISABLE: c.DisableDevice,
    Verb.SET_SLOTS: c.SetSlots,
    Verb.REMOVE_DEVICE: c.RemoveDevice,
}
_GIVEN: Final[dict[Verb, dict[str, Any]]] = {
    Verb.LIMIT_RUN: {"max_concurrency": None},
    Verb.MARK: {"status": TaskStatus.COMPLETED},
    Verb.PRIORITISE: {"priority": "normal"},
    Verb.PIN: {"device_id": None},
    Verb.SET_SLOTS: {"slots": 1},
}
"""What is asked about where nobody has chosen yet, so that a menu knows whether to offer the choice."""


def command_for(verb: Verb, target: Target, origin: str = c.OPERATOR, **given: Any) -> c.Command:
    """The command that a verb comes to; `given` are the command's own fields, e.g. `priority="high"`.

    Raises:
        TypeError: a field was given that the command does not have.
    """
    fields: dict[str, Any] = {**_GIVEN.get(verb, {}), **given, "origin": origin}
    make: Callable[..., c.Command]
    if verb is Verb.SET_LIMITS:
        return c.SetLimits(**fields)
    if verb in _DEVICES:
        make = _DEVICES[verb]
        return make(device_id=target.device_id, **fields)
    if verb in _RUNS:
        make = _RUNS[verb]
        return make(run_id=target.run_id, **fields)
    if verb is Verb.RERUN:
        return c.RerunFrom(run_id=target.run_id, task_id=next(iter(target.task_ids), ""), **fields)
    make = _TASKS[verb]
    return make(run_id=target.run_id, task_ids=target.task_ids, **fields)

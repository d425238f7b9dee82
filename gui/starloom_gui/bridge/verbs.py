"""The verbs of runs, tasks and devices: what each is about, and the command it comes to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from starloom.model.status import TaskStatus
from starloom.scheduling import commands as c

if TYPE_CHECKING:
    from collections.abc import Callable


class Verb(StrEnum):
    """What can be asked for; one action of the window each."""

    START = "start"
    PAUSE = "pause"
    RESUME = "resume"
    CANCEL_RUN = "cancel_run"
    HOLD_OPEN = "hold_open"
    LIMIT_RUN = "limit_run"
    CANCEL = "cancel"
    HOLD = "hold"
    RELEASE = "release"
    RETRY = "retry"
    SKIP = "skip"
    MARK = "mark"
    RERUN = "rerun"
    PRIORITISE = "prioritise"
    PIN = "pin"
    DRAIN = "drain"
    UNDRAIN = "undrain"
    ENABLE = "enable"
    DISABLE = "disable"
    SET_SLOTS = "set_slots"
    REMOVE_DEVICE = "remove_device"
    SET_LIMITS = "set_limits"


OF_TASKS: Final = frozenset(
    {
        Verb.CANCEL,
        Verb.HOLD,
        Verb.RELEASE,
        Verb.RETRY,
        Verb.SKIP,
        Verb.MARK,
        Verb.RERUN,
        Verb.PRIORITISE,
        Verb.PIN,
    }
)
OF_DEVICES: Final = frozenset({Verb.DRAIN, Verb.UNDRAIN, Verb.ENABLE, Verb.DISABLE, Verb.SET_SLOTS, Verb.REMOVE_DEVICE})
OF_RUNS: Final = frozenset(
    {Verb.START, Verb.PAUSE, Verb.RESUME, Verb.CANCEL_RUN, Verb.HOLD_OPEN, Verb.LIMIT_RUN},
)


@dataclass(frozen=True, slots=True)
class Target:
    """What a verb is about: a run, some of its tasks, or a device."""

    run_id: str = ""
    task_ids: tuple[str, ...] = ()
    device_id: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a verb is possible now; if not, why not, as a sentence, and what would help."""

    ok: bool
    reason: str = ""
    hint: str = ""


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

"""The command that each verb comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom.model.status import TaskStatus
from starloom.scheduling import commands as c
from starloom_gui.gateway.verbs import Verb

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.gateway.verbs import Target

_TASKS: Final[dict[Verb, type[c.TasksCommand | c.RunUntil]]] = {
    Verb.CANCEL: c.CancelTasks,
    Verb.HOLD: c.HoldTasks,
    Verb.RELEASE: c.ReleaseTasks,
    Verb.RETRY: c.RetryTasks,
    Verb.SKIP: c.SkipTasks,
    Verb.MARK: c.MarkTasks,
    Verb.PRIORITISE: c.SetPriority,
    Verb.PIN: c.PinTasks,
    Verb.SET_BREAKPOINT: c.SetBreakpoints,
    Verb.CLEAR_BREAKPOINT: c.ClearBreakpoints,
    Verb.RUN_UNTIL: c.RunUntil,
}
_RUNS: Final[dict[Verb, type[c.RunCommand]]] = {
    Verb.START: c.StartRun,
    Verb.PAUSE: c.PauseRun,
    Verb.RESUME: c.ResumeRun,
    Verb.CANCEL_RUN: c.CancelRun,
    Verb.HOLD_OPEN: c.HoldRunOpen,
    Verb.LIMIT_RUN: c.SetRunLimit,
    Verb.SET_FENCE: c.SetFence,
    Verb.STEP: c.StepRun,
    Verb.RUN_ALL: c.RunUntil,
}
_AGENTS: Final[dict[Verb, type[c.AgentCommand]]] = {
    Verb.PAUSE_AGENT: c.PauseAgent,
    Verb.TRUST_AGENT: c.TrustAgent,
    Verb.RESUME_AGENT: c.ResumeAgent,
    Verb.DETACH_AGENT: c.DetachAgent,
}
_DEVICES: Final[dict[Verb, type[c.DeviceCommand]]] = {
    Verb.DRAIN: c.DrainDevice,
    Verb.UNDRAIN: c.ResumeDevice,
    Verb.ENABLE: c.EnableDevice,
    Verb.DISABLE: c.DisableDevice,
    Verb.TRY_AGAIN: c.TryDeviceAgain,
    Verb.SET_SLOTS: c.SetSlots,
    Verb.REMOVE_DEVICE: c.RemoveDevice,
}
_GIVEN: Final[dict[Verb, dict[str, Any]]] = {
    Verb.LIMIT_RUN: {"max_concurrency": None},
    Verb.MARK: {"status": TaskStatus.COMPLETED},
    Verb.PRIORITISE: {"priority": "normal"},
    Verb.PIN: {"device_id": None},
    Verb.SET_SLOTS: {"slots": 1},
    Verb.ANSWER_APPROVAL: {"accept": True},
    Verb.ANSWER_GATE: {"approve": True},
}
"""What is asked about where nobody has chosen yet, so that a menu knows whether to offer the choice."""


def takes_reason(verb: Verb) -> bool:
    """Whether whoever asks for it may say why."""
    kind = _DEVICES.get(verb) or _RUNS.get(verb) or _TASKS.get(verb)
    return kind is not None and "reason" in kind.__struct_fields__


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
    if verb in _AGENTS:
        make = _AGENTS[verb]
        return make(run_id=target.run_id, agent=target.agent, **fields)
    if verb is Verb.ANSWER_APPROVAL:
        return c.AnswerApproval(run_id=target.run_id, approval=target.approval, **fields)
    if verb is Verb.ANSWER_GATE:
        return c.AnswerGate(run_id=target.run_id, task_id=next(iter(target.task_ids), ""), **fields)
    if verb is Verb.RERUN:
        return c.RerunFrom(run_id=target.run_id, task_id=next(iter(target.task_ids), ""), **fields)
    make = _TASKS[verb]
    return make(run_id=target.run_id, task_ids=target.task_ids, **fields)

"""What can be asked for about runs, tasks and devices: one entry a verb, with the engine's command that it comes to."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import TYPE_CHECKING, Any, Final

from starloom.model.status import TaskStatus
from starloom.scheduling import commands as c
from starloom_gui.text.words import verb_word

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Verb(StrEnum):
    """What can be asked for; one action of the window each."""

    START = "start"
    PAUSE = "pause"
    RESUME = "resume"
    CANCEL_RUN = "cancel_run"
    HOLD_OPEN = "hold_open"
    LIMIT_RUN = "limit_run"
    SET_FENCE = "set_fence"
    STEP = "step"
    RUN_ALL = "run_all"
    PAUSE_AGENT = "pause_agent"
    TRUST_AGENT = "trust_agent"
    RESUME_AGENT = "resume_agent"
    DETACH_AGENT = "detach_agent"
    ANSWER_APPROVAL = "answer_approval"
    ANSWER_GATE = "answer_gate"
    CANCEL = "cancel"
    HOLD = "hold"
    RELEASE = "release"
    RETRY = "retry"
    SKIP = "skip"
    MARK = "mark"
    RERUN = "rerun"
    PRIORITISE = "prioritise"
    PIN = "pin"
    SET_BREAKPOINT = "set_breakpoint"
    CLEAR_BREAKPOINT = "clear_breakpoint"
    RUN_UNTIL = "run_until"
    DRAIN = "drain"
    UNDRAIN = "undrain"
    ENABLE = "enable"
    DISABLE = "disable"
    TRY_AGAIN = "try_again"
    SET_SLOTS = "set_slots"
    REMOVE_DEVICE = "remove_device"
    SET_LIMITS = "set_limits"


class About(Enum):
    """What a verb is about, and so what has to be selected."""

    RUN = "run"
    TASKS = "tasks"
    TASK = "task"
    """One alone."""
    GATE = "gate"
    """One task of a run; answered for good, so no step of undo."""
    AGENT = "agent"
    APPROVAL = "approval"
    DEVICE = "device"
    FLEET = "fleet"


@dataclass(frozen=True, slots=True)
class Target:
    """What a verb is about: a run, some of its tasks, an agent or an approval of it; or a device."""

    run_id: str = ""
    task_ids: tuple[str, ...] = ()
    device_id: str = ""
    agent: str = ""
    approval: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a verb is possible now; if not, why not, as a sentence, and what would help."""

    ok: bool
    reason: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class VerbSpec:
    """What there is to know of one verb; its words, icon and key are in the `ActionSpec` of the same name.

    Attributes:
        about: what it is about.
        command: the engine's command.
        given: fields of it that are asked about where nobody has chosen yet, so that a menu knows whether to offer it.
    """

    about: About
    command: Callable[..., c.Command]
    given: Mapping[str, Any] = field(default_factory=dict)


VERBS: Final[Mapping[Verb, VerbSpec]] = {
    Verb.START: VerbSpec(About.RUN, c.StartRun),
    Verb.PAUSE: VerbSpec(About.RUN, c.PauseRun),
    Verb.RESUME: VerbSpec(About.RUN, c.ResumeRun),
    Verb.CANCEL_RUN: VerbSpec(About.RUN, c.CancelRun),
    Verb.HOLD_OPEN: VerbSpec(About.RUN, c.HoldRunOpen),
    Verb.LIMIT_RUN: VerbSpec(About.RUN, c.SetRunLimit, {"max_concurrency": None}),
    Verb.SET_FENCE: VerbSpec(About.RUN, c.SetFence),
    Verb.STEP: VerbSpec(About.RUN, c.StepRun),
    Verb.RUN_ALL: VerbSpec(About.RUN, c.RunUntil),
    Verb.PAUSE_AGENT: VerbSpec(About.AGENT, c.PauseAgent),
    Verb.TRUST_AGENT: VerbSpec(About.AGENT, c.TrustAgent),
    Verb.RESUME_AGENT: VerbSpec(About.AGENT, c.ResumeAgent),
    Verb.DETACH_AGENT: VerbSpec(About.AGENT, c.DetachAgent),
    Verb.ANSWER_APPROVAL: VerbSpec(About.APPROVAL, c.AnswerApproval, {"accept": True}),
    Verb.ANSWER_GATE: VerbSpec(About.GATE, c.AnswerGate, {"approve": True}),
    Verb.CANCEL: VerbSpec(About.TASKS, c.CancelTasks),
    Verb.HOLD: VerbSpec(About.TASKS, c.HoldTasks),
    Verb.RELEASE: VerbSpec(About.TASKS, c.ReleaseTasks),
    Verb.RETRY: VerbSpec(About.TASKS, c.RetryTasks),
    Verb.SKIP: VerbSpec(About.TASKS, c.SkipTasks),
    Verb.MARK: VerbSpec(About.TASKS, c.MarkTasks, {"status": TaskStatus.COMPLETED}),
    Verb.RERUN: VerbSpec(About.TASK, c.RerunFrom),
    Verb.PRIORITISE: VerbSpec(About.TASKS, c.SetPriority, {"priority": "normal"}),
    Verb.PIN: VerbSpec(About.TASKS, c.PinTasks, {"device_id": None}),
    Verb.SET_BREAKPOINT: VerbSpec(About.TASKS, c.SetBreakpoints),
    Verb.CLEAR_BREAKPOINT: VerbSpec(About.TASKS, c.ClearBreakpoints),
    Verb.RUN_UNTIL: VerbSpec(About.TASKS, c.RunUntil),
    Verb.DRAIN: VerbSpec(About.DEVICE, c.DrainDevice),
    Verb.UNDRAIN: VerbSpec(About.DEVICE, c.ResumeDevice),
    Verb.ENABLE: VerbSpec(About.DEVICE, c.EnableDevice),
    Verb.DISABLE: VerbSpec(About.DEVICE, c.DisableDevice),
    Verb.TRY_AGAIN: VerbSpec(About.DEVICE, c.TryDeviceAgain),
    Verb.SET_SLOTS: VerbSpec(About.DEVICE, c.SetSlots, {"slots": 1}),
    Verb.REMOVE_DEVICE: VerbSpec(About.DEVICE, c.RemoveDevice),
    Verb.SET_LIMITS: VerbSpec(About.FLEET, c.SetLimits),
}


_VERB_OF: Final = {spec.command: verb for verb, spec in VERBS.items()}


def verbs_about(*things: About) -> frozenset[Verb]:
    """The verbs that are about any of these."""
    return frozenset(verb for verb, spec in VERBS.items() if spec.about in things)


OF_TASKS: Final = verbs_about(About.TASKS, About.TASK)
OF_DEVICES: Final = verbs_about(About.DEVICE)


def takes_reason(verb: Verb) -> bool:
    """Whether whoever asks for something about runs, tasks or devices may say why."""
    spec = VERBS[verb]
    is_meant = spec.about in (About.RUN, About.TASKS, About.DEVICE)
    return is_meant and "reason" in getattr(spec.command, "__struct_fields__", ())


def verb_of(command: c.Command) -> Verb:
    """The verb that comes to a command.

    Raises:
        KeyError: none does.
    """
    is_of_all = isinstance(command, c.RunUntil) and not command.task_ids
    return Verb.RUN_ALL if is_of_all else _VERB_OF[type(command)]


def command_word(command: c.Command) -> str:
    """What a command is called, e.g. `Retry`.

    Raises:
        KeyError: it is none that the console asks for.
    """
    return verb_word("edit" if isinstance(command, c.EditConstellation) else verb_of(command))


def command_for(verb: Verb, target: Target, **given: Any) -> c.Command:
    """The command that a verb comes to.

    Args:
        verb: what is asked for.
        target: what it is about.
        given: the command's own fields, e.g. `priority="high"`.

    Raises:
        TypeError: a field was given that the command does not have.
    """
    spec, first = VERBS[verb], next(iter(target.task_ids), "")
    about: dict[About, dict[str, Any]] = {
        About.RUN: {"run_id": target.run_id},
        About.TASKS: {"run_id": target.run_id, "task_ids": target.task_ids},
        About.TASK: {"run_id": target.run_id, "task_id": first},
        About.GATE: {"run_id": target.run_id, "task_id": first},
        About.AGENT: {"run_id": target.run_id, "agent": target.agent},
        About.APPROVAL: {"run_id": target.run_id, "approval": target.approval},
        About.DEVICE: {"device_id": target.device_id},
        About.FLEET: {},
    }
    return spec.command(**about[spec.about], **{**spec.given, **given})


def missing_selection(verb: Verb, target: Target) -> str:
    """What has to be selected before there is anything to ask about, as a sentence; empty: nothing."""
    about = VERBS[verb].about
    if about is About.FLEET:
        return ""
    if about is About.DEVICE:
        return "" if target.device_id else "No device is selected."
    if not target.run_id:
        return "There is no run."
    if about is About.AGENT and not target.agent:
        return "No agent is selected."
    if about is About.APPROVAL and not target.approval:
        return "No approval is selected."
    if about in (About.TASKS, About.TASK, About.GATE) and not target.task_ids:
        return "No task is selected."
    return "Only one task at a time can be rerun." if about is About.TASK and len(target.task_ids) > 1 else ""

"""The verbs of runs, tasks and devices, and what each is about."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


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
        Verb.SET_BREAKPOINT,
        Verb.CLEAR_BREAKPOINT,
        Verb.RUN_UNTIL,
    }
)
OF_DEVICES: Final = frozenset(
    {
        Verb.DRAIN,
        Verb.UNDRAIN,
        Verb.ENABLE,
        Verb.DISABLE,
        Verb.TRY_AGAIN,
        Verb.SET_SLOTS,
        Verb.REMOVE_DEVICE,
    }
)
OF_RUNS: Final = frozenset(
    {
        Verb.START,
        Verb.PAUSE,
        Verb.RESUME,
        Verb.CANCEL_RUN,
        Verb.HOLD_OPEN,
        Verb.LIMIT_RUN,
        Verb.SET_FENCE,
        Verb.STEP,
        Verb.RUN_ALL,
    }
)
OF_AGENTS: Final = frozenset({Verb.PAUSE_AGENT, Verb.RESUME_AGENT, Verb.DETACH_AGENT, Verb.TRUST_AGENT})
OF_APPROVALS: Final = frozenset({Verb.ANSWER_APPROVAL})
OF_GATES: Final = frozenset({Verb.ANSWER_GATE})
"""About one task of a run; answered for good, so no step of undo."""


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

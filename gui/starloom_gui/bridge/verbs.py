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

"""The scheduler's stimuli: outcomes and reports about devices. Commands stand in `scheduling.commands`."""

from __future__ import annotations

import msgspec

from starloom.model.question import Question
from starloom.model.result import Outcome


class AttemptEnded(msgspec.Struct, frozen=True, gc=False):
    """An attempt is over and its slot is free."""

    run_id: str
    task_id: str
    attempt: int
    outcome: Outcome


class AttemptStuckNoticed(msgspec.Struct, frozen=True):
    """An attempt that was stopped still runs; it keeps its slot until it ends."""

    run_id: str
    task_id: str
    attempt: int


class AttemptWarned(msgspec.Struct, frozen=True):
    """A running attempt gave a warning."""

    run_id: str
    task_id: str
    attempt: int
    message: str


class AttemptWorkNoticed(msgspec.Struct, frozen=True):
    """The work of a running attempt waits for its device's link, or begins there."""

    run_id: str
    task_id: str
    attempt: int
    has_begun: bool
    is_seen: bool = True
    """Whether it is known when it began; else it may have since the attempt was dispatched."""
    began_ago: float = 0.0
    """Seconds since it began, as far as its machine could tell."""


class AttemptWorkEndNoticed(msgspec.Struct, frozen=True):
    """The work of a running attempt has ended; its results are being fetched."""

    run_id: str
    task_id: str
    attempt: int
    took: float | None = None
    """Seconds that the work took, by the clock of its machine; None: nobody measured them."""


class QuestionRaised(msgspec.Struct, frozen=True):
    """A running attempt asks a person something; it knows its questions by their keys."""

    run_id: str
    task_id: str
    attempt: int
    key: int
    question: Question


class QuestionDropped(msgspec.Struct, frozen=True):
    """A running attempt waits no more for the answer to a question."""

    run_id: str
    task_id: str
    attempt: int
    key: int


class LateEndNoticed(msgspec.Struct, frozen=True):
    """An attempt that was reported as lost has ended."""

    run_id: str
    task_id: str
    attempt: int
    device_id: str
    exit_code: int | None = None
    """None: it was ended now, or nobody knows how it ended."""
    ended_ago: float | None = None
    """Seconds; None: nobody knows."""


class DeviceConnectingNoticed(msgspec.Struct, frozen=True):
    """A device is being connected, for the `attempt`-th time in a row."""

    device_id: str
    attempt: int = 1


class DeviceConnectedNoticed(msgspec.Struct, frozen=True):
    """A device is connected; says which actions it supports."""

    device_id: str
    capabilities: frozenset[str] | None = None
    """None: the same as before."""


class DeviceActionsNoticed(msgspec.Struct, frozen=True):
    """A device says which actions it supports; None: unknown."""

    device_id: str
    actions: frozenset[str] | None = None


class TasksUnattended(msgspec.Struct, frozen=True):
    """So many tasks of earlier programs may still run on a device though no program looks after them."""

    device_id: str
    count: int


class DeviceLostNoticed(msgspec.Struct, frozen=True):
    """A device does not answer; the attempts on it report their own ends."""

    device_id: str
    reason: str
    will_reconnect: bool = True
    refused: bool = False
    retry_at: float | None = None
    lost_after: float = 0.0
    """Seconds for which what runs there is waited for."""


class DeviceHeldNoticed(msgspec.Struct, frozen=True):
    """A device that works wants no more tasks for a while; its attempts wait by themselves."""

    device_id: str
    seconds: float
    reason: str
    """As the rest of a sentence about it, e.g. `rate limited until 12:04:10`."""


class TimePassed(msgspec.Struct, frozen=True):
    """Time has passed, and nothing else has happened."""

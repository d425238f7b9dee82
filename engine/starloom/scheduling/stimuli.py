"""What the scheduler is told: outcomes and what becomes of devices. Commands stand in `scheduling.commands`."""

from __future__ import annotations

import msgspec

from starloom.model.result import Outcome


class AttemptEnded(msgspec.Struct, frozen=True, gc=False):
    """An attempt is over and its slot is free."""

    run_id: str
    task_id: str
    attempt: int
    outcome: Outcome


class AttemptStuckNoticed(msgspec.Struct, frozen=True):
    """An attempt that was told to stop has not; it keeps its slot until it does."""

    run_id: str
    task_id: str
    attempt: int


class AttemptWarned(msgspec.Struct, frozen=True):
    """A running attempt says that something is not as it should be."""

    run_id: str
    task_id: str
    attempt: int
    message: str


class AttemptWorkNoticed(msgspec.Struct, frozen=True):
    """The work of a running attempt waits for the way to its device, or begins there."""

    run_id: str
    task_id: str
    attempt: int
    has_begun: bool
    is_seen: bool = True
    """Whether it is known when it began; else it may have since the attempt was dispatched."""
    began_ago: float = 0.0
    """Seconds since it began, as far as its machine could tell."""


class AttemptWorkEndNoticed(msgspec.Struct, frozen=True):
    """The work of a running attempt has ended where it ran; what it has left is being brought here."""

    run_id: str
    task_id: str
    attempt: int
    took: float | None = None
    """Seconds that the work took, by the clock of its machine; None: nobody measured them."""


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
    """A device is being reached, for the `attempt`-th time in a row."""

    device_id: str
    attempt: int = 1


class DeviceConnectedNoticed(msgspec.Struct, frozen=True):
    """A device can be used; it says what it is able to do."""

    device_id: str
    capabilities: frozenset[str] | None = None
    """None: the same as before."""


class DeviceActionsNoticed(msgspec.Struct, frozen=True):
    """A device says what it can do; None: it does not say."""

    device_id: str
    actions: frozenset[str] | None = None


class DeviceLostNoticed(msgspec.Struct, frozen=True):
    """A device does not answer; the attempts on it report their own ends."""

    device_id: str
    reason: str
    will_reconnect: bool = True
    refused: bool = False
    retry_at: float | None = None
    lost_after: float = 0.0
    """Seconds for which what runs there is waited for."""


class TimePassed(msgspec.Struct, frozen=True):
    """Nothing happened but that it is later now."""

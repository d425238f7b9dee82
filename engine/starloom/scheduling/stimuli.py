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


class DeviceConnectingNoticed(msgspec.Struct, frozen=True):
    """A device is being reached, for the `attempt`-th time in a row."""

    device_id: str
    attempt: int = 1


class DeviceConnectedNoticed(msgspec.Struct, frozen=True):
    """A device can be used; it says what it is able to do."""

    device_id: str
    capabilities: frozenset[str] | None = None


class DeviceLostNoticed(msgspec.Struct, frozen=True):
    """A device does not answer; the attempts on it report their own ends."""

    device_id: str
    reason: str
    will_reconnect: bool = True


class TimePassed(msgspec.Struct, frozen=True):
    """Nothing happened but that it is later now."""

"""Events of the fleet and its devices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from starloom.events.base import Event
from starloom.model.device import COOL_DOWN, TRIP_AFTER


class FleetOpened(Event, frozen=True):
    """A program has opened the fleet: devices join again, with the operator's settings for them and for limits."""

    wall_time: float = 0.0
    """Seconds since 1970 at `at`."""


class FleetSnapshot(Event, frozen=True):
    """The fleet as it is when a run's stream opens."""

    fleet: Mapping[str, Any] = msgspec.field(default_factory=dict)


class FleetLoad(Event, frozen=True):
    """The number of slots the other runs hold now, per device; in the stream of a run that did not take them."""

    used: Mapping[str, int] = msgspec.field(default_factory=dict)


class DeviceAdded(Event, frozen=True):
    """A device belongs to the fleet."""

    device_id: str
    kind: str = ""
    slots: int | None = None
    """None: as many as are asked for."""
    capabilities: tuple[str, ...] = ()
    speed: float = 1.0
    connected: bool = False
    trip_after: int = TRIP_AFTER
    cool_down: float = COOL_DOWN
    actions: tuple[str, ...] | None = None
    """What it can do: actions of tasks, those of handlers as `call:NAME`; None: it does not say."""
    asks_when_interrupted: bool = False
    """Whether tasks that were interrupted there wait for a person before they run again."""
    origin: str = ""
    """Who added it by hand; empty: a plan or a program brought it, or the stream is older."""


class DeviceActionsChanged(Event, frozen=True):
    """The actions of a device have changed, or it has refused one."""

    device_id: str
    actions: tuple[str, ...] | None = None
    """As for `DeviceAdded`."""
    unsupported: tuple[str, ...] = ()
    """What it was given in vain; forgotten when it is connected again or says anew what it can do."""
    reason: str = ""


class DeviceRemoved(Event, frozen=True):
    """A device no longer belongs to the fleet."""

    device_id: str
    origin: str = ""


class DeviceConnecting(Event, frozen=True):
    """A device is being reached."""

    device_id: str
    attempt: int = 1


class DeviceConnected(Event, frozen=True):
    """A device can be used."""

    device_id: str
    capabilities: tuple[str, ...] = ()


class DeviceLost(Event, frozen=True):
    """A device no longer answers; its attempts have failed, unless it is waited for."""

    device_id: str
    reason: str = ""
    will_reconnect: bool = True
    failures: int = 0
    """How many of the device in a row that makes; those of a suspended one are not counted."""
    refused: bool = False
    """Whether it cannot be used until a person does something, which the reason says."""
    retry_at: float | None = None
    """When it is reached for again; None: nobody knows."""
    waits_until: float = 0.0
    """Until then what runs there is waited for, as it may go on without the link; 0: it is not."""


class DeviceFaulted(Event, frozen=True):
    """A connected device could not begin an attempt, or nothing but fails at once; `failures` as for `DeviceLost`."""

    device_id: str
    reason: str = ""
    failures: int = 0


class BreakerOpened(Event, frozen=True):
    """A device has failed too often in a row, the last time for this reason: suspended, it gets no tasks until then.

    Without failures it works, and has said itself that it wants none until then, as one whose rate is limited.
    """

    device_id: str
    until: float = 0.0
    failures: int = 0
    reason: str = ""


class BreakerHalfOpened(Event, frozen=True):
    """A suspended device is on trial: it gets one task at a time until one shows that it works."""

    device_id: str
    origin: str = ""


class BreakerClosed(Event, frozen=True):
    """A device that had failed works again, as an attempt has shown, or is to be treated so, as the origin says."""

    device_id: str
    origin: str = ""


class DeviceDrained(Event, frozen=True):
    """A device takes no new tasks; its attempts continue."""

    device_id: str
    origin: str = ""
    reason: str = ""


class DeviceResumed(Event, frozen=True):
    """A drained device takes tasks again."""

    device_id: str
    origin: str = ""
    reason: str = ""


class DeviceDisabled(Event, frozen=True):
    """A device is switched off for new tasks until it is enabled."""

    device_id: str
    origin: str = ""
    reason: str = ""


class DeviceEnabled(Event, frozen=True):
    """A disabled device may be used again."""

    device_id: str
    origin: str = ""
    reason: str = ""


class DeviceSlotsSet(Event, frozen=True):
    """The number of a device's slots has changed; its attempts continue."""

    device_id: str
    slots: int | None = None
    origin: str = ""


class DeviceUnattended(Event, frozen=True):
    """So many tasks of earlier programs may still run on a device, each in a slot, until they end or are resumed."""

    device_id: str
    count: int = 0


class LimitsChanged(Event, frozen=True):
    """The fleet's limits are these now."""

    max_concurrency: int | None = None
    groups: Mapping[str, int] = msgspec.field(default_factory=dict)
    max_queue: int = 0
    starvation_timeout: float = 30.0
    placement: str = "load_balance"
    origin: str = ""
    modification_timeout: float = 600.0
    """Seconds agents are waited for in runs that say nothing of it."""
    overdue_factor: float = 3.0
    """How many times its estimate an attempt may run before it is overdue; 0: for ever."""

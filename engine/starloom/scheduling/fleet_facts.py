"""What is true of the fleet: devices, their slots, and the limits; changed by `FleetFacts.apply` alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from starloom import events as ev
from starloom.model.status import Breaker
from starloom.scheduling.device_facts import DeviceFacts, load_breaker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Remembered(NamedTuple):
    """What an operator has said of a device.

    Attributes:
        declared: the slots it came with then; a device that comes with other ones was changed by whoever made it.
    """

    draining: bool
    enabled: bool
    slots: int | None
    declared: int | None


NOT_CHOSEN: Final = frozenset({"settings", "plan"})
"""Whose limits are forgotten with the program: those of settings, flags and plans, which are given anew each time."""
_LIMITS: Final = (
    *("max_concurrency", "max_queue", "starvation_timeout", "placement"),
    *("modification_timeout", "overdue_factor"),
)


class FleetFacts:
    """Devices and limits.

    Attributes:
        devices: by id, in the order they were added.
        max_concurrency: attempts at once in the whole fleet; None: no limit.
        groups: attempts at once of each named group.
        group_used: how many there are now.
        running: attempts at once now, of the runs this state knows.
        others: attempts of other runs, in a picture folded from one run's stream.
        modification_timeout, overdue_factor: see `LimitsChanged`.
        starvation_timeout: seconds after which a background task has aged to 60; 0: no aging.
        chosen: the limits that an operator has set; they outlive the program, what settings and plans say does not.
        remembered: what an operator has said of devices that have not joined again.
        suspects: the devices that have failed since an attempt has shown that they work; an index.
    """

    __slots__ = (
        "chosen",
        "devices",
        "group_used",
        "groups",
        "max_concurrency",
        "max_queue",
        "modification_timeout",
        "others",
        "overdue_factor",
        "placement",
        "remembered",
        "running",
        "seq",
        "starvation_timeout",
        "suspects",
    )

    def __init__(self) -> None:
        self.seq = 0
        self.devices: dict[str, DeviceFacts] = {}
        self.group_used: dict[str, int] = {}
        self.running = 0
        self.others = 0
        self.chosen: dict[str, Any] = {}
        self.remembered: dict[str, Remembered] = {}
        self.suspects: set[str] = set()
        self.reset_limits()

    def reset_limits(self) -> None:
        """Have the limits there are before anybody says anything."""
        self.max_concurrency: int | None = None
        self.groups: dict[str, int] = {}
        self.max_queue = 0
        self.starvation_timeout = 30.0
        self.placement = "load_balance"
        self.modification_timeout = 600.0
        self.overdue_factor = 3.0

    def apply(self, event: ev.Event) -> None:
        """Change the state as a fleet event says; the number in the stream is the caller's to keep."""
        _FLEET_HANDLERS[type(event)](self, event)

    def copy(self) -> FleetFacts:
        """An equal fleet of its own."""
        twin = FleetFacts.__new__(FleetFacts)
        for name in FleetFacts.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.devices = {id: device.copy() for id, device in self.devices.items()}
        twin.groups, twin.group_used = dict(self.groups), dict(self.group_used)
        twin.chosen, twin.remembered, twin.suspects = dict(self.chosen), dict(self.remembered), set(self.suspects)
        return twin

    def limits_event(self, seq: int, at: float, run_id: str, origin: str, **changed: Any) -> ev.LimitsChanged:
        """The event that sets today's limits with some of them changed."""
        return ev.LimitsChanged(seq, at, run_id, origin=origin, **(self._limits() | changed))

    def _limits(self) -> dict[str, Any]:
        return {"groups": dict(self.groups), **{name: getattr(self, name) for name in _LIMITS}}

    def snapshot(self, *, without: Mapping[str, int] | None = None) -> dict[str, Any]:
        """The fleet as plain values, for `FleetSnapshot`; what is used now counts as taken by others."""
        own = without or {}
        return {
            "limits": self._limits(),
            "devices": [
                device.canonical() | {"others": device.used - own.get(device.id, 0), "used": 0}
                for device in self.devices.values()
            ],
        }

    def load_snapshot(self, plain: Mapping[str, Any]) -> None:
        """Become the fleet that `snapshot` described."""
        for name, value in plain["limits"].items():
            setattr(self, name, dict(value) if name == "groups" else value)
        self.devices = {}
        for entry in plain["devices"]:
            device = DeviceFacts(
                entry["id"], entry["kind"], entry["slots"], frozenset(entry["capabilities"]), entry["speed"], True
            )
            for name in ("declared", "connected", "connecting", "failed", "enabled", "draining", "others"):
                setattr(device, name, entry[name])
            load_breaker(device, entry)
            self.devices[device.id] = device
        self.others = sum(device.others for device in self.devices.values())
        self.suspects = {device.id for device in self.devices.values() if device.failures}


def _opened(fleet: FleetFacts, _e: ev.FleetOpened) -> None:
    for device in fleet.devices.values():
        if device.draining or not device.enabled or device.offered != device.declared:
            said = Remembered(device.draining, device.enabled, device.offered, device.declared)
            fleet.remembered[device.id] = said
    fleet.devices, fleet.suspects, fleet.group_used, fleet.running = {}, set(), {}, 0
    fleet.reset_limits()
    for name, value in fleet.chosen.items():
        setattr(fleet, name, dict(value) if name == "groups" else value)


def _added(fleet: FleetFacts, e: ev.DeviceAdded) -> None:
    fleet.remembered.pop(e.device_id, None)
    device = DeviceFacts(e.device_id, e.kind, e.slots, frozenset(e.capabilities), e.speed, e.connected)
    device.trip_after, device.cool_down = e.trip_after, e.cool_down
    device.actions = None if e.actions is None else frozenset(e.actions)
    fleet.devices[e.device_id] = device


def _removed(fleet: FleetFacts, e: ev.DeviceRemoved) -> None:
    del fleet.devices[e.device_id]
    fleet.suspects.discard(e.device_id)


def _connecting(fleet: FleetFacts, e: ev.DeviceConnecting) -> None:
    device = fleet.devices[e.device_id]
    device.connecting, device.failed = True, False


def _connected(fleet: FleetFacts, e: ev.DeviceConnected) -> None:
    device = fleet.devices[e.device_id]
    device.connected, device.connecting, device.failed = True, False, False
    device.refusal, device.retry_at = "", None
    device.capabilities = frozenset(e.capabilities)
    device.unsupported = frozenset()
    device.silent_since = device.waits_until = 0.0


def _actions_changed(fleet: FleetFacts, e: ev.DeviceActionsChanged) -> None:
    device = fleet.devices[e.device_id]
    device.actions = None if e.actions is None else frozenset(e.actions)
    device.unsupported = frozenset(e.unsupported)


def _lost(fleet: FleetFacts, e: ev.DeviceLost) -> None:
    device = fleet.devices[e.device_id]
    device.connected, device.connecting = False, False
    device.failed = not e.will_reconnect
    device.refusal, device.retry_at = (e.reason or "it says nothing") if e.refused else "", e.retry_at
    device.silent_since, device.waits_until = e.at, e.waits_until
    _count(fleet, e)


def _count(fleet: FleetFacts, e: ev.DeviceLost | ev.DeviceFaulted) -> None:
    if e.failures:  # journals from before there were breakers know of none
        fleet.devices[e.device_id].fail(e.failures, e.at, e.reason)
        fleet.suspects.add(e.device_id)


def _breaker_opened(fleet: FleetFacts, e: ev.BreakerOpened) -> None:
    device = fleet.devices[e.device_id]
    device.set_breaker(Breaker.OPEN)
    device.until = e.until
    device.openings += 1


def _breaker_half_opened(fleet: FleetFacts, e: ev.BreakerHalfOpened) -> None:
    fleet.devices[e.device_id].set_breaker(Breaker.HALF_OPEN)


def _breaker_closed(fleet: FleetFacts, e: ev.BreakerClosed) -> None:
    device = fleet.devices[e.device_id]
    device.set_breaker(Breaker.CLOSED)
    device.forgive()
    fleet.suspects.discard(e.device_id)


def _set_flag(name: str, value: bool) -> Callable[[FleetFacts, Any], None]:
    def handler(fleet: FleetFacts, e: Any) -> None:
        setattr(fleet.devices[e.device_id], name, value)

    return handler


def _slots_set(fleet: FleetFacts, e: ev.DeviceSlotsSet) -> None:
    fleet.devices[e.device_id].offer(e.slots)


def _limits_changed(fleet: FleetFacts, e: ev.LimitsChanged) -> None:
    if e.origin not in NOT_CHOSEN:
        _choose(fleet, e)
    fleet.groups = dict(e.groups)
    for name in _LIMITS:
        setattr(fleet, name, getattr(e, name))


def _choose(fleet: FleetFacts, e: ev.LimitsChanged) -> None:
    for name in _LIMITS:
        if getattr(e, name) != getattr(fleet, name):
            fleet.chosen[name] = getattr(e, name)
    chosen = {name: count for name, count in fleet.chosen.get("groups", {}).items() if name in e.groups}
    chosen |= {name: count for name, count in e.groups.items() if fleet.groups.get(name) != count}
    fleet.chosen["groups"] = chosen


def _load(fleet: FleetFacts, e: ev.FleetLoad) -> None:
    for device in fleet.devices.values():
        device.others = e.used.get(device.id, 0)
    fleet.others = sum(e.used.values())


def _snapshot(fleet: FleetFacts, e: ev.FleetSnapshot) -> None:
    fleet.load_snapshot(e.fleet)


_FLEET_HANDLERS: dict[type[ev.Event], Callable[[FleetFacts, Any], None]] = {
    ev.FleetOpened: _opened,
    ev.DeviceAdded: _added,
    ev.DeviceRemoved: _removed,
    ev.DeviceConnecting: _connecting,
    ev.DeviceConnected: _connected,
    ev.DeviceActionsChanged: _actions_changed,
    ev.DeviceLost: _lost,
    ev.DeviceFaulted: _count,
    ev.BreakerOpened: _breaker_opened,
    ev.BreakerHalfOpened: _breaker_half_opened,
    ev.BreakerClosed: _breaker_closed,
    ev.DeviceDrained: _set_flag("draining", True),
    ev.DeviceResumed: _set_flag("draining", False),
    ev.DeviceDisabled: _set_flag("enabled", False),
    ev.DeviceEnabled: _set_flag("enabled", True),
    ev.DeviceSlotsSet: _slots_set,
    ev.LimitsChanged: _limits_changed,
    ev.FleetLoad: _load,
    ev.FleetSnapshot: _snapshot,
}
FLEET_EVENTS = frozenset(_FLEET_HANDLERS)
"""The events of the fleet; `FleetSnapshot` and `FleetLoad` among them stand in runs' streams only."""

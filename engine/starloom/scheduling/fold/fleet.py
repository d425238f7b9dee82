"""The fold's handlers for events of the fleet: the only code that changes its facts. They make no decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom import events as ev
from starloom.model.status import Breaker
from starloom.scheduling.state.device_facts import DeviceFacts
from starloom.scheduling.state.fleet_facts import LIMITS, Remembered
from starloom.scheduling.state.reservations import Reservation, ReservationTarget

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.state.fleet_facts import FleetFacts

NOT_CHOSEN: Final = frozenset({"settings", "plan"})
"""Whose limits are forgotten with the program: those of settings, flags and plans, which are given anew each time."""


def apply_fleet(fleet: FleetFacts, event: ev.Event) -> None:
    """Change the facts by an event of the fleet's stream; the caller keeps the number in the stream."""
    if type(event) is not ev.CommandAnswered:  # which changes no facts of the fleet
        _HANDLERS[type(event)](fleet, event)


def _opened(fleet: FleetFacts, e: ev.FleetOpened) -> None:
    for device in fleet.devices.values():
        if device.draining or not device.enabled or device.offered != device.declared:
            said = Remembered(device.draining, device.enabled, device.offered, device.declared)
            fleet.remembered[device.id] = said
    fleet.devices, fleet.suspects, fleet.group_used, fleet.running = {}, set(), {}, 0
    fleet.reset_limits()
    for name, value in fleet.chosen.items():
        setattr(fleet, name, dict(value) if name == "groups" else value)
    reserved = fleet.reservations.items()
    fleet.reservations = {target: made.in_session(e.at, e.wall_time) for target, made in reserved}


def _added(fleet: FleetFacts, e: ev.DeviceAdded) -> None:
    fleet.remembered.pop(e.device_id, None)
    device = DeviceFacts(e.device_id, e.kind, e.slots, frozenset(e.capabilities), e.speed, e.connected)
    device.trip_after, device.cool_down = e.trip_after, e.cool_down
    device.actions = None if e.actions is None else frozenset(e.actions)
    device.asks_when_interrupted = e.asks_when_interrupted
    device.is_reserved = fleet.is_reserved(e.device_id)
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
    if not (device.waits_until and e.waits_until):  # else it is waited for since then, and the reason is another one
        device.silent_since = e.at
    device.waits_until = e.waits_until
    _count(fleet, e)


def _count(fleet: FleetFacts, e: ev.DeviceLost | ev.DeviceFaulted) -> None:
    if e.failures:  # journals from before there were breakers know of none
        fleet.devices[e.device_id].fail(e.failures, e.at, e.reason)
        fleet.suspects.add(e.device_id)


def _breaker_opened(fleet: FleetFacts, e: ev.BreakerOpened) -> None:
    device = fleet.devices[e.device_id]
    device.set_breaker(Breaker.OPEN)
    device.until = e.until
    if e.failures:
        device.openings += 1
    else:  # it works, and has said itself that it wants nothing until then
        device.fail(0, e.at, e.reason)
    fleet.suspects.add(e.device_id)


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


def _unattended(fleet: FleetFacts, e: ev.DeviceUnattended) -> None:
    fleet.devices[e.device_id].keep_slots(e.count)


def _limits_changed(fleet: FleetFacts, e: ev.LimitsChanged) -> None:
    if e.origin not in NOT_CHOSEN:
        _choose(fleet, e)
    fleet.groups = dict(e.groups)
    for name in LIMITS:
        setattr(fleet, name, getattr(e, name))


def _choose(fleet: FleetFacts, e: ev.LimitsChanged) -> None:
    for name in LIMITS:
        if getattr(e, name) != getattr(fleet, name):
            fleet.chosen[name] = getattr(e, name)
    chosen = {name: count for name, count in fleet.chosen.get("groups", {}).items() if name in e.groups}
    chosen |= {name: count for name, count in e.groups.items() if fleet.groups.get(name) != count}
    fleet.chosen["groups"] = chosen


def _reserved(fleet: FleetFacts, e: ev.ReservationMade) -> None:
    target = ReservationTarget.of(e.reserved_run, e.device_id)
    fleet.reservations[target] = Reservation(e.origin, e.reason, e.at, e.until, e.wall_time)
    _mark_reserved(fleet, e.device_id)


def _reservation_ended(fleet: FleetFacts, e: ev.ReservationEnded) -> None:
    fleet.reservations.pop(ReservationTarget.of(e.reserved_run, e.device_id), None)
    _mark_reserved(fleet, e.device_id)


def _mark_reserved(fleet: FleetFacts, device_id: str) -> None:
    device = fleet.devices.get(device_id)
    if device is not None:
        device.is_reserved = fleet.is_reserved(device_id)


def _load(fleet: FleetFacts, e: ev.FleetLoad) -> None:
    for device in fleet.devices.values():
        device.others = e.used.get(device.id, 0)
    fleet.others = sum(e.used.values())


def _snapshot(fleet: FleetFacts, e: ev.FleetSnapshot) -> None:
    fleet.load_snapshot(e.fleet)


_HANDLERS: Final[dict[type[ev.Event], Callable[[FleetFacts, Any], None]]] = {
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
    ev.DeviceUnattended: _unattended,
    ev.LimitsChanged: _limits_changed,
    ev.ReservationMade: _reserved,
    ev.ReservationEnded: _reservation_ended,
    ev.FleetLoad: _load,
    ev.FleetSnapshot: _snapshot,
}
FLEET_EVENTS: Final = frozenset(_HANDLERS)
"""The events of the fleet; `FleetSnapshot` and `FleetLoad` among them stand in runs' streams only."""

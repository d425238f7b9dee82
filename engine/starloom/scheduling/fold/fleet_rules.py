"""Validity rules for fleet events, given the facts before each; see `stream_rules`."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from starloom.decodable import decodable
from starloom.model.status import Breaker, Placement
from starloom.scheduling.fold.number_rules import MOST, is_span, is_wall, within
from starloom.scheduling.state.codes import RUNNING
from starloom.scheduling.state.device_facts import MOST_SLOTS
from starloom.scheduling.state.reservations import PlainReservation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom import events as ev
    from starloom.scheduling.state.folded_run import FoldedRun

_Slots = Annotated[int, msgspec.Meta(ge=0, le=MOST_SLOTS)]
_Count = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
_Text = str


class _Device(msgspec.Struct):
    """A device in a `FleetSnapshot`; what earlier programs did not tell has a default."""

    id: _Text
    kind: _Text
    slots: _Slots | None
    capabilities: list[_Text]
    speed: Annotated[float, msgspec.Meta(gt=0)]
    declared: _Slots | None
    connected: bool
    connecting: bool
    failed: bool
    enabled: bool
    draining: bool
    others: _Slots
    trip_after: _Count = 0
    cool_down: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    failures: _Count = 0
    failed_at: float = 0.0
    trouble: _Text = ""
    openings: _Count = 0
    until: float = 0.0
    offered: _Slots | None = None
    breaker: Breaker = Breaker.CLOSED
    actions: list[_Text] | None = None
    unsupported: list[_Text] = []
    asks_when_interrupted: bool = False
    silent_since: float = 0.0
    waits_until: float = 0.0
    unattended: _Slots = 0


class _Limits(msgspec.Struct):
    max_concurrency: _Count | None
    groups: dict[str, _Count]
    max_queue: _Count
    starvation_timeout: Annotated[float, msgspec.Meta(ge=0)]
    placement: Placement


class _Fleet(msgspec.Struct):
    """The content of a `FleetSnapshot`."""

    limits: _Limits
    devices: list[_Device]
    reservations: list[PlainReservation] = []


def snapshot(folded: FoldedRun, event: ev.FleetSnapshot) -> str:
    """The snapshot is a valid fleet, and the devices of running attempts are in it."""
    fleet = msgspec.convert(event.fleet, decodable(_Fleet))
    run, there = folded.run, {device.id for device in fleet.devices}
    if any(run.device_of[number] not in there for number in run.with_status(RUNNING)):
        return "tasks run on devices that are not in it"
    numbers = [getattr(device, name) for device in fleet.devices for name in _FLOATS]
    numbers += [number for one in fleet.reservations for number in one[4:]]
    if not all(map(isfinite, (*numbers, fleet.limits.starvation_timeout))):
        return "a number of the fleet is not finite"
    if len({device.id for device in fleet.devices}) != len(fleet.devices):
        return "a device stands there twice"
    return ""


_FLOATS: Final = ("speed", "cool_down", "failed_at", "until", "silent_since", "waits_until")


def load(_folded: FoldedRun, event: ev.FleetLoad) -> str:
    """The load of other runs is within the slots."""
    return next(filter(None, (within(used, 0, MOST_SLOTS, "the slots in use") for used in event.used.values())), "")


def device(folded: FoldedRun, event: Any) -> str:
    """The device is in the fleet."""
    return "" if event.device_id in folded.fleet.devices else f"there is no device {event.device_id!r}"


def added(folded: FoldedRun, event: ev.DeviceAdded) -> str:
    """The device is valid, and its id is not in the fleet yet."""
    if event.device_id in folded.fleet.devices:
        return f"the device {event.device_id!r} is there already"
    if not event.speed > 0:
        return f"no device has the speed {event.speed}"
    return within(event.slots, 0, MOST_SLOTS, "the number of slots") or is_span(event.cool_down, "its cool-down")


def removed(folded: FoldedRun, event: ev.DeviceRemoved) -> str:
    """No attempt runs on the device."""
    if why := device(folded, event):
        return why
    run = folded.run
    is_fetching = any(run.device_of[number] == event.device_id for number in run.fetching)
    return "tasks run on it" if folded.fleet.devices[event.device_id].used or is_fetching else ""


def slots_set(folded: FoldedRun, event: ev.DeviceSlotsSet) -> str:
    """The number of slots is valid."""
    return device(folded, event) or within(event.slots, 0, MOST_SLOTS, "the number of slots")


def unattended(folded: FoldedRun, event: ev.DeviceUnattended) -> str:
    """The number of slots that are kept is valid."""
    return device(folded, event) or within(event.count, 0, MOST_SLOTS, "the number of slots kept")


def reserved(_folded: FoldedRun, event: ev.ReservationMade) -> str:
    """The reservation has a plausible end; what is reserved need not be there any more."""
    return is_span(event.until - event.at, "the time it is reserved") or is_wall(event.wall_time)


def breaker_opened(folded: FoldedRun, event: ev.BreakerOpened) -> str:
    """The device is suspended until a time in the future."""
    return device(folded, event) or is_span(abs(event.until - event.at), "the time it is suspended")


def limits_changed(_folded: FoldedRun, event: ev.LimitsChanged) -> str:
    """The limits are counts, and the placement is a known one."""
    counts: Iterable[int | None] = (event.max_concurrency, event.max_queue, *event.groups.values())
    wrong = filter(None, (within(count, 0, MOST, "a limit") for count in counts))
    if event.placement not in set(Placement):
        return f"there is no placement {event.placement!r}"
    if not 0 <= event.overdue_factor <= MOST:
        return f"the overdue factor is {event.overdue_factor}"
    spans = ((event.starvation_timeout, "the starvation timeout"), (event.modification_timeout, "the agents' timeout"))
    return next(wrong, "") or next(filter(None, (is_span(seconds, what) for seconds, what in spans)), "")


def fleet_opened(folded: FoldedRun, event: ev.FleetOpened) -> str:
    """No run's stream may hold a `FleetOpened`."""
    return "a run's stream does not open the fleet" if folded.run.run_id else is_wall(event.wall_time)

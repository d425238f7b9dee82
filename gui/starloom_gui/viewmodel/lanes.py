"""The lanes of the timeline: one for each slot of each device, in the order in which the devices joined the fleet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.scheduling.state.fleet_facts import FleetFacts

Slot = tuple[str, int]
"""A device and one of its slots, counted from 0."""


class Lane(NamedTuple):
    """The lane of one slot of a device.

    Attributes:
        is_first: it bears the name of the device.
        is_only: the device has no other lane, so that no number is needed.
    """

    device_id: str
    slot: int
    is_first: bool
    is_only: bool


def lanes_of(fleet: FleetFacts, used: Iterable[Slot]) -> tuple[Lane, ...]:
    """A lane for each slot that is there or that was used; devices that have gone come last.

    A device without a limit has as many lanes as it ever needed at once.
    """
    counts = {id: device.offered if device.offered is not None else 1 for id, device in fleet.devices.items()}
    for device_id, slot in used:
        counts[device_id] = max(counts.get(device_id, 0), slot + 1)
    return tuple(Lane(id, slot, slot == 0, count == 1) for id, count in counts.items() for slot in range(count))

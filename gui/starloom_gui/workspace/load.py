"""The largest number of tasks that may run at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starloom.scheduling.state.fleet_facts import FleetFacts


def most_of(fleet: FleetFacts) -> int | None:
    """The largest number of tasks that may run at once: the limit, or the number of slots; None: any number.

    Of devices none of which takes tasks, as they are drained or out of reach, it is 0.
    """
    slots = [device.slots for device in fleet.devices.values() if device.accepts]
    if any(one is None for one in slots) or not fleet.devices:
        return fleet.max_concurrency
    total = sum(one for one in slots if one is not None)
    return total if fleet.max_concurrency is None else min(total, fleet.max_concurrency)


def most_now(fleet: FleetFacts) -> int | None:
    """The same with what still runs on devices that take no more tasks, as long as it does; None: any number."""
    most = most_of(fleet)
    rest = sum(device.used + device.others for device in fleet.devices.values() if not device.accepts)
    if most is None or not rest:
        return most
    return most + rest if fleet.max_concurrency is None else min(most + rest, fleet.max_concurrency)

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

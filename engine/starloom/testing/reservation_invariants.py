"""Invariants of reservations: each has a timer and has not expired, and reserved devices start nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.scheduling.decide.due_timers import is_stale
from starloom.scheduling.decide.expiry import target_of
from starloom.scheduling.state.reservations import ReservationTarget
from starloom.scheduling.state.timers import TimerPurpose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.scheduling.state.scheduler_state import SchedulerState


def broken(scheduler: SchedulerState) -> Iterator[str]:
    """What is wrong with the reservations, as sentences."""
    fleet = scheduler.fleet
    timers = {
        target_of(timer): timer[0]
        for timer in scheduler.timers
        if timer[1] is TimerPurpose.RESERVATION and not is_stale(scheduler, timer)
    }
    due = {target: made.until for target, made in fleet.reservations.items()}
    if timers != due:
        yield f"the timers of reservations are {timers} and should be {due}"
    for target, made in fleet.reservations.items():
        if not made.holder or not made.reason or not made.since < made.until:
            yield f"{target.words} has the reservation {made}"
    for device in fleet.devices.values():
        is_reserved = ReservationTarget(device_id=device.id) in fleet.reservations
        if device.is_reserved is not is_reserved or (is_reserved and device.accepts):
            yield f"device {device.id!r} does not know whether it is reserved, or takes tasks though it is"

"""The end of reservations: their timers, and the event that ends one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.scheduling.decide.device_reports import fleet_changed
from starloom.scheduling.decide.emission import emit_fleet
from starloom.scheduling.state.reservations import ReservationTarget
from starloom.scheduling.state.timers import TimerPurpose

if TYPE_CHECKING:
    from starloom.scheduling.state.scheduler_state import SchedulerState
    from starloom.scheduling.state.timers import Timer


def end(scheduler: SchedulerState, target: ReservationTarget, how: str, origin: str = "", reason: str = "") -> None:
    """End the reservation of a target; `how`, `origin` and `reason` as for `ReservationEnded`."""
    emit_fleet(
        scheduler,
        ev.ReservationEnded,
        device_id=target.device_id,
        reserved_run=target.run_id,
        how=how,
        holder=scheduler.fleet.reservations[target].holder,
        origin=origin,
        reason=reason,
    )
    device_changed(scheduler, target)


def device_changed(scheduler: SchedulerState, target: ReservationTarget) -> None:
    """Check what waits for a device that is reserved now, or no longer."""
    if target.device_id in scheduler.fleet.devices:
        fleet_changed(scheduler)


def expire(scheduler: SchedulerState, target: ReservationTarget) -> None:
    """End a reservation whose time is over."""
    end(scheduler, target, "expired")


def target_of(timer: Timer) -> ReservationTarget:
    """The target of a timer of a reservation."""
    _, _, name, is_device, _ = timer
    return ReservationTarget(device_id=name) if is_device else ReservationTarget(run_id=name)


def is_over(scheduler: SchedulerState, timer: Timer) -> bool:
    """Whether the reservation of a timer has ended otherwise, or has another end by now."""
    made = scheduler.fleet.reservations.get(target_of(timer))
    return made is None or made.until != timer[0]


def set_timer(scheduler: SchedulerState, target: ReservationTarget) -> None:
    """Set a timer for the end of a reservation."""
    until = scheduler.fleet.reservations[target].until
    name, is_device = target.device_id or target.run_id, int(bool(target.device_id))
    scheduler.set_timer(until, TimerPurpose.RESERVATION, name, is_device, 0)


def set_timers(scheduler: SchedulerState) -> None:
    """Set a timer for the end of each reservation."""
    for target in scheduler.fleet.reservations:
        set_timer(scheduler, target)

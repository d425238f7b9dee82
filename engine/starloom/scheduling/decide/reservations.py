"""Reservations: who is refused what, how they are made, and how they end.

A reservation is about commands: what has begun goes on, and tasks start. Only a reserved device starts none. It binds
whoever gives commands in another name than its holder's, and agents; what the engine does by itself it does not bind.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any, Final

from starloom import events as ev
from starloom.errors import CommandRefused, Problem
from starloom.scheduling import commands as c
from starloom.scheduling.decide import expiry, fleet_commands, lookup
from starloom.scheduling.decide.emission import emit_fleet
from starloom.scheduling.reservation_commands import (
    BreakReservation,
    ReleaseReservation,
    ReservationCommand,
    Reserve,
)
from starloom.scheduling.state.reservations import ENGINE_ORIGINS, FLEET_TARGET, ReservationTarget

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.scheduling.state.reservations import Reservation
    from starloom.scheduling.state.scheduler_state import SchedulerState

LONGEST: Final = 366 * 24 * 3600.0
"""Seconds for which something can be reserved."""
_REMEDY: Final = "Ask {holder}, wait until then, or break the reservation."
_NOT_BOUND: Final = (c.CreateRun, c.RecoverRun, c.OpenFleet, c.CloseAdmission, c.AnswerEditCycle, ReservationCommand)
"""What is no change of something reserved, or is decided about by itself."""


# ---- who is refused what


def reservation_of(scheduler: SchedulerState, target: ReservationTarget) -> Reservation | None:
    """The reservation of a run, a device or the fleet at this time; None: there is none.

    That of the fleet stands for all devices that have none of their own.
    """
    made = _own(scheduler, target)
    return _own(scheduler, FLEET_TARGET) if made is None and target.device_id else made


def _own(scheduler: SchedulerState, target: ReservationTarget) -> Reservation | None:
    made = scheduler.fleet.reservations.get(target)
    return made if made is not None and scheduler.now < made.until else None


def check_reserved(scheduler: SchedulerState, command: c.Command) -> None:
    """Refuse a command that would change what somebody else has reserved; changes nothing.

    Raises:
        CommandRefused: `reserved`; it says by whom, why and for how long.
    """
    if not scheduler.fleet.reservations:
        return
    origin = _origin_of(command)
    if origin in ENGINE_ORIGINS:
        return
    for target in _changed_by(command):
        _check_target(scheduler, target, origin)


def _origin_of(command: c.Command) -> str:
    return command.batch.origin if isinstance(command, c.EditConstellation) else command.origin


def _check_target(scheduler: SchedulerState, target: ReservationTarget, origin: str) -> None:
    made = reservation_of(scheduler, target)
    if made is not None and made.holder != origin:
        raise _refusal(scheduler, target, made)


def _refusal(scheduler: SchedulerState, target: ReservationTarget, made: Reservation) -> CommandRefused:
    reason = f"{_named(scheduler, target).words} is {made.words(scheduler.now)}."
    return CommandRefused("reserved", reason, _REMEDY.format(holder=made.holder))


def _named(scheduler: SchedulerState, target: ReservationTarget) -> ReservationTarget:
    """What is reserved: the target itself or, for a device without a reservation of its own, the fleet."""
    return target if _own(scheduler, target) is not None else FLEET_TARGET


def _changed_by(command: Any) -> Iterable[ReservationTarget]:
    """What a command would change."""
    if isinstance(command, _NOT_BOUND):
        return ()
    if isinstance(command, c.RemoveDevices):
        return [ReservationTarget(device_id=device_id) for device_id in command.device_ids]
    if isinstance(command, c.DeviceCommand):
        return (ReservationTarget(device_id=command.device_id),)
    return (ReservationTarget(run_id=getattr(command, "run_id", "")),)  # with no run: the fleet's limits


def reserved_by_another(scheduler: SchedulerState, command: c.Command) -> ReservationTarget | None:
    """The run, device or fleet because of whose reservation a command is refused; None: because of none."""
    origin = _origin_of(command)
    if isinstance(command, BreakReservation) or origin in ENGINE_ORIGINS:
        return None
    targets = [_target(command)] if isinstance(command, ReservationCommand) else _changed_by(command)
    for target in targets:
        made = reservation_of(scheduler, target)
        if made is not None and made.holder != origin:
            return _named(scheduler, target)
    return None


def check_cancel_all(scheduler: SchedulerState, origin: str) -> None:
    """Refuse to cancel all runs in somebody's name, if one that goes on is reserved by another; changes nothing.

    Raises:
        CommandRefused: `reserved`.
    """
    for run_id in scheduler.live:
        _check_target(scheduler, ReservationTarget(run_id=run_id), origin)


def agents_problem(scheduler: SchedulerState, run_id: str) -> Problem | None:
    """The problem with edits of agents while a run is reserved by anybody; None: it is not."""
    target = ReservationTarget(run_id=run_id)
    made = _own(scheduler, target)
    if made is None:
        return None
    refused = _refusal(scheduler, target, made)
    return Problem(code=refused.code, message=refused.reason, hint="Agents change it once the reservation has ended.")


# ---- made and ended


def check_reserve(scheduler: SchedulerState, command: Reserve) -> ReservationTarget:
    """The target that would be reserved; changes nothing.

    Raises:
        CommandRefused: another holder has it, it is not there, or reason or time cannot be used.
    """
    target = _target(command)
    if target.device_id:
        fleet_commands.find(scheduler, target.device_id)
    elif target.run_id:
        lookup.find(scheduler, target.run_id)
    _require_reason(command.reason)
    seconds: Any = command.seconds
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not is_number or not 0 < seconds <= LONGEST:
        hint = f"Give a number of seconds above 0, at most {LONGEST:.0f}, which is a year."
        raise CommandRefused("bad_timeout", f"Nothing can be reserved for {seconds!r} seconds.", hint)
    wall: Any = command.wall_time
    if isinstance(wall, bool) or not isinstance(wall, int | float) or not 0 <= wall < inf:
        raise CommandRefused("bad_argument", f"wall_time cannot be {wall!r}.", "Give seconds since 1970, or 0.")
    _check_target(scheduler, target, command.origin)
    return target


def reserve(scheduler: SchedulerState, command: Reserve) -> None:
    """Reserve a run, a device or the fleet for the origin of the command."""
    target = check_reserve(scheduler, command)
    made = scheduler.fleet.reservations.get(target)
    if made is not None and made.until <= scheduler.now:  # its timer is due in this very turn
        expiry.expire(scheduler, target)
    emit_fleet(
        scheduler,
        ev.ReservationMade,
        device_id=target.device_id,
        reserved_run=target.run_id,
        until=scheduler.now + command.seconds,
        origin=command.origin,
        reason=_in_one_line(command.reason),
        wall_time=float(command.wall_time),
    )
    expiry.set_timer(scheduler, target)
    expiry.device_changed(scheduler, target)


def check_release(scheduler: SchedulerState, command: ReleaseReservation) -> ReservationTarget:
    """The target whose reservation would be released; changes nothing.

    Raises:
        CommandRefused: it is not reserved, or by somebody else.
    """
    target, made = _reserved(scheduler, command)
    if made.holder != command.origin:
        raise _refusal(scheduler, target, made)
    return target


def release(scheduler: SchedulerState, command: ReleaseReservation) -> None:
    """Release what the origin of the command has reserved."""
    expiry.end(scheduler, check_release(scheduler, command), "released", command.origin)


def check_break(scheduler: SchedulerState, command: BreakReservation) -> ReservationTarget:
    """The target whose reservation would be broken; changes nothing.

    Raises:
        CommandRefused: it is not reserved, or no reason is given.
    """
    target, _ = _reserved(scheduler, command)
    _require_reason(command.reason)
    return target


def break_reservation(scheduler: SchedulerState, command: BreakReservation) -> None:
    """Break a reservation, whoever has made it."""
    expiry.end(scheduler, check_break(scheduler, command), "broken", command.origin, _in_one_line(command.reason))


def _target(command: ReservationCommand) -> ReservationTarget:
    return ReservationTarget.of(command.run_id, command.device_id or "")  # None is text for no device


def _reserved(scheduler: SchedulerState, command: ReservationCommand) -> tuple[ReservationTarget, Reservation]:
    target = _target(command)
    made = _own(scheduler, target)
    if made is None:
        raise CommandRefused("not_reserved", f"{target.words} is not reserved.", "See what is, by `starloom ps`.")
    return target, made


def _in_one_line(reason: str) -> str:
    """A reason as it stands within sentences and lists."""
    return " ".join(reason.split())


def _require_reason(reason: str) -> None:
    if not reason.strip():
        raise CommandRefused("no_reason", "No reason was given.", "Say why in some words, for the others.")

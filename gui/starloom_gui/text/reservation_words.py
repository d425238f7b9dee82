"""What is reserved in words: by whom, until when, and why."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from starloom_gui.text.words import fill, hour, plain, translate

if TYPE_CHECKING:
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.reservations import Reservation, ReservationTarget


def end_of(made: Reservation, now: float) -> float:
    """When a reservation expires, in seconds since 1970.

    Args:
        made: the reservation.
        now: on the clock of its engine, in seconds.
    """
    return time.time() + made.until - now if made.wall_until is None else made.wall_until


def end_words(ends: float) -> str:
    """When a reservation expires, as a time of day: `18:40`; on another day `Wed 18:40`, from a week on `in 8 d`."""
    return hour(ends, time.time())


def reserved_words(holder: str, ends: float, reason: str, *, is_mine: bool = False) -> str:
    """Who has reserved something, until when and why: `Reserved by Ada until 18:40: the board is measured`.

    Args:
        holder: in whose name.
        ends: when it expires, in seconds since 1970.
        reason: as it was given.
        is_mine: whether this console asks in that name.
    """
    if is_mine:
        text = translate("Reservations", "Reserved by you until %1: %2")
        return fill(text, end_words(ends), plain(reason))
    return fill(translate("Reservations", "Reserved by %1 until %2: %3"), plain(holder), end_words(ends), plain(reason))


def words_of(fleet: FleetFacts, target: ReservationTarget, now: float, origin: str) -> str:
    """The same of a run, a device or the fleet; empty: it is not reserved.

    Args:
        fleet: the facts of the fleet.
        target: what may be reserved.
        now: on the clock of its engine, in seconds.
        origin: in whose name this console asks.
    """
    made = fleet.reservations.get(target)
    if made is None:
        return ""
    return reserved_words(made.holder, end_of(made, now), made.reason, is_mine=made.holder == origin)


def refusal_words(target: ReservationTarget, made: Reservation, now: float) -> str:
    """Why a command is refused: what is reserved by whom, until when and why, as a sentence.

    The engine knows no time of day, and says how long it is still, which would be another sentence each second.

    Args:
        target: what is reserved.
        made: its reservation.
        now: on the clock of its engine, in seconds.
    """
    values = plain(made.holder), end_words(end_of(made, now)), plain(made.reason).rstrip(".")
    if target.device_id:
        text = translate("Reservations", "Device %1 is reserved by %2 until %3: %4.")
        return fill(text, plain(target.device_id), *values)
    if target.run_id:
        return fill(translate("Reservations", "The run is reserved by %1 until %2: %3."), *values)
    return fill(translate("Reservations", "The fleet is reserved by %1 until %2: %3."), *values)


def break_words(holder: str) -> str:
    """The label of what breaks a reservation of somebody else."""
    return fill(translate("Reservations", "Break %1's reservation…"), plain(holder, 24))


def target_words(target: ReservationTarget, title: str = "") -> str:
    """What is reserved, as a title has it.

    Args:
        target: the run, the device or the fleet.
        title: of the run.
    """
    if target.device_id:
        return plain(target.device_id)
    return fill(translate("Reservations", "“%1”"), title or target.run_id) if target.run_id else _fleet()


def _fleet() -> str:
    return translate("Reservations", "the fleet")

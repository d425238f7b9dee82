"""Undoing reservations: one that is made is given back, and one that was given back is made again with the same end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starloom.scheduling.reservation_commands import BreakReservation, ReleaseReservation, ReservationCommand, Reserve
from starloom.scheduling.state.reservations import ReservationTarget
from starloom_gui.editing.steering import Steering
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.reservation_words import target_words
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from starloom.scheduling.commands import Command
    from starloom.scheduling.state.fleet_facts import FleetFacts


def target_of(command: ReservationCommand) -> ReservationTarget:
    """What a command about a reservation is about."""
    return ReservationTarget.of(command.run_id, command.device_id)


def reservation_both_ways(
    fleet: FleetFacts | None, command: ReservationCommand, now: float
) -> tuple[Steering, Steering] | None:
    """The commands that undo and redo a command about a reservation; to be read before it is given.

    Args:
        fleet: the facts of the fleet; None: nobody knows them.
        command: of the user.
        now: on the engine's clock, in seconds.

    Returns:
        None: nothing takes it back, or it would change nothing.
    """
    if fleet is None or isinstance(command, BreakReservation):
        return None
    target = target_of(command)
    made, about = fleet.reservations.get(target), target._asdict()
    again = None if made is None else Reserve(**about, reason=made.reason, seconds=made.until - now)
    if isinstance(command, Reserve):
        back: Command = again if again is not None else ReleaseReservation(**about)
        reason, before = (None, None) if made is None else (made.reason, made.until)
        told = " ".join(command.reason.split())  # as the engine keeps it
        return (
            Steering((back,), Reserve, {target: told}, expires=before),
            Steering((command,), Reserve, {target: reason}, expires=now + command.seconds),
        )
    if made is None or again is None:
        return None
    return (
        Steering((again,), ReleaseReservation, {target: None}, expires=made.until),
        Steering((command,), ReleaseReservation, {target: made.reason}),
    )


def lasting_reservation(command: Command) -> str:
    """The reason why a command about a reservation cannot be undone; empty: it can, or it is about something else."""
    if isinstance(command, BreakReservation):
        return translate("Editing", "only whoever had reserved it can reserve it again")
    return ""


def reservation_overtaken(fleet: FleetFacts | None, steering: Steering, now: float) -> Verdict:
    """Whether reservations are still as commands about them left them, and not over by now; else which one is not."""
    if steering.expires is not None and steering.expires <= now:
        return Verdict(False, translate("Editing", "That reservation would have ended by now."))
    expects: dict[Any, Any] = dict(steering.expects)
    for target, reason in expects.items():
        made = fleet.reservations.get(target) if fleet is not None else None
        if (None if made is None else made.reason) != reason:
            text = translate("Editing", "The reservation of %1 is another one by now.")
            return Verdict(False, fill(text, target_words(target)))
    return Verdict(True)

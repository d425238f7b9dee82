"""Commands about reservations of runs, devices and the fleet: made, given back, and broken by somebody else."""

from __future__ import annotations

from starloom.scheduling.commands import Command


class ReservationCommand(Command, frozen=True, kw_only=True):
    """A command about the reservation of a device, else of a run, else of the fleet.

    Attributes:
        run_id: of the run; empty: it is not about one.
        device_id: of the device; where it is given, the run does not matter.
    """

    run_id: str = ""
    device_id: str = ""


class Reserve(ReservationCommand, frozen=True, kw_only=True):
    """Reserve it for the origin: commands of others about it are refused. The holder may do so again, to extend it.

    Attributes:
        reason: why, for whoever is refused; not empty.
        seconds: for how long, above 0.
        wall_time: seconds since 1970 now; 0: not known.
    """

    reason: str
    seconds: float
    wall_time: float = 0.0


class ReleaseReservation(ReservationCommand, frozen=True, kw_only=True):
    """Release what the origin itself has reserved."""


class BreakReservation(ReservationCommand, frozen=True, kw_only=True):
    """Break a reservation, whoever has made it.

    Attributes:
        reason: why, for its holder; not empty.
    """

    reason: str

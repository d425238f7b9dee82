"""Reservations as facts: who keeps others from changing a run, a device or the fleet, and until when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.model.quantities import format_duration

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ENGINE_ORIGINS: Final = frozenset({"", "engine", "fleet", "plan", "settings", "shutdown"})
"""The origins of what no person asks for."""


class ReservationTarget(NamedTuple):
    """The run or the device that is reserved; with neither id it is the fleet.

    Attributes:
        run_id: of a run; empty where there is a device.
        device_id: of a device.
    """

    run_id: str = ""
    device_id: str = ""

    @classmethod
    def of(cls, run_id: str, device_id: str) -> ReservationTarget:
        """The target of these ids, of which that of a device counts first."""
        return cls("" if device_id else run_id, device_id)

    @property
    def words(self) -> str:
        """The target as the subject of a sentence."""
        if self.device_id:
            return f"Device {self.device_id!r}"
        return f"The run {self.run_id!r}" if self.run_id else "The fleet"


FLEET_TARGET = ReservationTarget()


class Reservation(NamedTuple):
    """A reservation.

    Attributes:
        holder: in whose name it was made; commands of others are refused.
        reason: why, as a person gave it.
        since, until: seconds on the engine's clock; it has expired from `until` on.
        wall_time: seconds since 1970 at `since`; 0: not known.
    """

    holder: str
    reason: str
    since: float
    until: float
    wall_time: float = 0.0

    @property
    def wall_until(self) -> float | None:
        """When it expires, in seconds since 1970; None: not known."""
        return self.wall_time + self.until - self.since if self.wall_time else None

    def words(self, now: float) -> str:
        """Who has reserved it, for how long still and why, as a phrase.

        Args:
            now: seconds on the engine's clock.
        """
        left = format_duration(max(1, round(self.until - now)))
        return f"reserved by {self.holder} for another {left}: {self.reason.rstrip('.')}"

    def in_session(self, at: float, wall_time: float) -> Reservation:
        """The same reservation on the clock of the program that has opened the fleet.

        It expires at the time of day it was to; where one of the times of day is not known, it begins anew.

        Args:
            at: when that program has opened it, on its clock.
            wall_time: the same in seconds since 1970; 0: not known.
        """
        lasts = self.until - self.since
        gone = max(0.0, wall_time - self.wall_time) if wall_time and self.wall_time else 0.0
        return self._replace(since=at - gone, until=at - gone + lasts)


Reservations = dict[ReservationTarget, Reservation]
PlainReservation = tuple[str, str, str, str, float, float, float]
"""A target and its reservation, as fields in order."""


def reservations_to_plain(reservations: Mapping[ReservationTarget, Reservation]) -> list[PlainReservation]:
    """Reservations as plain values."""
    return [(*target, *reservation) for target, reservation in reservations.items()]


def reservations_from_plain(plain: Iterable[PlainReservation]) -> Reservations:
    """Reservations from the values of `reservations_to_plain`; IndexError or TypeError: they are none."""
    return {ReservationTarget(*one[:2]): Reservation(*one[2:]) for one in plain}

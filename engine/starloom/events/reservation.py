"""Events of reservations: who keeps others from changing a run, a device or the fleet, and until when.

They stand in the fleet's stream, and in those of the runs that live, as all events of the fleet.
"""

from __future__ import annotations

from starloom.events.base import Event


class ReservationMade(Event, frozen=True):
    """Somebody has reserved a run, a device or, with neither, the fleet; an earlier reservation of it is replaced.

    Attributes:
        device_id: the device; empty: it is no device.
        reserved_run: the id of the run; empty: it is no run. `run_id` is that of the stream.
        until: when it expires, in seconds on the engine's clock.
        wall_time: seconds since 1970 at `at`; 0: not known.
    """

    device_id: str = ""
    reserved_run: str = ""
    until: float = 0.0
    origin: str = ""
    reason: str = ""
    wall_time: float = 0.0


class ReservationEnded(Event, frozen=True):
    """A reservation has ended.

    Attributes:
        device_id, reserved_run: of what, as for `ReservationMade`.
        how: `released` by the holder, `broken` by somebody else, or `expired`.
        holder: who had reserved it.
        origin: who has ended it; empty: nobody, it has expired.
        reason: why, where it was broken.
    """

    device_id: str = ""
    reserved_run: str = ""
    how: str = "expired"
    holder: str = ""
    origin: str = ""
    reason: str = ""

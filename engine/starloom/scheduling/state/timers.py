"""The scheduler's timers."""

from __future__ import annotations

from enum import IntEnum, unique
from typing import Final


@unique
class TimerPurpose(IntEnum):
    """The purpose of a timer; of timers due at one time the lowest goes first."""

    TIMEOUT = 0
    """A running attempt is over its timeout."""
    RETRY = 1
    """The pause before the next attempt is over."""
    STARVED = 2
    """A task that rather waits for a faster device has waited long enough."""
    CYCLE = 3
    """Agents have not answered to an edit cycle."""
    APPROVAL = 4
    """Nobody has answered an approval."""
    BREAKER = 5
    """The suspension of a device is over."""
    GATE = 6
    """The countdown of a gate is over."""
    OVERDUE = 7
    """A running attempt takes far longer than expected."""
    RESERVATION = 8
    """A reservation expires."""
    WATCH = 9
    """Attempts of a run have taken so long that it is looked up whether anything is expected of them."""


ABOUT_NO_TASK: Final = frozenset(
    {
        TimerPurpose.BREAKER,
        TimerPurpose.CYCLE,
        TimerPurpose.APPROVAL,
        TimerPurpose.RESERVATION,
        TimerPurpose.WATCH,
    }
)
"""The purposes of timers that have no number of a task."""
Timer = tuple[float, TimerPurpose, str, int, int]
"""When, what for, run, number of the task (or of the cycle or approval), attempt; of a breaker a device, not a run.

Of a reservation the device, run or nothing that is reserved, and as the number whether it is a device.
"""

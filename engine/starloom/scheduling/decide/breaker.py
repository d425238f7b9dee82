"""The circuit breaker of a device: consecutive failures suspend it, a working attempt closes the breaker again.

    closed ──failures in a row──► open ──cool-down──► half open ──works──► closed
                                   ▲                      │
                                   └─fails, twice as long─┘

Only failures of the device count: it could not be reached, was lost, or could not begin an attempt. What tasks do wrong
shows that the device works, unless it is alone with that: see `doubts`. Half open it offers one slot, so that placing
needs no rule of its own. Nothing acts here: `device_reports` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.model.result import ErrorCode, OutcomeStatus
from starloom.model.status import Breaker

if TYPE_CHECKING:
    from starloom.model.result import Outcome
    from starloom.scheduling.state.device_facts import DeviceFacts

IN_A_ROW: Final = 600.0
"""Seconds after which a failure is no longer in a row with the one before."""
LONGEST: Final = 600.0
"""Seconds a suspension grows to at most, unless the device's own first one is longer."""
_SAYS_NOTHING: Final = frozenset({ErrorCode.UNSUPPORTED, ErrorCode.UNRESOLVED_INPUT, ErrorCode.SECRET_UNAVAILABLE})
"""Errors of attempts that the device never had to do anything for."""


class FailureCount(NamedTuple):
    """The consequence of one more failure.

    Attributes:
        failures: how many in a row that makes.
        until: when the suspension it leads to ends; None: it leads to none.
    """

    failures: int
    until: float | None


def after_failure(device: DeviceFacts, now: float) -> FailureCount:
    """The failure count of a device after a failure at this time; changes nothing.

    A device that is suspended already fails no more: nothing was asked of it but what had begun before.
    """
    if device.breaker is Breaker.OPEN:
        return FailureCount(device.failures, None)
    failures = device.failures + 1 if device.failures and now - device.failed_at <= IN_A_ROW else 1
    if device.breaker is Breaker.CLOSED and (not device.trip_after or failures < device.trip_after):
        return FailureCount(failures, None)
    return FailureCount(failures, now + suspension(device.cool_down, device.openings))


def suspension(cool_down: float, openings: int) -> float:
    """Seconds of a suspension after so many consecutive ones: doubling, up to a maximum."""
    return min(cool_down * 2.0 ** min(openings, 30), max(LONGEST, cool_down))


def works(outcome: Outcome) -> bool | None:
    """Whether the end of an attempt shows that its device works; None: it shows neither."""
    if outcome.device_failed:
        return False
    if outcome.status is OutcomeStatus.COMPLETED:
        return True
    if outcome.status is not OutcomeStatus.FAILED:
        return None  # that a device was lost it says itself, once for all attempts on it
    error = outcome.result.error
    return None if error is not None and error.code in _SAYS_NOTHING else True


def is_over(device: DeviceFacts | None, due: float) -> bool:
    """Whether the suspension of a timer has ended otherwise."""
    return device is None or device.breaker is not Breaker.OPEN or device.until != due

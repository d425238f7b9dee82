"""Devices on which consecutive tasks fail at once: without this they would run through a whole queue in seconds.

Mostly the tasks are wrong, and fail wherever they run. So a device is suspended for it only if it stands alone with it:
others, on which that does not happen, could have taken the same tasks. A fleet of one device, or what only one
device can take, is never kept waiting. Nothing of it is journalled but the suspension that follows: a program that
begins anew counts anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.model.quantities import format_duration
from starloom.model.result import ErrorCode, OutcomeStatus
from starloom.model.status import Breaker

if TYPE_CHECKING:
    from starloom.model.result import Outcome
    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState

AT_ONCE: Final = 1.0
"""Seconds; what fails by its exit code sooner fails at once."""


def fault(scheduler: SchedulerState, index: RunIndex, number: int, outcome: Outcome) -> str:
    """The reason why the end of an attempt counts against its device although that did its part; empty: it does not.

    To be asked about every end while any device is doubted, else about failures only.

    Args:
        scheduler: of the fleet.
        index: the run.
        number: of the task; the facts still have the attempt running.
        outcome: how it ended.
    """
    device = scheduler.fleet.devices[index.run.device_of[number]]  # type: ignore[index]  # what runs has a device
    if outcome.status is OutcomeStatus.STOPPED or outcome.status is OutcomeStatus.LOST:
        return ""
    if not device.trip_after or not _failed_at_once(scheduler, index, number, outcome):
        scheduler.doubts.pop(device.id, None)
        return ""
    count = scheduler.doubts[device.id] = scheduler.doubts.get(device.id, 0) + 1
    if (
        device.breaker is Breaker.OPEN
        or count < device.trip_after
        or not _is_alone_with_it(scheduler, index, number, device)
    ):
        return ""
    code = outcome.result.exit_code
    return (
        f"{count} tasks in a row failed there within {format_duration(AT_ONCE)}, the last one with exit code {code}, "
        "and other devices take them"
    )


def _failed_at_once(scheduler: SchedulerState, index: RunIndex, number: int, outcome: Outcome) -> bool:
    error = outcome.result.error
    if outcome.status is not OutcomeStatus.FAILED or error is None or error.code != ErrorCode.EXIT_CODE:
        return False
    return not outcome.device_failed and scheduler.now - index.run.started_at[number] <= AT_ONCE


def _is_alone_with_it(scheduler: SchedulerState, index: RunIndex, number: int, device: DeviceFacts) -> bool:
    """Whether another device would take the task on which tasks do not fail at once."""
    wanted = index.wanted_by(number)
    return any(
        other.accepts and other.slots != 0 and other.id not in scheduler.doubts
        for other in scheduler.fleet.devices.values()
        if other is not device and wanted.fits(other)
    )

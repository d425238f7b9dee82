"""Devices and groups that cannot be reached yet and are waited for, as attempts of an earlier program may run there."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from starloom.devices.base import Device
from starloom.devices.ended import failed
from starloom.errors import DeviceError, DeviceRefused
from starloom.model.result import ErrorCode, ErrorInfo, Outcome, OutcomeStatus, Result

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from starloom.devices.base import TaskContext
    from starloom.devices.group import DeviceGroup
    from starloom.model.task import Task

_PAUSE: Final = 1.0
"""Seconds between two questions to a device that refuses us."""
_AWAY: Final = "its device could not be reached"
_INTERRUPTED: Final = Outcome(
    OutcomeStatus.STOPPED,
    Result(error=ErrorInfo(code=ErrorCode.INTERRUPTED, message="The program that ran it ended before it did.")),
)


class AwaitedGroup(Device):
    """The placeholder of a group that cannot be reached; it is connected like any device, and takes no task.

    Attributes:
        group: the group.
        members: the ids of devices of the fleet that will be its members.

    Args:
        group: the group.
        gather: reaches it, and has its members join the fleet.
        error: why it could not be reached.
    """

    def __init__(self, group: DeviceGroup, gather: Callable[[], Awaitable[None]], error: DeviceError) -> None:
        super().__init__(group.id, capabilities=group.capabilities, speed=group.speed)
        self.group = group
        self.members: set[str] = set()
        self.kind = group.kind  # type: ignore[misc]  # of each one its group's
        self.slots = 0
        self.actions = group.actions
        self.spec = group.spec
        self.trip_after, self.cool_down = group.trip_after, group.cool_down
        self._gather = gather
        self._error: DeviceError | None = error

    @override
    async def connect(self) -> None:
        error, self._error = self._error, None
        if error is not None:  # it was reached for a moment ago
            raise error
        await self._gather()

    @override
    def has_news(self) -> bool:
        return self.group.has_news()

    @override
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        return failed(ErrorCode.UNSUPPORTED, f"The group {self.id!r} is not reached yet.")


class EmptyGroup(AwaitedGroup):
    """The placeholder of a group that was reached and has no members now, so that it can be seen and removed."""


class AwaitedDevices:
    """The devices that are waited for because of what may run there.

    Args:
        clock: the engine's, in seconds.
        lose: gives up what runs on a device, as it was not reached in time.
    """

    def __init__(self, clock: Callable[[], float], lose: Callable[[str], None]) -> None:
        self._clock, self._lose = clock, lose
        self._waits: dict[str, tuple[asyncio.Event, float, asyncio.TimerHandle]] = {}

    def begin(self, device: Device) -> asyncio.Event:
        """What is set once the device is connected; if that takes too long, its attempts are given up."""
        if device.id not in self._waits:
            timer = asyncio.get_running_loop().call_later(device.lost_after, self._lose, device.id)
            self._waits[device.id] = asyncio.Event(), self._clock() + device.lost_after, timer
        return self._waits[device.id][0]

    def left(self, device_id: str) -> float:
        """Seconds for which a device is still waited for; 0: it is not."""
        return max(0.0, self._waits[device_id][1] - self._clock()) if device_id in self._waits else 0.0

    def end(self, device_id: str) -> None:
        """Stop waiting for a device, as it was reached or has left the fleet."""
        if (wait := self._waits.pop(device_id, None)) is not None:
            wait[2].cancel()
            wait[0].set()


async def once_reached(
    reached: Callable[[], Awaitable[None]],
    device: Device,
    task: Callable[[], Awaitable[Task]],
    context: TaskContext,
    abandon: Callable[[], Path | None],
    *,
    goes_on: bool,
) -> Outcome:
    """Follow an attempt of an earlier program to its end on a device that is not connected yet.

    Args:
        reached: returns when it is.
        device: the device.
        task: gives the task as the device is to read it.
        context: of the attempt.
        abandon: has the attempt's own files stay when its end is committed; gives how their paths begin.
        goes_on: whether it goes on if it still runs; else it is ended, and counts as interrupted.
    """
    try:
        await reached()
        await _answer_of(device)  # it may have fallen silent, and nobody has noticed yet
        known = await task()
        if not goes_on or (go_on := await device.reattach(known, context)) is None:
            return await device.recover(known, context) or _INTERRUPTED
    except asyncio.CancelledError:
        _abandon(device, abandon(), _AWAY)
        raise
    except DeviceError as error:
        _abandon(device, abandon(), str(error))
        lost = ErrorInfo(code=ErrorCode.DEVICE_LOST, message=str(error))
        return Outcome(OutcomeStatus.FAILED, Result(error=lost))
    return await go_on()


async def _answer_of(device: Device) -> None:
    """Return when the device has answered; one that refuses us is waited for until somebody gives it up."""
    while True:
        try:
            return await device.ping()
        except DeviceRefused:
            await asyncio.sleep(_PAUSE)


def _abandon(device: Device, kept: Path | None, why: str) -> None:
    if kept is not None:
        device.abandon(kept, why)

"""Gathering: has the members of a group join the fleet and leave it, for as long as the group belongs to the fleet."""

from __future__ import annotations

import asyncio
import logging
import random
from typing import TYPE_CHECKING

from starloom.errors import DeviceError, StarloomError
from starloom.orchestration.supervisor import pause_before

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starloom.devices.base import Device
    from starloom.devices.group import Change, DeviceGroup

_log = logging.getLogger(__name__)


class Gathering:
    """One group's watch. Begun once; then `end` it, after its members were let go.

    Attributes:
        group: the group.
        members: the ids of those that have joined and not left.
    """

    def __init__(
        self,
        group: DeviceGroup,
        join: Callable[[Device], Awaitable[None]],
        leave: Callable[[str], Awaitable[None]],
    ) -> None:
        self.group = group
        self.members: set[str] = set()
        self._join = join
        self._leave = leave
        self._watch: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Reach the group; returns when the members there are have joined.

        Raises:
            DeviceError: it cannot be reached, or a member is another device than the one the fleet has under its id.
        """
        await self.group.connect()
        try:
            await self._follow(await self.group.changed())
        except BaseException:
            for device_id in self.members:  # nobody would let them go later
                await self._leave(device_id)
            await self.group.disconnect()
            raise
        self.go_on()

    def go_on(self) -> None:
        """Look for members that come and go; once begun, only after `pause`."""
        self._watch = asyncio.create_task(self._look_out(), name=f"starloom group {self.group.id}")

    async def pause(self) -> None:
        """Look for no more members, until told to go on."""
        watch, self._watch = self._watch, None
        if watch is not None:
            watch.cancel()
            await asyncio.gather(watch, return_exceptions=True)

    async def end(self) -> None:
        """Look for no more members, and let the group go."""
        await self.pause()
        try:
            await self.group.disconnect()
        except Exception as error:  # noqa: BLE001 - the border to adapters: it is reported
            _log.warning("the group %r could not be disconnected: %s", self.group.id, error)

    async def _look_out(self) -> None:
        failed = 0
        while True:
            try:
                change = await self.group.changed()
                failed = 0
            except DeviceError:  # its members tell that they are lost, each for itself
                failed += 1
                await asyncio.sleep(pause_before(failed, random.random()))
                continue
            except Exception:  # noqa: BLE001 - as above
                _log.exception("the group %r failed when asked for its members; no more will join", self.group.id)
                return
            try:
                await self._follow(change)
            except StarloomError as error:
                _log.warning("a member of the group %r could not join or leave: %s", self.group.id, error)

    async def _follow(self, change: Change) -> None:
        for device_id in change.left:
            self.members.discard(device_id)
            await self._leave(device_id)
        answers = await asyncio.gather(*(self._join(device) for device in change.joined), return_exceptions=True)
        self.members |= {d.id for d, answer in zip(change.joined, answers, strict=True) if answer is None}
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer

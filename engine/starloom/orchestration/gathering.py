"""Gathering: adds the members of a group to the fleet and removes them, as long as the group belongs to the fleet."""

from __future__ import annotations

import asyncio
import logging
import random
from typing import TYPE_CHECKING, Final

from starloom.errors import DeviceError, StarloomError
from starloom.orchestration.unavailable import pause_before

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from starloom.devices.base import Device
    from starloom.devices.group import DeviceGroup, GroupChange

_log = logging.getLogger(__name__)
_AGAIN: Final = 1.0
"""Seconds after which a watch that was cancelled and goes on is cancelled once more."""
LONGEST_PAUSE: Final = 5.0
"""Seconds between two attempts to reach a group that was reached before: its members wait for that, too."""


class Gathering:
    """Watches one group. Begun once; ended after its members were disconnected.

    What has begun of a change is seen through, as half of it would leave devices in the fleet that nobody knows of:
    only waiting for the next change is broken off.

    Attributes:
        group: the group.
        members: the ids of those that have entered the fleet and not left.
        door: held while members enter or leave the fleet, and while the group is taken out of it: one at a time.
        is_over: whether nobody enters any more; to be set by who holds the door.
        is_reached: whether the group was reached.
        trouble: why it could not be asked for members last; empty: it could.

    Args:
        group: the group.
        enter: puts a device into the fleet; whether it was not there yet.
        reach: reaches for such a device, however long that takes; it may have left meanwhile.
        rest: returns when nothing runs any more on a device.
        leave: takes a device out of the fleet.
        look: looks at once whether a device of the fleet can be used again, whatever it was suspended for.
        stand_in: has something stand in the fleet for the group as long as none of its members is there.
        expected: the ids of members that are in the fleet already.
    """

    def __init__(
        self,
        group: DeviceGroup,
        *,
        enter: Callable[[Device], Awaitable[bool]],
        reach: Callable[[Device], Awaitable[None]],
        rest: Callable[[str], Awaitable[None]],
        leave: Callable[[str], Awaitable[None]],
        look: Callable[[str], Awaitable[None]],
        stand_in: Callable[[Gathering], Awaitable[None]],
        expected: Iterable[str] = (),
    ) -> None:
        self.group = group
        self.members: set[str] = set()
        self.door = asyncio.Lock()
        self.is_over = False
        self.is_reached = False
        self.trouble = ""
        self._enter, self._reach, self._rest, self._leave, self._look = enter, reach, rest, leave, look
        self._stand_in, self._expected = stand_in, frozenset(expected)
        self._watch: asyncio.Task[None] | None = None
        self._following: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Reach the group; returns when the members there are have joined.

        Raises:
            DeviceError: it cannot be reached, or a member is another device than the one the fleet has under its id.
        """
        await self.group.connect()
        self.is_reached = True
        try:
            await self._see_through(await self.group.changed())
        except BaseException:
            await self.close_door()
            for device_id in tuple(self.members):  # nobody would let them go later
                await self._let_go(device_id)
            await self.end()
            raise
        self.members |= self._expected
        self.go_on()

    def go_on(self) -> None:
        """Start or resume to follow members that join and leave."""
        self._watch = asyncio.create_task(self._look_out(), name=f"starloom group {self.group.id}")

    async def pause(self) -> None:
        """Stop following members until `go_on`."""
        watch, self._watch = self._watch, None
        if watch is not None:
            while not watch.done():  # what a group is made of may swallow that it is cancelled
                watch.cancel()
                await asyncio.wait((watch,), timeout=_AGAIN)
            await asyncio.gather(watch, return_exceptions=True)

    async def readmit(self, is_there: Callable[[str], bool]) -> None:
        """Have members that were taken out of the fleet one by one join again, as the group is wanted once more.

        Args:
            is_there: whether a device of this id is in the fleet.
        """
        async with self.door:
            gone = [device_id for device_id in self.members if not is_there(device_id)]
            if self.is_over or not gone:
                return
            await self.pause()
            for device_id in gone:
                self.members.discard(device_id)
                self.group.forget(device_id)
            self.go_on()

    async def close_door(self) -> None:
        """Accept no more members, and search for none."""
        async with self.door:
            self.is_over = True
        await self.pause()

    async def end(self) -> None:
        """Search for no more members, connect none, and disconnect the group."""
        await self.pause()
        following, self._following = self._following, None
        if following is not None:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
        try:
            await self.group.disconnect()
        except Exception as error:  # noqa: BLE001 - the border to adapters: it is reported
            _log.warning("the group %r could not be disconnected: %s", self.group.id, error)

    async def _look_out(self) -> None:
        failed = 0
        while True:
            await self._have_stood_in()
            try:
                if self._following is None:
                    self._follow_soon(await self.group.changed())
                    failed, self.trouble = 0, ""
            except DeviceError as error:  # its members tell that they are lost, each for itself
                failed, self.trouble = failed + 1, str(error)
                await asyncio.sleep(min(LONGEST_PAUSE, pause_before(failed, random.random())))
                continue
            except Exception:  # noqa: BLE001 - as above
                _log.exception("the group %r failed when asked for its members; no more will join", self.group.id)
                return
            try:
                await self._followed()
            except StarloomError as error:
                _log.warning("a member of the group %r could not join or leave: %s", self.group.id, error)

    async def _have_stood_in(self) -> None:
        async with self.door:
            if not self.is_over:
                await self._stand_in(self)

    async def _see_through(self, change: GroupChange) -> None:
        self._follow_soon(change)
        await self._followed()

    def _follow_soon(self, change: GroupChange) -> None:
        self._following = asyncio.create_task(self._follow(change), name=f"starloom members of {self.group.id}")

    async def _followed(self) -> None:
        """Return when the change was followed, even if cancelled meanwhile."""
        following = self._following
        assert following is not None
        await asyncio.wait((following,))
        self._following = None
        following.result()

    async def _follow(self, change: GroupChange) -> None:
        for device_id in change.returned:
            if device_id in self.members:
                await self._look(device_id)
        for device_id in change.left:
            await self._let_go(device_id)
        async with self.door:
            joined = () if self.is_over else change.joined
            answers = await asyncio.gather(*(self._enter(device) for device in joined), return_exceptions=True)
            told = list(zip(joined, answers, strict=True))
            self.members |= {device.id for device, answer in told if not isinstance(answer, BaseException)}
        await asyncio.gather(*(self._reach(device) for device, answer in told if answer is True))
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer

    async def _let_go(self, device_id: str) -> None:
        await self._rest(device_id)
        async with self.door:
            if device_id in self.members:  # else it has gone with the group meanwhile
                await self._leave(device_id)
                self.members.discard(device_id)

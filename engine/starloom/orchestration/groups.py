"""The groups of a fleet: which there are, what stands for one that is not reached yet, and how they go."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final

from starloom.errors import CommandRefused, DeviceError
from starloom.model.status import Breaker
from starloom.orchestration.awaited import AwaitedGroup, EmptyGroup
from starloom.orchestration.gathering import Gathering
from starloom.scheduling import commands as c

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starloom.devices.base import Device
    from starloom.devices.group import DeviceGroup
    from starloom.orchestration.dispatcher import Dispatcher
    from starloom.orchestration.pump import Pump
    from starloom.orchestration.supervisor import Supervisor
    from starloom.scheduling.state.device_facts import DeviceFacts

_ENGINE: Final = "engine"
"""The origin of what nobody has asked for."""


class Groups:
    """The groups whose members are devices of a fleet.

    Args:
        pump: takes commands.
        dispatcher: has the devices of the fleet.
        supervisor: connects and disconnects them.
        enter: puts a device into the fleet; whether it was not there yet.
        reach: reaches for such a device, unless it has left meanwhile.
        remove: takes a device out of the fleet.
    """

    def __init__(
        self,
        pump: Pump,
        dispatcher: Dispatcher,
        supervisor: Supervisor,
        enter: Callable[[Device], Awaitable[bool]],
        reach: Callable[[Device], Awaitable[None]],
        remove: Callable[[c.RemoveDevice], Awaitable[None]],
    ) -> None:
        self._pump, self._dispatcher, self._supervisor = pump, dispatcher, supervisor
        self._enter, self._reach, self._remove_device = enter, reach, remove
        self._gatherings: dict[str, Gathering] = {}

    def get(self, group_id: str) -> DeviceGroup | None:
        """A group that was reached; None: there is none of this id."""
        gathering = self._gatherings.get(group_id)
        return gathering.group if gathering is not None else None

    @property
    def known(self) -> dict[str, DeviceGroup]:
        """All groups by their ids, also those that are not reached yet."""
        reached = {group_id: gathering.group for group_id, gathering in self._gatherings.items()}
        return {**{one.id: one.group for one in self.awaited}, **reached}

    @property
    def awaited(self) -> list[AwaitedGroup]:
        """What stands in the fleet for groups that are not reached yet."""
        stand_ins = (device for device in self._dispatcher.devices.values() if isinstance(device, AwaitedGroup))
        return [device for device in stand_ins if not isinstance(device, EmptyGroup)]

    async def expect(self, earlier: DeviceFacts) -> None:
        """Add a device on which attempts of an earlier program may run, if its group is waited for."""
        for awaited in self.awaited:
            member = awaited.group.expected(earlier.id, earlier.declared)
            if member is not None and await self._enter(member):
                awaited.members.add(member.id)
                await self._reach(member)
                return

    async def add(self, group: DeviceGroup, *, waits: bool, readmits: bool) -> None:
        """Add a group, whose members join the fleet.

        Args:
            group: a new one, or one that is equal to the one of its id.
            waits: whether one that runs elsewhere and cannot be reached is reached for until it can.
            readmits: whether members that were removed one by one join again.

        Raises:
            DeviceError: it cannot be reached.
        """
        if group.id not in self.known:
            await self._gather(group, waits=waits)
        elif readmits and group.id in self._gatherings:
            await self._gatherings[group.id].readmit(self._dispatcher.devices.__contains__)

    async def _gather(self, group: DeviceGroup, *, waits: bool) -> None:
        gathering = self._gathering_of(group)
        try:
            await self._begin(gathering)
        except DeviceError as error:
            if gathering.is_reached or not waits or not group.is_elsewhere:
                raise
            stand_in = AwaitedGroup(group, lambda: self._begin(self._gathering_of(group)), error)
            if await self._enter(stand_in):
                await self._reach(stand_in)

    async def _begin(self, gathering: Gathering) -> None:
        self._gatherings[gathering.group.id] = gathering
        try:
            await gathering.begin()
        except BaseException:
            del self._gatherings[gathering.group.id]
            raise

    def _gathering_of(self, group: DeviceGroup) -> Gathering:
        awaited = self._dispatcher.devices.get(group.id)
        return Gathering(
            group,
            enter=self._enter,
            reach=self._reach,
            rest=self._dispatcher.ended_on,
            leave=self._leave,
            look=self._look_again,
            stand_in=self._stand_in,
            expected=awaited.members if isinstance(awaited, AwaitedGroup) else (),
        )

    async def _let_stand_in_go(self, group_id: str) -> None:
        """The group itself is there."""
        if group_id in self._dispatcher.devices:
            await self._remove_device(c.RemoveDevice(device_id=group_id, origin=_ENGINE))

    async def _stand_in(self, gathering: Gathering) -> None:
        """Have something stand for a group that was reached, if nothing of it is in the fleet."""
        group, devices = gathering.group, self._dispatcher.devices
        is_empty = gathering.members.isdisjoint(devices)
        if is_empty and isinstance(devices.get(group.id), EmptyGroup):
            return
        await self._let_stand_in_go(group.id)
        if not is_empty:
            return

        async def ask() -> None:
            raise DeviceError(gathering.trouble or f"{group.id!r} has nothing now on which tasks could run.")

        stand_in = EmptyGroup(group, ask, DeviceError(f"{group.id!r} has nothing now on which tasks could run."))
        if await self._enter(stand_in):
            await self._reach(stand_in)

    async def _leave(self, device_id: str) -> None:
        with contextlib.suppress(CommandRefused):  # something of it hangs: it stays, as a device that is lost
            await self._remove_device(c.RemoveDevice(device_id=device_id, origin=_ENGINE))

    async def _look_again(self, device_id: str) -> None:
        """A device has come back: it is on trial if it was suspended, and reached for at once."""
        facts = self._pump.scheduler.fleet.devices.get(device_id)
        if facts is not None and facts.breaker is Breaker.OPEN:
            with contextlib.suppress(CommandRefused):  # it was removed by somebody in this moment
                await self._pump.ask(c.TryDeviceAgain(device_id=device_id, on_trial=True, origin=_ENGINE))
        self._supervisor.hurry(device_id)

    # ---- the end

    def emptied_by(self, device_id: str) -> DeviceGroup | None:
        """The group that a device, which was removed, was the last member of; None: there is none."""
        found = (one for one in self._gatherings.values() if device_id in one.members)
        return next((one.group for one in found if one.members.isdisjoint(self._dispatcher.devices)), None)

    async def remove(self, group_id: str, origin: str) -> None:
        """Remove a group with all its members in one turn: one that is busy keeps them all."""
        gathering = self._gatherings.get(group_id)
        if gathering is None:
            return
        async with gathering.door:
            if gathering.is_over:
                return  # somebody else was first
            await gathering.pause()
            # Somebody may have removed one by itself.
            members = tuple(id for id in sorted(gathering.members) if id in self._dispatcher.devices)
            try:
                if members:
                    await self._pump.ask(c.RemoveDevices(device_ids=members, origin=origin))
            except BaseException:
                gathering.go_on()
                raise
            gathering.is_over = True
            gathering.members.clear()
            del self._gatherings[group_id]
            gone = [self._dispatcher.devices.pop(id) for id in members]
        await asyncio.gather(*(self._supervisor.release(device) for device in gone))
        await gathering.end()

    async def hold(self) -> None:
        """Search no more for members; called before the engine closes."""
        await asyncio.gather(*(gathering.close_door() for gathering in self._gatherings.values()))

    async def close(self) -> None:
        """Disconnect the groups; to be called once their members are disconnected."""
        gatherings, self._gatherings = self._gatherings, {}
        await asyncio.gather(*(gathering.end() for gathering in gatherings.values()))

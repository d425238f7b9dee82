"""The fleet for the host program: readings of its devices, and commands to them."""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from starloom.devices.base import Device
from starloom.devices.group import DeviceGroup
from starloom.errors import CommandRefused, DeviceError
from starloom.orchestration.awaited import EmptyGroup
from starloom.orchestration.groups import Groups
from starloom.scheduling import commands as c
from starloom.scheduling.reservation_commands import Reserve
from starloom.scheduling.stimuli import DeviceActionsNoticed, DeviceHeldNoticed, LateEndNoticed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from starloom.devices.base import Metrics, TaskContext
    from starloom.model.device import DeviceSpec
    from starloom.orchestration.dispatcher import Dispatcher
    from starloom.orchestration.pump import Pump
    from starloom.orchestration.supervisor import Supervisor
    from starloom.scheduling.state.device_facts import DeviceFacts

_log = logging.getLogger(__name__)
_ENGINE: Final = "engine"
"""The origin of what nobody has asked for."""


def _check(device: Device, known_devices: Mapping[str, Device]) -> None:
    if not isinstance(device, Device):
        raise DeviceError(f'{shortened(device)} is no device. Make one, e.g. LocalDevice("here").')
    known = known_devices.get(device.id)
    if known is None or known is device:
        return
    if type(known) is not type(device) or known.describe() != device.describe():
        raise DeviceError(
            f"There are two different devices {device.id!r}. Give one of them another id, or make them equal."
        )


async def _load(device: Device) -> tuple[str, Metrics | None]:
    try:
        return device.id, await device.metrics()
    except Exception as error:  # noqa: BLE001 - the border to adapters
        _log.debug("device %r does not say how loaded it is: %r", device.id, error)
        return device.id, None


class Fleet:
    """All devices of an engine. Commands raise `CommandRefused`, with code, reason and hint."""

    def __init__(self, pump: Pump, dispatcher: Dispatcher, supervisor: Supervisor, origin: str = c.OPERATOR) -> None:
        self._pump = pump
        self._dispatcher = dispatcher
        self._supervisor = supervisor
        self.origin = origin
        self._groups = Groups(pump, dispatcher, supervisor, self._enter, self._reach, self._remove_one)

    @property
    def devices(self) -> Mapping[str, DeviceFacts]:
        """The facts of each device by id; for reading only."""
        return self._pump.scheduler.fleet.devices

    def device(self, device_id: str) -> Device:
        """The device itself.

        Raises:
            KeyError: there is none of this id.
        """
        return self._dispatcher.devices[device_id]

    def unended(self, device_id: str) -> int:
        """The number of attempts that count as ended but may still run there, as the device could not end them."""
        device = self._dispatcher.devices.get(device_id)
        return 0 if device is None else device.unended

    def has(self, device_id: str) -> bool:
        """Whether there is a device or a group of this id."""
        return device_id in self._dispatcher.devices or self._groups.get(device_id) is not None

    @property
    def specs(self) -> tuple[DeviceSpec, ...]:
        """The specs of its devices and groups; those that a program made itself have none."""
        made = (device.spec for device in self._known.values())
        return tuple({spec.id: spec for spec in made if spec is not None}.values())

    async def loads(self) -> dict[str, Metrics | None]:
        """Measure all devices; None in the place of one that does not tell."""
        return dict(await asyncio.gather(*map(_load, tuple(self._dispatcher.devices.values()))))

    async def add(self, device: Device, *, waits: bool = False, origin: str = "") -> None:
        """Add a device to the fleet and connect it. An equal one that is there already is shared.

        Of a group, the members there are now join the fleet, and others as they come; of one that is in the fleet
        already, those that were removed one by one join again, if somebody adds it by hand.

        Args:
            device: the device, or a group.
            waits: whether a group that runs elsewhere and cannot be reached is reached for until it can, as a device
                is; what stands for it in the fleet meanwhile says why.
            origin: who adds it; empty: nobody did by hand.

        Raises:
            DeviceError: it is no device, or there is another one of the same id that is not equal, or it is a group
                that cannot be reached.
        """
        if isinstance(device, DeviceGroup):
            _check(device, self._known)
            # not for a plan, which must not undo what somebody removed
            await self._groups.add(device, waits=waits, readmits=bool(origin))
            return
        if await self._enter(device, origin):
            await self._reach(device)

    async def _reach(self, device: Device) -> None:
        """Reach for a device of the fleet, unless it was removed since it was put there."""
        if self._dispatcher.devices.get(device.id) is device:
            await self._supervisor.adopt(device)

    async def _enter(self, device: Device, origin: str = "") -> bool:
        """Add a device to the fleet; returns whether it is new and has to be connected."""
        if not isinstance(device, EmptyGroup):  # which stands for the group that is known
            _check(device, self._known)
        if device.id in self._dispatcher.devices:
            return False
        self._dispatcher.devices[device.id] = device
        try:
            await self._pump.ask(
                c.AddDevice(
                    device_id=device.id,
                    kind=device.kind,
                    slots=device.slots,
                    capabilities=device.capabilities,
                    speed=device.speed,
                    trip_after=device.trip_after,
                    cool_down=device.cool_down,
                    actions=device.actions,
                    asks_when_interrupted=device.asks_when_interrupted,
                    origin=origin,
                )
            )
        except CommandRefused:
            del self._dispatcher.devices[device.id]
            raise
        device.on_late_end = partial(self._tell_late_end, device.id)
        device.on_held = lambda *said: self._pump.post(DeviceHeldNoticed(device.id, *said))
        device.on_actions = partial(self._tell_actions, device)
        self._tell_actions(device)  # they may have changed since the command was given
        return True

    def _tell_late_end(self, device_id: str, context: TaskContext, code: int | None, ago: float | None) -> None:
        """An attempt that was given up has ended."""
        self._pump.post(LateEndNoticed(context.run_id, context.task_id, context.attempt, device_id, code, ago))

    def _tell_actions(self, device: Device) -> None:
        """Report that the actions of a device have changed."""
        if self._dispatcher.devices.get(device.id) is device:
            facts = self.devices.get(device.id)
            if facts is not None and facts.actions != device.actions:
                self._pump.post(DeviceActionsNoticed(device.id, device.actions))

    async def add_all(self, devices: Iterable[Device], *, origin: str = "") -> None:
        """Add several devices to the fleet, all of them or, if one differs from another of its id, none.

        Those that cannot be reached are waited for. `origin` says who adds them; empty: nobody did by hand.

        Raises:
            DeviceError: one does, or it is a group that this program is to start and cannot.
        """
        known = self._known
        devices = tuple(devices)
        for device in devices:
            _check(device, known)
            known[device.id] = device
        adding = (self.add(device, waits=True, origin=origin) for device in devices)
        answers = await asyncio.gather(*adding, return_exceptions=True)
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer

    @property
    def _known(self) -> dict[str, Device]:
        return {**self._dispatcher.devices, **self._groups.known}

    @property
    def awaits_group(self) -> bool:
        """Whether a group is not reached yet, so that its members' capabilities are unknown."""
        return bool(self._groups.awaited)

    async def expect(self, earlier: DeviceFacts) -> None:
        """Add a device on which attempts of an earlier program may run, if its group is waited for."""
        await self._groups.expect(earlier)

    async def hold(self) -> None:
        """Search no more for members of groups or leftovers of earlier programs; called before the engine closes."""
        await self._groups.hold()
        await self._supervisor.hold()

    async def close(self) -> None:
        """Disconnect the groups; to be called once their members are disconnected."""
        await self._groups.close()

    async def command(self, command: c.Command) -> Any:
        """Give a command of any kind, and do with its device what belongs to it; returns its answer."""
        if isinstance(command, c.RemoveDevice):
            return await self._remove(command)
        if isinstance(command, Reserve):
            command = replace(command, wall_time=time.time())
        answer = await self._pump.ask(command)
        if isinstance(command, c.TryDeviceAgain) and not command.on_trial:
            self._supervisor.hurry(command.device_id)
        return answer

    async def remove(self, device_id: str) -> DeviceSpec | None:
        """Remove an unused device from the fleet and disconnect it; of a group, all of its members.

        Returns:
            What it was made from, to add it again, and of the last member of a group, which goes with it, the group;
            None: a program made it, or the group stays.
        """
        return await self._remove(c.RemoveDevice(device_id=device_id, origin=self.origin))

    async def _remove(self, command: c.RemoveDevice) -> DeviceSpec | None:
        device_id = command.device_id
        device, group = self._dispatcher.devices.get(device_id), self._groups.get(device_id)
        if device is not None or group is None:
            await self._remove_one(command)
            group = group or self._groups.emptied_by(device_id)
        if group is not None:
            await self._groups.remove(group.id, command.origin)
        removed = group or device
        return removed.spec if removed is not None else None

    async def _remove_one(self, command: c.RemoveDevice) -> None:
        """Remove a device, or what stands in for a group, which stays."""
        await self._pump.ask(command)
        if (gone := self._dispatcher.devices.pop(command.device_id, None)) is not None:  # else it was given before
            await self._supervisor.release(gone)

    async def drain(self, device_id: str, reason: str = "") -> None:
        """Stop giving a device new tasks; running attempts continue.

        Args:
            device_id: the device.
            reason: why, for whoever reads of it.
        """
        await self._pump.ask(c.DrainDevice(device_id=device_id, origin=self.origin, reason=reason))

    async def resume(self, device_id: str, reason: str = "") -> None:
        """Resume a drained device, which gets tasks again, for a reason as in `drain`."""
        await self._pump.ask(c.ResumeDevice(device_id=device_id, origin=self.origin, reason=reason))

    async def enable(self, device_id: str, reason: str = "") -> None:
        """Enable a disabled device, for a reason as in `drain`."""
        await self._pump.ask(c.EnableDevice(device_id=device_id, origin=self.origin, reason=reason))

    async def disable(self, device_id: str, reason: str = "") -> None:
        """Switch a device off for new tasks, for a reason as in `drain`."""
        await self._pump.ask(c.DisableDevice(device_id=device_id, origin=self.origin, reason=reason))

    async def try_again(self, device_id: str) -> None:
        """Suspend a device no longer, or have it tried with one task; connect it at once if it is not connected."""
        await self.command(c.TryDeviceAgain(device_id=device_id, origin=self.origin))

    async def set_slots(self, device_id: str, slots: int) -> None:
        """Set the number of tasks a device runs at once; running attempts continue.

        Args:
            device_id: the device.
            slots: 0 or more; 0: it is given no tasks.
        """
        if isinstance(slots, bool) or not isinstance(slots, int):
            raise CommandRefused("bad_slots", f"{slots!r} is not a number of slots.", "Give a whole number, 0 or more.")
        await self._pump.ask(c.SetSlots(device_id=device_id, slots=slots, origin=self.origin))

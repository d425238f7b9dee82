"""The fleet, as the host program holds it: readings of the devices, and commands to them."""

from __future__ import annotations

import asyncio
from reprlib import repr as shortened
from typing import TYPE_CHECKING

from starloom.devices.base import Device
from starloom.errors import CommandRefused, DeviceError
from starloom.scheduling import commands as c

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from starloom.devices.base import Metrics
    from starloom.orchestration.dispatcher import Dispatcher
    from starloom.orchestration.pump import Pump
    from starloom.orchestration.supervisor import Supervisor
    from starloom.scheduling.fleet_facts import DeviceFacts


class Fleet:
    """All devices of an engine. Commands raise `CommandRefused`, with code, reason and hint."""

    def __init__(self, pump: Pump, dispatcher: Dispatcher, supervisor: Supervisor, origin: str = c.OPERATOR) -> None:
        self._pump = pump
        self._dispatcher = dispatcher
        self._supervisor = supervisor
        self.origin = origin

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

    async def metrics(self, device_id: str) -> Metrics | None:
        """How loaded a device is; None: it does not tell."""
        return await self.device(device_id).metrics()

    async def add(self, device: Device) -> None:
        """Put a device into the fleet and reach for it. An equal one that is there already is shared.

        Raises:
            DeviceError: it is no device, or there is another one of the same id that is not equal.
        """
        self._check(device, self._dispatcher.devices)
        if device.id in self._dispatcher.devices:
            return
        self._dispatcher.devices[device.id] = device
        try:
            await self._pump.ask(
                c.AddDevice(
                    device_id=device.id,
                    kind=device.kind,
                    slots=device.slots,
                    capabilities=device.capabilities,
                    speed=device.speed,
                    origin=self.origin,
                )
            )
        except CommandRefused:
            del self._dispatcher.devices[device.id]
            raise
        await self._supervisor.adopt(device)

    async def add_all(self, devices: Iterable[Device]) -> None:
        """Put several devices into the fleet, all of them or, if one differs from another of its id, none.

        Raises:
            DeviceError: one does.
        """
        known = dict(self._dispatcher.devices)
        devices = tuple(devices)
        for device in devices:
            self._check(device, known)
            known[device.id] = device
        answers = await asyncio.gather(*(self.add(device) for device in devices), return_exceptions=True)
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer

    @staticmethod
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

    async def remove(self, device_id: str) -> None:
        """Take an unused device out of the fleet and let it go."""
        await self._pump.ask(c.RemoveDevice(device_id=device_id, origin=self.origin))
        await self._supervisor.release(self._dispatcher.devices.pop(device_id))

    async def drain(self, device_id: str) -> None:
        """Give it no new tasks; what runs there goes on."""
        await self._pump.ask(c.DrainDevice(device_id=device_id, origin=self.origin))

    async def resume(self, device_id: str) -> None:
        """Give a drained device tasks again."""
        await self._pump.ask(c.ResumeDevice(device_id=device_id, origin=self.origin))

    async def enable(self, device_id: str) -> None:
        """Let a disabled device be used again."""
        await self._pump.ask(c.EnableDevice(device_id=device_id, origin=self.origin))

    async def disable(self, device_id: str) -> None:
        """Switch a device off for new tasks."""
        await self._pump.ask(c.DisableDevice(device_id=device_id, origin=self.origin))

    async def set_slots(self, device_id: str, slots: int) -> None:
        """How many tasks it runs at once; what runs there goes on."""
        if isinstance(slots, bool) or not isinstance(slots, int):
            raise CommandRefused("bad_slots", f"{slots!r} is not a number of slots.", "Give a whole number, 0 or more.")
        await self._pump.ask(c.SetSlots(device_id=device_id, slots=slots, origin=self.origin))

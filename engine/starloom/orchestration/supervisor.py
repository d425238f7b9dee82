"""The supervisor: connects devices, notices when one falls silent, and connects it again with growing pauses."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import traceback
from typing import TYPE_CHECKING, Final

from starloom.errors import DeviceError, DeviceRefused
from starloom.model.status import Breaker
from starloom.orchestration.awaited import AwaitedDevices
from starloom.orchestration.left_behind import Caretaker
from starloom.orchestration.log_limit import LimitedLog
from starloom.orchestration.unattended import UnattendedTasks
from starloom.orchestration.unavailable import UnavailableDevices
from starloom.scheduling.stimuli import DeviceConnectedNoticed, DeviceConnectingNoticed

if TYPE_CHECKING:
    from starloom.devices.base import Device
    from starloom.orchestration.dispatcher import Dispatcher
    from starloom.orchestration.pump import Pump

_log = logging.getLogger(__name__)
MISSED_HEARTBEATS: Final = 3
LOOK_EVERY: Final = 1.0
"""Seconds between two looks, during such a pause, whether somebody has done something about it."""
LONGEST_GOODBYE: Final = 10.0
"""Seconds a device may take to let go."""


class Supervisor:
    """Keeps devices connected. An idle device that cannot be lost costs nothing.

    Attributes:
        heard: when each device that is asked for signs of life last gave one, on the engine's clock in seconds.
        unattended: the tasks of earlier programs that may still run on its devices.
    """

    def __init__(self, pump: Pump, dispatcher: Dispatcher) -> None:
        self._pump = pump
        self._dispatcher = dispatcher
        self._adopted: dict[str, Device] = {}
        self._watches: dict[str, asyncio.Task[None]] = {}
        self._connected: set[str] = set()
        self._silent: set[str] = set()
        self._hurries: dict[str, asyncio.Event] = {}
        self._errors = LimitedLog(_log)
        self.heard: dict[str, float] = {}
        self._caretaker = Caretaker(pump.journal.directory)
        self.unattended = UnattendedTasks(pump)
        self._awaited = AwaitedDevices(pump.clock, dispatcher.lose)
        self._away = UnavailableDevices(pump, self._awaited.left)
        dispatcher.on_lost = self._believe_lost
        dispatcher.earlier.reached = self._reached

    def is_late(self, device_id: str) -> bool:
        """Whether a device has missed a sign of life, though it is not given up yet."""
        device, heard = self._dispatcher.devices.get(device_id), self.heard.get(device_id)
        interval = None if device is None else device.heartbeat_interval
        return interval is not None and heard is not None and self._pump.clock() - heard > 2 * interval

    def refusal(self, device_id: str) -> DeviceRefused | None:
        """The error with which a device refuses us; None: it does not."""
        return self._away.refusal(device_id)

    async def adopt(self, device: Device) -> None:
        """Reach a device of the fleet; returns when the first attempt succeeded or failed."""
        self._adopted[device.id] = device
        is_connected = await self._connect(device, 1)
        if self._adopted.get(device.id) is not device:
            return  # it was released meanwhile
        if not is_connected or device.heartbeat_interval is not None:
            self._watch(device, reconnect=not is_connected)

    async def _reached(self, device: Device) -> None:
        """Return when a device is connected; what runs there without us is waited for, but not for ever."""
        if device.id not in self._connected:
            reached = self._awaited.begin(device)
            self._away.tell_awaited(device.id)
            await reached.wait()

    async def release(self, device: Device) -> None:
        """Disconnect a device."""
        self._awaited.end(device.id)
        self._adopted.pop(device.id, None)
        self.heard.pop(device.id, None)
        self._hurries.pop(device.id, None)
        self._away.forget(device.id)
        watch = self._watches.pop(device.id, None)
        if watch is not None:
            watch.cancel()
            await asyncio.gather(watch, return_exceptions=True)
        if device.id in self._connected | self._silent:
            self._connected.discard(device.id)
            self._silent.discard(device.id)
            await self._let_go(device)

    async def hold(self) -> None:
        """Return when leftovers of earlier programs are cleaned up; called before the engine closes."""
        await self._caretaker.close()
        await self.unattended.close()

    def hurry(self, device_id: str) -> None:
        """Connect a device that is not connected at once, not after the next pause; ping any other, and hurry it."""
        if device_id in self._watches:
            self._hurry_of(device_id).set()
        if (device := self._dispatcher.devices.get(device_id)) is not None:
            device.hurry()

    def _hurry_of(self, device_id: str) -> asyncio.Event:
        return self._hurries.setdefault(device_id, asyncio.Event())

    def _believe_lost(self, device_id: str) -> None:
        """A device says of an attempt that it was lost with it: there is no need to miss heartbeats first.

        What else runs there may go on: the attempt may be lost as it was to stop while the link was down.
        """
        device = self._adopted.get(device_id)
        if device is None or device_id not in self._connected:
            return
        lost_after = self._fall_silent(device, "an attempt was lost")
        watch = self._watches.pop(device_id, None)
        if watch is not None:
            watch.cancel()
        self._watches[device_id] = asyncio.get_running_loop().create_task(
            self._recover(device, lost_after), name=f"starloom watch {device_id}"
        )

    async def _recover(self, device: Device, lost_after: float) -> None:
        is_back = await self._outlasts(device, lost_after)
        await self._look_after(device, reconnect=not is_back, failed=0)

    def _watch(self, device: Device, *, reconnect: bool) -> None:
        self._watches[device.id] = asyncio.get_running_loop().create_task(
            self._look_after(device, reconnect), name=f"starloom watch {device.id}"
        )

    async def _connect(self, device: Device, attempt: int) -> bool:
        self._pump.post(DeviceConnectingNoticed(device.id, attempt))
        try:
            await device.connect()
            await self.unattended.tell(device.id)
        except DeviceError as error:
            self._away.tell(device.id, error, attempt)
            return False
        except Exception as error:  # noqa: BLE001 - the border to adapters: it is reported
            self._log_failure(device.id, "failed while connecting", error)
            self._away.tell(device.id, f"{type(error).__name__}: {error}", attempt)
            return False
        if self._adopted.get(device.id) is not device:
            await self._let_go(device)  # nobody wants it any more
            return False
        self._connected.add(device.id)
        self._awaited.end(device.id)
        self._away.forget(device.id)
        self._hear(device)
        self._pump.post(DeviceConnectedNoticed(device.id, device.capabilities))
        self._caretaker.look_after(device)
        return True

    def _log_failure(self, device_id: str, what: str, error: Exception) -> None:
        told = "".join(traceback.format_exception(error)).rstrip()
        self._errors.error((device_id, what), f"device {device_id!r} {what}\n{told}")

    async def _look_after(self, device: Device, reconnect: bool, failed: int = 1) -> None:
        """Reach for a device that is not connected, after so many failed attempts, and notice when it is lost."""
        while True:
            if reconnect:
                await self._reconnect(device, failed)
            if device.heartbeat_interval is None:
                return
            lost_after = self._fall_silent(device, await self._until_silent(device, device.heartbeat_interval))
            reconnect, failed = not await self._outlasts(device, lost_after), 0

    def _fall_silent(self, device: Device, why: DeviceError | str) -> float:
        """A device that was connected is silent or refuses us; for how many seconds what runs there is waited for."""
        lost_after = 0.0 if device.heartbeat_interval is None else device.lost_after
        self._connected.discard(device.id)
        self._away.tell(device.id, why, 0, lost_after=lost_after)
        self._silent.add(device.id)
        return lost_after

    async def _outlasts(self, device: Device, lost_after: float) -> bool:
        """Whether a silent device answers again in time; else its attempts are lost, and it is disconnected."""
        interval = device.heartbeat_interval
        is_back = lost_after > 0 and interval is not None and await self._is_back(device, interval, lost_after)
        self._silent.discard(device.id)
        if not is_back:
            self._dispatcher.lose(device.id)
            await self._dispatcher.ended_on(device.id)
            await self._let_go(device)
        return is_back

    async def _is_back(self, device: Device, interval: float, lost_after: float) -> bool:
        """Whether a silent device answers before its attempts count as lost; these then continue.

        Args:
            device: the device, which finds its way back by itself.
            interval: seconds between two looks.
            lost_after: seconds until then.
        """
        try:
            async with asyncio.timeout(lost_after):
                await self._until_heard(device, interval, asyncio.get_running_loop().time() + lost_after)
                await device.connect()
        except (TimeoutError, DeviceError):
            return False  # it stays away, or is lost, of which the next attempt to connect tells
        except Exception as error:  # noqa: BLE001 - the border to adapters: it is reported
            self._log_failure(device.id, "failed as it came back", error)
            return False
        self._connected.add(device.id)
        self._away.forget(device.id)
        self._hear(device)
        self._pump.post(DeviceConnectedNoticed(device.id, device.capabilities))
        return True

    async def _until_heard(self, device: Device, interval: float, deadline: float) -> None:
        """Return when a silent device answers; why it does not is told as soon as that is known, and as it changes.

        Args:
            device: the device.
            interval: seconds between two looks.
            deadline: when it is given up, on the loop's clock.
        """
        clock, hurry = asyncio.get_running_loop().time, self._hurry_of(device.id)
        while True:
            sent = clock()
            try:
                async with asyncio.timeout(interval):
                    await device.ping()
            except (TimeoutError, DeviceRefused) as error:
                refusal = error if isinstance(error, DeviceRefused) else None
                why = refusal or device.trouble
                if hurry.is_set() or self._away.is_news(device.id, why):  # whoever is in a hurry wants to know
                    self._away.tell(device.id, why or "no sign of life", 0, lost_after=deadline - clock())
                hurry.clear()
                await self._pause(interval if refusal is not None else sent + interval - clock(), hurry, device)
            else:
                return

    async def _reconnect(self, device: Device, failed: int) -> None:
        """Reach for a device until it answers.

        Args:
            device: the device.
            failed: how many attempts in a row have failed so far.
        """
        hurry = self._hurry_of(device.id)
        while True:
            await self._pause(self._away.pause_of(device.id), hurry, device)
            while (left := self._suspended_for(device.id)) > 0:
                await self._pause(left, hurry, device)
            failed += 1
            if await self._connect(device, failed):
                hurry.clear()
                return

    async def _pause(self, seconds: float, hurry: asyncio.Event, device: Device) -> bool:
        """Wait for so long, until it may be reachable again, or until somebody is in a hurry: whether one is."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        looks = self._away.refusal(device.id) is not None
        while (left := deadline - loop.time()) > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(left, LOOK_EVERY) if looks else left):
                    await hurry.wait()
                    hurry.clear()  # it cuts one pause short: of a device that was suspended again meanwhile, no other
                    return True
            if looks and device.has_news():
                break
        return False

    def _suspended_for(self, device_id: str) -> float:
        """The seconds for which a device is not connected, as it has failed too often; 0: none."""
        facts = self._pump.scheduler.fleet.devices.get(device_id)
        if facts is None or facts.breaker is not Breaker.OPEN:
            return 0.0
        return max(0.0, facts.until - self._pump.clock())

    async def _until_silent(self, device: Device, interval: float) -> DeviceError | str:
        """Send heartbeats until several in a row were missed; returns why it counts as lost."""
        missed, pause = 0, interval
        hurry, clock = self._hurry_of(device.id), asyncio.get_running_loop().time
        while True:
            is_hurried = await self._pause(pause, hurry, device)
            sent, pause = clock(), interval
            try:
                # Not `wait_for`: up to Python 3.11 that swallows being cancelled if the answer comes at that moment.
                async with asyncio.timeout(interval):
                    await device.ping()
            except TimeoutError:
                missed += 1
                if missed >= MISSED_HEARTBEATS:
                    return f"no sign of life for {missed} heartbeats of {interval:g} s"
                pause -= clock() - sent  # they are sent once in each interval, heard or not
            except DeviceError as error:
                if is_hurried:  # somebody knows that it is back: neither is the next pause waited for
                    hurry.set()
                return error
            except Exception as error:  # noqa: BLE001 - the border to adapters: it is reported
                self._log_failure(device.id, "failed when asked for a sign of life", error)
                return f"{type(error).__name__}: {error}"
            else:
                missed = 0
                self._hear(device)

    def _hear(self, device: Device) -> None:
        if device.heartbeat_interval is not None:
            self.heard[device.id] = self._pump.clock()

    async def _let_go(self, device: Device) -> None:
        """Disconnect a device; one that fails to, or hangs, must not delay others."""
        try:
            async with asyncio.timeout(LONGEST_GOODBYE):
                await device.disconnect()
        except TimeoutError:
            _log.warning("device %r did not disconnect within %g s", device.id, LONGEST_GOODBYE)
        except Exception as error:  # noqa: BLE001 - as above
            _log.warning("device %r could not be disconnected: %s", device.id, error)

"""The supervisor: connects devices, notices when one falls silent, and reaches for it again with growing pauses."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from typing import TYPE_CHECKING, Final

from starloom.errors import DeviceError
from starloom.model.status import Breaker
from starloom.scheduling.stimuli import DeviceConnectedNoticed, DeviceConnectingNoticed, DeviceLostNoticed

if TYPE_CHECKING:
    from starloom.devices.base import Device
    from starloom.orchestration.dispatcher import Dispatcher
    from starloom.orchestration.pump import Pump

_log = logging.getLogger(__name__)
MISSED_HEARTBEATS: Final = 3
FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 60.0
LONGEST_GOODBYE: Final = 10.0
"""Seconds a device may take to let go."""


def pause_before(attempt: int, jitter: float) -> float:
    """Seconds to wait before the next attempt to connect: doubling, capped, and spread by a jitter of 0 to 1.

    The spread keeps many consoles from reaching for the same machine at the same moment.
    """
    pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(attempt - 1, 30))
    return pause * (0.5 + 0.5 * jitter)


class Supervisor:
    """Keeps devices connected. A device that cannot be lost costs nothing while it is idle.

    Attributes:
        heard: when each device that is asked for signs of life last gave one, on the engine's clock in seconds.
    """

    def __init__(self, pump: Pump, dispatcher: Dispatcher) -> None:
        self._pump = pump
        self._dispatcher = dispatcher
        self._adopted: dict[str, Device] = {}
        self._watches: dict[str, asyncio.Task[None]] = {}
        self._connected: set[str] = set()
        self._hurries: dict[str, asyncio.Event] = {}
        self.heard: dict[str, float] = {}
        dispatcher.on_lost = self._believe_lost

    async def adopt(self, device: Device) -> None:
        """Reach a device of the fleet; returns when the first attempt succeeded or failed."""
        self._adopted[device.id] = device
        is_connected = await self._connect(device, 1)
        if self._adopted.get(device.id) is not device:
            return  # it was released meanwhile
        if not is_connected or device.heartbeat_interval is not None:
            self._watch(device, reconnect=not is_connected)

    async def release(self, device: Device) -> None:
        """Let a device go."""
        self._adopted.pop(device.id, None)
        self.heard.pop(device.id, None)
        self._hurries.pop(device.id, None)
        watch = self._watches.pop(device.id, None)
        if watch is not None:
            watch.cancel()
            await asyncio.gather(watch, return_exceptions=True)
        if device.id in self._connected:
            self._connected.discard(device.id)
            await self._let_go(device)

    def hurry(self, device_id: str) -> None:
        """Reach for a device that is not connected now, and not after the next pause."""
        hurry = self._hurries.get(device_id)
        if hurry is not None:
            hurry.set()

    def _believe_lost(self, device_id: str) -> None:
        """A device says of an attempt that it was lost with it: there is no need to miss heartbeats first."""
        device = self._adopted.get(device_id)
        if device is None or device_id not in self._connected:
            return
        self._connected.discard(device_id)
        self._pump.post(DeviceLostNoticed(device_id, "an attempt was lost"))
        watch = self._watches.pop(device_id, None)
        if watch is not None:
            watch.cancel()
        self._dispatcher.lose(device_id)
        self._watches[device_id] = asyncio.get_running_loop().create_task(
            self._recover(device), name=f"starloom watch {device_id}"
        )

    async def _recover(self, device: Device) -> None:
        await self._dispatcher.ended_on(device.id)
        await self._let_go(device)
        await self._look_after(device, reconnect=True, failed=0)

    def _watch(self, device: Device, *, reconnect: bool) -> None:
        self._watches[device.id] = asyncio.get_running_loop().create_task(
            self._look_after(device, reconnect), name=f"starloom watch {device.id}"
        )

    async def _connect(self, device: Device, attempt: int) -> bool:
        self._pump.post(DeviceConnectingNoticed(device.id, attempt))
        try:
            await device.connect()
        except DeviceError as error:
            self._pump.post(DeviceLostNoticed(device.id, str(error)))
            return False
        except Exception as error:  # noqa: BLE001 - the border to adapters: it is reported
            _log.exception("device %r failed while connecting", device.id)
            self._pump.post(DeviceLostNoticed(device.id, f"{type(error).__name__}: {error}"))
            return False
        if self._adopted.get(device.id) is not device:
            await self._let_go(device)  # nobody wants it any more
            return False
        self._connected.add(device.id)
        self._hear(device)
        self._pump.post(DeviceConnectedNoticed(device.id, device.capabilities))
        return True

    async def _look_after(self, device: Device, reconnect: bool, failed: int = 1) -> None:
        """Reach for a device that is not connected, after so many failed attempts, and notice when it is lost."""
        while True:
            if reconnect:
                await self._reconnect(device, failed)
            if device.heartbeat_interval is None:
                return
            reason = await self._until_silent(device, device.heartbeat_interval)
            self._connected.discard(device.id)
            self._pump.post(DeviceLostNoticed(device.id, reason))
            self._dispatcher.lose(device.id)
            await self._dispatcher.ended_on(device.id)
            await self._let_go(device)
            reconnect, failed = True, 0

    async def _reconnect(self, device: Device, failed: int) -> None:
        """Reach for a device until it answers.

        Args:
            device: the device.
            failed: how many attempts in a row have failed so far.
        """
        hurry = self._hurries[device.id] = asyncio.Event()
        while True:
            await self._pause(pause_before(max(1, failed), random.random()), hurry)
            while (left := self._suspended_for(device.id)) > 0:
                await self._pause(left, hurry)
            failed += 1
            if await self._connect(device, failed):
                self._hurries.pop(device.id, None)
                return

    @staticmethod
    async def _pause(seconds: float, hurry: asyncio.Event) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await hurry.wait()
                hurry.clear()  # it cuts one pause short: of a device that was suspended again meanwhile, no other

    def _suspended_for(self, device_id: str) -> float:
        """Seconds for which nobody is to reach for a device, as it has failed too often; 0: none."""
        facts = self._pump.scheduler.fleet.devices.get(device_id)
        if facts is None or facts.breaker is not Breaker.OPEN:
            return 0.0
        return max(0.0, facts.until - self._pump.clock())

    async def _until_silent(self, device: Device, interval: float) -> str:
        """Ask for signs of life until several in a row have been missed; returns why."""
        missed = 0
        while True:
            await asyncio.sleep(interval)
            try:
                # Not `wait_for`: up to Python 3.11 that swallows being cancelled if the answer comes at that moment.
                async with asyncio.timeout(interval):
                    await device.ping()
            except TimeoutError:
                missed += 1
                if missed >= MISSED_HEARTBEATS:
                    return f"no sign of life for {missed} heartbeats of {interval:g} s"
            except DeviceError as error:
                return str(error)
            except Exception as error:  # noqa: BLE001 - the border to adapters: it is reported
                _log.exception("device %r failed when asked for a sign of life", device.id)
                return f"{type(error).__name__}: {error}"
            else:
                missed = 0
                self._hear(device)

    def _hear(self, device: Device) -> None:
        if device.heartbeat_interval is not None:
            self.heard[device.id] = self._pump.clock()

    async def _let_go(self, device: Device) -> None:
        """Disconnect a device; one that fails to, or hangs, must keep nobody else waiting."""
        try:
            async with asyncio.timeout(LONGEST_GOODBYE):
                await device.disconnect()
        except TimeoutError:
            _log.warning("device %r did not disconnect within %g s", device.id, LONGEST_GOODBYE)
        except Exception as error:  # noqa: BLE001 - as above
            _log.warning("device %r could not be disconnected: %s", device.id, error)

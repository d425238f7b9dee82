"""The supervisor: connects devices, notices when one falls silent, and reaches for it again with growing pauses."""

from __future__ import annotations

import asyncio
import logging
import random
from typing import TYPE_CHECKING, Final

from starloom.errors import DeviceError
from starloom.scheduling.stimuli import DeviceConnectedNoticed, DeviceConnectingNoticed, DeviceLostNoticed

if TYPE_CHECKING:
    from starloom.devices.base import Device
    from starloom.orchestration.dispatcher import Dispatcher
    from starloom.orchestration.pump import Pump

_log = logging.getLogger(__name__)
MISSED_HEARTBEATS: Final = 3
FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 60.0


def pause_before(attempt: int, jitter: float) -> float:
    """Seconds to wait before the next attempt to connect: doubling, capped, and spread by a jitter of 0 to 1.

    The spread keeps many consoles from reaching for the same machine at the same moment.
    """
    pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(attempt - 1, 30))
    return pause * (0.5 + 0.5 * jitter)


class Supervisor:
    """Keeps devices connected. A device that cannot be lost costs nothing while it is idle."""

    def __init__(self, pump: Pump, dispatcher: Dispatcher) -> None:
        self._pump = pump
        self._dispatcher = dispatcher
        self._watches: dict[str, asyncio.Task[None]] = {}
        self._connected: set[str] = set()

    async def adopt(self, device: Device) -> None:
        """Reach a device of the fleet; returns when the first attempt succeeded or failed."""
        if await self._connect(device, 1):
            if device.heartbeat_interval is not None:
                self._watch(device, reconnect=False)
        else:
            self._watch(device, reconnect=True)

    async def release(self, device: Device) -> None:
        """Let a device go."""
        watch = self._watches.pop(device.id, None)
        if watch is not None:
            watch.cancel()
            await asyncio.gather(watch, return_exceptions=True)
        if device.id in self._connected:
            self._connected.discard(device.id)
            try:
                await device.disconnect()
            except Exception as error:  # noqa: BLE001 - a device that fails to let go must not keep the others
                _log.warning("device %r could not be disconnected: %s", device.id, error)

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
        self._connected.add(device.id)
        self._pump.post(DeviceConnectedNoticed(device.id, device.capabilities))
        return True

    async def _look_after(self, device: Device, reconnect: bool) -> None:
        while True:
            if reconnect:
                await self._reconnect(device)
            if device.heartbeat_interval is None:
                return
            reason = await self._until_silent(device, device.heartbeat_interval)
            self._connected.discard(device.id)
            self._pump.post(DeviceLostNoticed(device.id, reason))
            self._dispatcher.lose(device.id)
            await self._let_go(device)
            reconnect = True

    async def _reconnect(self, device: Device) -> None:
        attempt = 1
        while True:
            await asyncio.sleep(pause_before(attempt, random.random()))
            attempt += 1
            if await self._connect(device, attempt):
                return

    async def _until_silent(self, device: Device, interval: float) -> str:
        """Ask for signs of life until several in a row have been missed; returns why."""
        missed = 0
        while True:
            await asyncio.sleep(interval)
            try:
                await asyncio.wait_for(device.ping(), interval)
            except (DeviceError, TimeoutError) as error:
                missed += 1
                if missed >= MISSED_HEARTBEATS or isinstance(error, DeviceError):
                    return str(error) or f"no sign of life for {missed} heartbeats of {interval:g} s"
            else:
                missed = 0

    async def _let_go(self, device: Device) -> None:
        try:
            await asyncio.wait_for(device.disconnect(), 10.0)
        except Exception as error:  # noqa: BLE001 - it is lost; whatever it says does not matter any more
            _log.info("lost device %r did not disconnect cleanly: %s", device.id, error)

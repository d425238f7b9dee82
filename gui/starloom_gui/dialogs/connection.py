"""Testing whether a device can be reached: connect, tell the result, disconnect."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from starloom.devices.group import DeviceGroup
from starloom.devices.probe import ProbedDevice
from starloom.errors import DeviceError
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import Plurals, fill, remaining, took, translate

if TYPE_CHECKING:
    from starloom.devices.base import Device

PATIENCE: Final = 20.0
"""Seconds until a device that has not answered counts as unreachable."""
_MEMBERS: Final = 3.0
"""Seconds a group may take to name its first members."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ConnectionResult:
    """The result of a connection test.

    Attributes:
        ok: whether the device was reached.
        words: that as a sentence.
        error: what the device said where it was not.
    """

    ok: bool
    words: str
    error: DeviceError | None = None


class ConnectionTest(QObject):
    """Tests one connection at a time; a new test replaces one that still waits. To be used where the loop runs.

    Args:
        patience: seconds until it is given up.

    Signals:
        ended: with a `ConnectionResult`; not sent of what was cancelled.
    """

    ended = Signal(object)

    def __init__(self, *, patience: float = PATIENCE, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._patience = patience
        self._task: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def is_trying(self) -> bool:
        """Whether one is under way."""
        return self._task is not None

    def start(self, device: Device) -> None:
        """Start to test a device that is not in use."""
        self.cancel()
        task = asyncio.get_running_loop().create_task(self._try(device), name=f"console: try {device.id}")
        self._task = task
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    def cancel(self) -> None:
        """Cancel the test that runs, if any; its device is disconnected."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()

    async def settled(self) -> None:
        """Return once no test runs."""
        if self._ending:
            await asyncio.wait(list(self._ending))

    async def _try(self, device: Device) -> None:
        begun = asyncio.get_running_loop().time()
        tried = await self._reach(device)
        if asyncio.current_task() is self._task:
            self._task = None
            if isinstance(tried, str):
                seconds = asyncio.get_running_loop().time() - begun
                words = fill(translate("Connection", "Reached in %1"), took(seconds))
                tried = ConnectionResult(True, fill("%1 · %2", words, tried) if tried else words)
            self.ended.emit(tried)

    async def _reach(self, device: Device) -> ConnectionResult | str:
        """Connect and disconnect a device; returns what was found if that succeeded."""
        try:
            async with asyncio.timeout(self._patience):
                await device.connect()
                try:
                    if isinstance(device, ProbedDevice):
                        await device.probe()
                    return await _found(device)
                finally:
                    await device.disconnect()
        except DeviceError as error:
            return ConnectionResult(False, why_not(error), error)
        except TimeoutError:
            words = fill(translate("Connection", "It did not answer within %1."), remaining(self._patience))
            return ConnectionResult(False, words)
        except Exception as error:  # noqa: BLE001 - the border to devices of any make: whoever tries is told
            _log.debug("trying %s", device.id, exc_info=error)
            words = translate("Connection", "%1: %2. This is a defect of that kind of device.")
            return ConnectionResult(False, fill(words, type(error).__name__, error))


async def _found(device: Device) -> str:
    """A description of a connected device: of a group, its number of members; else what it tells of its machine."""
    if not isinstance(device, DeviceGroup):
        return _told(device)
    try:
        async with asyncio.timeout(_MEMBERS):
            return Plurals().workers(len((await device.changed()).joined))
    except TimeoutError:
        return translate("Connection", "no worker is there yet")


def _told(device: Device) -> str:
    """What a device tells of its machine, and its capabilities; empty: it tells nothing."""
    if not device.about:
        return ""
    offers = ", ".join(sorted(device.capabilities))
    return fill("%1 · %2", device.about, offers) if offers else device.about

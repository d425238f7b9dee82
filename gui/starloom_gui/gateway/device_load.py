"""The load of devices, measured every few seconds, and only while it is shown."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from starloom.devices.base import Metrics
    from starloom_gui.gateway.engine import EngineDevices

EVERY: Final = 2.0
"""Seconds between two questions."""
REMEMBERED: Final = 60


class DeviceLoad(QObject):
    """The load of all devices of an engine, with a short history.

    Args:
        devices: measure themselves.
        every: seconds between two questions.

    Signals:
        measured: there are new figures.
    """

    measured = Signal()

    def __init__(self, devices: EngineDevices, *, every: float = EVERY, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._devices = devices
        self._every = every
        self._last: dict[str, Metrics | None] = {}
        self._history: dict[str, deque[float]] = {}
        self._memory: dict[str, deque[float]] = {}
        self._task: asyncio.Task[None] | None = None

    def of(self, device_id: str) -> tuple[Metrics | None, tuple[float, ...]]:
        """The last figures of a device, if it tells, and its processor load over time, oldest first."""
        return self._last.get(device_id), tuple(self._history.get(device_id, ()))

    def memory(self, device_id: str) -> tuple[float, ...]:
        """The memory usage of a device over time, 0 to 1, oldest first."""
        return tuple(self._memory.get(device_id, ()))

    def set_watched(self, watched: bool) -> None:
        """Set whether the load is shown; to be called where the engine's loop runs."""
        if watched and self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._ask_on(), name="console: device load")
        elif not watched and self._task is not None:
            self._task.cancel()
            self._task = None

    async def ask(self) -> None:
        """Measure every device once."""
        answers = await self._devices.loads()
        for device_id, answer in answers.items():
            self._last[device_id] = answer
            if answer is not None:
                _remember(self._history, device_id, answer.cpu)
                _remember(self._memory, device_id, answer.memory)
        for gone in set(self._last) - set(answers):
            self._last.pop(gone, None)
            self._history.pop(gone, None)
            self._memory.pop(gone, None)
        self.measured.emit()

    async def _ask_on(self) -> None:
        while True:
            await self.ask()
            await asyncio.sleep(self._every)


def _remember(history: dict[str, deque[float]], device_id: str, figure: float | None) -> None:
    if figure is not None:
        history.setdefault(device_id, deque(maxlen=REMEMBERED)).append(figure)

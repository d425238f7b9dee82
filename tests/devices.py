"""Devices that record their calls."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.virtual_time import loop
from typing_extensions import override

from starloom.devices.simulated import SimulatedDevice

if TYPE_CHECKING:
    from starloom.devices.base import TaskContext
    from starloom.model.result import Outcome
    from starloom.model.task import Task


class Recording(SimulatedDevice):
    """Records the number of concurrent attempts, and their order."""

    def __init__(self, id: str, **fields: Any) -> None:
        super().__init__(id, **fields)
        self.now = 0
        self.peak = 0
        self.order: list[str] = []

    @override
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        self.now += 1
        self.peak = max(self.peak, self.now)
        self.order.append(task.id)
        try:
            return await super().run(task, context)
        finally:
            self.now -= 1


class Watched(SimulatedDevice):
    """A simulated device that records when it was connected, disconnected and asked."""

    def __init__(self, id: str, *, trip_after: int | None = None, **fields: Any) -> None:
        super().__init__(id, **({"heartbeat_interval": 1.0} | fields))
        self.trip_after = self.trip_after if trip_after is None else trip_after
        self.connects: list[float] = []
        self.pings: list[float] = []
        self.goodbyes = 0
        self.running_at_goodbye = 0
        self.running = 0
        self.is_silent = False

    @override
    async def connect(self) -> None:
        self.connects.append(loop().time())
        await super().connect()

    @override
    async def disconnect(self) -> None:
        self.goodbyes += 1
        self.running_at_goodbye = max(self.running_at_goodbye, self.running)

    @override
    async def ping(self) -> None:
        self.pings.append(loop().time())
        if self.is_silent:
            await asyncio.Event().wait()
        await super().ping()

    @override
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        self.running += 1
        try:
            return await super().run(task, context)
        finally:
            self.running -= 1

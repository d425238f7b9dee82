"""The simulated device: simulates any task in real time, and can be told to misbehave for tests and demos."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import override

from starloom.devices.base import Device, Metrics, TaskContext
from starloom.errors import DeviceError
from starloom.model.result import ErrorCode, ErrorInfo, Outcome, OutcomeStatus, Result
from starloom.model.simulation import simulated_outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.model.task import Task


class SimulatedDevice(Device):
    """Takes as long as a task is expected to take, then returns `simulated_outcome`; starts no process.

    Attributes:
        failure_rate: the share of attempts that fail, 0 to 1.
        seed: another seed lets other attempts fail.
        connect_failures: how many of the first calls of `connect` fail.
        heartbeat_interval: seconds between two calls of `ping`; None: nobody asks.
    """

    looks_up_secrets: ClassVar[bool] = False
    kind: ClassVar[str] = "simulated"

    def __init__(
        self,
        id: str,
        *,
        slots: int | None = 1,
        speed: float = 1.0,
        failure_rate: float = 0.0,
        seed: int = 0,
        capabilities: frozenset[str] = frozenset(),
        connect_failures: int = 0,
        heartbeat_interval: float | None = None,
    ) -> None:
        super().__init__(id, slots=slots, capabilities=capabilities, speed=speed)
        self.failure_rate = _number(id, "failure_rate", failure_rate, 0.0, 1.0)
        self.seed = _whole(id, "seed", seed)
        self.connect_failures = _whole(id, "connect_failures", connect_failures, least=0)
        self.heartbeat_interval = heartbeat_interval
        if heartbeat_interval is not None:
            self.heartbeat_interval = _number(id, "heartbeat_interval", heartbeat_interval, 0.001)
        self._refusals_left = self.connect_failures
        self._lost = False
        self._running: set[asyncio.Future[bool]] = set()

    @override
    async def connect(self) -> None:
        """Make the device usable.

        Raises:
            DeviceError: it is lost, or this is one of the first `connect_failures` calls.
        """
        self._check_reachable()
        if self._refusals_left:
            self._refusals_left -= 1
            raise DeviceError(f"The simulated device {self.id!r} refused the connection; {self._refusals_left} more.")

    @override
    async def ping(self) -> None:
        """Return, unless the device is lost.

        Raises:
            DeviceError: it is lost.
        """
        self._check_reachable()

    def lose(self) -> None:
        """Simulate a loss: attempts end as lost at once, `ping` and `connect` fail until `restore`."""
        self._lost = True
        for waiter in self._running:
            if not waiter.done():
                waiter.set_result(False)

    def restore(self) -> None:
        """End the loss; `connect` and `ping` succeed from now on."""
        self._lost = False

    @override
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        """Sleep for the task's duration and return its outcome; a line of output at its start and at its end."""
        seconds, outcome = simulated_outcome(
            task,
            context.attempt,
            device_id=self.id,
            speed=self.speed,
            failure_rate=self.failure_rate,
            seed=self.seed,
        )
        if not self._lost:
            if context.is_heard:
                context.emit(f"{task.title}: simulated on {self.id}, takes {seconds:g} s\n")
            if await self._pass_time(seconds):
                if context.is_heard:
                    context.emit(f"{task.title}: {outcome.status}\n")
                return outcome
        message = f"The simulated device {self.id!r} went away."
        return Outcome(OutcomeStatus.LOST, Result(error=ErrorInfo(code=ErrorCode.DEVICE_LOST, message=message)))

    async def _pass_time(self, seconds: float) -> bool:
        """Whether the device was still there when the time was over."""
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[bool] = loop.create_future()
        timer = loop.call_later(seconds, _time_is_over, waiter)
        self._running.add(waiter)
        is_over = False
        try:
            is_over = await waiter
        finally:
            self._running.discard(waiter)
            if not is_over:
                timer.cancel()
        return is_over

    @override
    async def metrics(self) -> Metrics:
        """The share of taken slots, as if each were a processor; None when there is no bound."""
        return Metrics(cpu=min(1.0, len(self._running) / self.slots) if self.slots else None)

    @override
    def describe(self) -> Mapping[str, Any]:
        """The values by which two simulated devices of the same id are equal."""
        return {
            **super().describe(),
            "failure_rate": self.failure_rate,
            "seed": self.seed,
            "connect_failures": self.connect_failures,
            "heartbeat_interval": self.heartbeat_interval,
        }

    def _check_reachable(self) -> None:
        if self._lost:
            raise DeviceError(f"The simulated device {self.id!r} is lost; restore() brings it back.")


def _time_is_over(waiter: asyncio.Future[bool]) -> None:
    if not waiter.done():
        waiter.set_result(True)


def _number(device_id: str, option: str, value: object, least: float, most: float = float("inf")) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        wanted = f"{least:g} or more" if most == float("inf") else f"{least:g} to {most:g}"
        raise DeviceError(f"Device {device_id!r}: {option} cannot be {value!r}; give a number, {wanted}.")
    return float(value)


def _whole(device_id: str, option: str, value: object, least: int | None = None) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or (least is not None and value < least):
        wanted = "" if least is None else f", {least} or more"
        raise DeviceError(f"Device {device_id!r}: {option} cannot be {value!r}; give a whole number{wanted}.")
    return value

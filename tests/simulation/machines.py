"""Simulated machines, which are what tasks really happen on, and the devices by which an engine reaches them.

A machine is no part of any program: what an engine has begun there goes on when that is killed, or ends with it, as
the machine is made. It keeps account of everything, and says what must never be.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from typing_extensions import override

from starloom.devices.base import Device, GoOn, Metrics, TaskContext
from starloom.errors import DeviceError
from starloom.model.result import ErrorCode, ErrorInfo, Outcome, OutcomeStatus, Result
from starloom.model.simulation import simulated_outcome

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

    from tests.simulation.loops import ProgramLoop, Timing

    from starloom.model.task import Task

Key = tuple[str, str, int]
"""Run, task and number of an attempt."""
_LOST = Outcome(OutcomeStatus.LOST, Result(error=ErrorInfo(code=ErrorCode.DEVICE_LOST, message="It went away.")))

_FAILED = Outcome(OutcomeStatus.FAILED, Result(error=ErrorInfo(code="fault", message="It failed.")))


@dataclass
class MachineAttempt:
    """An attempt as its machine knows it.

    Attributes:
        outcome: how it has ended; None: it runs.
        waiters: the programs that wait for its end.
    """

    key: Key
    kept: Path | None
    outcome: Outcome | None = None
    waiters: list[tuple[ProgramLoop, asyncio.Future[Outcome]]] = field(default_factory=list)


class Ledger:
    """What really was done, on all machines, and what of that must not have been.

    Args:
        violated: is told of it.
    """

    def __init__(self, violated: Callable[[str, str], None]) -> None:
        self.begun: dict[Key, MachineAttempt] = {}
        self._running: dict[tuple[str, str], Key] = {}
        self._violated = violated

    def begin(self, attempt: MachineAttempt) -> None:
        """Note that an attempt begins."""
        key = attempt.key
        if key in self.begun:
            self._violated("no effect twice", f"the attempt {key} began twice")
        if (other := self._running.get(key[:2])) is not None:
            self._violated("no effect twice", f"the attempt {key} began while {other} ran")
        self.begun[key] = attempt
        self._running[key[:2]] = key

    def end(self, attempt: MachineAttempt) -> None:
        """Note that an attempt has ended."""
        if self._running.get(attempt.key[:2]) == attempt.key:
            del self._running[attempt.key[:2]]


class Machine:
    """A machine.

    Attributes:
        id: of its device.
        slots: how many tasks run at once.
        outlives: whether what runs goes on when the engine is killed.
        is_lost: whether nobody reaches it.
        hangs_until: until when it answers nothing.
        raises: how many of the next attempts find a defect in its adapter.
        fails: how many of the next attempts fail at once.
    """

    def __init__(self, world: Timing, ledger: Ledger, dice: Random, id: str, slots: int, *, outlives: bool) -> None:
        self.id, self.slots, self.outlives = id, slots, outlives
        self.is_lost = False
        self.hangs_until = 0.0
        self.raises = self.fails = 0
        self.running: dict[Key, MachineAttempt] = {}
        self.kept: dict[Key, MachineAttempt] = {}
        self._world, self._ledger, self._dice = world, ledger, dice

    def begin(self, key: Key, kept: Path | None, seconds: float, outcome: Outcome) -> MachineAttempt:
        """Begin an attempt that ends so, after so long."""
        attempt = self.running[key] = MachineAttempt(key, kept)
        self._ledger.begin(attempt)
        if self.fails:
            self.fails -= 1
            seconds, outcome = 0.0, _FAILED
        self._world.at(self._world.moment + seconds, None, lambda: self.end(attempt, outcome))
        return attempt

    def end(self, attempt: MachineAttempt, outcome: Outcome) -> None:
        """End an attempt, unless it has ended; those who wait hear of it once the machine answers."""
        if self.running.pop(attempt.key, None) is None:
            return
        self._ledger.end(attempt)
        attempt.outcome = outcome
        if self.outlives and outcome is not _LOST:
            self.kept[attempt.key] = attempt
        late = max(0.0, self.hangs_until - self._world.moment)
        for loop, waiter in attempt.waiters:
            self._world.at(self._world.moment + late, None, partial(_tell, loop, waiter, outcome))

    def fail_one(self) -> None:
        """Have a running attempt fail, or else the next one."""
        if self.running:
            self.end(self._dice.choice(list(self.running.values())), _FAILED)
        else:
            self.fails += 1

    def has_result_of(self, key: Key) -> bool:
        """Whether it knows that an attempt has completed whose end is not committed yet."""
        kept = self.kept.get(key)
        return kept is not None and kept.outcome is not None and kept.outcome.status is OutcomeStatus.COMPLETED

    def lose(self) -> None:
        """Have it go down, and all that runs there with it."""
        self.is_lost = True
        for attempt in list(self.running.values()):
            self.end(attempt, _LOST)

    def restore(self) -> None:
        """Have it come back."""
        self.is_lost = False

    def engine_died(self) -> None:
        """What runs ends with the engine, unless it outlives that."""
        if not self.outlives:
            for attempt in list(self.running.values()):
                self.end(attempt, _LOST)

    def released(self, kept: Path) -> None:
        """Forget an attempt whose end is committed."""
        for key in [key for key, attempt in self.kept.items() if attempt.kept == kept]:
            del self.kept[key]

    async def answers(self) -> None:
        """Return once it answers.

        Raises:
            DeviceError: it is lost.
        """
        while (left := self.hangs_until - self._world.moment) > 0:  # noqa: ASYNC110 - it may be made to hang longer
            await asyncio.sleep(left)
        if self.is_lost:
            raise DeviceError(f"The machine {self.id!r} is lost.")


def _tell(loop: ProgramLoop, waiter: asyncio.Future[Outcome], outcome: Outcome) -> None:
    def tell() -> None:
        if not waiter.done():
            waiter.set_result(outcome)

    loop.call_soon(tell)


class MachineDevice(Device):
    """An engine's adapter to a machine."""

    kind = "simulated"
    looks_up_secrets = False
    heartbeat_interval = 2.0

    def __init__(self, machine: Machine, loop: ProgramLoop) -> None:
        super().__init__(machine.id, slots=machine.slots)
        self._machine, self._loop = machine, loop
        self.trip_after = 0

    @override
    async def connect(self) -> None:
        await self._machine.answers()

    @override
    async def ping(self) -> None:
        await self._machine.answers()

    @override
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        machine = self._machine
        if machine.raises:
            machine.raises -= 1
            raise RuntimeError("a defect of the adapter")
        if machine.is_lost:
            return _LOST
        seconds, outcome = simulated_outcome(task, context.attempt, device_id=self.id)
        key = context.run_id, context.task_id, context.attempt
        return await self._seen(machine.begin(key, context.kept if machine.outlives else None, seconds, outcome))

    async def _seen(self, attempt: MachineAttempt) -> Outcome:
        """See an attempt to its end; cancelled, it is ended, which takes as long as the machine hangs."""
        if attempt.outcome is not None:
            return attempt.outcome
        waiter: asyncio.Future[Outcome] = self._loop.create_future()
        attempt.waiters.append((self._loop, waiter))
        try:
            return await waiter
        except asyncio.CancelledError:
            while self._machine.hangs_until > self._loop.time() and attempt.outcome is None:
                try:
                    await asyncio.sleep(self._machine.hangs_until - self._loop.time())
                except asyncio.CancelledError:
                    continue
            self._machine.end(attempt, Outcome(OutcomeStatus.STOPPED))
            raise

    @override
    def outlives_program(self, task: Task) -> bool:
        return self._machine.outlives

    @override
    async def reattach(self, task: Task, context: TaskContext) -> GoOn | None:
        await self._machine.answers()
        found = self._machine.running.get((context.run_id, context.task_id, context.attempt))
        return None if found is None or not self._machine.outlives else partial(self._seen, found)

    @override
    async def recover(self, task: Task, context: TaskContext) -> Outcome | None:
        await self._machine.answers()
        key = context.run_id, context.task_id, context.attempt
        if (running := self._machine.running.get(key)) is not None:
            self._machine.end(running, Outcome(OutcomeStatus.STOPPED))
            self._machine.kept.pop(key, None)
        found = self._machine.kept.get(key)
        return None if found is None else found.outcome

    @override
    def release(self, kept: Path) -> None:
        if not self._loop.is_dead:
            self._machine.released(kept)

    @override
    async def metrics(self) -> Metrics | None:
        return None

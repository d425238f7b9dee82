"""Devices that drop, hang, flap, lie and are slow, at random: no task is lost, none runs twice but by policy."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from tests.driver import edge, plan
from tests.driver import task as make
from tests.virtual_time import engine, loop, run
from typing_extensions import override

from starloom import ErrorInfo, Outcome, OutcomeStatus, Result, Retry, RunState
from starloom.devices.simulated import SimulatedDevice
from starloom.testing import invariants

if TYPE_CHECKING:
    from starloom import Plan, Task, TaskContext
    from starloom.orchestration.run import Run

TASKS = 1_000
DEVICES = 20
SLOTS = 4
QUIET = 3.0
"""Seconds between two faults of a device, on average."""
LONGEST_FAULT = 12.0


class Ledger:
    """What really was carried out, as the devices saw it."""

    def __init__(self) -> None:
        self.working: Counter[str] = Counter()
        self.made: Counter[tuple[str, int]] = Counter()
        self.faults: Counter[str] = Counter()
        self.overlaps: list[str] = []
        self.done: Counter[str] = Counter()

    def begin(self, context: TaskContext) -> None:
        self.made[context.task_id, context.attempt] += 1
        self.working[context.task_id] += 1
        if self.working[context.task_id] > 1:
            self.overlaps.append(context.task_id)

    def end(self, context: TaskContext) -> None:
        self.working[context.task_id] -= 1


class Faulty(SimulatedDevice):
    """A device with a mishap every few seconds.

    It drops (goes away for a while), hangs (nothing answers, nothing ends, and stopping takes its time), flaps (goes
    and comes back at once), is slow, and lies (says of an attempt that ended well that it was lost, stopped or failed).
    """

    def __init__(self, id: str, ledger: Ledger, chance: random.Random) -> None:
        super().__init__(id, slots=SLOTS, heartbeat_interval=0.5)
        self.ledger = ledger
        self.chance = chance
        self.running = 0
        self.peak = 0
        self.hangs_until = 0.0
        self.is_slow = False

    async def misbehave(self) -> None:
        """For ever."""
        while True:
            await asyncio.sleep(self.chance.expovariate(1 / QUIET))
            fault = self.chance.choice(("drop", "hang", "flap", "slow"))
            self.ledger.faults[fault] += 1
            pause = self.chance.uniform(0.1, LONGEST_FAULT)
            if fault == "hang":
                self.hangs_until = loop().time() + pause
                continue
            self.is_slow = fault == "slow"
            if fault != "slow":
                self.lose()
                await asyncio.sleep(0.01 if fault == "flap" else pause)
                self.restore()

    @override
    async def ping(self) -> None:
        await self._while_it_hangs()
        await super().ping()

    @override
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        self.running += 1
        self.peak = max(self.peak, self.running)
        self.ledger.begin(context)
        try:
            return await self._work(task, context)
        finally:
            self.ledger.end(context)
            self.running -= 1

    async def _work(self, task: Task, context: TaskContext) -> Outcome:
        if self.is_slow:
            await asyncio.sleep(self.chance.uniform(0.1, LONGEST_FAULT))
        outcome = await super().run(task, context)
        try:
            await self._while_it_hangs()
        except asyncio.CancelledError:  # being told to stop helps nothing while it hangs
            await self._while_it_hangs()
            raise
        if outcome.status is OutcomeStatus.COMPLETED:
            self.ledger.done[task.id] += 1
        return self._lie(outcome) if self.chance.random() < 0.05 else outcome

    def _lie(self, outcome: Outcome) -> Outcome:
        self.ledger.faults["lie"] += 1
        lie = self.chance.choice((OutcomeStatus.LOST, OutcomeStatus.FAILED, OutcomeStatus.STOPPED))
        self.ledger.faults[lie] += 1
        return Outcome(lie, Result(error=ErrorInfo(code="lie", message="This is not so.")))

    async def _while_it_hangs(self) -> None:
        for _ in iter(lambda: loop().time() < self.hangs_until, False):  # it may be made to hang longer meanwhile
            await asyncio.sleep(self.hangs_until - loop().time())


def random_plan(chance: random.Random) -> Plan:
    """Tasks of which each waits for up to three earlier ones."""
    retry = Retry(attempts=100)
    tasks = [make(f"t{n}", simulate=chance.uniform(0.0, 1.0), retry=retry) for n in range(TASKS)]
    edges = {
        (f"t{chance.randrange(max(0, n - 200), n)}", f"t{n}")
        for n in range(1, TASKS)
        for _ in range(chance.randrange(3))
    }
    return plan(tasks, [edge(*pair) for pair in sorted(edges)])


def check_end(handle: Run, devices: list[Faulty], ledger: Ledger) -> None:
    """Every task has ended once, and every attempt that was made is one that the facts know of."""
    assert not ledger.overlaps
    known = {(reading.id, attempt.number) for reading in handle.tasks for attempt in reading.attempts}
    assert set(ledger.made) <= known  # one that was stopped before its first step was never made
    assert set(ledger.made.values()) == {1}
    for reading in handle.tasks:
        *earlier, last = reading.attempts
        assert last.status == "completed", reading
        assert all(attempt.status != "completed" for attempt in earlier), reading
    assert all(device.running == 0 and device.peak <= SLOTS for device in devices)


@pytest.mark.parametrize("seed", range(3))
def test_whatever_devices_do_each_task_completes_once_no_attempts_overlap_and_all_slots_come_back(seed: int) -> None:
    async def main() -> Counter[str]:
        chance = random.Random(seed)
        ledger = Ledger()
        devices = [Faulty(f"d{n}", ledger, random.Random(seed * 100 + n)) for n in range(DEVICES)]
        async with engine(*devices, max_concurrency=60) as orchestrator:
            mishaps = [asyncio.ensure_future(device.misbehave()) for device in devices]
            handle = await orchestrator.start(random_plan(chance))
            assert (await handle.finished()).state is RunState.COMPLETED
            for mishap in mishaps:
                mishap.cancel()
            await asyncio.gather(*mishaps, return_exceptions=True)
            check_end(handle, devices, ledger)
            assert all(facts.used == 0 for facts in orchestrator.fleet.devices.values())
            assert orchestrator.counters().completed == TASKS
            invariants.check(orchestrator.pump.scheduler)
        return ledger.faults

    faults = run(main())
    assert all(faults[name] > 10 for name in ("drop", "hang", "flap", "slow", "lie")), faults

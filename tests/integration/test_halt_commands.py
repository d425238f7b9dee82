"""What can be asked for while the engine is halted, and what becomes of what was under way."""

from __future__ import annotations

import asyncio

import pytest
from tests.driver import task as make
from tests.integration.test_halt import FULL, Recording
from tests.virtual_time import engine, loop, pass_time, run
from tests.waiting import until

from starloom import (
    AddTask,
    CommandRefused,
    InProcessDevice,
    Plan,
    RunState,
    SimulatedDevice,
    Task,
    TaskContext,
)
from starloom.scheduling.commands import PauseRun, StepRun
from starloom.testing import independent


@pytest.mark.expects_log
def test_stops_are_accepted_while_it_is_halted_and_committed_by_the_retry() -> None:
    async def main() -> None:
        journal = Recording()
        device = SimulatedDevice("d", slots=3)
        async with engine(device, journal=journal) as orchestrator:
            tasks = [make("a", simulate=1), make("b", simulate=1000), make("c", simulate=1000)]
            handle = await orchestrator.start(Plan(tasks=tasks))
            journal.failure = FULL
            await until(lambda: orchestrator.halted)
            await asyncio.wait_for(handle.cancel_tasks("b"), 5)
            await pass_time(1)
            assert (await device.metrics()).cpu == pytest.approx(1 / 3), "b was stopped for real, and b alone"
            journal.failure = None
            orchestrator.retry_commit()
            await until(lambda: handle.task("b").status == "cancelled")
            assert (handle.task("a").status, handle.task("c").status) == ("completed", "running")
            await handle.cancel()
            assert (await handle.finished()).state is RunState.CANCELLED
            assert loop().time() < 60

    run(main())


@pytest.mark.expects_log
def test_what_was_carried_out_before_is_answered_as_then_when_it_is_given_again_while_it_is_halted() -> None:
    async def main() -> None:
        journal = Recording()
        async with engine(SimulatedDevice("d", slots=1), journal=journal) as orchestrator:
            handle = await orchestrator.start(independent(2, simulate=1000.0))
            given = [PauseRun(run_id=handle.id, id="good"), StepRun(run_id=handle.id, task_id="nobody", id="bad")]
            await orchestrator.pump.ask(given[0])
            with pytest.raises(CommandRefused) as first:
                await orchestrator.pump.ask(given[1])
            journal.failure = FULL
            with pytest.raises(CommandRefused, match="halted"):
                await handle.resume()
            assert await orchestrator.pump.ask(given[0]) is None
            with pytest.raises(CommandRefused) as again:
                await orchestrator.pump.ask(given[1])
            assert str(again.value) == str(first.value)
            journal.failure = None
            orchestrator.retry_commit()

    run(main())


@pytest.mark.expects_log
def test_cancelling_a_run_while_it_is_halted_stops_that_run_alone() -> None:
    async def main() -> None:
        journal = Recording()
        device = SimulatedDevice("d", slots=5)
        async with engine(device, journal=journal) as orchestrator:
            one = await orchestrator.start(independent(2, simulate=1000.0))
            two = await orchestrator.start(independent(2, simulate=1000.0))
            await orchestrator.start(independent(1, simulate=1.0))
            journal.failure = FULL
            await until(lambda: orchestrator.halted)
            await asyncio.wait_for(one.cancel(), 5)
            await pass_time(1)
            assert (await device.metrics()).cpu == pytest.approx(2 / 5)
            journal.failure = None
            orchestrator.retry_commit()
            assert (await one.finished()).state is RunState.CANCELLED
            assert two.state is RunState.EXECUTING
            await two.cancel()

    run(main())


@pytest.mark.expects_log
def test_a_stop_given_twice_around_a_retry_interrupts_a_clean_up_once() -> None:
    """An attempt that is cleaning up after its stop must not be cancelled a second time in the middle of that."""

    async def main() -> None:
        cleaned: list[bool] = []

        async def tidy(_task: Task, _context: TaskContext) -> None:
            try:
                await asyncio.Event().wait()
            finally:
                cleaned.append(False)
                await asyncio.sleep(5)
                cleaned.append(True)

        journal = Recording()
        device = InProcessDevice("here", handlers={"tidy": tidy}, slots=2)
        async with engine(device, SimulatedDevice("d"), journal=journal) as orchestrator:
            tasks = [make("tidy", call="tidy", device="here"), make("b", simulate=1, device="d")]
            handle = await orchestrator.start(Plan(tasks=tasks))
            journal.failure = FULL
            await until(lambda: orchestrator.halted)
            await asyncio.wait_for(handle.cancel(), 5)
            await pass_time(1)
            journal.failure = None
            orchestrator.retry_commit()
            await handle.finished()
            assert cleaned == [False, True]

    run(main())


@pytest.mark.expects_log
def test_a_command_that_was_under_way_when_it_halted_is_refused_and_never_happens() -> None:
    async def main() -> None:
        journal = Recording()
        async with engine(SimulatedDevice("d"), journal=journal) as orchestrator:
            handle = await orchestrator.start(independent(1, simulate=100.0))
            journal.failure = FULL
            with pytest.raises(CommandRefused, match="disk is full") as refusal:
                await handle.edit(AddTask(make("new", simulate=1)))
            assert refusal.value.code == "halted"
            assert orchestrator.halted is not None
            journal.failure = None
            orchestrator.retry_commit()
            await pass_time(1)
            assert handle.revision == 0
            assert (await handle.edit(AddTask(make("new", simulate=1)))).revision == 1
            await handle.cancel()

    run(main())


@pytest.mark.expects_log
def test_a_stop_that_was_under_way_when_it_halted_stops_and_is_committed_later() -> None:
    async def main() -> None:
        journal = Recording()
        async with engine(SimulatedDevice("d"), journal=journal) as orchestrator:
            handle = await orchestrator.start(independent(1, simulate=100.0))
            await pass_time(1)
            journal.failure = FULL
            await handle.cancel_tasks("t0")
            await until(lambda: orchestrator.dispatcher.alive == 0)
            assert handle.task("t0").status == "running"
            journal.failure = None
            orchestrator.retry_commit()
            assert (await handle.finished()).tasks.cancelled == 1

    run(main())

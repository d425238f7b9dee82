"""What can be asked for while the engine is halted, and what becomes of what was under way."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from tests.driver import task as make
from tests.integration.test_halt import FULL, Recording
from tests.virtual_time import engine, loop, pass_time, run
from tests.waiting import until
from typing_extensions import override

from starloom import (
    AddTask,
    CommandRefused,
    InProcessDevice,
    JournalError,
    Library,
    Plan,
    RunState,
    SimulatedDevice,
    Task,
    TaskContext,
)
from starloom.scheduling.commands import CancelRun, CancelTasks, PauseRun, SetRunLimit, StepRun
from starloom.scheduling.reservation_commands import Reserve
from starloom.testing import independent

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    from starloom import Orchestrator
    from starloom.events import Event
    from starloom.scheduling.commands import Command


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


async def refusal_of(orchestrator: Orchestrator, command: Command) -> CommandRefused:
    """What a command is refused with."""
    with pytest.raises(CommandRefused) as refused:
        await asyncio.wait_for(orchestrator.pump.ask(command), 5)
    return refused.value


@pytest.mark.expects_log
@pytest.mark.parametrize("is_under_way", [False, True])
def test_a_stop_that_names_an_unknown_task_is_refused_and_stops_nothing_before_and_after_the_retry(
    is_under_way: bool,
) -> None:
    async def main() -> None:
        journal = Recording()
        async with engine(SimulatedDevice("d", slots=2), journal=journal) as orchestrator:
            handle = await orchestrator.start(Plan(tasks=[make("a", simulate=10), make("b", simulate=1000)]))
            await pass_time(1)
            journal.failure = FULL
            if not is_under_way:
                await until(lambda: orchestrator.halted)
            command = CancelTasks(run_id=handle.id, task_ids=("b", "nobody"), origin="ben", id="c")
            first = await refusal_of(orchestrator, command)
            assert first.code == "unknown_task"
            assert orchestrator.halted
            await pass_time(20)
            assert orchestrator.dispatcher.alive == 1, "b goes on"
            journal.failure = None
            orchestrator.retry_commit()
            assert str(await refusal_of(orchestrator, command)) == str(first)
            assert handle.task("b").status == "running"
            await handle.cancel()

    run(main())


@pytest.mark.expects_log
def test_while_it_is_halted_a_reservation_keeps_others_from_stopping_until_its_last_instant() -> None:
    async def main() -> None:
        journal = Recording()
        async with engine(SimulatedDevice("d", slots=2), journal=journal) as orchestrator:
            handle = await orchestrator.start(Plan(tasks=[make("a", simulate=10), make("b", simulate=1000)]))
            await orchestrator.pump.ask(Reserve(run_id=handle.id, seconds=60.0, reason="a look", origin="ada"))
            journal.failure = FULL
            await until(lambda: orchestrator.halted)
            command = CancelRun(run_id=handle.id, origin="ben", id="c")
            assert (await refusal_of(orchestrator, command)).code == "reserved"
            await pass_time(1)
            assert orchestrator.dispatcher.alive == 1, "b goes on"
            await pass_time(60)
            assert await orchestrator.pump.ask(command) is None
            await until(lambda: orchestrator.dispatcher.alive == 0)
            journal.failure = None
            orchestrator.retry_commit()
            assert (await handle.finished()).state is RunState.CANCELLED

    run(main())


class Failing(Library):
    """Journals that can fail."""

    failure = ""

    @override
    def commit(self, events: Sequence[Event]) -> Future[None] | None:
        if self.failure:
            raise JournalError(self.failure)
        return super().commit(events)


@pytest.mark.expects_log
def test_a_stop_of_a_run_that_was_released_waits_for_the_retry(tmp_path: Path) -> None:
    async def main() -> None:
        with Failing(tmp_path) as journal:
            async with engine(SimulatedDevice("d"), journal=journal, runs_in_memory=0) as orchestrator:
                ended = await orchestrator.start(independent(1, simulate=1.0))
                await ended.finished()
                handle = await orchestrator.start(independent(1, simulate=1.0))
                assert ended.id not in orchestrator.pump.scheduler.runs
                journal.failure = FULL
                await until(lambda: orchestrator.halted)
                command = CancelRun(run_id=ended.id, origin="ben", id="c")
                assert (await refusal_of(orchestrator, command)).code == "halted"
                journal.failure = ""
                orchestrator.retry_commit()
                assert command.id not in orchestrator.pump.scheduler.answers
                await handle.finished()

    run(main())


@pytest.mark.expects_log
def test_what_was_carried_out_before_is_answered_as_then_when_it_was_given_again_and_is_under_way_as_it_halts() -> None:
    async def main() -> None:
        journal = Recording()
        device = SimulatedDevice("d", slots=1)
        async with engine(device, journal=journal) as orchestrator:
            handle = await orchestrator.start(independent(1, simulate=1000.0))
            ask = orchestrator.pump.ask
            limited = SetRunLimit(run_id=handle.id, max_concurrency=1, id="limited")
            stopped = CancelTasks(run_id=handle.id, task_ids=("t0",), id="stopped")
            bad = CancelTasks(run_id=handle.id, task_ids=("nobody",), id="bad")
            await ask(limited)
            await ask(stopped)
            first = await refusal_of(orchestrator, bad)
            await handle.finished()
            await handle.retry("t0")
            await pass_time(1)
            journal.failure = FULL
            new = SetRunLimit(run_id=handle.id, max_concurrency=2, id="new")
            told = await asyncio.gather(*map(ask, (limited, stopped, bad, new)), return_exceptions=True)
            assert told[:2] == [None, None]
            assert str(told[2]) == str(first)
            assert isinstance(told[3], CommandRefused)
            assert told[3].code == "halted"
            await pass_time(1)
            assert orchestrator.dispatcher.alive == 1, "the attempt that began since is not stopped"
            journal.failure = None
            orchestrator.retry_commit()
            await handle.cancel()

    run(main())


class Unreadable(Recording):
    """A journal that can be read no more either, once it fails."""

    @override
    def committed(self) -> Iterable[Event]:
        if self.failure:
            raise JournalError(self.failure)
        return super().committed()


@pytest.mark.expects_log
def test_where_the_last_commit_cannot_be_read_nobody_says_what_was_carried_out_and_stops_still_stop() -> None:
    async def main() -> None:
        journal = Unreadable()
        async with engine(SimulatedDevice("d"), journal=journal) as orchestrator:
            handle = await orchestrator.start(independent(1, simulate=1000.0))
            await pass_time(1)
            journal.failure = FULL
            limited = SetRunLimit(run_id=handle.id, max_concurrency=1, id="limited")
            for _ in range(2):
                assert (await refusal_of(orchestrator, limited)).code == "unknown_command"
            assert orchestrator.dispatcher.alive == 1
            stop = CancelTasks(run_id=handle.id, task_ids=("t0",), id="stop")
            assert await orchestrator.pump.ask(stop) is None
            await until(lambda: orchestrator.dispatcher.alive == 0)
            journal.failure = None
            orchestrator.retry_commit()
            assert (await handle.finished()).tasks.cancelled == 1

    run(main())

"""The three ways to shut down, and what must not keep any of them from ending."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import task as make
from tests.virtual_time import engine, loop, pass_time, run
from tests.waiting import until

from starloom import (
    AddTask,
    CommandRefused,
    InProcessDevice,
    JournalError,
    MemoryJournal,
    Plan,
    Retry,
    RunState,
    SimulatedDevice,
    SubmissionFailed,
    Task,
    TaskStarted,
)
from starloom import events as ev
from starloom.testing import chain, independent

if TYPE_CHECKING:
    from starloom.orchestration.orchestrator import Orchestrator


def prioritised() -> Plan:
    """One that runs and three that wait, in another order than that of their importance."""
    tasks = [("running", 100), ("low", 20), ("high", 80), ("normal", 50)]
    return Plan(tasks=[make(name, simulate=1, priority=priority) for name, priority in tasks])


def starts(orchestrator: Orchestrator) -> list[str]:
    seen: list[str] = []
    orchestrator.events.subscribe(lambda event: seen.append(event.task_id), TaskStarted)
    return seen


# ---- drain


def test_draining_runs_what_is_queued_in_order_of_priority_and_returns_after_the_last() -> None:
    """The seed opened every gate at once and drove its count of active tasks below zero."""

    async def main() -> None:
        orchestrator = engine(SimulatedDevice("d"))
        async with orchestrator:
            seen = starts(orchestrator)
            handle = await orchestrator.start(prioritised())
            shutting = asyncio.ensure_future(orchestrator.shutdown("drain"))
            least = 0
            while not shutting.done():
                least = min(least, orchestrator.counters().active_count)
                await pass_time(0.1)
            assert seen == ["running", "high", "normal", "low"]
            assert (handle.state, least) == (RunState.COMPLETED, 0)
            assert loop().time() >= 4.0

    run(main())


def test_leaving_the_context_drains() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            handle = await orchestrator.start(chain(5, simulate=1.0))
        assert handle.state is RunState.COMPLETED

    run(main())


def test_leaving_the_context_by_an_exception_stops_everything_now() -> None:
    async def main() -> None:
        handles = []

        async def fail() -> None:
            async with engine(SimulatedDevice("d")) as orchestrator:
                handles.append(await orchestrator.start(independent(5, simulate=1000.0)))
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await fail()
        assert handles[0].state is RunState.CANCELLED
        assert loop().time() < 1

    run(main())


def test_from_the_first_step_on_nothing_new_is_accepted() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            await orchestrator.start(prioritised())
            shutting = asyncio.ensure_future(orchestrator.shutdown())
            await pass_time(0.5)
            before = orchestrator.counters().total_submitted
            with pytest.raises(CommandRefused, match="shutting down"):
                await orchestrator.start(independent(1, simulate=1.0))
            with pytest.raises(CommandRefused, match="shutting down"):
                await orchestrator.submit(make("x", simulate=1))
            assert orchestrator.counters().total_submitted == before
            await shutting

    run(main())


def test_draining_waits_for_a_retry_that_is_due_later() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            flaky = make("a", simulate={"duration": 1, "fail_attempts": 1}, retry=Retry(attempts=2, delay=60))
            handle = await orchestrator.start(Plan(tasks=[flaky]))
            await pass_time(1.5)
        assert handle.state is RunState.COMPLETED

    run(main())


def test_draining_does_not_wait_for_what_cannot_go_on_by_itself() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            held = await orchestrator.start(independent(2, simulate=1.0))
            await held.hold("t1")
            paused = await orchestrator.start(independent(2, simulate=1.0))
            await paused.pause()
            ready = await orchestrator.start(independent(2, simulate=1.0), paused=True)
            missing = await orchestrator.start(Plan(tasks=[make("a", simulate=1, device="nowhere")]))
        assert (held.task("t0").status, held.task("t1").status) == ("completed", "pending")
        assert not any(one.state.has_ended for one in (held, paused, ready, missing))
        assert loop().time() < 10

    run(main())


def test_draining_ends_a_run_that_was_held_open() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            handle = await orchestrator.start(independent(1, simulate=1.0), hold_open=True)
        assert handle.state is RunState.COMPLETED

    run(main())


# ---- cancel pending


def test_cancel_pending_cancels_what_waits_and_lets_what_runs_finish() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            seen = starts(orchestrator)
            handle = await orchestrator.start(prioritised())
            await pass_time(0.5)
            await orchestrator.shutdown("cancel_pending")
            statuses = {reading.id: reading.status.value for reading in handle.tasks}
            assert statuses == dict.fromkeys(("low", "high", "normal"), "cancelled") | {"running": "completed"}
            assert (seen, handle.state) == (["running"], RunState.CANCELLED)
            assert loop().time() == pytest.approx(1.0, abs=0.1)

    run(main())


# ---- now


def test_now_stops_what_runs_too() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            handle = await orchestrator.start(independent(4, simulate=1000.0))
            await pass_time(0.5)
            await orchestrator.shutdown("now")
            assert {reading.status.value for reading in handle.tasks} == {"cancelled"}
            assert handle.state is RunState.CANCELLED
            assert loop().time() < 1

    run(main())


@pytest.mark.parametrize("mode", ["drain", "cancel_pending", "now"])
def test_a_second_shutdown_changes_nothing(mode: Any) -> None:
    async def main() -> None:
        journal = MemoryJournal()
        orchestrator = engine(SimulatedDevice("d"), journal=journal)
        async with orchestrator:
            handle = await orchestrator.start(independent(2, simulate=1.0))
            await orchestrator.shutdown(mode)
            state, turns = handle.state, len(journal.turns)
            for again in ("drain", "cancel_pending", "now"):
                await orchestrator.shutdown(again)
            assert (handle.state, len(journal.turns)) == (state, turns)

    run(main())


def test_an_engine_that_was_never_opened_can_be_shut_down() -> None:
    async def main() -> None:
        await engine(SimulatedDevice("d")).shutdown()

    run(main())


@pytest.mark.parametrize("mode", ["drain", "now"])
def test_a_handler_that_will_not_stop_is_reported_and_does_not_keep_the_engine(mode: Any) -> None:
    async def main() -> None:
        leave = asyncio.Event()

        async def deaf(_task: Task, _context: Any) -> None:
            while not leave.is_set():
                try:
                    await leave.wait()
                except asyncio.CancelledError:
                    continue

        stuck: list[ev.TaskStuck] = []
        async with engine(InProcessDevice("here", handlers={"deaf": deaf}, grace=3.0)) as orchestrator:
            orchestrator.events.subscribe(stuck.append, ev.TaskStuck)
            handle = await orchestrator.start(Plan(tasks=[make("a", call="deaf")]))
            await pass_time(0.5)
            if mode == "drain":
                await handle.cancel()
            await orchestrator.shutdown(mode)
            assert [event.task_id for event in stuck] == ["a"]
            assert handle.task("a").status == "running", "nobody pretends that it has ended"
            assert loop().time() < 10
        leave.set()
        await pass_time(1)

    run(main())


@pytest.mark.parametrize("mode", ["drain", "now"])
def test_a_handler_that_was_found_stuck_before_the_shutdown_does_not_keep_the_engine_either(mode: Any) -> None:
    async def main() -> None:
        leave = asyncio.Event()

        async def deaf(_task: Task, _context: Any) -> None:
            while not leave.is_set():
                try:
                    await leave.wait()
                except asyncio.CancelledError:
                    continue

        stuck: list[ev.TaskStuck] = []
        async with engine(InProcessDevice("here", handlers={"deaf": deaf}, grace=3.0)) as orchestrator:
            orchestrator.events.subscribe(stuck.append, ev.TaskStuck)
            handle = await orchestrator.start(Plan(tasks=[make("a", call="deaf", timeout=1)]))
            await until(lambda: bool(stuck))
            began = loop().time()
            await asyncio.wait_for(orchestrator.shutdown(mode), 100)
            assert loop().time() - began < 10
            assert handle.task("a").status == "running", "nobody pretends that it has ended"
        leave.set()
        await pass_time(1)

    run(main())


def test_now_waits_for_a_handler_that_takes_a_while_to_clean_up() -> None:
    async def main() -> None:
        cleaned = asyncio.Event()

        async def tidy(_task: Task, _context: Any) -> None:
            try:
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(2)
                cleaned.set()

        async with engine(InProcessDevice("here", handlers={"tidy": tidy})) as orchestrator:
            handle = await orchestrator.start(Plan(tasks=[make("a", call="tidy")]))
            await pass_time(0.5)
            await orchestrator.shutdown("now")
            assert cleaned.is_set()
            assert handle.task("a").status == "cancelled"

    run(main())


# ---- those who wait


def test_whoever_waits_for_a_run_that_never_ends_is_told() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            handle = await orchestrator.start(independent(1, simulate=1.0))
            await handle.hold("t0") if handle.task("t0").status == "pending" else await handle.pause()
            await handle.edit(AddTask(make("more", simulate=1)))
            waiting = asyncio.ensure_future(handle.finished())
            await pass_time(5)
        with pytest.raises(CommandRefused, match="shut down before the run"):
            await asyncio.wait_for(waiting, 1)

    run(main())


def test_whoever_submitted_a_task_that_never_ran_is_told() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            waiting = asyncio.ensure_future(orchestrator.submit(make("a", simulate=1, device="nowhere")))
            await pass_time(1)
        with pytest.raises(SubmissionFailed, match="shut down"):
            await asyncio.wait_for(waiting, 1)

    run(main())


def test_after_the_shutdown_commands_are_refused_and_do_nothing() -> None:
    async def main() -> None:
        journal = MemoryJournal()
        async with engine(SimulatedDevice("d"), journal=journal) as orchestrator:
            handle = await orchestrator.start(Plan(tasks=[make("a", simulate={"outcome": "failed"})]))
            await handle.finished()
        turns = len(journal.turns)
        for command in (
            handle.retry("a"),
            handle.edit(AddTask(make("b", simulate=1))),
            handle.pause(),
            orchestrator.set_limits(max_concurrency=1),
            orchestrator.fleet.drain("d"),
        ):
            with pytest.raises(CommandRefused, match="shut"):
                await asyncio.wait_for(command, 1)
        assert len(journal.turns) == turns

    run(main())


@pytest.mark.expects_log
def test_an_engine_that_halts_while_it_drains_still_shuts_down() -> None:
    async def main() -> None:
        journal = MemoryJournal()
        async with engine(SimulatedDevice("d"), journal=journal) as orchestrator:
            handle = await orchestrator.start(chain(5, simulate=1.0))
            waiting = asyncio.ensure_future(handle.finished())
            shutting = asyncio.ensure_future(orchestrator.shutdown("drain"))
            await pass_time(1.5)
            journal.failure = "The disk is full."
            await asyncio.wait_for(shutting, 60)
            with pytest.raises(JournalError, match="The disk is full"):
                await waiting

    run(main())


@pytest.mark.expects_log
@pytest.mark.parametrize("mode", ["drain", "cancel_pending", "now"])
def test_a_halted_engine_shuts_down_and_stops_what_runs(mode: Any) -> None:
    async def main() -> None:
        journal = MemoryJournal()
        device = SimulatedDevice("d", slots=2)
        async with engine(device, journal=journal) as orchestrator:
            await orchestrator.start(Plan(tasks=[make("a", simulate=1), make("b", simulate=1000)]))
            journal.failure = "The disk is full."
            await until(lambda: orchestrator.halted)
            await orchestrator.shutdown(mode)
            assert (await device.metrics()).cpu == 0
        assert loop().time() < 30

    run(main())


def test_after_a_shutdown_a_new_engine_can_be_started_at_once_with_the_same_devices() -> None:
    async def main() -> None:
        device = SimulatedDevice("d")
        for _ in range(3):
            async with engine(device) as orchestrator:
                handle = await orchestrator.start(independent(2, simulate=1.0))
                assert (await handle.finished()).state is RunState.COMPLETED

    run(main())

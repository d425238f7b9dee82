"""What is told while things happen, and what it costs when nothing does."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import Any

from tests.driver import task as make
from tests.virtual_time import engine, loop, pass_time, run

from starloom import (
    AddTask,
    InProcessDevice,
    MemoryJournal,
    Plan,
    Retry,
    SimulatedDevice,
    TaskStarted,
)
from starloom import events as ev
from starloom.devices.local import LocalDevice
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.testing import chain, independent, noop


def simulated(*ids: str, seconds: float = 1.0, **fields: Any) -> Plan:
    return Plan(tasks=[make(name, simulate=seconds, **fields) for name in ids])


# ---- events as they come out


def test_every_stream_is_numbered_without_gaps_as_a_subscriber_hears_it_and_folds_to_the_live_state() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=3), SimulatedDevice("e", slots=2)) as orchestrator:
            heard: dict[str, list[ev.Event]] = defaultdict(list)
            orchestrator.events.subscribe(lambda event: heard[event.run_id].append(event))
            fail = make("f", simulate={"duration": 1, "fail_attempts": 1}, retry=Retry(attempts=2, delay=3))
            runs = [
                await orchestrator.start(Plan(tasks=[*independent(9, simulate=0.7).tasks, fail]), run_id=f"r{number}")
                for number in range(3)
            ]
            await pass_time(0.9)
            await runs[0].cancel_tasks("t8")
            await orchestrator.fleet.drain("e")
            await runs[1].pause()
            await orchestrator.set_limits(max_concurrency=2)
            await orchestrator.fleet.resume("e")
            await runs[1].resume()
            await asyncio.gather(*(one.finished() for one in runs))
            for handle in runs:
                events = heard[handle.id]
                assert isinstance(events[0], ev.FleetSnapshot)
                assert [event.seq for event in events] == list(range(1, len(events) + 1))
                assert fold(FoldedRun(handle.id), events).run.canonical() == handle.facts.canonical()
            fleet = heard[""]
            assert [event.seq for event in fleet] == list(range(fleet[0].seq, fleet[0].seq + len(fleet)))

    run(main())


def test_a_task_is_running_by_the_time_anybody_hears_that_it_started() -> None:
    """In the seed observers of the start saw a pending task."""

    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            seen: list[str] = []
            handle = await orchestrator.start(Plan(), hold_open=True)
            orchestrator.events.subscribe(lambda event: seen.append(handle.task(event.task_id).status), TaskStarted)
            await handle.edit(AddTask(make("a", simulate=1)))
            await handle.hold_open(False)
            await handle.finished()
            assert seen == ["running"]

    run(main())


# ---- nothing happens


def test_ten_thousand_idle_seconds_with_fifty_paused_runs_wake_nobody() -> None:
    async def main() -> None:
        async with engine(InProcessDevice("here", handlers={"noop": noop}), LocalDevice("local")) as orchestrator:
            orchestrator.events.subscribe(lambda _event: None)
            runs = []
            for number in range(50):
                plan = chain(3, retry=2, timeout=60)
                handle = await orchestrator.start(plan, run_id=f"run{number}", paused=number % 2 == 0)
                if number % 2:
                    await handle.hold("t0") if handle.task("t0").status == "pending" else None
                    await handle.pause()
                runs.append(handle)
            await pass_time(5)
            before = loop().wakeups
            await pass_time(10_000)
            assert loop().wakeups - before <= 2, "only this test's own timer rang"
            for handle in runs:
                await handle.cancel()

    run(main())


def test_an_engine_that_has_done_its_work_sets_no_timer_and_leaves_no_task() -> None:
    """In the seed each completion left a timer of ten minutes behind."""

    async def main() -> None:
        async with engine(InProcessDevice("here", handlers={"noop": noop})) as orchestrator:
            tasks_before = len(asyncio.all_tasks())
            handle = await orchestrator.start(independent(300, timeout=600, retry=3))
            await handle.finished()
            await pass_time(1)
            assert len(asyncio.all_tasks()) == tasks_before
            before = loop().wakeups
            await pass_time(10_000)
            assert loop().wakeups - before <= 2

    run(main())


def test_what_arrives_together_is_decided_together_and_nothing_is_lost() -> None:
    """Many notices before the engine looks: one turn, and all of the work is done once."""

    async def main() -> None:
        journal = MemoryJournal()
        async with engine(SimulatedDevice("d", slots=None), journal=journal) as orchestrator:
            handle = await orchestrator.start(Plan(), hold_open=True)
            before = len(journal.turns)
            await asyncio.gather(*(handle.edit(AddTask(make(f"t{n}", simulate=1))) for n in range(20)))
            assert len(journal.turns) == before + 1
            await pass_time(1.5)
            assert {reading.status for reading in handle.tasks} == {"completed"}
            assert handle.facts.seq
            assert len([e for e in journal.committed() if isinstance(e, TaskStarted)]) == 20
            await handle.hold_open(False)

    run(main())


def test_a_notice_that_comes_while_a_turn_is_being_carried_out_is_not_lost() -> None:
    """A handler that ends at once posts its end during the very turn that started its sibling."""

    async def main() -> None:
        async with engine(InProcessDevice("here", slots=1, handlers={"noop": noop})) as orchestrator:
            for _ in range(30):
                handle = await orchestrator.start(independent(7))
                assert (await asyncio.wait_for(handle.finished(), 5)).tasks.completed == 7

    run(main())

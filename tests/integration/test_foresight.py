"""Looking ahead in an open engine: beside the loop, cancellable, and without a trace in the run."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from starloom.constellation.edits import AddTask, RemoveTask
from starloom.devices.inprocess import InProcessDevice
from starloom.devices.simulated import SimulatedDevice
from starloom.errors import CommandRefused
from starloom.foresight.estimates import EstimateSource
from starloom.foresight.projection import Certainty
from starloom.journal import records
from starloom.journal.library import Library
from starloom.journal.names import JOURNAL
from starloom.model.plan import Plan
from starloom.model.status import Placement, RunState
from starloom.model.task import Simulate, Task
from starloom.orchestration import past_runs
from starloom.orchestration.foresight import beside_the_loop
from starloom.orchestration.orchestrator import Orchestrator
from starloom.scheduling.commands import SetLimits
from starloom.settings import SchedulerSettings
from starloom.testing import FakeClock, chain, independent, layered, noop

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.orchestration.run import Run
    from starloom.pauses import Pause

PATIENCE = 60.0


def engine(slots: int = 2) -> Orchestrator:
    settings = SchedulerSettings(
        enabled=None, max_concurrency=None, starvation_timeout=30.0, max_queue=0, placement=Placement.LOAD_BALANCE
    )
    return Orchestrator([SimulatedDevice("sim", slots=slots)], settings=settings, clock=FakeClock())


def canonical(run: Run) -> object:
    return run.facts.canonical()


def test_a_run_foresees_its_end_while_it_goes_on() -> None:
    async def main() -> None:
        async with engine() as orchestrator:
            run = await orchestrator.start(independent(6, simulate=3600.0))
            before = canonical(run)
            found = await run.project()
            assert (found.run_id, found.end, found.certainty) == (run.id, 3 * 3600.0, Certainty.EXPECTED)
            assert len(found.tasks) == 6
            assert canonical(run) == before
            assert run.state is RunState.EXECUTING
            await run.cancel()

    asyncio.run(main())


def test_what_if_tells_of_edits_and_commands_and_changes_nothing() -> None:
    async def main() -> None:
        async with engine(slots=1) as orchestrator:
            run = await orchestrator.start(chain(3, simulate=3600.0))
            before = canonical(run)
            longer = await run.what_if(AddTask(Task(id="more", simulate=Simulate(1800.0))))
            assert longer.delay_s == 1800.0
            refused = await run.what_if(RemoveTask("t0"))
            assert refused.after is None
            assert "running" in refused.problems[0]
            narrow = await run.what_if(commands=[SetLimits(max_concurrency=0)])
            assert narrow.after is not None
            assert narrow.after.unforeseen == 2
            assert canonical(run) == before
            await run.cancel()

    asyncio.run(main())


def test_what_is_no_command_is_refused_with_a_sentence() -> None:
    async def main() -> None:
        async with engine() as orchestrator:
            run = await orchestrator.start(chain(2, simulate=3600.0))
            with pytest.raises(CommandRefused, match="is no command"):
                await run.what_if(commands=["pause"])  # type: ignore[list-item]  # what a person may try
            await run.cancel()

    asyncio.run(main())


def test_the_latest_runs_of_an_earlier_program_tell_it_too_and_are_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be read, and runs of other plans, are passed over."""
    device = lambda: [InProcessDevice("here", handlers={"noop": noop})]  # noqa: E731 - each engine has its own
    plan = replace(chain(2, name="step"), name="nightly")
    read: list[Path] = []

    def run_folders(directory: Path) -> list[Path]:
        read.append(directory)
        return records.run_folders(directory)

    monkeypatch.setattr(past_runs, "run_folders", run_folders)

    async def before() -> None:
        with Library(tmp_path) as library:
            async with Orchestrator(device(), journal=library) as orchestrator:
                for name in ("nightly", "other", "nightly"):
                    run = await orchestrator.start(replace(plan, name=name))
                    await run.finished()
                broken = library.folder(run.id)
        assert broken is not None
        (broken / JOURNAL).write_bytes(b"no journal any more")

    async def after() -> None:
        with Library(tmp_path) as library:
            async with Orchestrator(device(), journal=library) as orchestrator:
                run = await orchestrator.start(plan, paused=True)
                for _ in range(2):
                    found = await run.project()
                    told = {(task.estimate.source, task.estimate.samples) for task in found.tasks.values()}
                    assert told == {(EstimateSource.NAME, 2)}
                assert read == [tmp_path]
                await run.cancel()

    asyncio.run(before())
    asyncio.run(after())


def test_earlier_runs_of_a_plan_that_runs_beside_tell_how_long_it_holds_its_slot(tmp_path: Path) -> None:
    plans = [Plan(name=name, tasks=(Task(id=name, call=name),)) for name in ("nightly", "bench")]

    async def main() -> None:
        may_end = asyncio.Event()
        may_end.set()

        async def work(_task: Task, _context: object) -> None:
            await may_end.wait()

        for is_first in (True, False):
            with Library(tmp_path) as library:
                device = InProcessDevice("here", slots=1, handlers=dict.fromkeys(("nightly", "bench"), work))
                async with Orchestrator([device], journal=library) as orchestrator:
                    runs = [await orchestrator.start(plan) for plan in plans]
                    if not is_first:
                        found = await runs[1].project()
                        assert (found.certainty, found.unestimated_beside) == (Certainty.EXPECTED, 0)
                        may_end.set()
                    for run in runs:
                        await run.finished()
            may_end.clear()

    asyncio.run(main())


def test_an_earlier_run_of_the_engine_tells_how_long_tasks_take() -> None:
    async def main() -> None:
        async with Orchestrator([InProcessDevice("here", handlers={"noop": noop})]) as orchestrator:
            plan = chain(2, name="step")
            await (await orchestrator.start(plan)).finished()
            run = await orchestrator.start(plan, paused=True)
            found = await run.project()
            assert {task.estimate.source for task in found.tasks.values()} == {EstimateSource.NAME}
            await run.cancel()

    asyncio.run(main())


def test_an_ended_run_can_still_be_asked() -> None:
    async def main() -> None:
        async with engine() as orchestrator:
            run = await orchestrator.start(chain(2, simulate=0.0))
            await run.finished()
            found = await run.project()
            assert (found.certainty, found.tasks) == (Certainty.EXPECTED, {})

    asyncio.run(main())


def test_the_loop_goes_on_while_something_is_worked_out() -> None:
    async def main() -> None:
        seen_by_loop = asyncio.Event()

        def work(pause: Pause) -> str:
            deadline = time.monotonic() + PATIENCE
            while not seen_by_loop.is_set() and time.monotonic() < deadline:
                pause()
            return threading.current_thread().name

        async def look() -> None:
            seen_by_loop.set()

        name, _ = await asyncio.gather(beside_the_loop(work), look())
        assert name != threading.current_thread().name
        assert seen_by_loop.is_set()

    asyncio.run(main())


def test_giving_up_ends_the_work() -> None:
    begun, over = threading.Event(), threading.Event()

    def work(pause: Pause) -> None:
        begun.set()
        try:
            while True:
                pause()
        finally:
            over.set()

    async def main() -> None:
        asked = asyncio.create_task(beside_the_loop(work))
        assert await asyncio.to_thread(begun.wait, PATIENCE)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        assert await asyncio.to_thread(over.wait, PATIENCE)

    asyncio.run(main())


def test_a_projection_of_a_large_run_can_be_cancelled() -> None:
    async def main() -> None:
        async with engine(slots=8) as orchestrator:
            run = await orchestrator.start(layered(30, 30, simulate=3600.0), paused=True)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(run.project(), 0.0)
            assert (await run.project(samples=0)).end is not None
            await run.cancel()

    asyncio.run(main())


def test_equal_states_and_seeds_give_equal_projections() -> None:
    async def main() -> None:
        async with engine() as orchestrator:
            run = await orchestrator.start(independent(20, estimate=5.0), paused=True)
            first, again = await asyncio.gather(run.project(seed=3), run.project(seed=3))
            assert first == again
            await run.cancel()

    asyncio.run(main())

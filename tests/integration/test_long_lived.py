"""An engine that lives for months: runs that ended are let go of, and still answer; submissions do not pile up."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import task as make
from tests.waiting import until

from starloom import (
    AddTask,
    CommandRefused,
    InProcessDevice,
    JournalError,
    NullJournal,
    Orchestrator,
    Plan,
    RunState,
    SchedulerSettings,
    Task,
)
from starloom.journal.library import Library
from starloom.scheduling.state.run_facts import RunFacts
from starloom.telemetry import EngineWatch

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starloom.journal.base import Journal
    from starloom.scheduling.read.counters import Counters

ROOT = Path(__file__).parents[2]


async def double(task: Task, _context: Any) -> Any:
    if task.inputs.get("breaks"):
        raise ValueError("on purpose")
    return 2 * task.inputs.get("value", 0)


def small_plan(count: int = 3, name: str = "small") -> Plan:
    return Plan(name=name, tasks=[make(f"t{n}", call="double", inputs={"value": n}) for n in range(count)])


@asynccontextmanager
async def engine(journal: Journal | None = None, **settings: Any) -> AsyncIterator[Orchestrator]:
    device = InProcessDevice("here", slots=8, handlers={"double": double})
    async with Orchestrator([device], settings=SchedulerSettings(**settings), journal=journal) as orchestrator:
        yield orchestrator


async def finish(orchestrator: Orchestrator, *names: str, plan: Plan | None = None) -> list[Any]:
    handles = []
    for name in names:
        handles.append(await orchestrator.start(plan or small_plan(), run_id=name))
        await handles[-1].finished()
    return handles


def check_sum(counters: Counters, submitted: int) -> None:
    assert counters.total_submitted == submitted
    others = ("completed", "failed", "cancelled", "skipped", "active_count", "queued_count", "waiting", "removed")
    assert sum(getattr(counters, name) for name in others) == submitted


def in_memory(orchestrator: Orchestrator) -> list[str]:
    return list(orchestrator.pump.scheduler.runs)


# ---- runs that ended


def test_the_newest_ended_runs_stay_in_memory_and_all_of_them_still_answer(tmp_path: Path) -> None:
    async def main() -> None:
        with Library(tmp_path) as journal:
            async with engine(journal, runs_in_memory=2) as orchestrator:
                names = [f"run-{n}" for n in range(5)]
                handles = await finish(orchestrator, *names)
                assert in_memory(orchestrator) == names[3:]
                assert list(orchestrator.runs) == names
                assert orchestrator.runs["run-0"] is handles[0]
                del handles
                gc.collect()
                old = orchestrator.run("run-0")
                assert old.state is RunState.COMPLETED
                summary = await old.finished()
                assert (summary.name, summary.state, summary.tasks.completed) == ("small", "completed", 3)
                assert summary.makespan_s > 0
                assert summary.scheduler.total_submitted == 3
                assert summary.statistics.max_width == 3
                assert [use.id for use in summary.devices] == ["here"]
                assert {task_id: result.value for task_id, result in old.results.items()} == {"t0": 0, "t1": 2, "t2": 4}
                assert old.task("t2").status == "completed"
                assert old.why("t2")
                assert [type(event).__name__ async for event in old.events()] == ["Snapshot"]
                check_sum(orchestrator.counters(), 15)
                assert orchestrator.counters().attempts == 15
                with EngineWatch(orchestrator) as watch:
                    check_sum((await watch.reading()).scheduler, 15)
                with pytest.raises(CommandRefused, match="run-0"):
                    await orchestrator.start(small_plan(), run_id="run-0")

    asyncio.run(main())


@pytest.mark.parametrize("most", [0, 20])
def test_as_many_stay_as_the_setting_says(tmp_path: Path, most: int) -> None:
    async def main() -> None:
        with Library(tmp_path) as journal:
            async with engine(journal, **({} if most == 20 else {"runs_in_memory": most})) as orchestrator:
                names = [f"run-{n}" for n in range(22)]
                (*_, last) = await finish(orchestrator, *names)
                assert in_memory(orchestrator) == names[22 - most :]
                assert last.task("t1").result.value == 2

    asyncio.run(main())


def test_runs_that_no_journal_can_give_back_stay() -> None:
    async def main() -> None:
        async with engine(NullJournal(), runs_in_memory=1) as orchestrator:
            first, *_ = await finish(orchestrator, "a", "b", "c")
            assert in_memory(orchestrator) == ["a", "b", "c"]
            assert first.results["t1"].value == 2

    asyncio.run(main())


def test_a_run_in_use_is_not_let_go_of_before_it_no_longer_is(tmp_path: Path) -> None:
    async def main() -> None:
        with Library(tmp_path) as journal:
            async with engine(journal, runs_in_memory=1) as orchestrator:
                shown = {"a"}
                orchestrator.ended_runs.in_use = lambda: shown
                await finish(orchestrator, "a", "b", "c")
                assert in_memory(orchestrator) == ["a", "c"]
                shown.clear()
                orchestrator.ended_runs.tidy()
                assert in_memory(orchestrator) == ["c"]

    asyncio.run(main())


def test_a_command_takes_a_run_back_into_memory(tmp_path: Path) -> None:
    async def main() -> None:
        with Library(tmp_path) as journal:
            async with engine(journal, runs_in_memory=1) as orchestrator:
                broken = Plan(name="broken", tasks=[make("bad", call="double", inputs={"breaks": True})])
                (handle,) = await finish(orchestrator, "a", plan=broken)
                await finish(orchestrator, "b", "c")
                assert in_memory(orchestrator) == ["c"]
                check_sum(orchestrator.counters(), 7)
                await handle.edit(AddTask(make("more", call="double", inputs={"value": 4})))
                assert "a" in in_memory(orchestrator)
                summary = await handle.finished()
                assert (summary.state, summary.tasks.total) == ("partially_failed", 2)
                assert handle.results["more"].value == 8
                check_sum(orchestrator.counters(), 8)
                await handle.retry("bad", inputs={"value": 1})
                assert (await handle.finished()).state is RunState.COMPLETED
                await finish(orchestrator, "d")
                assert in_memory(orchestrator) == ["d"]
                assert handle.results["bad"].value == 2
                check_sum(orchestrator.counters(), 11)
        with Library(tmp_path) as again:
            assert again.take(tmp_path / "runs" / "a").view().view.run.state is RunState.COMPLETED

    asyncio.run(main())


def test_a_journal_that_is_gone_is_named_in_a_sentence(tmp_path: Path) -> None:
    async def main() -> None:
        with Library(tmp_path) as journal:
            async with engine(journal, runs_in_memory=0) as orchestrator:
                (handle,) = await finish(orchestrator, "a")
                (tmp_path / "runs" / "a").rename(tmp_path / "gone")  # whole: SQLite may still be putting its log away
                assert handle.state is RunState.COMPLETED
                assert (await handle.finished()).tasks.completed == 3
                with pytest.raises(JournalError, match=r"'a' .*let go of.*journal\.db"):
                    _ = handle.results["t0"]
                with pytest.raises(JournalError, match=r"'a' .*let go of"):
                    await handle.retry("t0")
                await finish(orchestrator, "b")

    asyncio.run(main())


@pytest.mark.expects_log
def test_going_on_after_a_failed_commit_still_counts_those_that_were_let_go_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        with Library(tmp_path) as journal:
            async with engine(journal, runs_in_memory=1) as orchestrator:
                first, *_ = await finish(orchestrator, "a", "b", "c")

                def fail(_events: Any) -> None:
                    raise JournalError("The disk is full.")

                with monkeypatch.context() as broken:
                    broken.setattr(journal, "commit", fail)
                    with pytest.raises(JournalError):
                        await orchestrator.start(small_plan(), run_id="d")
                orchestrator.retry_commit()
                check_sum(orchestrator.counters(), 9)
                assert first.results["t1"].value == 2
                await finish(orchestrator, "e")
                assert in_memory(orchestrator) == ["e"]
                check_sum(orchestrator.counters(), 12)

    asyncio.run(main())


def test_nothing_of_a_run_stays_but_its_summary(tmp_path: Path) -> None:
    """Objects counted: of each run that was let go of there are a handful, however many tasks it had."""
    # In a program of its own: other tests have loaded and left behind what comes and goes meanwhile.
    program = f"from {__name__} import count_what_stays; count_what_stays({str(tmp_path)!r})"
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def count_what_stays(folder: str) -> None:
    """Let go of thirty runs and compare what there is then with what there was before."""

    async def main() -> None:
        with Library(Path(folder)) as journal:
            async with engine(journal, runs_in_memory=2) as orchestrator:
                with EngineWatch(orchestrator):
                    plan = Plan(tasks=[make(f"t{n}", call="double", timeout=86_400, groups=("g",)) for n in range(20)])
                    await finish(orchestrator, *(f"warm-{n}" for n in range(10)), plan=plan)
                    await orchestrator.events.drained()
                    await asyncio.wrap_future(journal.settled())
                    before = objects()
                    await finish(orchestrator, *(f"run-{n}" for n in range(30)), plan=plan)
                    await orchestrator.events.drained()  # what is queued for observers stays meanwhile
                    await asyncio.wrap_future(journal.settled())
                    # What is just ending in other threads goes by itself; what stays of a run never does.
                    await until(lambda: objects().facts <= before.facts)
                    await until(lambda: objects().everything - before.everything <= 30 * 3)
                    await files_are_closed(before.open_files)
                    assert not orchestrator.pump.scheduler.timers

    asyncio.run(main())


class objects:  # noqa: N801 - it reads like a function
    """How many objects the collector knows, how many runs are among them, and how many files are open."""

    def __init__(self) -> None:
        import psutil

        gc.collect()
        known = gc.get_objects()
        self.facts = sum(type(one) is RunFacts for one in known)  # isinstance would wake proxies that import when asked
        self.everything = len(known)
        self.open_files = len(psutil.Process().open_files())


async def files_are_closed(most: int) -> None:
    """Return once no more files are open; they are closed in a thread."""
    deadline = time.monotonic() + 30
    while objects().open_files > most:
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)


# ---- the ad-hoc run


def test_the_standing_run_keeps_its_last_submissions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("starloom.orchestration.ad_hoc_run.KEPT", 10)

    async def main() -> None:
        async with engine() as orchestrator:
            for number in range(100):
                result = await orchestrator.submit(make(f"s{number}", call="double", inputs={"value": number}))
                assert result.value == 2 * number
            kept = [task.id for run in orchestrator.runs.values() for task in run.tasks]
            assert kept[-10:] == [f"s{number}" for number in range(90, 100)]
            assert len(kept) <= 20
            check_sum(orchestrator.counters(), 100)
            assert orchestrator.counters().completed == 100
            before = objects()
            for number in range(100, 150):
                await orchestrator.submit(make(f"s{number}", call="double"))
            after = objects()
            assert after.facts <= before.facts
            assert after.everything - before.everything < 200

    asyncio.run(main())


def test_a_standing_run_that_is_steered_goes_on_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("starloom.orchestration.ad_hoc_run.KEPT", 5)

    async def main() -> None:
        async with engine() as orchestrator:
            await orchestrator.submit(make("first", call="double"))
            (handle,) = orchestrator.runs.values()
            await handle.set_limit(1)
            await asyncio.gather(*(orchestrator.submit(make(f"s{n}", call="double")) for n in range(20)))
            assert list(orchestrator.runs) == [handle.id]
            assert len(handle.tasks) == 21

    asyncio.run(main())


def test_whoever_still_waits_in_an_earlier_standing_run_gets_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("starloom.orchestration.ad_hoc_run.KEPT", 3)

    async def main() -> None:
        released = asyncio.Event()

        async def slow(_task: Task, _context: Any) -> str:
            await released.wait()
            return "late"

        handlers = {"double": double, "slow": slow}
        async with Orchestrator([InProcessDevice("here", slots=8, handlers=handlers)]) as orchestrator:
            late = asyncio.ensure_future(orchestrator.submit(make("late", call="slow")))
            for number in range(30):
                await orchestrator.submit(make(f"s{number}", call="double"))
            assert not late.done()
            released.set()
            assert (await late).value == "late"
            check_sum(orchestrator.counters(), 31)

    asyncio.run(main())

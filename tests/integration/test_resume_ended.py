"""Taking up a run that has ended in another engine: it stays so until tasks of it are retried, rerun or added."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import task as make
from tests.integration.test_resume import RUN, engine, folder
from tests.waiting import until

from starloom import InProcessDevice, Plan, RunState, Task, TaskContext
from starloom.agents.rules import RuleAgent
from starloom.events import Event, RunEnded, RunRecovered, RunReopened, RunStarted, TaskStarted
from starloom.formats.rules import read_rules
from starloom.journal.base import JournalInUse
from starloom.journal.names import JOURNAL
from starloom.journal.recording import Recording
from starloom.journal.records import record
from starloom.journal.stream_file import StreamFile
from starloom.model.plan import Limits
from starloom.reporting.folding import build
from starloom.scheduling.fold.stream_check import checked_fold
from starloom.scheduling.read.summary import elapsed
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.orchestration.run import Run


class Moody(InProcessDevice):
    """Fails tasks while they are told to fail, and keeps which ones it was given."""

    def __init__(self, *failing: str) -> None:
        super().__init__("here", slots=4, handlers={"noop": self.work})
        self.failing = set(failing)
        self.began: list[str] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def work(self, task: Task, _context: TaskContext) -> Any:
        self.began.append(task.id)
        await self.gate.wait()
        if task.id in self.failing:
            raise RuntimeError(f"{task.id} does not work")
        return f"{task.id} done"


def chain() -> Plan:
    """a, then b, then c; and d alone."""
    return Plan(
        name="chain",
        tasks=(make("a"), make("b"), make("c"), make("d")),
        dependencies=({"parent": "a", "child": "b"}, {"parent": "b", "child": "c"}),  # type: ignore[arg-type]
        limits=Limits(groups={"rigs": 1}),
    )


def ended(tmp_path: Path, *failing: str, plan: Plan | None = None) -> Path:
    """The directory of journals of an engine whose run has ended, and which is gone."""

    async def main() -> None:
        async with engine(tmp_path, Moody(*failing)) as orchestrator:
            await (await orchestrator.start(plan or chain(), run_id=RUN)).finished()

    asyncio.run(main())
    return tmp_path


def statuses(run: Run) -> dict[str, str]:
    return {name: str(run.task(name).status) for name in "abcd"}


def whole_stream(directory: Path) -> list[Event]:
    with StreamFile(folder(directory) / JOURNAL, read_only=True) as file:
        return list(file.committed())


MORE = {"on": {"task": "b", "status": "completed"}, "do": [{"add_task": {"id": "y", "shell": "true", "needs": "b"}}]}
AS_IT_ENDED = {"a": "completed", "b": "failed", "c": "skipped", "d": "completed"}


def test_it_stays_as_it_ended_and_what_failed_can_be_retried(tmp_path: Path) -> None:
    ended(tmp_path, "b")

    async def main() -> None:
        device = Moody()
        async with engine(tmp_path, device) as orchestrator:
            run = await orchestrator.resume(folder(tmp_path))
            assert run.state is RunState.PARTIALLY_FAILED
            assert statuses(run) == AS_IT_ENDED
            assert (await run.finished()).state is RunState.PARTIALLY_FAILED
            assert run.id not in orchestrator.pump.scheduler.live
            assert device.began == []
            await run.retry("b")
            summary = await run.finished()
            assert (summary.state, device.began) == (RunState.COMPLETED, ["b", "c"])
            assert run.results["a"].value == "a done"
            assert [attempt.status for attempt in run.task("b").attempts] == ["failed", "completed"]

    asyncio.run(main())
    assert record(folder(tmp_path)).state == "completed"


def test_a_failed_task_can_be_changed_as_it_is_retried(tmp_path: Path) -> None:
    ended(tmp_path, "b")

    async def main() -> None:
        device = Moody()
        async with engine(tmp_path, device) as orchestrator:
            run = await orchestrator.resume(folder(tmp_path))
            await run.retry("b", name="b, mended")
            assert (await run.finished()).state is RunState.COMPLETED
            assert run.task("b").task.name == "b, mended"
            assert run.facts.revision == 1

    asyncio.run(main())


def test_one_that_was_completed_can_be_rerun_from_the_middle(tmp_path: Path) -> None:
    ended(tmp_path)

    async def main() -> None:
        device = Moody()
        async with engine(tmp_path, device) as orchestrator:
            run = await orchestrator.resume(folder(tmp_path))
            await run.rerun_from("b")
            assert (await run.finished()).state is RunState.COMPLETED
            assert device.began == ["b", "c"]

    asyncio.run(main())


def test_the_time_in_which_nothing_ran_does_not_count(tmp_path: Path) -> None:
    ended(tmp_path, "b")

    async def main() -> None:
        async with engine(tmp_path, Moody()) as orchestrator:
            run = await orchestrator.resume(folder(tmp_path))
            before = elapsed(run.facts, orchestrator.pump.clock())
            await asyncio.sleep(0.3)
            assert elapsed(run.facts, orchestrator.pump.clock()) == before
            await run.retry("b")
            await run.finished()
            after = elapsed(run.facts, orchestrator.pump.clock())
            assert before is not None
            assert after is not None
            assert before <= after
            assert after < before + 0.3 - 0.01 + _spent(run)

    asyncio.run(main())


def _spent(run: Run) -> float:
    """The seconds from the reopening to the end."""
    assert run.facts.run_ended_at is not None
    return run.facts.run_ended_at - run.facts.idle[-1][1]


def test_its_stream_is_one_that_may_be_and_its_past_is_read(tmp_path: Path) -> None:
    ended(tmp_path, "b")

    async def main() -> dict[str, Any]:
        async with engine(tmp_path, Moody()) as orchestrator:
            run = await orchestrator.resume(folder(tmp_path))
            await run.retry("b")
            await run.finished()
            return run.facts.canonical()

    facts = asyncio.run(main())
    events = whole_stream(tmp_path)
    kinds = [type(event) for event in events if type(event) in {RunStarted, RunEnded, RunRecovered, RunReopened}]
    assert kinds == [RunStarted, RunEnded, RunRecovered, RunReopened, RunEnded]
    folded = checked_fold(FoldedRun(RUN), events)
    assert folded.run.canonical() == facts
    told = build(RUN, events)
    assert told.state == "completed"
    first_end = next(place for place, event in enumerate(events) if type(event) is RunEnded) + 1
    with closing(Recording(folder(tmp_path) / JOURNAL)) as recording:
        while True:
            part = recording.read()
            recording.take(part)
            if part.is_last:
                break
        assert recording.moment(first_end).view.run.state is RunState.PARTIALLY_FAILED


def test_it_is_taken_up_again_after_the_program_dies_while_a_retried_task_runs(tmp_path: Path) -> None:
    first = tmp_path / "first"
    ended(first, "b")

    async def second() -> None:
        device = Moody()
        device.gate.clear()
        async with engine(first, device) as orchestrator:
            run = await orchestrator.resume(folder(first))
            await run.retry("b")
            await until(lambda: device.began == ["b"])
            shutil.copytree(first, tmp_path / "picture")
            device.gate.set()

    async def third() -> None:
        device = Moody()
        async with engine(tmp_path / "picture", device) as orchestrator:
            run = await orchestrator.resume(folder(tmp_path / "picture"))
            assert run.state is RunState.EXECUTING
            assert (await run.finished()).state is RunState.COMPLETED
            assert device.began == ["b", "c"]
            assert len(run.facts.sessions) == 3

    asyncio.run(second())
    asyncio.run(third())
    checked_fold(FoldedRun(RUN), whole_stream(tmp_path / "picture"))


def test_one_that_nobody_reopened_is_still_ended_for_the_next_engine(tmp_path: Path) -> None:
    ended(tmp_path, "b")

    async def looked_at() -> None:
        async with engine(tmp_path, Moody()) as orchestrator:
            await orchestrator.resume(folder(tmp_path))

    asyncio.run(looked_at())
    told = record(folder(tmp_path))
    assert (told.state, told.can_resume, told.can_reopen) == ("partially_failed", False, True)
    asyncio.run(looked_at())
    events = whole_stream(tmp_path)
    assert [type(event) for event in events].count(RunRecovered) == 2
    assert [type(event) for event in events].count(TaskStarted) == 3
    checked_fold(FoldedRun(RUN), events)


def test_it_leaves_memory_as_others_that_have_ended_and_comes_back(tmp_path: Path) -> None:
    ended(tmp_path, "b")

    async def main() -> None:
        device = Moody()
        async with engine(tmp_path, device, runs_in_memory=0) as orchestrator:
            run = await orchestrator.resume(folder(tmp_path))
            await orchestrator.pump.at_rest()
            assert run.id in orchestrator.ended_runs.released
            again = await orchestrator.resume(folder(tmp_path))
            assert again.state is RunState.PARTIALLY_FAILED
            await again.retry("b")
            assert (await again.finished()).state is RunState.COMPLETED

    asyncio.run(main())


def test_the_limits_of_its_groups_hold_when_it_goes_on(tmp_path: Path) -> None:
    ended(tmp_path / "a", "b")
    (tmp_path / "a" / "fleet.db").unlink()

    async def main() -> None:
        async with engine(tmp_path / "a", Moody()) as orchestrator:
            await orchestrator.resume(folder(tmp_path / "a"))
            assert orchestrator.pump.scheduler.fleet.groups == {"rigs": 1}

    asyncio.run(main())


def test_its_rules_are_detached_as_those_of_any_run_whose_program_is_gone(tmp_path: Path) -> None:
    async def first() -> None:
        async with engine(tmp_path, Moody("b")) as orchestrator:
            run = await orchestrator.start(chain(), run_id=RUN, paused=True)
            await run.attach(RuleAgent(read_rules([MORE])), asks=())
            await run.start()
            await run.finished()

    async def second() -> None:
        async with engine(tmp_path, Moody()) as orchestrator:
            run = await orchestrator.resume(folder(tmp_path))
            assert run.facts.cycles is not None
            assert not run.facts.cycles.agents
            await run.retry("b")
            assert (await run.finished()).state is RunState.COMPLETED
            assert "y" not in run.facts.graph

    asyncio.run(first())
    asyncio.run(second())
    checked_fold(FoldedRun(RUN), whole_stream(tmp_path))


def test_one_that_a_program_has_open_is_not_taken_up_twice(tmp_path: Path) -> None:
    ended(tmp_path, "b")

    async def main() -> None:
        async with engine(tmp_path, Moody()) as orchestrator:
            await orchestrator.resume(folder(tmp_path))
            assert not record(folder(tmp_path)).can_reopen
            with pytest.raises(JournalInUse, match="in use by this program itself"):
                await orchestrator.resume(folder(tmp_path))

    asyncio.run(main())

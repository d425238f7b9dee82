"""A journal that fails: the engine halts at the last commit, says why, and goes on from there with nothing lost."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import task as make
from tests.virtual_time import engine, pass_time, run
from tests.waiting import until
from typing_extensions import override

from starloom import (
    AddTask,
    CommandRefused,
    InProcessDevice,
    JournalError,
    MemoryJournal,
    NullJournal,
    Plan,
    Retry,
    RunState,
    SimulatedDevice,
    Task,
    TaskContext,
)
from starloom.model.result import Outcome
from starloom.scheduling.restore import restore
from starloom.testing import independent, layered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.events import Event

FULL = "The disk is full. Free some space and retry."


class Recording(MemoryJournal):
    """A journal that can fail from a certain turn on."""

    def __init__(self, fail_at: int | None = None) -> None:
        super().__init__()
        self.fail_at = fail_at

    @override
    def commit(self, events: Sequence[Event]) -> None:
        if self.fail_at is not None and len(self.turns) >= self.fail_at:
            self.failure = FULL
        super().commit(events)

    def repair(self) -> None:
        self.failure = self.fail_at = None


class Counting:
    """A device whose handler notes each execution, by task."""

    def __init__(self, slots: int | None = None, seconds: float = 1.0) -> None:
        self.executions: Counter[str] = Counter()
        self.seconds = seconds
        self.device = InProcessDevice("here", slots=slots, handlers={"noop": self.work})

    async def work(self, task: Task, _context: TaskContext) -> Any:
        self.executions[task.id] += 1
        await asyncio.sleep(self.seconds)
        return task.id


# ---- halting


@pytest.mark.expects_log
def test_a_failed_commit_halts_the_engine_which_says_why(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        journal = Recording()
        async with engine(SimulatedDevice("d"), journal=journal) as orchestrator:
            handle = await orchestrator.start(independent(3, simulate=1.0))
            journal.failure = FULL
            with pytest.raises(JournalError, match="Free some space"):
                await handle.finished()
            assert str(orchestrator.halted) == FULL
            with pytest.raises(CommandRefused, match="halted: The disk is full") as refusal:
                await handle.pause()
            assert refusal.value.code == "halted"

    run(main())
    assert FULL in caplog.text


@pytest.mark.expects_log
def test_of_a_turn_that_was_not_committed_nothing_is_published_or_started() -> None:
    async def main() -> None:
        counting, journal = Counting(slots=1), Recording()
        async with engine(counting.device, journal=journal) as orchestrator:
            heard: list[Event] = []
            orchestrator.events.subscribe(heard.append)
            handle = await orchestrator.start(independent(3))
            await pass_time(0.5)
            told = len(heard)
            journal.failure = FULL
            await until(lambda: orchestrator.halted)
            await pass_time(10)
            assert len(heard) == told
            assert dict(counting.executions) == {"t0": 1}
            assert not handle.state.has_ended

    run(main())


@pytest.mark.expects_log
@pytest.mark.parametrize("outcome", [Outcome(), Outcome(took=4.0, ended_ago=0.001)])
def test_what_ends_while_it_is_halted_has_ended_then_and_not_when_it_goes_on(outcome: Outcome) -> None:
    class Measured(SimulatedDevice):
        @override
        async def run(self, task: Task, context: TaskContext) -> Outcome:
            await asyncio.sleep(4.0)
            return outcome

    async def main() -> None:
        journal = Recording()
        async with engine(Measured("here"), journal=journal) as orchestrator:
            handle = await orchestrator.start(layered(2, 1))
            first, second = handle.facts.graph.ids
            await pass_time(1)
            began = handle.facts.started_at[0]
            journal.failure = FULL
            await pass_time(13)
            assert orchestrator.halted is not None
            journal.repair()
            orchestrator.retry_commit()
            assert handle.task(first).status == "completed"
            facts = handle.facts
            assert facts.started_at[0] == began
            assert facts.ended_at[0] == pytest.approx(began + 4.0, abs=0.01)
            assert facts.started_at[1] == pytest.approx(began + 14.0, abs=0.1), f"{second} waited for the disk"

    run(main())


@pytest.mark.expects_log
def test_while_it_is_halted_what_can_be_read_is_the_last_commit() -> None:
    """The turn that could not be committed ended the run: nobody may read that it has ended."""

    async def main() -> None:
        journal = Recording()
        async with engine(SimulatedDevice("d"), journal=journal) as orchestrator:
            handle = await orchestrator.start(independent(1, simulate=1.0))
            waiting = asyncio.ensure_future(handle.finished())
            journal.failure = FULL
            await until(lambda: orchestrator.halted)
            assert (handle.task("t0").status, handle.state) == ("running", RunState.EXECUTING)
            with pytest.raises(JournalError):
                await waiting

    run(main())


@pytest.mark.expects_log
def test_results_that_arrive_while_it_is_halted_are_kept_and_the_run_completes_after_a_retry() -> None:
    async def main() -> None:
        counting, journal = Counting(slots=4), Recording()
        async with engine(counting.device, journal=journal) as orchestrator:
            handle = await orchestrator.start(independent(10))
            await pass_time(0.5)
            journal.failure = FULL
            await pass_time(100)
            assert sum(counting.executions.values()) == 4, "what ran has ended meanwhile; nothing was started"
            journal.failure = None
            orchestrator.retry_commit()
            summary = await handle.finished()
            assert (summary.state, summary.tasks.completed) == (RunState.COMPLETED, 10)
            assert set(counting.executions.values()) == {1}, "nothing ran twice"
            assert {handle.results[f"t{n}"].value for n in range(10)} == {f"t{n}" for n in range(10)}, (
                "nothing was lost"
            )

    run(main())


@pytest.mark.expects_log
@pytest.mark.parametrize("turn", range(3, 30, 2))
def test_wherever_the_journal_fails_the_run_completes_after_a_retry_with_nothing_lost_or_run_twice(turn: int) -> None:
    async def main() -> None:
        counting, journal = Counting(slots=3, seconds=0.3), Recording(fail_at=turn)
        async with engine(counting.device, journal=journal, max_concurrency=4) as orchestrator:
            plan = layered(4, 4, seed=turn)
            try:
                handle = await orchestrator.start(plan)
            except JournalError:  # which it has said; nothing was made
                journal.repair()
                orchestrator.retry_commit()
                handle = await orchestrator.start(plan)
            for _ in range(50):
                await pass_time(1)
                if orchestrator.halted is not None:
                    journal.repair()
                    orchestrator.retry_commit()
            summary = await handle.finished()
            assert (summary.state, summary.tasks.completed) == (RunState.COMPLETED, 16)
            assert set(counting.executions.values()) == {1}
            twin = restore(journal.committed())
            assert twin.runs[handle.id].run.canonical() == handle.facts.canonical()
            seqs = [event.seq for event in journal.committed() if event.run_id == handle.id]
            assert seqs == list(range(1, len(seqs) + 1))

    run(main())


@pytest.mark.expects_log
def test_what_a_subscriber_hears_has_no_gap_where_the_engine_was_halted() -> None:
    async def main() -> None:
        journal = Recording()
        async with engine(SimulatedDevice("d", slots=2), journal=journal) as orchestrator:
            heard: list[Event] = []
            handle = await orchestrator.start(Plan(), hold_open=True)
            orchestrator.events.subscribe(heard.append)
            await handle.edit(*(AddTask(task) for task in independent(6, simulate=1.0).tasks))
            journal.failure = FULL
            await until(lambda: orchestrator.halted)
            await pass_time(5)
            journal.failure = None
            orchestrator.retry_commit()
            await handle.hold_open(False)
            await handle.finished()
            seqs = [event.seq for event in heard if event.run_id == handle.id]
            assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))

    run(main())


@pytest.mark.expects_log
def test_a_retry_that_fails_again_says_so_and_loses_nothing() -> None:
    async def main() -> None:
        counting, journal = Counting(slots=1), Recording()
        async with engine(counting.device, journal=journal) as orchestrator:
            handle = await orchestrator.start(independent(3))
            journal.failure = FULL
            await until(lambda: orchestrator.halted)
            for _ in range(3):
                with pytest.raises(JournalError, match="disk is full"):
                    orchestrator.retry_commit()
                assert orchestrator.halted is not None
            journal.failure = None
            orchestrator.retry_commit()
            assert orchestrator.halted is None
            assert (await handle.finished()).tasks.completed == 3
            assert set(counting.executions.values()) == {1}

    run(main())


def test_a_retry_while_all_is_well_changes_nothing() -> None:
    async def main() -> None:
        journal = Recording()
        async with engine(SimulatedDevice("d"), journal=journal) as orchestrator:
            before = orchestrator.pump.scheduler
            orchestrator.retry_commit()
            assert orchestrator.pump.scheduler is before

    run(main())


@pytest.mark.expects_log
def test_timeouts_and_backoffs_go_on_after_a_halt() -> None:
    async def main() -> None:
        journal = Recording()
        async with engine(SimulatedDevice("d", slots=3), journal=journal) as orchestrator:
            flaky = make("flaky", simulate={"duration": 1, "fail_attempts": 1}, retry=Retry(attempts=2, delay=20))
            tasks = [flaky, make("slow", simulate=1000, timeout=30), make("trigger", simulate=5)]
            handle = await orchestrator.start(Plan(tasks=tasks))
            await pass_time(2)
            journal.failure = FULL
            await pass_time(8)
            journal.failure = None
            orchestrator.retry_commit()
            await handle.finished()
            flaky_again = handle.task("flaky").attempts[1]
            assert flaky_again.started == pytest.approx(21.0, abs=0.1)
            assert handle.task("slow").attempts[0].ended == pytest.approx(30.0, abs=0.1)

    run(main())


@pytest.mark.expects_log
def test_refused_submissions_stay_counted_and_admission_stays_closed_after_a_retry() -> None:
    async def main() -> None:
        journal = Recording()
        async with engine(SimulatedDevice("d"), journal=journal, max_queue=1) as orchestrator:
            handle = await orchestrator.start(independent(2, simulate=5.0))
            with pytest.raises(CommandRefused):
                await orchestrator.start(independent(1, simulate=1.0))
            journal.failure = FULL
            await until(lambda: orchestrator.halted)
            journal.failure = None
            orchestrator.retry_commit()
            assert orchestrator.counters().rejected == 1
            shutting = asyncio.ensure_future(orchestrator.shutdown())
            await pass_time(1)
            assert not orchestrator.pump.scheduler.admitting
            await handle.finished()
            await shutting

    run(main())


@pytest.mark.expects_log
def test_a_journal_that_keeps_nothing_cannot_be_gone_back_to_and_says_so() -> None:
    class Failing(NullJournal):
        failure: str | None = None

        @override
        def commit(self, events: Sequence[Event]) -> None:
            if self.failure:
                raise JournalError(self.failure)

    async def main() -> None:
        journal = Failing()
        async with engine(SimulatedDevice("d"), journal=journal) as orchestrator:
            handle = await orchestrator.start(independent(2, simulate=1.0))
            journal.failure = FULL
            with pytest.raises(JournalError):
                await handle.finished()
            journal.failure = None
            with pytest.raises(JournalError, match="keeps no journal"):
                orchestrator.retry_commit()
            assert orchestrator.halted is not None

    run(main())

"""A journal that takes its time: nothing is done or told before it is kept, and the next turn waits."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import task as make
from tests.virtual_time import engine, run
from typing_extensions import override

from starloom import AddTask, CommandRefused, InProcessDevice, JournalError, Plan, RunState, Task, TaskContext
from starloom.events import RunEnded, Snapshot, TaskCompleted
from starloom.journal.base import MemoryJournal
from starloom.scheduling.restore import restore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.events import Event


class Slow(MemoryJournal):
    """Keeps a turn when it is told to, once it is told to take its time."""

    def __init__(self) -> None:
        super().__init__()
        self.is_slow = False
        self.pending: tuple[Future[None], tuple[Event, ...]] | None = None

    @override
    def commit(self, events: Sequence[Event]) -> Any:
        if not self.is_slow:
            super().commit(events)
            return None
        assert self.pending is None, "a second commit was asked for before the first was done"
        self.pending = Future(), tuple(events)
        return self.pending[0]

    def keep(self) -> None:
        """The pending turn is kept."""
        assert self.pending is not None
        (done, events), self.pending = self.pending, None
        self.turns.append(events)
        done.set_result(None)

    def refuse(self, error: BaseException) -> None:
        """The pending turn cannot be kept."""
        assert self.pending is not None
        (done, _), self.pending = self.pending, None
        done.set_exception(error)

    async def keep_all(self) -> None:
        """Keep whatever comes until nothing does."""
        self.is_slow = False
        while self.pending is not None:
            self.keep()
            await rest()


async def rest() -> None:
    """Let everything happen that can happen now."""
    for _ in range(20):
        await asyncio.sleep(0)


class Workers:
    def __init__(self) -> None:
        self.began: list[str] = []
        self.gate = asyncio.Event()

    async def work(self, task: Task, _context: TaskContext) -> Any:
        self.began.append(task.id)
        await self.gate.wait()


def plan() -> Plan:
    return Plan(tasks=(make("a"), make("b")), dependencies=({"parent": "a", "child": "b"},))  # type: ignore[arg-type]


def test_nothing_is_done_or_told_before_it_is_kept_and_what_arrives_meanwhile_is_the_next_turn() -> None:
    async def main() -> None:
        journal, workers = Slow(), Workers()
        async with engine(InProcessDevice("here", handlers={"noop": workers.work}), journal=journal) as orchestrator:
            told: list[Event] = []
            orchestrator.events.subscribe(told.append, TaskCompleted, RunEnded)
            handle = await orchestrator.start(plan(), paused=True)
            journal.is_slow = True
            starting = asyncio.ensure_future(handle.start())
            await rest()
            assert workers.began == []
            assert not starting.done()
            editing = asyncio.ensure_future(handle.edit(AddTask(make("c"))))
            await rest()
            assert orchestrator.pump.is_committing
            journal.keep()
            await rest()
            assert workers.began == ["a"]
            assert starting.done()
            assert not editing.done()
            journal.keep()
            await rest()
            assert workers.began == ["a", "c"]
            assert editing.done()
            workers.gate.set()
            await rest()
            assert told == []
            await journal.keep_all()
            assert (await handle.finished()).state is RunState.COMPLETED
            await orchestrator.events.drained()
            assert [type(event).__name__ for event in told] == ["TaskCompleted"] * 3 + ["RunEnded"]

    run(main())


@pytest.mark.expects_log
def test_facts_are_read_at_a_commit_though_turns_follow_one_another() -> None:
    """Also where a turn waits for that very commit, and after one that failed."""

    async def main() -> None:
        journal, workers = Slow(), Workers()
        async with engine(InProcessDevice("here", handlers={"noop": workers.work}), journal=journal) as orchestrator:
            handle = await orchestrator.start(plan(), paused=True)
            pump, read = orchestrator.pump, list[bool]()

            def note() -> None:
                live, kept = pump.facts(handle.id), restore(journal.committed()).run(handle.id)
                read.append(live.canonical() == kept.canonical())

            pump.at_commit(note)
            assert read == [True], "at once"
            journal.is_slow = True
            giving = [asyncio.ensure_future(handle.start()), asyncio.ensure_future(handle.edit(AddTask(make("c"))))]
            await rest()
            giving.append(asyncio.ensure_future(handle.pause()))
            pump.at_commit(note)
            await rest()
            assert read == [True], "it is being committed"
            journal.keep()
            await rest()
            assert read == [True, True]
            assert pump.is_committing, "the next one"
            pump.at_commit(note)
            journal.refuse(JournalError("The disk is full."))
            await rest()
            assert read == [True, True, True]
            journal.is_slow = False
            workers.gate.set()
            orchestrator.retry_commit()
            await asyncio.gather(*giving, return_exceptions=True)
            await handle.resume()
            await handle.finished()

    run(main())


def test_who_subscribes_meanwhile_is_told_everything_once() -> None:
    async def main() -> None:
        journal, workers = Slow(), Workers()
        workers.gate.set()
        async with engine(InProcessDevice("here", handlers={"noop": workers.work}), journal=journal) as orchestrator:
            handle = await orchestrator.start(plan(), paused=True)
            journal.is_slow = True
            starting = asyncio.ensure_future(handle.start())
            await rest()
            told: list[Event] = []
            orchestrator.events.subscribe(told.append)
            await journal.keep_all()
            await handle.finished()
            await orchestrator.events.drained()
            await starting
            snapshot, *rest_of_it = [event for event in told if event.run_id == handle.id]
            assert isinstance(snapshot, Snapshot)
            assert [event.seq for event in rest_of_it] == list(range(snapshot.seq + 1, handle.facts.seq + 1))

    run(main())


@pytest.mark.expects_log
def test_a_turn_that_turns_out_not_to_be_kept_halts_the_engine_at_the_last_commit() -> None:
    async def main() -> None:
        journal, workers = Slow(), Workers()
        async with engine(InProcessDevice("here", handlers={"noop": workers.work}), journal=journal) as orchestrator:
            handle = await orchestrator.start(plan(), paused=True)
            journal.is_slow = True
            starting = asyncio.ensure_future(handle.start())
            await rest()
            journal.refuse(JournalError("The disk is full."))
            await rest()
            assert "disk is full" in str(orchestrator.halted)
            assert handle.state is RunState.READY
            assert workers.began == []
            assert restore(journal.committed()).run(handle.id).canonical() == handle.facts.canonical()
            with pytest.raises(JournalError, match="disk is full"):
                await handle.finished()
            with pytest.raises(CommandRefused, match="disk is full"):
                await starting
            journal.is_slow = False
            workers.gate.set()
            orchestrator.retry_commit()
            await handle.start()
            assert (await handle.finished()).state is RunState.COMPLETED

    run(main())


def test_a_shutdown_waits_for_what_is_being_kept() -> None:
    async def main() -> None:
        journal, workers = Slow(), Workers()
        async with engine(InProcessDevice("here", handlers={"noop": workers.work}), journal=journal) as orchestrator:
            handle = await orchestrator.start(plan())
            await rest()
            journal.is_slow = True
            ending = asyncio.ensure_future(orchestrator.shutdown("now"))
            while not ending.done():
                await rest()
                if journal.pending is not None:
                    journal.keep()
            await ending
        assert restore(journal.committed()).run(handle.id).state is RunState.CANCELLED

    run(main())

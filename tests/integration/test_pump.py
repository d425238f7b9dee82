"""The pump: nothing happens before it is committed, and what is ordered is carried out in order."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import task as make
from tests.virtual_time import engine, loop, pass_time, run
from typing_extensions import override

from starloom import (
    InProcessDevice,
    MemoryJournal,
    Plan,
    Retry,
    RunState,
    SimulatedDevice,
    Task,
    TaskContext,
    TaskStarted,
)
from starloom import events as ev
from starloom.scheduling.restore import restore
from starloom.testing import chain, independent, layered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.events import Event

FULL = "The disk is full. Free some space and retry."


class Recording(MemoryJournal):
    """A journal that counts how often it was to commit something."""

    def __init__(self) -> None:
        super().__init__()
        self.attempts = 0

    @override
    def commit(self, events: Sequence[Event]) -> None:
        self.attempts += 1
        super().commit(events)


# ---- commit first


def test_an_attempt_begins_only_after_its_start_was_committed() -> None:
    journal = Recording()

    async def look(task: Task, _context: TaskContext) -> None:
        committed = [event.task_id for event in journal.committed() if isinstance(event, TaskStarted)]
        assert task.id in committed

    async def main() -> None:
        device = InProcessDevice("here", handlers={"noop": look})
        async with engine(device, journal=journal, max_concurrency=3) as orchestrator:
            handle = await orchestrator.start(layered(5, 5))
            assert (await handle.finished()).state is RunState.COMPLETED

    run(main())


def test_nobody_hears_of_what_was_not_committed() -> None:
    async def main() -> None:
        journal = Recording()
        async with engine(SimulatedDevice("d", slots=3), journal=journal) as orchestrator:
            ahead: list[Event] = []

            def check(event: Event) -> None:
                if not isinstance(event, ev.Snapshot) and event not in set_of_ids(journal):
                    ahead.append(event)

            orchestrator.events.subscribe(check)
            handle = await orchestrator.start(chain(5, simulate=1.0))
            await handle.finished()
            assert ahead == []

    run(main())


def set_of_ids(journal: MemoryJournal) -> Any:
    class Committed:
        def __contains__(self, event: Event) -> bool:
            return any(event is one for one in journal.committed())

    return Committed()


def test_a_command_is_answered_after_its_commit() -> None:
    async def main() -> None:
        journal = Recording()
        async with engine(SimulatedDevice("d"), journal=journal) as orchestrator:
            handle = await orchestrator.start(independent(2, simulate=1.0))
            await handle.pause()
            assert any(isinstance(event, ev.RunPaused) for event in journal.committed())
            await handle.resume()

    run(main())


def test_what_is_committed_is_enough_to_restore_the_state_after_every_turn() -> None:
    async def main() -> None:
        journal = Recording()
        flaky = make("flaky", simulate={"duration": 1, "fail_attempts": 1}, retry=Retry(attempts=2, delay=1))
        async with engine(SimulatedDevice("d", slots=2), journal=journal) as orchestrator:
            handle = await orchestrator.start(Plan(tasks=[*independent(5, simulate=0.7).tasks, flaky]))
            await handle.finished()
            twin = restore(journal.committed())
            assert twin.runs[handle.id].run.canonical() == handle.facts.canonical()

    run(main())


def test_turns_without_events_are_not_committed() -> None:
    async def main() -> None:
        journal = Recording()
        async with engine(SimulatedDevice("d"), journal=journal) as orchestrator:
            await orchestrator.start(independent(1, simulate=1.0))
            before = journal.attempts
            orchestrator.pump.post(_time_passed())
            await pass_time(0.5)
            assert journal.attempts == before

    run(main())


def _time_passed() -> Any:
    from starloom.scheduling.stimuli import TimePassed

    return TimePassed()


# ---- the order of what is carried out


def test_a_stop_for_what_the_same_turn_starts_is_not_lost() -> None:
    """A check of `max_queue` dispatches in the middle of a turn, so one turn can start a task and stop it."""

    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=None), max_queue=5) as orchestrator:
            first = await orchestrator.start(independent(1, simulate=1000.0), paused=True)
            await asyncio.gather(first.start(), orchestrator.start(independent(1, simulate=1.0)), first.cancel())
            await asyncio.wait_for(first.finished(), 10)
            assert first.state is RunState.CANCELLED

    run(main())


def test_a_subscriber_hears_a_start_and_the_stop_of_the_same_turn_in_order() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=None), max_queue=5) as orchestrator:
            heard: list[Event] = []
            first = await orchestrator.start(independent(1, simulate=1000.0), paused=True)
            orchestrator.events.subscribe(heard.append)
            await asyncio.gather(first.start(), orchestrator.start(independent(1, simulate=1.0)), first.cancel())
            await pass_time(1)
            if not first.state.has_ended:
                await orchestrator.shutdown("now")
            seqs = [event.seq for event in heard if event.run_id == first.id and not isinstance(event, ev.Snapshot)]
            assert seqs == sorted(seqs)

    run(main())


def test_an_alarm_rings_once_and_at_its_time() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=3)) as orchestrator:
            tasks = [make(f"t{n}", simulate=1000, timeout=timeout) for n, timeout in enumerate((30, 10, 20))]
            handle = await orchestrator.start(Plan(tasks=tasks))
            before = loop().wakeups
            await handle.finished()
            ends = {reading.id: reading.attempts[0].ended for reading in handle.tasks}
            assert ends == {"t0": pytest.approx(30), "t1": pytest.approx(10), "t2": pytest.approx(20)}
            assert loop().wakeups - before < 60

    run(main())


def test_a_timeout_of_no_time_stops_the_task_at_once() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            handle = await orchestrator.start(Plan(tasks=[make("a", simulate=10, timeout=0)]))
            await handle.finished()
            error = handle.results["a"].error
            assert error is not None
            assert error.code == "timeout"
            assert loop().time() < 1

    run(main())

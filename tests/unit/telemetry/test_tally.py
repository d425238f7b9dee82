"""The tally is a fold: what it knows is what the events said, also after some were missed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import task as make
from tests.virtual_time import engine, pass_time, run

from starloom import AddTask, MemoryJournal, Plan, RemoveTask, Retry, SimulatedDevice
from starloom import events as ev
from starloom.model.status import TaskStatus
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.telemetry.tally import Tally
from starloom.testing import independent

if TYPE_CHECKING:
    from collections.abc import Iterable


def told(*events: ev.Event) -> Tally:
    tally = Tally()
    for event in events:
        tally.tell(event)
    return tally


def ready(task_id: str, at: float, run_id: str = "r") -> ev.TaskReady:
    return ev.TaskReady(1, at, run_id, task_id)


def started(task_id: str, at: float, run_id: str = "r") -> ev.TaskStarted:
    return ev.TaskStarted(1, at, run_id, task_id, 1, "d", 0)


def test_a_wait_lasts_from_ready_to_started() -> None:
    tally = told(ready("a", 1.0), ready("b", 1.0), started("a", 1.0), started("b", 4.0))
    reading = tally.waits.reading()
    assert (reading.count, reading.sum, reading.last) == (2, 3.0, 3.0)
    assert tally.queued == 0


def test_a_task_whose_attempt_was_interrupted_waits_again() -> None:
    again = ev.TaskInterrupted(3, 5.0, "r", "a", 1)
    assert told(ready("a", 1.0), started("a", 1.0), again, started("a", 7.0)).waits.reading().sum == 2.0


def test_equal_ids_of_two_runs_are_two_tasks() -> None:
    tally = told(ready("a", 1.0), ready("a", 5.0, "other"), started("a", 2.0), started("a", 10.0, "other"))
    assert tally.waits.reading().sum == 1.0 + 5.0


def test_a_start_that_was_never_ready_is_not_guessed_at() -> None:
    assert told(started("a", 9.0)).waits.reading().count == 0


@pytest.mark.parametrize(
    "end",
    [
        ev.TaskCancelled(2, 2.0, "r", "a"),
        ev.TaskSkipped(2, 2.0, "r", "a"),
        ev.TaskMarked(2, 2.0, "r", "a", TaskStatus.COMPLETED),
        ev.TaskReset(2, 2.0, "r", "a"),
        ev.ConstellationModified(2, 2.0, "r", 1, (RemoveTask("a"),)),
        ev.RunEnded(2, 2.0, "r"),
    ],
    ids=lambda event: type(event).__name__,
)
def test_what_leaves_the_queue_without_starting_is_forgotten(end: ev.Event) -> None:
    tally = told(ready("a", 1.0), end)
    assert tally.queued == 0
    tally.tell(started("a", 9.0))
    assert tally.waits.reading().count == 0


def test_ends_are_counted_by_how_they_came_and_never_taken_back() -> None:
    tally = told(
        ev.TaskCompleted(1, 1.0, "r", "a"),
        ev.TaskFailed(1, 1.0, "r", "b"),
        ev.TaskReset(1, 2.0, "r", "b"),
        ev.TaskRetryScheduled(1, 3.0, "r", "b"),
        ev.TaskFailed(1, 4.0, "r", "b"),
        ev.TaskCancelled(1, 4.0, "r", "c"),
        ev.TaskSkipped(1, 4.0, "r", "d"),
        ev.TaskMarked(1, 5.0, "r", "d", TaskStatus.FAILED),
    )
    assert tally.endings == {"completed": 1, "failed": 3, "cancelled": 1, "skipped": 1}
    assert tally.retries == 1


def test_it_is_told_of_every_type_it_names() -> None:
    assert ev.TaskReady in Tally().kinds
    assert ev.Snapshot in Tally().kinds
    with pytest.raises(KeyError):
        told(ev.RunPaused(1, 1.0, "r"))


def events_of_a_busy_run() -> list[ev.Event]:
    """A run with a queue, retries, edits and a cancel, as its journal has it."""

    async def main() -> list[ev.Event]:
        journal = MemoryJournal()
        async with engine(SimulatedDevice("d", slots=2), journal=journal) as orchestrator:
            fail: Any = make("f", simulate={"duration": 1, "fail_attempts": 1}, retry=Retry(attempts=2, delay=3))
            plan = Plan(tasks=[*independent(9, simulate=0.7).tasks, fail])
            handle = await orchestrator.start(plan, run_id="r")
            await pass_time(0.9)
            await handle.cancel_tasks("t8")
            await handle.edit(AddTask(make("late", simulate=1)), RemoveTask("t7"))
            await handle.pause()
            await pass_time(3)
            await handle.resume()
            await handle.finished()
        return [event for event in journal.committed() if event.run_id == "r"]

    return run(main())


def tally_of(events: Iterable[ev.Event]) -> Tally:
    tally = Tally()
    for event in events:
        if type(event) in tally.kinds:
            tally.tell(event)
    return tally


def test_the_waits_of_a_real_run_are_as_many_as_its_attempts_and_nothing_stays_behind() -> None:
    events = events_of_a_busy_run()
    tally = tally_of(events)
    attempts = sum(isinstance(event, ev.TaskStarted) for event in events)
    assert tally.waits.reading().count == attempts > 9
    assert tally.waits.reading().sum > 0
    assert (tally.queued, tally.retries, tally.endings["cancelled"]) == (0, 1, 1)


def test_a_snapshot_stands_for_all_the_events_before_it() -> None:
    """Pauses apart, which the facts take off a task's time in the queue, and the tally does not."""
    events = [event for event in events_of_a_busy_run() if not isinstance(event, ev.RunEnded)]
    paused = next(place for place, event in enumerate(events) if isinstance(event, ev.RunPaused))
    for cut in range(1, paused):
        at, seq = events[cut - 1].at, events[cut - 1].seq
        view = fold(FoldedRun("r"), events[:cut])
        late = tally_of([ready("gone", 0.0), ev.Snapshot(seq, at, "r", 5, view), *events[cut:]])
        whole, begun = tally_of(events), tally_of(events[:cut])
        assert late.queued == whole.queued
        missed = begun.waits.reading()
        assert late.waits.reading().count == whole.waits.reading().count - missed.count
        assert late.waits.reading().sum == pytest.approx(whole.waits.reading().sum - missed.sum)


def test_a_snapshot_of_an_ended_run_leaves_nothing() -> None:
    async def main() -> ev.Snapshot:
        async with engine(SimulatedDevice("d")) as orchestrator:
            handle = await orchestrator.start(independent(2, simulate=1))
            await asyncio.wait_for(handle.finished(), 60)
            facts = handle.facts
            return ev.Snapshot(facts.seq, 9.0, "r", 3, FoldedRun.of(facts))

    assert told(ready("a", 1.0), run(main())).queued == 0

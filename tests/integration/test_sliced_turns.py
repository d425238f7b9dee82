"""Turns of large runs: the loop goes on while they are decided, and nobody sees half of one."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pytest
from tests.virtual_time import engine, run
from typing_extensions import override

from starloom import CommandRefused, JournalError, MemoryJournal, Orchestrator, RunState, SimulatedDevice
from starloom import events as ev
from starloom.constellation.edits import AddDependency, AddTask, EditBatch
from starloom.model.dependency import Dependency
from starloom.model.task import Simulate, Task
from starloom.orchestration import sliced_turn
from starloom.scheduling import commands as c
from starloom.scheduling.decide.questions import refusal
from starloom.scheduling.restore import restore
from starloom.scheduling.scheduler import Scheduler
from starloom.scheduling.state.codes import SKIPPED
from starloom.testing import layered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom import Plan, Run
    from starloom.events import Event
    from starloom.scheduling.state.run_facts import RunFacts

LAYERS, WIDTH = 20, 10
TASKS = LAYERS * WIDTH
FIRST = "l0-0"


@pytest.fixture(autouse=True)
def every_event_ends_a_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sliced_turn, "LARGE", TASKS - 1)
    monkeypatch.setattr(sliced_turn, "SLICE", 0.0)


def plan() -> Plan:
    return layered(LAYERS, WIDTH, simulate=1.0)


def first_layer() -> tuple[str, ...]:
    return tuple(f"l0-{place}" for place in range(WIDTH))


async def turns_of_the_loop_until(done: asyncio.Future[Any]) -> int:
    turns = 0
    while not done.done():
        turns += 1
        await asyncio.sleep(0)
    return turns


async def in_the_middle(handle: Run) -> None:
    """Wait until something of a turn is decided, and not all of it."""
    while not skipped(handle):  # noqa: ASYNC110 - each slice is an iteration of the loop
        await asyncio.sleep(0)
    assert skipped(handle) < TASKS


def skipped(handle: Run) -> int:
    return handle.facts.status.count(SKIPPED)


def test_the_loop_goes_on_while_a_large_turn_is_decided_and_its_events_are_those_of_any_turn() -> None:
    async def main() -> None:
        journal = MemoryJournal()
        async with engine(SimulatedDevice("d"), journal=journal) as orchestrator:
            handle = await orchestrator.start(plan(), paused=True)
            told: list[Event] = []
            orchestrator.events.subscribe(told.append)
            command = c.SkipTasks(run_id=handle.id, task_ids=first_layer())
            alone = Scheduler()
            alone.handle([c.CreateRun(run_id=handle.id, plan=plan(), start=False)], 0.0)
            expected = alone.handle([command], 0.0).events
            asked = asyncio.ensure_future(orchestrator.pump.ask(command))
            assert await turns_of_the_loop_until(asked) > TASKS
            await asked
            assert [type(event) for event in journal.turns[-1]] == [type(event) for event in expected]
            assert [event for event in told if isinstance(event, ev.TaskSkipped)] == [
                event for event in journal.turns[-1] if isinstance(event, ev.TaskSkipped)
            ]
            assert restore(journal.committed()).runs[handle.id].run.canonical() == handle.facts.canonical()

    run(main())


def test_what_arrives_meanwhile_is_decided_afterwards() -> None:
    async def main() -> None:
        journal = MemoryJournal()
        async with engine(SimulatedDevice("d"), journal=journal) as orchestrator:
            handle = await orchestrator.start(plan(), paused=True)
            skipping = asyncio.ensure_future(handle.skip(*first_layer()))
            await in_the_middle(handle)
            committed = len(journal.turns)
            retrying = asyncio.ensure_future(handle.retry(FIRST))
            await asyncio.gather(skipping, retrying)
            kinds = [{type(event) for event in turn} for turn in journal.turns[committed:]]
            assert ev.TaskSkipped in kinds[0]
            assert ev.TaskReset not in kinds[0]
            assert ev.TaskReset in kinds[1]

    run(main())


def test_who_subscribes_in_the_middle_is_told_each_event_once() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            handle = await orchestrator.start(plan(), paused=True)
            skipping = asyncio.ensure_future(handle.skip(FIRST))
            await in_the_middle(handle)
            told: list[Event] = []
            orchestrator.events.subscribe(told.append)
            await skipping
            await asyncio.sleep(1)
            numbers = [event.seq for event in told if not isinstance(event, ev.Snapshot)]
            snapshot = next(event for event in told if isinstance(event, ev.Snapshot))
            assert numbers == list(range(snapshot.seq + 1, handle.facts.seq + 1))

    run(main())


def test_what_is_foreseen_in_the_middle_is_foreseen_after_the_whole_turn() -> None:
    async def main() -> None:
        async with Orchestrator([SimulatedDevice("d", slots=WIDTH)]) as orchestrator:
            handle = await orchestrator.start(plan(), paused=True)
            skipping = asyncio.ensure_future(handle.skip(FIRST))
            await in_the_middle(handle)
            projection = await handle.project()
            await skipping
            assert projection.tasks.keys() == (await handle.project()).tasks.keys()

    asyncio.run(main())


def test_reasons_are_given_in_the_middle_too() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            handle = await orchestrator.start(plan(), paused=True)
            skipping = asyncio.ensure_future(handle.skip(*first_layer()))
            await in_the_middle(handle)
            asked = 0
            while not skipping.done():
                assert all(handle.why(task.id) for task in plan().tasks)
                asked += 1
                await asyncio.sleep(0)
            assert asked > 1

    run(main())


class Full(MemoryJournal):
    """A journal that keeps nothing more once it is full."""

    is_full = False

    @override
    def commit(self, events: Sequence[Event]) -> None:
        if self.is_full:
            raise JournalError("The disk is full. Free some space and retry.")
        super().commit(events)


@pytest.mark.expects_log
def test_a_large_turn_that_cannot_be_committed_has_not_happened() -> None:
    async def main() -> None:
        journal = Full()
        async with engine(SimulatedDevice("d"), journal=journal) as orchestrator:
            handle = await orchestrator.start(plan(), paused=True)
            before = handle.facts.canonical()
            journal.is_full = True
            with pytest.raises(Exception, match="The disk is full"):
                await handle.skip(*first_layer())
            assert orchestrator.pump.halted is not None
            assert orchestrator.pump.facts(handle.id).canonical() == before
            journal.is_full = False
            orchestrator.pump.retry()
            await handle.skip(*first_layer())
            assert skipped(handle) == TASKS

    run(main())


@pytest.mark.expects_log
def test_a_defect_in_a_large_turn_halts_the_engine_at_the_last_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda *_: None)
        async with engine(SimulatedDevice("d"), journal=MemoryJournal()) as orchestrator:
            handle = await orchestrator.start(plan(), paused=True)
            before = handle.facts.canonical()
            handle_turn = orchestrator.pump.scheduler.handle

            def fails(*given: Any) -> Any:
                handle_turn(*given)
                raise ZeroDivisionError

            monkeypatch.setattr(orchestrator.pump.scheduler, "handle", fails, raising=False)
            with pytest.raises(Exception, match="This is a defect"):
                await handle.skip(*first_layer())
            assert orchestrator.pump.facts(handle.id).canonical() == before

    run(main())


def test_the_end_of_a_task_that_failed_is_decided_in_slices_and_that_of_one_that_completed_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slices: list[bool] = []
    go_on = sliced_turn.SlicedTurn.go_on

    def counted(turn: sliced_turn.SlicedTurn) -> bool:
        slices.append(go_on(turn))
        return slices[-1]

    monkeypatch.setattr(sliced_turn.SlicedTurn, "go_on", counted)

    async def main(outcome: str) -> RunState:
        one = layered(LAYERS, WIDTH)
        simulate = Simulate(duration=1.0, outcome=outcome)  # type: ignore[arg-type]
        one = replace(one, tasks=tuple(replace(task, call=None, simulate=simulate) for task in one.tasks))
        async with engine(SimulatedDevice("d", slots=WIDTH)) as orchestrator:
            return (await (await orchestrator.start(one)).finished()).state

    assert run(main("completed")) is RunState.COMPLETED
    assert not slices
    assert run(main("failed")) is RunState.FAILED
    assert len(slices) > TASKS / 2


# ---- within one event

MANY: Final = 1_500
EVERYTHING: Final = tuple(f"l{layer}-{place}" for layer in range(MANY // WIDTH) for place in range(WIDTH))
HELD: Final = c.HoldTasks(run_id="r", task_ids=EVERYTHING[::2])
OF_ONE_EVENT: Final = (
    c.SetPriority(run_id="r", task_ids=EVERYTHING[::2], priority=80),
    c.PinTasks(run_id="r", task_ids=EVERYTHING[::2], device_id="d"),
    c.ReleaseTasks(run_id="r", task_ids=EVERYTHING[::2]),
    c.EditConstellation(
        run_id="r",
        batch=EditBatch(
            edits=(
                AddTask(Task(id="end", call="noop")),
                *(AddDependency(Dependency(parent=parent, child="end")) for parent in EVERYTHING[::2]),
            )
        ),
    ),
)


def seen(run: RunFacts) -> tuple[Any, ...]:
    """What commands to many tasks change."""
    edges = sum(map(len, run.graph.parents)), sum(map(len, run.graph.children))
    steered = bytes(run.status), bytes(run.priority), frozenset(run.held), dict(run.pins)
    return *steered, tuple(run.unmet), len(run.graph), edges, run.revision


@pytest.mark.parametrize("command", OF_ONE_EVENT, ids=lambda command: type(command).__name__)
def test_the_loop_goes_on_within_the_event_of_a_command_and_nobody_sees_half_of_it(command: c.Command) -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            handle = await orchestrator.start(layered(MANY // WIDTH, WIDTH), run_id="r", paused=True)
            if isinstance(command, c.ReleaseTasks):
                await orchestrator.pump.ask(HELD)
            before, seq = seen(handle.facts), handle.facts.seq
            asked = asyncio.ensure_future(orchestrator.pump.ask(command))
            scheduler = orchestrator.pump.scheduler
            pictures = []
            while not asked.done():
                pictures.append(seen(handle.facts))
                refused = refusal(scheduler, c.HoldTasks(run_id="r", task_ids=(FIRST, "nobody")))
                assert refused is not None, "who asks meanwhile is answered at once"
                assert refused.code == "unknown_task"
                assert all(handle.why(task_id) for task_id in EVERYTHING[:20])
                await asyncio.sleep(0)
            assert len(pictures) > 6
            assert handle.facts.seq == seq + 1
            assert {str(one) for one in pictures} <= {str(before), str(seen(handle.facts))}

    run(main())


def test_a_command_with_many_ids_of_which_the_last_is_none_is_refused_after_several_slices() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            handle = await orchestrator.start(layered(MANY // WIDTH, WIDTH), run_id="r", paused=True)
            before = handle.facts.canonical()
            with pytest.raises(CommandRefused, match="no task 'nobody'"):
                await orchestrator.pump.ask(c.HoldTasks(run_id="r", task_ids=(*EVERYTHING * 3, "nobody")))
            assert handle.facts.canonical() == before

    run(main())

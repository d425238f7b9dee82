"""Edits and steering while tasks really run: nothing stops, nothing is lost, nothing runs twice."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest
from tests.driver import task as make
from tests.virtual_time import engine, loop, pass_time, run
from tests.waiting import until

from starloom import (
    AddDependency,
    AddTask,
    Dependency,
    EditRefused,
    InProcessDevice,
    Plan,
    RemoveDependency,
    RemoveTask,
    RunState,
    SimulatedDevice,
    Task,
    TaskContext,
    TaskStarted,
    UpdateTask,
)
from starloom import events as ev
from starloom.testing import chain, independent


def timed(name: str, seconds: float = 1.0, **fields: Any) -> Task:
    return make(name, simulate=seconds, **fields)


def edge(parent: str, child: str) -> AddDependency:
    return AddDependency(Dependency(parent=parent, child=child))


def test_a_chain_that_grows_while_it_runs_runs_every_link_once() -> None:
    executions: Counter[str] = Counter()

    async def work(task: Task, _context: TaskContext) -> None:
        executions[task.id] += 1
        await asyncio.sleep(0.01)

    async def main() -> None:
        async with engine(InProcessDevice("here", handlers={"noop": work})) as orchestrator:
            handle = await orchestrator.start(chain(3), hold_open=True)
            for number in range(3, 100):
                await handle.edit(AddTask(make(f"t{number}", call="noop")), edge(f"t{number - 1}", f"t{number}"))
                await pass_time(0.007)
            await handle.hold_open(False)
            summary = await handle.finished()
            assert (summary.state, summary.tasks.completed) == (RunState.COMPLETED, 100)
            assert set(executions.values()) == {1}
            assert handle.revision == 97

    run(main())


def test_a_plan_is_not_changed_by_edits_of_its_run() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=1)) as orchestrator:
            plan = Plan(
                tasks=[timed(name) for name in "abc"], dependencies=[Dependency(parent="a", child=c) for c in "bc"]
            )
            children, parents = [list(of_one) for of_one in plan.index.children], list(map(list, plan.index.parents))
            handle = await orchestrator.start(plan)
            await handle.edit(AddTask(timed("d")), edge("a", "d"), edge("b", "c"), RemoveDependency("a", "c"))
            assert (plan.index.children, plan.index.parents) == (children, parents)
            assert [task.id for task in plan.tasks] == ["a", "b", "c"]
            assert (await handle.finished()).tasks.completed == 4

    run(main())


def test_a_completion_in_the_moment_of_an_edit_is_not_lost() -> None:
    """In the seed an edit made a new graph, and a completion noted on the old one vanished with it."""

    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=None)) as orchestrator:
            plan = Plan(
                tasks=[timed(name) for name in "abcde"],
                dependencies=[Dependency(parent=p, child=c) for p, c in ("bc", "de", "ae")],
            )
            handle = await orchestrator.start(plan)
            await pass_time(0.999)
            edits = [handle.edit(AddTask(timed(f"new{n}", 0.1)), edge("b", f"new{n}")) for n in range(5)]
            await asyncio.gather(*edits)
            await pass_time(0.002)
            await handle.edit(AddTask(timed("late", 0.1)), edge("d", "late"))
            summary = await handle.finished()
            assert (summary.state, summary.tasks.completed) == (RunState.COMPLETED, 11)
            assert summary.scheduler.attempts == 11

    run(main())


def test_a_removed_task_is_never_dispatched_and_its_replacement_is() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            started: list[str] = []
            orchestrator.events.subscribe(lambda event: started.append(event.task_id), TaskStarted)
            handle = await orchestrator.start(Plan(tasks=[timed("a"), timed("old"), timed("z")]))
            await pass_time(0.5)
            await handle.edit(RemoveTask("old"), AddTask(timed("replacement")))
            await handle.finished()
            assert started == ["a", "z", "replacement"]

    run(main())


def test_an_edit_stops_nothing_that_runs() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=None)) as orchestrator:
            handle = await orchestrator.start(independent(10, simulate=1.0))
            await pass_time(0.5)
            for number in range(20):
                await handle.edit(AddTask(timed(f"n{number}", 0.1)))
            await handle.finished()
            assert loop().time() == pytest.approx(1.0, abs=0.05)
            assert {len(reading.attempts) for reading in handle.tasks} == {1}

    run(main())


def test_an_unrelated_edit_delays_nobody() -> None:
    """In the seed a task waited for whatever edit was open anywhere in the graph."""

    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=None)) as orchestrator:
            handle = await orchestrator.start(
                Plan(
                    tasks=[timed("y1", 0.1), timed("y2", 0.1), timed("x", 5)],
                    dependencies=[Dependency(parent="y1", child="y2")],
                )
            )
            await handle.edit(AddTask(timed("after_x", 0.1)), edge("x", "after_x"))
            await until(lambda: handle.task("y2").status == "completed")
            assert handle.task("y2").attempts[0].started == pytest.approx(0.1, abs=0.02)
            await handle.finished()

    run(main())


def test_a_refused_batch_leaves_no_trace_in_a_running_graph() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            handle = await orchestrator.start(Plan(tasks=[timed("a"), timed("b")]))
            before = handle.facts.graph.canonical_bytes()
            with pytest.raises(EditRefused) as refusal:
                await handle.edit(AddTask(timed("fine")), edge("b", "a"), UpdateTask("nobody", priority=1))
            assert len(refusal.value.problems) == 2
            assert handle.facts.graph.canonical_bytes() == before
            assert handle.revision == 0
            assert (await handle.finished()).tasks.total == 2

    run(main())


def test_an_undone_edit_gives_the_same_graph_back_while_others_run() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            handle = await orchestrator.start(chain(4, simulate=1.0))
            await pass_time(0.5)
            before = handle.facts.graph.canonical_bytes()
            receipt = await handle.edit(RemoveTask("t2"), AddTask(timed("new")), edge("t1", "new"))
            assert handle.facts.graph.canonical_bytes() != before
            await handle.apply(receipt.inverse)
            assert handle.facts.graph.canonical_bytes() == before
            assert (await handle.finished()).tasks.completed == 4

    run(main())


def test_adding_to_an_ended_run_reopens_it_and_finished_waits_for_the_new_end() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            handle = await orchestrator.start(independent(1, simulate=1.0))
            await handle.finished()
            reopened: list[Any] = []
            orchestrator.events.subscribe(reopened.append, ev.RunReopened)
            await handle.edit(AddTask(timed("more")), edge("t0", "more"))
            summary = await handle.finished()
            assert (summary.tasks.completed, len(reopened)) == (2, 1)

    run(main())


def test_steering_works_on_tasks_that_wait_while_others_run() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d"), SimulatedDevice("e")) as orchestrator:
            started: list[tuple[str, str]] = []
            orchestrator.events.subscribe(lambda event: started.append((event.task_id, event.device_id)), TaskStarted)
            tasks = [timed("on_d", 2, device="d"), timed("on_e", 2, device="e"), *independent(4, simulate=1.0).tasks]
            handle = await orchestrator.start(Plan(tasks=tasks))
            await handle.hold("t0")
            await handle.set_priority("t3", priority="high")
            await handle.pin("t1", device="e")
            await handle.skip("t2")
            await pass_time(10)
            await handle.release("t0")
            await handle.finished()
            assert [name for name, _ in started] == ["on_d", "on_e", "t3", "t1", "t0"]
            assert dict(started)["t1"] == "e"

    run(main())


def test_a_task_cannot_be_changed_once_it_runs_or_has_ended() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            handle = await orchestrator.start(chain(3, simulate=1.0))
            await pass_time(1.5)
            for edit in (
                UpdateTask("t0", priority=1),
                UpdateTask("t1", timeout=1),
                RemoveTask("t1"),
                edge("t2", "t0"),
            ):
                with pytest.raises(EditRefused):
                    await handle.edit(edit)
            await handle.edit(UpdateTask("t2", priority=1))
            assert (await handle.finished()).tasks.completed == 3

    run(main())


def test_pausing_and_resuming_loses_nothing_and_runs_nothing_twice() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=3)) as orchestrator:
            handle = await orchestrator.start(independent(30, simulate=0.5))
            for _ in range(8):
                await pass_time(0.2)
                await handle.pause()
                await pass_time(1.0)
                assert handle.facts.running == 0
                await handle.resume()
            summary = await handle.finished()
            assert (summary.tasks.completed, summary.scheduler.attempts) == (30, 30)

    run(main())


def test_a_device_removed_in_the_middle_of_a_run_ends_nothing() -> None:
    """In the seed it ended the whole run with an error."""

    async def main() -> None:
        async with engine(SimulatedDevice("d"), SimulatedDevice("e")) as orchestrator:
            handle = await orchestrator.start(independent(6, simulate=1.0))
            await orchestrator.fleet.drain("e")
            await until(lambda: orchestrator.fleet.devices["e"].used == 0)
            await orchestrator.fleet.remove("e")
            await pass_time(0.1)
            await orchestrator.fleet.add(SimulatedDevice("f", slots=2))
            assert (await handle.finished()).state is RunState.COMPLETED
            assert {reading.device_id for reading in handle.tasks} == {"d", "e", "f"}

    run(main())

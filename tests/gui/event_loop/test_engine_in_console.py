"""The whole engine inside Qt's loop: runs end, local processes are watched, edits land while Qt paints."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QTimer
from tests.driver import task as make
from tests.gui.event_loop.loops import OURS, run_on
from tests.waiting import until

from starloom import (
    AddDependency,
    AddTask,
    Dependency,
    InProcessDevice,
    LocalDevice,
    Orchestrator,
    Plan,
    RunState,
    SimulatedDevice,
    Task,
    TaskContext,
    TaskStarted,
)
from starloom.settings import SchedulerSettings
from starloom.testing import chain, independent

if TYPE_CHECKING:
    from collections.abc import Iterator

SHELL = "/bin/sh"


@pytest.fixture(params=OURS)
def factory(app, request):
    return OURS[request.param]


@pytest.fixture
def frames(app) -> Iterator[list[int]]:
    """A timer of Qt that ticks meanwhile, as a window's does."""
    ticks: list[int] = []
    timer = QTimer()
    timer.timeout.connect(lambda: ticks.append(1))
    timer.start(2)
    yield ticks
    timer.stop()


def engine(*devices: Any) -> Orchestrator:
    return Orchestrator(devices, settings=SchedulerSettings())


def edge(parent: str, child: str) -> AddDependency:
    return AddDependency(Dependency(parent=parent, child=child))


def mixed_plan() -> Plan:
    """Two hundred tasks: layers of calls, commands and waiting, each depending on two of the layer before."""
    tasks: list[Task] = []
    needs: list[Dependency] = []
    for layer in range(10):
        for place in range(20):
            kind = place % 4
            name = f"t{layer}-{place}"
            if kind == 0:
                tasks.append(Task(id=name, command=(SHELL, "-c", f"echo {name}"), device="machine"))
            elif kind == 1:
                tasks.append(make(name, simulate=0.001, device="sim"))
            else:
                tasks.append(make(name, call="work", device="here"))
            if layer:
                parents = {place, (place + 7) % 20}
                needs += [Dependency(parent=f"t{layer - 1}-{parent}", child=name) for parent in sorted(parents)]
    return Plan(tasks=tasks, dependencies=needs)


@pytest.mark.skipif(os.name != "posix", reason="runs commands of a POSIX shell")
def test_a_plan_of_two_hundred_tasks_of_all_kinds_runs_to_its_end(factory, frames):
    executions: Counter[str] = Counter()

    async def work(task: Task, _context: TaskContext) -> str:
        executions[task.id] += 1
        await asyncio.sleep(0)
        return task.id

    async def main() -> None:
        devices = (
            InProcessDevice("here", handlers={"work": work}),
            LocalDevice("machine", slots=4),
            SimulatedDevice("sim", slots=None),
        )
        async with engine(*devices) as orchestrator:
            told: list[str] = []
            orchestrator.events.subscribe(lambda event: told.append(event.task_id), TaskStarted)
            run = await orchestrator.start(mixed_plan())
            summary = await run.finished()
            assert (summary.state, summary.tasks.completed) == (RunState.COMPLETED, 200)
            await orchestrator.events.drained()
            assert Counter(told) == Counter(reading.id for reading in run.tasks)
            for place in range(0, 20, 4):
                result = run.task(f"t9-{place}").result
                assert result is not None
                assert result.output == f"t9-{place}\n"

    run_on(factory, main)
    assert set(executions.values()) == {1}
    assert len(executions) == 100
    assert frames


@pytest.mark.skipif(os.name != "posix", reason="runs commands of a POSIX shell")
def test_a_running_process_is_stopped_and_nothing_is_left(factory):
    async def main() -> None:
        async with engine(LocalDevice("machine")) as orchestrator:
            heard = asyncio.Event()
            orchestrator.channel.listen(lambda _chunk: heard.set())
            run = await orchestrator.start(Plan(tasks=[make("t", command=(SHELL, "-c", "echo up; sleep 3600"))]))
            await heard.wait()
            await run.cancel()
            assert (await run.finished()).state is RunState.CANCELLED

    run_on(factory, main)


def test_a_chain_that_grows_while_it_runs_runs_every_link_once(factory, frames):
    executions: Counter[str] = Counter()

    async def work(task: Task, _context: TaskContext) -> None:
        executions[task.id] += 1
        await asyncio.sleep(0.001)

    async def main() -> None:
        async with engine(InProcessDevice("here", handlers={"noop": work})) as orchestrator:
            run = await orchestrator.start(chain(3), hold_open=True)
            for number in range(3, 100):
                await run.edit(AddTask(make(f"t{number}", call="noop")), edge(f"t{number - 1}", f"t{number}"))
                if number % 3 == 0:
                    await asyncio.sleep(0.001)
            await run.hold_open(False)
            summary = await run.finished()
            assert (summary.state, summary.tasks.completed) == (RunState.COMPLETED, 100)
            assert run.revision == 97

    run_on(factory, main)
    assert set(executions.values()) == {1}
    assert frames


def test_edits_and_steering_from_slots_reach_a_running_plan(factory):
    """As an operator's clicks do: no task of asyncio is running when they come."""

    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=2)) as orchestrator:
            run = await orchestrator.start(independent(40, simulate=0.002))
            clicks = iter(
                [
                    lambda: run.pause(),
                    lambda: run.edit(AddTask(make("new", simulate=0.001)), edge("t39", "new")),
                    lambda: run.hold("t38"),
                    lambda: run.resume(),
                    lambda: run.release("t38"),
                ]
            )
            asked: list[asyncio.Task[Any]] = []
            mouse = QTimer()

            def click() -> None:
                if not all(one.done() for one in asked):
                    return  # an operator, too, waits for an answer
                verb = next(clicks, None)
                if verb is None:
                    mouse.stop()
                else:
                    asked.append(asyncio.create_task(verb()))

            mouse.timeout.connect(click)
            mouse.start(1)
            await until(lambda: not mouse.isActive())
            await asyncio.gather(*asked)
            summary = await run.finished()
            assert (summary.tasks.completed, summary.scheduler.attempts) == (41, 41)

    run_on(factory, main)

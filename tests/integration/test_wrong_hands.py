"""What a newcomer hands over by mistake (a name for a class, a path for a plan) is refused at once, with a sentence."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.virtual_time import engine
from tests.virtual_time import run as run_in_virtual_time

from starloom import CommandRefused, DeviceError, InProcessDevice, Orchestrator, Plan, Task

if TYPE_CHECKING:
    from starloom import TaskContext

ASKED: dict[str, tuple[Any, str]] = {
    "a path as plan": (lambda engine: engine.start("plan.yaml"), "load_plan"),
    "no plan": (lambda engine: engine.start(None), "no plan"),
    "an id as task": (lambda engine: engine.submit("build"), "it is no task either"),
    "a number as task": (lambda engine: engine.submit(5), "5 is no task"),
    "a coroutine as task": (lambda engine: engine.submit(_square(None, None)), "inputs="),  # type: ignore[arg-type]
    "a plain function as task": (lambda engine: engine.submit(print), "async def"),
    "a handler's name with a slip": (lambda engine: engine.submit("sqaure"), "'square'"),
    "a field that tasks do not have": (lambda engine: engine.submit("square", prioirty=1), "'priority'"),
    "fields beside a task": (lambda engine: engine.submit(Task(id="b", call="square"), timeout=1), "takes no timeout"),
}
WATCHED: dict[str, tuple[Any, str]] = {
    "a number to call": (lambda engine: engine.events.subscribe(5), "cannot be called"),
    "the name of an event": (lambda engine: engine.events.subscribe(print, "TaskCompleted"), "not its name"),
    "a class that is no event": (lambda engine: engine.events.subscribe(print, Plan), "no type of event"),
}


async def _square(task: Task, _context: TaskContext) -> int:
    return int(task.inputs["n"]) ** 2


async def _wait(_task: Task, _context: TaskContext) -> None:
    await asyncio.Event().wait()


@pytest.mark.parametrize("what", ASKED)
def test_what_is_no_plan_or_task_is_refused_and_the_engine_goes_on(what: str) -> None:
    ask, said = ASKED[what]

    async def main() -> None:
        async with engine(InProcessDevice("here", handlers={"square": _square})) as orchestrator:
            with pytest.raises(CommandRefused, match=said):
                await ask(orchestrator)
            assert (await orchestrator.submit(Task(id="a", call="square", inputs={"n": 3}))).value == 9

    run_in_virtual_time(main())


@pytest.mark.parametrize("what", WATCHED)
def test_a_subscription_that_could_never_be_told_anything_is_refused(what: str) -> None:
    subscribe, said = WATCHED[what]

    async def main() -> None:
        async with engine() as orchestrator:
            with pytest.raises(CommandRefused, match=said):
                subscribe(orchestrator)

    run_in_virtual_time(main())


def test_what_is_no_device_is_refused() -> None:
    async def main() -> None:
        async with engine() as orchestrator:
            with pytest.raises(DeviceError, match="'here' is no device"):
                await orchestrator.fleet.add("here")  # type: ignore[arg-type]
            assert not orchestrator.fleet.devices

    run_in_virtual_time(main())


def test_limits_of_an_engine_that_is_not_open_are_refused_with_a_sentence() -> None:
    with pytest.raises(CommandRefused, match="not open"):
        asyncio.run(Orchestrator().set_limits(max_concurrency=2))


def test_a_task_that_ran_until_it_was_cancelled_counts_as_work_and_on_the_critical_path() -> None:
    async def main() -> None:
        async with engine(InProcessDevice("here", handlers={"wait": _wait})) as orchestrator:
            run = await orchestrator.start(Plan(name="p", tasks=(Task(id="a", call="wait"), Task(id="b", call="wait"))))
            await asyncio.sleep(3)  # virtual seconds
            await run.cancel_tasks("a")
            await asyncio.sleep(2)
            await run.cancel()
            summary = await run.finished()
            assert summary.statistics.total_work == pytest.approx(sum(device.busy_s for device in summary.devices))
            assert summary.statistics.critical_path_length == pytest.approx(summary.makespan_s)
            assert "cancelled: 0 of 2 tasks completed" in repr(summary)

    run_in_virtual_time(main())

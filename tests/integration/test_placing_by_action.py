"""Real devices that can do different things in one fleet: a task goes only where its action runs."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

from tests.integration.local_harness import BOUND, posix_only
from typing_extensions import override

from starloom import Orchestrator, Plan, RunState, Task, TaskStatus
from starloom.devices.base import Device, TaskContext
from starloom.devices.ended import failed
from starloom.devices.inprocess import InProcessDevice
from starloom.devices.local import LocalDevice
from starloom.devices.wrapped import WrappedDevice
from starloom.events import DeviceActionsChanged, TaskInterrupted, TaskStarted
from starloom.model.result import DONE, ErrorCode, Outcome
from starloom.model.task import Simulate
from starloom.settings import SchedulerSettings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.events import Event
    from starloom.orchestration.run import Run


async def _ran(devices: Iterable[Device], tasks: Iterable[Task]) -> tuple[Run, list[Event]]:
    """A run that has ended, with its events."""
    events: list[Event] = []
    async with asyncio.timeout(BOUND), Orchestrator(devices, settings=SchedulerSettings()) as orchestrator:
        orchestrator.events.subscribe(events.append)
        run = await orchestrator.start(Plan(tasks=tuple(tasks)))
        await run.finished()
    return run, events


@posix_only
def test_of_twenty_python_tasks_on_a_local_and_a_wrapped_device_none_fails() -> None:
    devices = (LocalDevice("here", slots=2), WrappedDevice("there", wrapper=("env",), slots=2))
    tasks = [Task(id=f"t{number}", python="os.path:basename", inputs={"p": "a/b"}) for number in range(20)]
    run, events = asyncio.run(_ran(devices, tasks))
    assert run.state is RunState.COMPLETED
    started = [event for event in events if isinstance(event, TaskStarted)]
    assert [event.device_id for event in started] == ["here"] * 20


@posix_only
def test_commands_still_go_to_both() -> None:
    devices = (LocalDevice("here", slots=1), WrappedDevice("there", wrapper=("env",), slots=1))
    tasks = [Task(id=f"t{number}", command=(sys.executable, "-c", "pass")) for number in range(4)]
    run, events = asyncio.run(_ran(devices, tasks))
    assert run.state is RunState.COMPLETED
    assert {event.device_id for event in events if isinstance(event, TaskStarted)} == {"here", "there"}


def test_a_call_waits_for_the_handler_that_is_registered_later() -> None:
    async def scenario() -> None:
        device = InProcessDevice("here")

        async def greet(_task: Task, _context: TaskContext) -> str:
            return "hello"

        async with asyncio.timeout(BOUND), Orchestrator([device], settings=SchedulerSettings()) as orchestrator:
            run = await orchestrator.start(Plan(tasks=(Task(id="t", call="greet"),)))
            (reason, *_) = run.why("t")
            assert reason.code == "no_device"
            assert "'greet'" in reason.text
            device.register("greet", greet)
            await run.finished()
            assert run.results["t"].value == "hello"

    asyncio.run(scenario())


class _Choosy(Device):
    """Declares nothing, and says of python tasks only when it gets one that it cannot do them."""

    kind = "choosy"

    @override
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        return DONE if task.python is None else failed(ErrorCode.UNSUPPORTED, "no python here")


def test_what_a_device_says_it_cannot_do_is_done_elsewhere_and_costs_no_attempt() -> None:
    devices = (_Choosy("choosy", slots=4), LocalDevice("here", slots=1))
    tasks = [Task(id=f"t{number}", python="os.path:basename", inputs={"p": "a/b"}) for number in range(20)]
    run, events = asyncio.run(_ran(devices, tasks))
    assert run.state is RunState.COMPLETED
    assert {one.status for one in run.tasks} == {TaskStatus.COMPLETED}
    interrupted = [event for event in events if isinstance(event, TaskInterrupted)]
    assert 1 <= len(interrupted) <= 4  # as many as it has slots, and never again
    assert all("no python here" in event.reason for event in interrupted)
    (changed,) = {event.unsupported for event in events if isinstance(event, DeviceActionsChanged)}
    assert changed == ("python",)


class _Broken(Device):
    """Fails whatever it is given, at once, before it begins."""

    kind = "broken"

    @override
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        return failed(ErrorCode.START_FAILED, "no disk", by_device=True)


def test_a_device_that_fails_everything_at_once_costs_no_task_while_another_works() -> None:
    devices = (_Broken("broken", slots=4), LocalDevice("here", slots=1))
    run, _ = asyncio.run(_ran(devices, [Task(id=f"t{number}", simulate=Simulate(0.001)) for number in range(40)]))
    assert run.state is RunState.COMPLETED

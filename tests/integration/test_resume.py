"""Going on with a run in another engine: a picture of the journal is taken while the first one still runs."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import task as make
from tests.waiting import until
from typing_extensions import override

from starloom import CommandRefused, InProcessDevice, Orchestrator, Plan, RunState, Task, TaskContext
from starloom.errors import DeviceError
from starloom.events import RunRecovered, TaskInterrupted
from starloom.journal.base import JournalError, NullJournal
from starloom.journal.library import Library
from starloom.model.device import DeviceSpec
from starloom.model.plan import Limits
from starloom.model.result import Outcome, Result
from starloom.settings import SchedulerSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine
    from pathlib import Path

    from starloom.orchestration.run import Run

RUN = "the run"


class Gated(InProcessDevice):
    """Runs tasks until their gates are opened, and knows what became of some attempts of earlier programs."""

    def __init__(self, **known: Outcome) -> None:
        super().__init__("here", slots=4, handlers={"noop": self.work})
        self.began: list[str] = []
        self.gates: dict[str, asyncio.Event] = {}
        self.known = known
        self.asked: list[tuple[str, int]] = []
        self.released: list[str] = []
        self.trouble: DeviceError | None = None

    async def work(self, task: Task, context: TaskContext) -> Any:
        assert context.kept is not None
        self.began.append(task.id)
        await self.gates.setdefault(task.id, asyncio.Event()).wait()
        return task.id

    def open(self, *names: str) -> None:
        for name in names:
            self.gates.setdefault(name, asyncio.Event()).set()

    @override
    async def recover(self, task: Task, context: TaskContext) -> Outcome | None:
        assert context.kept is not None
        self.asked.append((task.id, context.attempt))
        if self.trouble is not None:
            raise self.trouble
        return self.known.get(task.id)

    @override
    def release(self, kept: Path) -> None:
        self.released.append(kept.name.split("-")[0])


@asynccontextmanager
async def engine(directory: Path, *devices: Any, **settings: Any) -> AsyncIterator[Orchestrator]:
    with Library(directory) as library:
        orchestrator = Orchestrator(devices, journal=library, settings=SchedulerSettings(**settings))
        await orchestrator.open()
        try:
            yield orchestrator
        finally:
            await orchestrator.shutdown("now")


def dies(
    tmp_path: Path,
    plan: Plan,
    live: Callable[[Orchestrator, Run, Gated], Coroutine[Any, Any, None]],
) -> Path:
    """Run a plan in one engine, and take a picture of its journals when `live` is over; returns where that is."""

    async def main() -> None:
        device = Gated()
        async with engine(tmp_path / "first", device) as orchestrator:
            handle = await orchestrator.start(plan, run_id=RUN)
            await live(orchestrator, handle, device)
            shutil.copytree(tmp_path / "first", tmp_path / "picture")

    asyncio.run(main())
    return tmp_path / "picture"


def folder(directory: Path) -> Path:
    (found,) = (directory / "runs").iterdir()
    return found


def abc() -> Plan:
    return Plan(
        name="abc",
        tasks=(make("a"), make("b"), make("c", retry=1)),
        dependencies=({"parent": "a", "child": "b"}, {"parent": "a", "child": "c"}),  # type: ignore[arg-type]
    )


async def a_ended(_orchestrator: Orchestrator, _run: Run, device: Gated) -> None:
    device.open("a")
    await until(lambda: set(device.began) == {"a", "b", "c"})


def test_it_goes_on_where_it_was_and_what_is_certain_is_adopted(tmp_path: Path) -> None:
    picture = dies(tmp_path, abc(), a_ended)

    async def main() -> None:
        device = Gated(b=Outcome(result=Result(value="b of the first")))
        device.open("c")
        events: list[Any] = []
        async with engine(picture, device) as orchestrator:
            orchestrator.events.subscribe(events.append, RunRecovered, TaskInterrupted)
            handle = await orchestrator.resume(folder(picture))
            assert handle.id == RUN
            assert orchestrator.run(RUN) is handle
            summary = await handle.finished()
            assert summary.state is RunState.COMPLETED
            assert {name: result.value for name, result in handle.results.items()} == {
                "a": "a",
                "b": "b of the first",
                "c": "c",
            }
            assert [attempt.status for attempt in handle.task("c").attempts] == ["interrupted", "completed"]
        assert device.began == ["c"]
        assert sorted(device.asked) == [("b", 1), ("c", 1)]
        assert sorted(device.released) == ["b", "c", "c"]
        assert [type(event) for event in events] == [RunRecovered, TaskInterrupted]

    asyncio.run(main())


def test_it_can_be_gone_on_with_again_by_a_third_engine(tmp_path: Path) -> None:
    picture = dies(tmp_path, abc(), a_ended)

    async def second() -> None:
        device = Gated()
        device.open("b")
        async with engine(picture, device) as orchestrator:
            handle = await orchestrator.resume(folder(picture))
            await until(lambda: handle.task("b").status == "completed")
            shutil.copytree(picture, tmp_path / "third")

    async def third() -> None:
        device = Gated()
        device.open("c")
        async with engine(tmp_path / "third", device) as orchestrator:
            handle = await orchestrator.resume(folder(tmp_path / "third"))
            assert (await handle.finished()).state is RunState.COMPLETED
            assert len(handle.facts.sessions) == 3
        assert device.asked == [("c", 2)]

    asyncio.run(second())
    asyncio.run(third())


def test_a_paused_run_with_holds_limits_and_pins_stays_so(tmp_path: Path) -> None:
    async def steered(_orchestrator: Orchestrator, handle: Run, device: Gated) -> None:
        await until(lambda: device.began == ["a"])
        await handle.hold("b")
        await handle.set_limit(1)
        await handle.set_priority("c", priority=90)
        await handle.pause()
        device.open("a")
        await until(lambda: handle.task("a").status == "completed")

    picture = dies(tmp_path, abc(), steered)

    async def main() -> None:
        device = Gated()
        device.open("b", "c")
        async with engine(picture, device) as orchestrator:
            handle = await orchestrator.resume(folder(picture))
            assert handle.state is RunState.PAUSED
            assert (handle.task("b").is_held, handle.facts.limit, handle.task("c").priority) == (True, 1, 90)
            assert device.began == []
            await handle.resume()
            await until(lambda: handle.facts.stalled)
            assert device.began == ["c"]
            await handle.release("b")
            assert (await handle.finished()).state is RunState.COMPLETED

    asyncio.run(main())


def test_what_an_operator_said_of_the_fleet_holds_in_the_next_engine(tmp_path: Path) -> None:
    async def first() -> None:
        async with engine(tmp_path, Gated(), max_queue=7) as orchestrator:
            await orchestrator.fleet.drain("here")
            await orchestrator.fleet.set_slots("here", 2)
            await orchestrator.set_limits(max_concurrency=3, groups={"gpu": 1})

    async def second(expected: int | None, **settings: Any) -> None:
        async with engine(tmp_path, Gated(), **settings) as orchestrator:
            facts = orchestrator.fleet.devices["here"]
            assert (facts.draining, facts.slots) == (True, 2)
            fleet = orchestrator.pump.scheduler.fleet
            assert (fleet.max_concurrency, fleet.groups, fleet.max_queue) == (expected, {"gpu": 1}, 0)

    asyncio.run(first())
    asyncio.run(second(3))
    asyncio.run(second(5, max_concurrency=5))  # for this time only
    asyncio.run(second(3))


def test_the_plans_own_devices_come_back(tmp_path: Path) -> None:
    plan = Plan(
        tasks=(Task(id="s", simulate={"duration": 600}, device="sim"), make("x")),  # type: ignore[arg-type]
        devices=(DeviceSpec(id="sim", kind="simulated", slots=1, options={}),),
        limits=Limits(groups={"g": 1}),
    )

    async def runs(_orchestrator: Orchestrator, handle: Run, _device: Gated) -> None:
        await until(lambda: handle.task("s").status == "running")

    picture = dies(tmp_path, plan, runs)

    async def main() -> None:
        async with engine(picture, Gated()) as orchestrator:
            handle = await orchestrator.resume(folder(picture))
            assert set(orchestrator.fleet.devices) == {"here", "sim"}
            assert handle.task("s").device_id == "sim"
            assert len(handle.task("s").attempts) == 2
            assert orchestrator.pump.scheduler.fleet.groups == {"g": 1}

    asyncio.run(main())


def test_while_something_is_left_that_cannot_be_ended_nothing_goes_on(tmp_path: Path) -> None:
    picture = dies(tmp_path, abc(), a_ended)

    async def main() -> None:
        device = Gated()
        device.trouble = DeviceError("Process 7 of 'b' cannot be ended. End it and resume again.")
        async with engine(picture, device) as orchestrator:
            with pytest.raises(DeviceError, match="Process 7"):
                await orchestrator.resume(folder(picture))
            assert orchestrator.runs == {}
            device.trouble = None
            device.open("b", "c")
            handle = await orchestrator.resume(folder(picture))
            assert (await handle.finished()).state is RunState.COMPLETED

    asyncio.run(main())


class Unreachable(Gated):
    """Cannot be connected."""

    @override
    async def connect(self) -> None:
        raise DeviceError("Nobody answers.")


def test_a_device_that_cannot_be_reached_is_waited_for_by_nobody_and_nothing_is_guessed(tmp_path: Path) -> None:
    picture = dies(tmp_path, abc(), a_ended)

    async def main() -> None:
        async with engine(picture, Unreachable()) as orchestrator:
            with pytest.raises(DeviceError, match=r"'here' cannot be reached, .* what became of '[bc]'"):
                await orchestrator.resume(folder(picture))

    asyncio.run(main())


def test_an_attempt_of_a_device_that_is_gone_is_interrupted(tmp_path: Path) -> None:
    picture = dies(tmp_path, abc(), a_ended)

    async def main() -> None:
        async with engine(picture) as orchestrator:
            handle = await orchestrator.resume(folder(picture))
            assert [handle.task(name).status for name in "abc"] == ["completed", "pending", "pending"]
            device = Gated()
            device.open("b", "c")
            await orchestrator.fleet.add(device)
            assert (await handle.finished()).state is RunState.COMPLETED

    asyncio.run(main())


def test_what_cannot_go_on_is_refused_with_a_sentence(tmp_path: Path) -> None:
    picture = dies(tmp_path, abc(), a_ended)

    async def main() -> None:
        async with engine(picture, Gated()) as orchestrator:
            with pytest.raises(JournalError, match=r"There is no run in .*nowhere"):
                await orchestrator.resume(tmp_path / "nowhere")
            with pytest.raises(JournalError, match="There was a run 'the run'"):
                await orchestrator.start(abc(), run_id=RUN)
        with Library(tmp_path / "begun") as library:
            library.prepare("nothing")
        async with engine(tmp_path / "begun", Gated()) as orchestrator:
            with pytest.raises(CommandRefused, match="has not begun"):
                await orchestrator.resume(folder(tmp_path / "begun"))
        async with Orchestrator(journal=NullJournal()) as orchestrator:
            with pytest.raises(JournalError, match="keeps no journal"):
                await orchestrator.resume(folder(picture))

    asyncio.run(main())


def test_a_run_that_is_here_already_is_not_taken_twice(tmp_path: Path) -> None:
    async def main() -> None:
        async with engine(tmp_path, Gated()) as orchestrator:
            await orchestrator.start(abc(), run_id=RUN)
            with pytest.raises(JournalError, match="in use by this program itself"):
                await orchestrator.resume(folder(tmp_path))

    asyncio.run(main())


def test_with_full_durability_all_is_the_same(tmp_path: Path) -> None:
    async def main() -> None:
        device = Gated()
        device.open("a", "b", "c")
        with Library(tmp_path, full=True) as library:
            async with Orchestrator([device], journal=library) as orchestrator:
                handle = await orchestrator.start(abc())
                seen: list[str] = []
                async for event in handle.events():
                    seen.append(type(event).__name__)
                assert (await handle.finished()).state is RunState.COMPLETED
                assert len(list(library.committed())) == handle.facts.seq + orchestrator.pump.scheduler.fleet.seq
        assert seen[0] == "Snapshot"
        assert seen[-1] == "RunEnded"

    asyncio.run(main())

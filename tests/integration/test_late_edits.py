"""Agents that change what already runs, at a running engine: tasks are really stopped, and another program goes on."""

from __future__ import annotations

import asyncio
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.test_edit_cycles import saying, timed
from tests.virtual_time import engine, loop, run

from starloom import Dependency, Library, LocalDevice, Orchestrator, Plan, SimulatedDevice, Task, UpdateTask
from starloom import events as ev
from starloom.model.status import Fence
from starloom.model.task import Simulate

if TYPE_CHECKING:
    from pathlib import Path

CHAIN = Plan(
    tasks=(timed("a"), timed("b", 10.0), timed("c")),
    dependencies=(Dependency(parent="a", child="b"), Dependency(parent="b", child="c")),
    fence=Fence.OPTIMISTIC,
)


def seconds_with(on_conflict: str, *edits: Any) -> tuple[float, list[str]]:
    """How long the run takes with an agent that thinks for 2 s, and which tasks started."""

    async def main() -> tuple[float, list[str]]:
        started: list[str] = []
        async with engine(SimulatedDevice("s", slots=2)) as orchestrator:
            orchestrator.events.subscribe(lambda event: started.append(event.task_id), ev.TaskStarted)
            handle = await orchestrator.start(CHAIN, paused=True)
            await handle.attach(saying(2.0, *edits), on_conflict=on_conflict)
            await handle.start()
            await handle.finished()
            assert {str(one.status) for one in handle.tasks} == {"completed"}
        return loop().time(), started

    return run(main())


@pytest.mark.parametrize(
    ("on_conflict", "seconds", "starts"),
    [("drop", 1 + 10 + 2 + 2, ["a", "b", "c"]), ("replace", 1 + 2 + 1 + 2 + 2, ["a", "b", "b", "c"])],
)
def test_a_task_that_turns_out_to_be_too_long_is_stopped_and_repeated_if_that_is_agreed(on_conflict, seconds, starts):
    found, started = seconds_with(on_conflict, UpdateTask("b", simulate=Simulate(duration=1.0)))
    assert started == starts
    assert found == pytest.approx(seconds, abs=0.2), "the end of c comes while the agent thinks about that of b"


def test_a_program_that_dies_while_it_stops_a_task_is_followed_by_one_that_replaces_it(tmp_path: Path):
    """The stop is committed; the task ends by it, or with its program."""
    script = "trap '' TERM; echo begun; sleep 60"
    plan = Plan(
        tasks=(Task(id="a", shell="true"), Task(id="b", shell=script)),
        dependencies=(Dependency(parent="a", child="b"),),
        fence=Fence.OPTIMISTIC,
    )

    async def first() -> None:
        with Library(tmp_path / "first") as library:
            async with Orchestrator([LocalDevice("d", grace=2.0)], journal=library) as engine:
                handle = await engine.start(plan, paused=True)
                stopping = asyncio.Event()
                engine.events.subscribe(lambda _: stopping.set(), ev.TaskStopping)
                await handle.attach(saying(0.2, UpdateTask("b", shell="true")), on_conflict="replace")
                await handle.start()
                await stopping.wait()
                shutil.copytree(tmp_path / "first", tmp_path / "second")  # what is there when the program dies
                await engine.shutdown("now")

    async def second() -> None:
        with Library(tmp_path / "second") as library:
            async with Orchestrator([LocalDevice("d")], journal=library) as engine:
                handle = await engine.resume(next((tmp_path / "second" / "runs").iterdir()))
                assert handle.task("b").attempts[0].status == "cancelled", "it had not ended when the program died"
                await handle.finished()
                assert {str(one.status) for one in handle.tasks} == {"completed"}
                assert handle.facts.graph.task("b").shell == "true"

    asyncio.run(first())
    asyncio.run(second())

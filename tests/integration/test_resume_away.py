"""A device that falls silent just as it is asked what became of attempts: it is waited for, and the run goes on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.test_resume import Gated, a_ended, abc, dies, engine, folder
from tests.waiting import until
from typing_extensions import override

from starloom.errors import DeviceError
from starloom.model.status import RunState

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.devices.base import TaskContext
    from starloom.model.result import Outcome
    from starloom.model.task import Task


class Silent(Gated):
    """Says nothing until its link is up; what runs there goes on."""

    lost_after = 3600.0

    def __init__(self) -> None:
        super().__init__()
        self.up = asyncio.Event()

    @override
    async def ping(self) -> None:
        await self.up.wait()

    @override
    async def recover(self, task: Task, context: TaskContext) -> Outcome | None:
        if not self.up.is_set():
            raise DeviceError("The link broke.")
        return await super().recover(task, context)

    @override
    async def reattach(self, task: Task, context: TaskContext) -> Any:
        if not self.up.is_set():
            raise DeviceError("The link broke.")
        return None


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("starloom.orchestration.resuming._PATIENCE", 0.05)


def test_one_that_is_silent_is_asked_again_once_it_answers(tmp_path: Path) -> None:
    picture = dies(tmp_path, abc(), a_ended)

    async def main() -> None:
        device = Silent()
        device.open("b", "c")
        async with engine(picture, device) as orchestrator:
            run = await orchestrator.resume(folder(picture))
            assert [run.task(name).status for name in "abc"] == ["completed", "running", "running"]
            assert device.asked == []
            device.up.set()
            assert (await run.finished()).state is RunState.COMPLETED
            assert sorted(name for name, _ in device.asked) == ["b", "c"]
            assert sorted(device.began) == ["b", "c"]

    asyncio.run(main())


def test_one_that_answers_and_still_cannot_say_keeps_the_run_from_going_on(tmp_path: Path) -> None:
    picture = dies(tmp_path, abc(), a_ended)

    async def main() -> None:
        device = Silent()
        device.up.set()
        device.trouble = DeviceError("Process 7 of 'b' cannot be ended.")
        async with engine(picture, device) as orchestrator:
            with pytest.raises(DeviceError, match="Process 7"):
                await orchestrator.resume(folder(picture))

    asyncio.run(main())


def test_one_whose_link_was_down_for_a_moment_is_asked_again_at_once(tmp_path: Path) -> None:
    picture = dies(tmp_path, abc(), a_ended)

    class Blinking(Silent):
        @override
        async def ping(self) -> None:
            self.up.set()

    async def main() -> None:
        device = Blinking()
        device.open("b", "c")
        async with engine(picture, device) as orchestrator:
            run = await orchestrator.resume(folder(picture))
            await until(lambda: run.state.has_ended)
            assert run.state is RunState.COMPLETED

    asyncio.run(main())

"""Several runs that are taken up at once: what goes on has its slot before anything else begins."""

from __future__ import annotations

import asyncio
import shutil
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.driver import task as make
from tests.integration.test_resume import engine
from tests.waiting import until
from typing_extensions import override

from starloom import InProcessDevice, Plan, Task, TaskContext
from starloom.errors import StarloomError
from starloom.journal.records import records
from starloom.model.result import Outcome, OutcomeStatus, Result
from starloom.orchestration.resuming import resume_together

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.devices.base import GoOn


class Two(InProcessDevice):
    """Runs two tasks at once, until the end; finds those alive that are named, while others have ended."""

    def __init__(self, *alive: str) -> None:
        super().__init__("here", slots=2, handlers={"noop": self.work})
        self.alive = alive
        self.now = self.peak = 0

    async def work(self, _task: Task, context: TaskContext) -> Any:
        assert context.kept is not None
        await self._run()

    async def _run(self) -> Outcome:
        self.now += 1
        self.peak = max(self.peak, self.now)
        try:
            await asyncio.Event().wait()
        finally:
            self.now -= 1
        raise AssertionError("it waits for ever")

    @override
    async def reattach(self, task: Task, context: TaskContext) -> GoOn | None:
        return self._run if task.id in self.alive else None

    @override
    async def recover(self, task: Task, context: TaskContext) -> Outcome | None:
        return Outcome(OutcomeStatus.COMPLETED, Result(value=1))


def left_behind(tmp_path: Path) -> Path:
    """Two runs, each with a task that runs; more of the newer one are to run."""

    async def main() -> None:
        async with engine(tmp_path / "first", Two()) as orchestrator:
            older = await orchestrator.start(Plan(name="older", tasks=(make("x"),)))
            await until(lambda: older.facts.running == 1)
            newer = await orchestrator.start(Plan(name="newer", tasks=(make("y"), make("z1"), make("z2"))))
            await until(lambda: newer.facts.running == 1)
            shutil.copytree(tmp_path / "first", tmp_path / "picture")

    asyncio.run(main())
    return tmp_path / "picture"


def test_no_run_begins_anything_where_an_attempt_of_another_one_goes_on(tmp_path: Path) -> None:
    picture = left_behind(tmp_path)

    async def main() -> None:
        device = Two("x")
        async with engine(picture, device) as orchestrator:
            newest_first = [one.folder for one in records(picture)]
            await resume_together([partial(orchestrator.resume, one) for one in newest_first])
            await until(lambda: device.now == 2)
            await orchestrator.pump.at_rest()
            assert device.peak == 2, "it has two slots"

    asyncio.run(main())


def test_one_that_does_not_go_on_keeps_no_other_one_from_it(tmp_path: Path) -> None:
    picture = left_behind(tmp_path)

    async def main() -> None:
        device = Two("x")
        async with engine(picture, device) as orchestrator:
            folders = [*(one.folder for one in records(picture)), tmp_path / "picture" / "runs" / "nothing"]
            *runs, refused = await resume_together([partial(orchestrator.resume, one) for one in folders])
            assert isinstance(refused, StarloomError)
            assert not any(isinstance(run, StarloomError) for run in runs)
            (again,) = await resume_together([partial(orchestrator.resume, folders[0])])
            assert isinstance(again, StarloomError), "it is here already"
            await until(lambda: device.now == 2)
            assert device.peak == 2

    asyncio.run(main())

"""Local commands with captured output through the engine, over the same commands by asyncio alone."""

from __future__ import annotations

import asyncio
import gc
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.benchmarks.measuring import Budget, Row, interleaved, row
from tests.benchmarks.workloads import Sizes, engine
from typing_extensions import override

from starloom.devices.base import TaskContext
from starloom.devices.local import LocalDevice
from starloom.model.plan import Plan
from starloom.model.status import RunState
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.model.result import Outcome

_TRUE: Final = shutil.which("true")
NOTHING: Final[tuple[str, ...]] = (_TRUE,) if _TRUE is not None else (sys.executable, "-c", "")
"""A program that does nothing."""
LOCAL_BUDGET: Final = Budget(0.8, at_least=True)


def local(sizes: Sizes) -> Iterator[Row]:
    """Commands a second."""
    plan = Plan(name="commands", tasks=tuple(Task(id=f"c{i}", command=NOTHING) for i in range(sizes.commands)))
    ours, kept, floor = interleaved(
        sizes.rounds,
        lambda: sizes.commands / asyncio.run(through_engine(plan, LocalDevice("machine", slots=sizes.at_once))),
        lambda: sizes.commands / time_kept(plan, sizes.at_once),
        lambda: sizes.commands / asyncio.run(by_asyncio(sizes.commands, sizes.at_once)),
    )
    title = f"{sizes.commands} runs of {' '.join(NOTHING)}, output captured, {sizes.at_once} at a time"
    for note, taken in (("", ours), (", with a journal: by a keeper", kept)):
        yield row(
            "local",
            title + note,
            "1/s",
            taken,
            floor,
            peer="asyncio.create_subprocess_exec and communicate",
            budget=LOCAL_BUDGET,
            more_is_better=True,
        )


class KeepingDevice(LocalDevice):
    """A local device whose attempts outlive the program, as they do with a journal, which has rows of its own."""

    folder: Path

    @override
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        """Run one attempt with files that are kept, and remove them."""
        kept = self.folder / f"{task.id}-{context.attempt}"
        mine = TaskContext(context.run_id, task.id, context.attempt, self.id, context.slot, kept=kept)
        outcome = await super().run(task, mine)
        self.release(kept)
        return outcome


def time_kept(plan: Plan, at_once: int) -> float:
    """Seconds for a plan of commands whose files are kept until each has ended."""
    device = KeepingDevice("machine", slots=at_once)
    with tempfile.TemporaryDirectory() as folder:
        device.folder = Path(folder)
        return asyncio.run(through_engine(plan, device))


async def through_engine(plan: Plan, device: LocalDevice) -> float:
    """Seconds for a plan of commands on a local device."""
    async with engine(None, device) as orchestrator:
        gc.collect()
        begun = time.perf_counter()
        run = await orchestrator.start(plan)
        await run.finished()
        seconds = time.perf_counter() - begun
        assert run.state is RunState.COMPLETED, run
    return seconds


async def by_asyncio(count: int, at_once: int) -> float:
    """Seconds for as many commands by asyncio alone, each of `at_once` loops running one after the other."""
    left = iter(range(count))
    gc.collect()
    begun = time.perf_counter()
    await asyncio.gather(*(_one_after_the_other(left) for _ in range(at_once)))
    return time.perf_counter() - begun


async def _one_after_the_other(left: Iterator[int]) -> None:
    pipe = asyncio.subprocess.PIPE
    for _ in left:
        process = await asyncio.create_subprocess_exec(*NOTHING, stdout=pipe, stderr=pipe)
        await process.communicate()
        assert process.returncode == 0

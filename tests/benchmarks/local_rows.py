"""Local commands with captured output through the engine, over the same commands by asyncio alone."""

from __future__ import annotations

import asyncio
import gc
import shutil
import sys
import time
from typing import TYPE_CHECKING, Final

from tests.benchmarks.measuring import Budget, Row, interleaved, row
from tests.benchmarks.workloads import Sizes, engine

from starloom.devices.local import LocalDevice
from starloom.model.plan import Plan
from starloom.model.status import RunState
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Iterator

_TRUE: Final = shutil.which("true")
NOTHING: Final[tuple[str, ...]] = (_TRUE,) if _TRUE is not None else (sys.executable, "-c", "")
"""A program that does nothing."""
LOCAL_BUDGET: Final = Budget(0.8, at_least=True)


def local(sizes: Sizes) -> Iterator[Row]:
    """Commands a second."""
    plan = Plan(name="commands", tasks=tuple(Task(id=f"c{i}", command=NOTHING) for i in range(sizes.commands)))
    ours, floor = interleaved(
        sizes.rounds,
        lambda: sizes.commands / asyncio.run(through_engine(plan, sizes.at_once)),
        lambda: sizes.commands / asyncio.run(by_asyncio(sizes.commands, sizes.at_once)),
    )
    yield row(
        "local",
        f"{sizes.commands} runs of {' '.join(NOTHING)}, output captured, {sizes.at_once} at a time",
        "1/s",
        ours,
        floor,
        peer="asyncio.create_subprocess_exec and communicate",
        budget=LOCAL_BUDGET,
        more_is_better=True,
    )


async def through_engine(plan: Plan, at_once: int) -> float:
    """Seconds for a plan of commands on the local device."""
    device = LocalDevice("machine", slots=at_once)
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

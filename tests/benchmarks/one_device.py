"""What the benchmarks of one kind of device have in common: a plan of equal tasks there, and a table of it alone."""

from __future__ import annotations

import argparse
import asyncio
import gc
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.benchmarks.measuring import Row, circumstances, say, table, write_json
from tests.benchmarks.workloads import engine

from starloom.model.plan import Plan
from starloom.model.status import RunState

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from starloom.devices.base import Device
    from starloom.model.task import Task

ROOT: Final = Path(__file__).parents[2]


async def through_engine(device: Device, task: Task, count: int) -> float:
    """Seconds for a plan of so many of a task."""
    plan = Plan(name="tasks", tasks=tuple(replace(task, id=f"t{i}") for i in range(count)))
    async with engine(None) as orchestrator:
        await orchestrator.fleet.add(device)
        gc.collect()
        begun = time.perf_counter()
        run = await orchestrator.start(plan)
        await run.finished()
        seconds = time.perf_counter() - begun
        assert run.state is RunState.COMPLETED, run
    return seconds


def milliseconds(measure: Callable[[int], Coroutine[Any, Any, float]], count: int) -> float:
    """Milliseconds a task, of the seconds that so many take."""
    return asyncio.run(measure(count)) * 1e3 / count


def main(group: str, what: str, rows: Callable[[int, int], list[Row]], count: int, rounds: int) -> None:
    """Measure, print and keep the rows of so many tasks in so many rounds."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--tiny", action="store_true", help="shows that it works, measures nothing")
    parser.add_argument("--output", type=Path, default=ROOT / "bench-results" / f"{group}.json", help="the JSON file")
    options, _others = parser.parse_known_args()
    found = rows(8, 1) if options.tiny else rows(count, rounds)
    write_json(options.output, found, circumstances())
    say(table(found))

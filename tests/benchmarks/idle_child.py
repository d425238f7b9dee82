"""A process of its own that does nothing for a while and says what that cost: `idle_child.py engine|floor SECONDS`.

`engine` holds an open engine with an in-process and a local device, each of which has run tasks before; `floor` is an
event loop without anything. Prints JSON: CPU seconds, voluntary context switches and loop iterations of the idle time.
"""

from __future__ import annotations

import asyncio
import json
import selectors
import sys
import time
from pathlib import Path
from typing import Any

import psutil
from typing_extensions import override

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.benchmarks.local_rows import NOTHING
from tests.benchmarks.workloads import LIMIT, engine, here

from starloom.devices.local import LocalDevice
from starloom.model.plan import Plan
from starloom.model.status import RunState
from starloom.model.task import Task
from starloom.testing import independent


class CountingSelector(selectors.DefaultSelector):
    """Counts how often the loop asks what is ready: once an iteration."""

    def __init__(self) -> None:
        super().__init__()
        self.iterations = 0

    @override
    def select(self, timeout: float | None = None) -> Any:
        self.iterations += 1
        return super().select(timeout)


async def idle(seconds: float, selector: CountingSelector) -> dict[str, float]:
    """Do nothing, and say what it cost. The sleep itself takes the loop two iterations and one wake-up."""
    process = psutil.Process()
    switches, iterations = process.num_ctx_switches().voluntary, selector.iterations
    cpu, begun = time.process_time(), time.perf_counter()
    await asyncio.sleep(seconds)
    return {
        "cpu": time.process_time() - cpu,
        "seconds": time.perf_counter() - begun,
        "switches": process.num_ctx_switches().voluntary - switches,
        "iterations": selector.iterations - iterations,
    }


async def idle_engine(seconds: float, selector: CountingSelector) -> dict[str, float]:
    """The same beside an engine that has worked and waits for more."""
    commands = Plan(name="commands", tasks=tuple(Task(id=f"c{i}", command=NOTHING, device="machine") for i in range(4)))
    async with engine(LIMIT, here(), LocalDevice("machine")) as orchestrator:
        for plan in (commands, independent(10, device="here")):
            run = await orchestrator.start(plan)
            await run.finished()
            assert run.state is RunState.COMPLETED, run
        return await idle(seconds, selector)


def main(side: str, seconds: float) -> None:
    """Idle, and print what it cost."""
    selector = CountingSelector()
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(selector)) as runner:
        work = idle_engine if side == "engine" else idle
        sys.stdout.write(json.dumps(runner.run(work(seconds, selector))))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))

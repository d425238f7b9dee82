"""A fleet of many devices: what placing tasks on 200 of them costs, over asyncio doing the same without devices."""

from __future__ import annotations

import asyncio
import gc
import time
from functools import partial
from typing import TYPE_CHECKING, Final

from tests.benchmarks.floor import FloorGraph, Handler, time_floor
from tests.benchmarks.floor import noop as floor_noop
from tests.benchmarks.measuring import Budget, Row, interleaved, row
from tests.benchmarks.workloads import Sizes, engine

from starloom.devices.inprocess import InProcessDevice
from starloom.devices.simulated import SimulatedDevice
from starloom.model.plan import Plan
from starloom.model.status import RunState
from starloom.model.task import Simulate, Task
from starloom.testing import independent, noop

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from starloom.devices.base import Device

DEVICES: Final = 200
BUDGET: Final = Budget(2.0)
MICRO: Final = 1e6


def fleet(sizes: Sizes) -> Iterator[Row]:
    """Time per task on 200 devices of one slot each: handlers that do nothing, and simulated work of no length."""
    count = sizes.independent
    tasks = tuple(Task(id=f"t{n}", simulate=Simulate()) for n in range(count))
    works = {
        "in-process": (independent(count), [_in_process(n) for n in range(DEVICES)], floor_noop),
        "simulated": (Plan(name="simulated", tasks=tasks), [_simulated(n) for n in range(DEVICES)], one_timer),
    }
    for kind, (plan, devices, handler) in works.items():
        graph = FloorGraph.of(plan)
        ours, floor = interleaved(
            sizes.rounds,
            partial(_through_engine, plan, devices),
            partial(_at_the_floor, graph, handler, count),
        )
        title = f"{count:,} tasks on {DEVICES} {kind} devices of one slot"
        yield row("fleet", title, "µs/task", ours, floor, budget=BUDGET)


def _in_process(number: int) -> Device:
    return InProcessDevice(f"d{number}", slots=1, handlers={"noop": noop})


def _simulated(number: int) -> Device:
    return SimulatedDevice(f"d{number}", slots=1)


async def one_timer() -> None:
    """Wait for a timer that is due at once, as a simulated task of no length does."""
    loop = asyncio.get_running_loop()
    waiter = loop.create_future()
    loop.call_later(0.0, waiter.set_result, None)
    await waiter


def _through_engine(plan: Plan, devices: Sequence[Device]) -> float:
    return asyncio.run(_timed(plan, devices)) * MICRO / len(plan.tasks)


def _at_the_floor(graph: FloorGraph, handler: Handler, count: int) -> float:
    return time_floor(graph, DEVICES, handler) * MICRO / count


async def _timed(plan: Plan, devices: Sequence[Device]) -> float:
    async with engine(None, *devices) as orchestrator:
        gc.collect()
        begun = time.perf_counter()
        run = await orchestrator.start(plan)
        await run.finished()
        seconds = time.perf_counter() - begun
        assert run.state is RunState.COMPLETED, run
    return seconds

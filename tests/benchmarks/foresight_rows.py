"""What looking ahead costs: a projection of ten thousand tasks, a what-if, the copy on the loop, and the loop's lag."""

from __future__ import annotations

import asyncio
import gc
import random
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from tests.benchmarks.measuring import Budget, Row, interleaved, quantile, row
from tests.benchmarks.workloads import Sizes, settings

from starloom.constellation.edits import UpdateTask
from starloom.devices.inprocess import InProcessDevice
from starloom.foresight.projection import project
from starloom.foresight.virtual import SimulatedSpec, VirtualRun, simulate
from starloom.foresight.what_if import what_if
from starloom.model.plan import Plan
from starloom.model.status import Placement
from starloom.model.task import Simulate
from starloom.orchestration.orchestrator import Orchestrator
from starloom.scheduling.fork import Fork
from starloom.testing import layered, noop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MILLI: Final = 1e3
RUN: Final = "simulated"
FLEETS: Final = {
    Placement.LOAD_BALANCE: (SimulatedSpec("one", 16),),
    Placement.CRITICAL_PATH: tuple(SimulatedSpec(f"d{n}", 4, 1.0 + n % 2) for n in range(4)),
}
BUDGET: Final = Budget(500, absolute=True)
BEAT: Final = 0.001
"""Seconds the loop sleeps between two looks at how late it wakes up."""
PEER: Final = "the whole run in virtual time"


def foresight(sizes: Sizes) -> Iterator[Row]:
    """Projections of a run whose first tasks have just begun."""
    plan = varied(sizes)
    for placement, fleet in FLEETS.items():
        yield from _projections(plan, placement, fleet, sizes)
    yield from _on_the_loop(plan, sizes)


def varied(sizes: Sizes) -> Plan:
    """The layered workload with a declared estimate and a duration for each task, equal in every run."""
    shape, dice = layered(sizes.layers, sizes.width), random.Random(7)
    tasks = []
    for task in shape.tasks:
        usual = dice.lognormvariate(0.0, 0.5)
        real = Simulate(usual * dice.lognormvariate(0.0, 0.2))
        tasks.append(replace(task, call=None, simulate=real, estimate=usual))
    return Plan(name=shape.name, tasks=tuple(tasks), dependencies=shape.dependencies)


def _projections(plan: Plan, placement: Placement, fleet: Sequence[SimulatedSpec], sizes: Sizes) -> Iterator[Row]:
    virtual = VirtualRun(plan, fleet, placement=placement)
    fork = virtual.fork()
    change = UpdateTask(plan.tasks[-1].id, estimate=100.0)
    name = f"{len(plan.tasks):,} tasks, {placement}"
    whole, plainly, asked, sampled = interleaved(
        sizes.rounds,
        partial(timed, lambda: simulate(plan, fleet, placement=placement)),
        partial(timed, lambda: project(fork, RUN, samples=0)),
        partial(timed, lambda: what_if(fork, RUN, [change], samples=0)),
        partial(timed, lambda: project(fork, RUN)),
        warm_up=False,
    )
    yield row("foresight", f"projection, {name}", "ms", plainly, whole, peer=PEER, budget=BUDGET)
    note = f"{project(fork, RUN).samples} samples"
    yield row("foresight", f"projection with p50 and p90, {name}", "ms", sampled, whole, peer=PEER, note=note)
    yield row("foresight", f"what-if of one edit, {name}", "ms", asked, plainly, peer="one projection")


def timed(work: Callable[[], Any]) -> float:
    """Milliseconds that work takes."""
    gc.collect()
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * MILLI


def _on_the_loop(plan: Plan, sizes: Sizes) -> Iterator[Row]:
    tasks = tuple(replace(task, simulate=None, call="noop") for task in plan.tasks)
    called = Plan(name=plan.name, tasks=tasks, dependencies=plan.dependencies)
    name = f"{len(called.tasks):,} tasks"
    copied, took, busy, idle = asyncio.run(_live(called, sizes.rounds))
    note = "p99 stands for switches of the interpreter, the slowest for its collector"
    yield row("foresight", f"copy of the live state on the loop, {name}", "ms", copied)
    yield row("foresight", f"run.project beside the loop, {name}", "ms", took)
    for share in (0.5, 0.99, 1.0):
        word = f"p{share * 100:.0f}" if share < 1 else "slowest"
        yield row(
            "foresight",
            f"lag of the loop meanwhile, {word}",
            "ms",
            [quantile(lags, share) for lags in busy],
            [quantile(lags, share) for lags in idle],
            peer="the same loop, idle",
            note=note if share == 0.99 else "",
        )


async def _live(plan: Plan, rounds: int) -> tuple[list[float], list[float], list[list[float]], list[list[float]]]:
    """Milliseconds of each copy and of each projection, and the lags of the loop while projecting and while idle."""
    copied: list[float] = []
    took: list[float] = []
    busy: list[list[float]] = []
    idle: list[list[float]] = []
    device = InProcessDevice("here", slots=16, handlers={"noop": noop})
    async with Orchestrator([device], settings=settings(None)) as orchestrator:
        run = await orchestrator.start(plan, paused=True)
        scheduler = orchestrator.pump.scheduler
        for _ in range(rounds):
            copied.append(timed(lambda: Fork.of(scheduler)))
            gc.collect()
            begun = time.perf_counter()
            busy.append(await _lags(asyncio.ensure_future(run.project(samples=0))))
            took.append((time.perf_counter() - begun) * MILLI)
            idle.append(await _lags(asyncio.ensure_future(asyncio.sleep(took[-1] / MILLI))))
        await run.cancel()
    return copied, took, busy, idle


async def _lags(until: asyncio.Future[Any]) -> list[float]:
    """By how many milliseconds the loop is late, again and again until something is done."""
    lags: list[float] = []
    while not until.done():
        begun = time.perf_counter()
        await asyncio.sleep(BEAT)
        lags.append(max(0.0, time.perf_counter() - begun - BEAT) * MILLI)
    await until
    return lags or [0.0]

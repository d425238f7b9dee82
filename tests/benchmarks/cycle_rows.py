"""What an edit cycle costs with an agent that answers at once, and what the fences gain over stopping everything."""

from __future__ import annotations

import asyncio
import gc
import random
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from tests.benchmarks.bench_makespan import recorded_plans, traces_folder
from tests.benchmarks.measuring import Budget, Row, interleaved, row
from tests.benchmarks.workloads import FULL, LIMIT, Sizes, engine, here
from tests.virtual_time import engine as virtual_engine
from tests.virtual_time import loop
from tests.virtual_time import run as run_virtually

from starloom import SimulatedDevice, UpdateTask
from starloom.agents.base import AgentView, FinishedTask, Proposal
from starloom.model.status import Fence
from starloom.model.task import Simulate
from starloom.testing import chain, layered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from starloom.model.plan import Plan

CYCLE_BUDGET: Final = Budget(5, absolute=True)
GAIN_BUDGET: Final = Budget(30, at_least=True, absolute=True)
MOST_RECORDED: Final = 250
"""Tasks of a recorded workflow that is tried, too, where there are any; see `bench_makespan`."""
TASK: Final = 10.0
"""Seconds a task of the overlapping plan takes on average."""


class Instant:
    """An agent that answers at once: with nothing, or by changing the task behind the one that ended."""

    name = "instant"

    def __init__(self, *, is_editing: bool) -> None:
        self.is_editing = is_editing

    async def propose(self, view: AgentView, finished: Sequence[FinishedTask]) -> Proposal | None:
        """Answer without a pause."""
        behind = [edge.child for one in finished for edge in view.children(one.id)] if self.is_editing else []
        return Proposal(edits=tuple(UpdateTask(child, timeout=60) for child in behind)) if behind else None


class Pondering:
    """An agent that thinks for so long about each batch and then wants nothing."""

    name = "pondering"

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.thought = 0.0

    async def propose(self, _view: AgentView, _finished: Sequence[FinishedTask]) -> Proposal | None:
        """Answer after a while."""
        await asyncio.sleep(self.seconds)
        self.thought += self.seconds
        return None


def cycles(sizes: Sizes) -> Iterator[Row]:
    """The time of a cycle on a chain, each link of which opens one, and makespans behind each fence."""
    for is_editing, what in ((False, "no edit"), (True, "one edit")):
        with_agent, without = interleaved(
            sizes.rounds,
            partial(chained, Instant(is_editing=is_editing), sizes.links),
            partial(chained, None, sizes.links),
        )
        name = f"an edit cycle of {what}, chain of {sizes.links:,} tasks, agent that answers at once"
        peer = "the same chain without an agent"
        yield row("cycles", name, "ms/task", with_agent, without, peer=peer, budget=CYCLE_BUDGET)
    yield from _gains()
    for name, plan, _ in recorded_plans(traces_folder()) if sizes is FULL else ():
        if len(plan.tasks) <= MOST_RECORDED:
            yield from _gains_of(
                plan, name, sum(task.expected_duration or 0.0 for task in plan.tasks) / len(plan.tasks)
            )


def chained(agent: Instant | None, links: int) -> float:
    """Milliseconds a task of the chain takes."""
    return asyncio.run(_chained(agent, links))


async def _chained(agent: Instant | None, links: int) -> float:
    async with engine(LIMIT, here()) as orchestrator:
        run = await orchestrator.start(chain(links), paused=True)
        if agent is not None:
            await run.attach(agent)
        gc.collect()
        begun = time.perf_counter()
        await run.start()
        await run.finished()
        return (time.perf_counter() - begun) / links * 1e3


# ---- what waits, in virtual time


def _gains() -> Iterator[Row]:
    """How much sooner a run ends than one in which nothing runs while the agent thinks about each end.

    Where nothing runs nothing ends, so that there each end is thought about by itself. Durations differ.
    """
    draw = random.Random(7)
    even = layered(10, 10, simulate=TASK)
    tasks = tuple(replace(task, simulate=Simulate(duration=TASK * draw.uniform(0.5, 1.5))) for task in even.tasks)
    yield from _gains_of(replace(even, tasks=tasks), "", TASK)


def _gains_of(plan: Plan, of: str, mean: float) -> Iterator[Row]:
    alone = _makespan(plan, None, Fence.NONE)
    for share in (0.1, 0.5):
        seconds = share * mean
        stopped = alone + len(plan.tasks) * seconds
        for fence in Fence:
            makespan = _makespan(plan, Pondering(seconds), fence)
            name = f"{of and of + ': '}fence {fence}, agent that thinks for {share:.0%} of a task: time gained"
            peer = "editing, then executing"
            gain = 100 * (1 - makespan / stopped)
            yield row(
                "cycles", name, "%", [gain], [30.0], peer=peer, budget=GAIN_BUDGET, note=_seconds(makespan, stopped)
            )


def _seconds(makespan: float, stopped: float) -> str:
    return f"{makespan:,.0f} s instead of {stopped:,.0f} s in virtual time"


def _makespan(plan: Plan, agent: Pondering | None, fence: Fence) -> float:
    async def main() -> float:
        async with virtual_engine(SimulatedDevice("s", slots=10), max_concurrency=None) as orchestrator:
            run = await orchestrator.start(plan, paused=True)
            if agent is not None:
                await run.attach(agent)
            await run.set_fence(fence)
            begun = loop().time()
            await run.start()
            await run.finished()
            return loop().time() - begun

    return run_virtually(main())

"""What many observers cost: the delay of dispatch and the CPU share while about a thousand events a second arrive."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from tests.benchmarks.core_rows import hops
from tests.benchmarks.measuring import Budget, Row, interleaved, quantile, row
from tests.benchmarks.workloads import EVENTS_OF_A_TASK, LIMIT, Sizes, engine, here, time_engine

from starloom.events import TaskCompleted, TaskStarted
from starloom.testing import chain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.model.plan import Plan

EVENTS_A_SECOND: Final = 1_000
NANO: Final = 1e9
PROMPT_BUDGET: Final = Budget(1_000, absolute=True)
_PACE: Final = EVENTS_OF_A_TASK / EVENTS_A_SECOND
"""Seconds from one task to the next."""


@dataclass(frozen=True, slots=True)
class Watched:
    """One run of a slow chain: microseconds of each hop, CPU share in percent, events a second."""

    hops: list[float]
    cpu: float
    rate: float


def observers(sizes: Sizes) -> Iterator[Row]:
    """With nobody watching, and with many."""
    plan = chain(sizes.observed)
    many, nobody = interleaved(
        sizes.rounds, partial(watched, plan, sizes.observers), partial(watched, plan, 0), warm_up=False
    )
    rate = quantile([one.rate for one in many], 0.5)
    title = f"{sizes.observers} observers at {EVENTS_A_SECOND:,} events/s"
    note = f"{rate:,.0f} events/s arrived"
    for share in (0.5, 0.99):
        yield row(
            "observers",
            f"{title}: parent's end → child's start, p{share * 100:.0f}",
            "µs",
            [quantile(one.hops, share) for one in many],
            [quantile(one.hops, share) for one in nobody],
            peer="the same run without observers",
            note=note,
        )
    yield row(
        "observers",
        f"{title}: CPU",
        "%",
        [one.cpu for one in many],
        [one.cpu for one in nobody],
        peer="the same run without observers",
    )
    yield from latency_rows(sizes)


# ---- from a turn to its observer


def latency_rows(sizes: Sizes) -> Iterator[Row]:
    """How long after a turn began a prompt observer hears of it, beside one that is told in batches."""
    plan = chain(sizes.observed)
    measured = [heard(plan) for _ in range(sizes.rounds)]
    for share in (0.5, 0.99):
        yield row(
            "observers",
            f"turn → prompt observer, p{share * 100:g}",
            "µs",
            [quantile(prompt, share) for prompt, _ in measured],
            [quantile(batched, share) for _, batched in measured],
            peer="an observer told in batches, in the same run",
            budget=PROMPT_BUDGET if share > 0.5 else None,
            note="from before the turn was decided, so with its commit",
        )


def heard(plan: Plan) -> tuple[list[float], list[float]]:
    """Microseconds from each event's turn until a prompt observer was told, and until a batched one was."""
    return asyncio.run(_heard(plan))


async def _heard(plan: Plan) -> tuple[list[float], list[float]]:
    prompt: list[float] = []
    batched: list[float] = []

    async def work(_task: Any, _context: Any) -> None:
        await asyncio.sleep(_PACE)

    async with engine(LIMIT, here(work)) as orchestrator:
        clock = orchestrator.pump.clock
        kinds = (TaskStarted, TaskCompleted)
        orchestrator.events.subscribe(lambda event: prompt.append((clock() - event.at) * 1e6), *kinds, prompt=True)
        orchestrator.events.subscribe(lambda event: batched.append((clock() - event.at) * 1e6), *kinds)
        run = await orchestrator.start(plan)
        await run.finished()
        await orchestrator.events.drained()
    return prompt, batched


def watched(plan: Plan, count: int) -> Watched:
    """Run a chain whose tasks end one every few milliseconds, watched by so many."""
    begun: list[int] = []
    ended: list[int] = []
    cpu: list[int] = []
    now = time.perf_counter_ns

    async def work(_task: Any, _context: Any) -> None:
        begun.append(now())
        cpu.append(time.process_time_ns())
        due = begun[0] / NANO + len(begun) * _PACE  # by the clock, so that what one sleep is late the next is shorter
        await asyncio.sleep(max(0.0, due - now() / NANO))
        ended.append(now())

    time_engine(plan, LIMIT, work, observers=count)
    elapsed = begun[-1] - begun[0]
    rate = EVENTS_OF_A_TASK * (len(begun) - 1) / elapsed * NANO
    return Watched(hops(begun, ended), (cpu[-1] - cpu[0]) / elapsed * 100, rate)

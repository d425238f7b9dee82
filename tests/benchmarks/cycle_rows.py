"""What an edit cycle costs with an agent that answers at once; what fences cost and gain is in `bench_cycles`."""

from __future__ import annotations

import asyncio
import gc
import time
from functools import partial
from typing import TYPE_CHECKING, Final

from tests.benchmarks.measuring import Budget, Row, interleaved, row
from tests.benchmarks.workloads import LIMIT, Sizes, engine, here

from starloom import UpdateTask
from starloom.agents.base import AgentView, FinishedTask, Proposal
from starloom.testing import chain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CYCLE_BUDGET: Final = Budget(5, absolute=True)


class Instant:
    """An agent that answers at once: with nothing, or by changing the task behind the one that ended."""

    name = "instant"

    def __init__(self, *, is_editing: bool) -> None:
        self.is_editing = is_editing

    async def propose(self, view: AgentView, finished: Sequence[FinishedTask]) -> Proposal | None:
        """Answer without a pause."""
        behind = [edge.child for one in finished for edge in view.children(one.id)] if self.is_editing else []
        return Proposal(edits=tuple(UpdateTask(child, timeout=60) for child in behind)) if behind else None


def cycles(sizes: Sizes) -> Iterator[Row]:
    """The time of a cycle on a chain, each link of which opens one."""
    for is_editing, what in ((False, "no edit"), (True, "one edit")):
        with_agent, without = interleaved(
            sizes.rounds,
            partial(chained, Instant(is_editing=is_editing), sizes.links),
            partial(chained, None, sizes.links),
        )
        name = f"an edit cycle of {what}, chain of {sizes.links:,} tasks, agent that answers at once"
        peer = "the same chain without an agent"
        yield row("cycles", name, "ms/task", with_agent, without, peer=peer, budget=CYCLE_BUDGET)


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

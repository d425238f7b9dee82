"""The floor: what a task graph costs on asyncio alone, with one asyncio task per task and in-degree counters.

No priorities, slots, events, results, errors or edits. Nothing here may be slower than it has to be.
"""

from __future__ import annotations

import asyncio
import gc
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starloom.model.plan import Plan

Handler = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class FloorGraph:
    """A graph as the floor wants it: children, and how many parents each task has, by number."""

    children: list[list[int]]
    unmet: list[int]

    @classmethod
    def of(cls, plan: Plan) -> FloorGraph:
        """The graph of a plan."""
        index = plan.index
        return cls([list(children) for children in index.children], [len(parents) for parents in index.parents])

    @classmethod
    def layered(cls, layers: int, width: int, parents: int = 2) -> FloorGraph:
        """The shape of `starloom.testing.layered`, made without a plan: for measuring memory."""
        draw = random.Random(0)
        graph = cls([[] for _ in range(layers * width)], [0] * width + [min(parents, width)] * ((layers - 1) * width))
        for child in range(width, layers * width):
            above = child // width * width - width
            for place in draw.sample(range(width), min(parents, width)):
                graph.children[above + place].append(child)
        return graph


async def noop() -> None:
    """Do nothing."""


def time_floor(graph: FloorGraph, limit: int | None, handler: Handler = noop) -> float:
    """Seconds the floor takes for a graph, in an event loop of its own."""
    return asyncio.run(_timed(graph, limit, handler))


async def _timed(graph: FloorGraph, limit: int | None, handler: Handler) -> float:
    unmet = list(graph.unmet)
    gc.collect()
    begun = time.perf_counter()
    await (unbounded(graph, unmet, handler) if limit is None else bounded(graph, unmet, handler, limit))
    return time.perf_counter() - begun


async def unbounded(graph: FloorGraph, unmet: list[int], handler: Handler) -> None:
    """Start each task as soon as its last parent has ended; uses up `unmet`."""
    loop = asyncio.get_running_loop()
    create, children, left = loop.create_task, graph.children, len(unmet)
    done = loop.create_future()

    async def attempt(number: int) -> None:
        nonlocal left
        await handler()
        for child in children[number]:
            unmet[child] -= 1
            if not unmet[child]:
                create(attempt(child))
        left -= 1
        if not left:
            done.set_result(None)

    for number in [number for number, count in enumerate(unmet) if not count]:
        create(attempt(number))
    await done


async def bounded(graph: FloorGraph, unmet: list[int], handler: Handler, limit: int) -> None:
    """The same, with at most `limit` tasks at once, first in, first out."""
    loop = asyncio.get_running_loop()
    create, children, left, running = loop.create_task, graph.children, len(unmet), 0
    done = loop.create_future()
    ready = deque(number for number, count in enumerate(unmet) if not count)

    async def attempt(number: int) -> None:
        nonlocal left, running
        await handler()
        for child in children[number]:
            unmet[child] -= 1
            if not unmet[child]:
                ready.append(child)
        running -= 1
        while ready and running < limit:
            running += 1
            create(attempt(ready.popleft()))
        left -= 1
        if not left:
            done.set_result(None)

    while ready and running < limit:
        running += 1
        create(attempt(ready.popleft()))
    await done

"""Layouts: from nothing, with one task inserted, and what a loop feels of one that is made in a thread beside it."""

from __future__ import annotations

import asyncio
import gc
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import networkx as nx
import numpy as np
from tests.benchmarks.measuring import Budget, Row, interleaved, quantile, row

from starloom.constellation.graph import Graph
from starloom.layout import Layout, LayoutGraph, layout
from starloom.layout.measures import line_crossings
from starloom.testing import layered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.benchmarks.workloads import Sizes

    from starloom.model.plan import Plan

MILLI: Final = 1e3
PEER: Final = "networkx.multipartite_layout, which orders nothing and routes no edge"
TICK: Final = 0.001
BUDGETS: Final = {1_000: Budget(50, absolute=True), 10_000: Budget(500, absolute=True)}


def layouts(sizes: Sizes) -> Iterator[Row]:
    """All rows about layouts."""
    small = layered(max(2, sizes.layers // 10), sizes.width)
    large = layered(sizes.layers, sizes.width)
    yield from _cold(small, sizes)
    yield from _cold(large, sizes)
    yield from _fan(sizes)
    yield from _warm(large, sizes)
    yield from _lag(large, sizes)


def shape(plan: Plan) -> LayoutGraph:
    """What of a plan is laid out."""
    graph = Graph()
    graph.adopt(plan.tasks, plan.index)
    return LayoutGraph.of(graph)


def _seconds(make: Callable[[], object]) -> float:
    gc.collect()
    begun = time.perf_counter()
    make()
    return time.perf_counter() - begun


# ---- from nothing


def _cold(plan: Plan, sizes: Sizes) -> Iterator[Row]:
    graph, peer = shape(plan), ranked(plan)
    ours, floor = interleaved(
        sizes.rounds,
        lambda: _seconds(lambda: layout(graph)) * MILLI,
        lambda: _seconds(lambda: nx.multipartite_layout(peer, subset_key="rank")) * MILLI,
    )
    tasks = f"{len(graph):,} tasks, {len(graph.edges):,} dependencies"
    budget = BUDGETS.get(len(graph))
    yield row("layout", f"cold layout, {tasks}", "ms", ours, floor, peer=PEER, budget=budget)
    crossings, theirs = straight_crossings(layout(graph)), peer_crossings(peer)
    yield row(
        "layout",
        f"crossings, {tasks}",
        "pairs",
        [float(crossings)] * sizes.rounds,
        [float(theirs)] * sizes.rounds,
        peer=PEER,
        note="of straight lines between the middles of nodes, for both",
    )


def ranked(plan: Plan) -> Any:
    """A plan as a networkx graph whose nodes know their rank."""
    graph = nx.DiGraph()
    graph.add_nodes_from(task.id for task in plan.tasks)
    graph.add_edges_from((one.parent, one.child) for one in plan.dependencies)
    for rank, nodes in enumerate(nx.topological_generations(graph)):
        for node in nodes:
            graph.nodes[node]["rank"] = rank
    return graph


def straight_crossings(found: Layout) -> int:
    """Crossings when every edge is a straight line from middle to middle."""
    return line_crossings(found.positions[found.graph.edges].reshape(-1, 4))


def peer_crossings(graph: Any) -> int:
    """The same for networkx."""
    position = nx.multipartite_layout(graph, subset_key="rank")
    lines = [[*position[a], *position[b]] for a, b in graph.edges]
    return line_crossings(np.asarray(lines, dtype=np.float64).reshape(-1, 4))


def _fan(sizes: Sizes) -> Iterator[Row]:
    """One task, very many that wait for it, one that waits for all."""
    count = sizes.independent
    ids = ["first", *(f"t{number}" for number in range(count)), "last"]
    graph = LayoutGraph.of_pairs(ids, [pair for one in ids[1:-1] for pair in (("first", one), (one, "last"))])
    (ours,) = interleaved(sizes.rounds, lambda: _seconds(lambda: layout(graph)) * MILLI)
    budget = BUDGETS.get(count)
    yield row("layout", f"cold layout, fan-out and fan-in of {count:,}", "ms", ours, budget=budget)


# ---- going on


def _warm(plan: Plan, sizes: Sizes) -> Iterator[Row]:
    graph = shape(plan)
    before = layout(graph)
    after = with_one_more(graph)
    (ours,) = interleaved(sizes.rounds, lambda: _seconds(lambda: layout(after, previous=before)) * MILLI)
    yield row("layout", f"one task inserted, {len(graph):,} tasks", "ms", ours)
    moved = moved_outside(before, layout(after, previous=before))
    yield row(
        "layout",
        f"old nodes moved outside its rank, {len(graph):,} tasks",
        "nodes",
        [float(moved)] * sizes.rounds,
        budget=Budget(0, absolute=True),
    )


def with_one_more(graph: LayoutGraph) -> LayoutGraph:
    """The graph with a task more, in its middle: it waits for one and has a child two ranks further on."""
    number, half = int(graph.numbers[-1]) + 1, len(graph) // 2
    through = graph.edges[graph.edges[:, 0] == half]
    child = graph.edges[graph.edges[:, 0] == through[0, 1]][:1, 1] if len(through) else np.empty(0, dtype=np.int64)
    new = [[half, len(graph)], *([len(graph), one] for one in child.tolist())]
    return LayoutGraph(np.append(graph.numbers, number), (*graph.ids, "new"), np.vstack([graph.edges, new]))


def moved_outside(before: Layout, after: Layout) -> int:
    """How many nodes have moved that are not in the rank of the last one."""
    moved = (after.positions[:-1] != before.positions).any(axis=1)
    return int((moved & (after.ranks[:-1] != after.ranks[-1])).sum())


# ---- beside a loop


def _lag(plan: Plan, sizes: Sizes) -> Iterator[Row]:
    graph = shape(plan)
    busy, idle = interleaved(
        sizes.rounds,
        lambda: asyncio.run(lags(partial(layout, graph))),
        lambda: asyncio.run(lags(partial(time.sleep, 0.1))),
    )
    for text, share in (("p99", 0.99), ("worst", 1.0)):
        yield row(
            "layout",
            f"loop lag while {len(graph):,} tasks are laid out in a thread, {text}",
            "ms",
            [quantile(lag, share) for lag in busy],
            [quantile(lag, share) for lag in idle],
            peer="a thread that sleeps",
        )


async def lags(work: Callable[[], object]) -> list[float]:
    """By how many milliseconds a loop is late, asked every millisecond while a thread works."""
    now = time.perf_counter
    found: list[float] = []
    working = asyncio.ensure_future(asyncio.to_thread(work))
    while not working.done():
        begun = now()
        await asyncio.sleep(TICK)
        found.append(max(0.0, (now() - begun - TICK) * MILLI))
    await working
    return found or [0.0]

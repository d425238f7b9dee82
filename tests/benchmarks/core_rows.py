"""Throughput of the engine over the floor, its growth with the size of the plan, and the latency from task to task."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from tests.benchmarks.floor import FloorGraph, time_floor
from tests.benchmarks.measuring import Budget, Row, interleaved, quantile, row
from tests.benchmarks.workloads import LIMIT, LIMITS, Sizes, Timing, plans, time_engine

from starloom.testing import independent, layered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from starloom.model.plan import Plan

MICRO: Final = 1e6
OBSERVERS: Final = 3
NULL_BUDGET: Final = Budget(2.0)
OBSERVED_BUDGET: Final = Budget(2.4)
GROWTH_BUDGET: Final = Budget(1.5)
LATENCY_BUDGETS: Final = {0.5: Budget(10, absolute=True), 0.99: Budget(25, absolute=True)}


def _name(limit: int | None) -> str:
    return "unbounded" if limit is None else f"limit {limit}"


def core(sizes: Sizes) -> Iterator[Row]:
    """Time per task of A, B and C over the floor, with nobody watching and with three observers."""
    for letter, plan in plans(sizes).items():
        for limit in LIMITS:
            yield from _throughput(letter, plan, limit, sizes.core_rounds)


def _throughput(letter: str, plan: Plan, limit: int | None, rounds: int) -> Iterator[Row]:
    scale = MICRO / len(plan.tasks)
    graph = FloorGraph.of(plan)
    measures: list[Callable[[], Timing]] = [
        lambda: Timing(time_floor(graph, limit), 0.0),
        lambda: time_engine(plan, limit),
        lambda: time_engine(plan, limit, observers=OBSERVERS),
    ]
    floor, null, observed = interleaved(rounds, *measures)
    floors = [timing.finished * scale for timing in floor]
    ours = [timing.finished * scale for timing in null]
    told = [timing.told * scale for timing in observed]
    title = f"{letter}, {len(plan.tasks):,} tasks, {_name(limit)}"
    yield row("core", f"{title}, null journal", "µs/task", ours, floors, budget=NULL_BUDGET)
    behind = quantile([(timing.told - timing.finished) * scale for timing in observed], 0.5)
    after = f", {behind:.2f} µs/task after the run's end" if behind >= 0.01 else ""
    yield row(
        "core",
        f"{title}, {OBSERVERS} observers",
        "µs/task",
        told,
        floors,
        budget=OBSERVED_BUDGET,
        note=f"timed until all were told everything{after}",
    )


# ---- growth


def growth(sizes: Sizes) -> Iterator[Row]:
    """Time per task of a large plan over that of the usual one; the floor's own growth in the note."""
    makers: tuple[tuple[str, Callable[[int], Plan]], ...] = (
        ("A", lambda times: independent(sizes.independent * times)),
        ("C", lambda times: layered(sizes.layers * times, sizes.width)),
    )
    for letter, make in makers:
        small, large = make(1), make(sizes.growth)
        for limit in LIMITS:
            yield _growth(letter, small, large, limit, sizes.rounds)


def _growth(letter: str, small: Plan, large: Plan, limit: int | None, rounds: int) -> Row:
    measures: list[Callable[[], float]] = [partial(_engine_per_task, plan, limit) for plan in (small, large)]
    measures += [partial(_floor_per_task, FloorGraph.of(plan), limit) for plan in (small, large)]
    ours_small, ours_large, floor_small, floor_large = interleaved(rounds, *measures, warm_up=False)
    own = quantile([b / a for a, b in zip(floor_small, floor_large, strict=True)], 0.5)
    return row(
        "growth",
        f"growth {letter}, {len(small.tasks):,} → {len(large.tasks):,} tasks, {_name(limit)}",
        "µs/task",
        ours_large,
        ours_small,
        peer="the engine on the small plan",
        budget=GROWTH_BUDGET,
        note=f"the floor itself grows {own:.2f} times, to {quantile(floor_large, 0.5):.2f} µs/task",
    )


def _engine_per_task(plan: Plan, limit: int | None) -> float:
    return time_engine(plan, limit).finished / len(plan.tasks) * MICRO


def _floor_per_task(graph: FloorGraph, limit: int | None) -> float:
    return time_floor(graph, limit) / len(graph.unmet) * MICRO


# ---- latency


def latency(sizes: Sizes) -> Iterator[Row]:
    """From the last statement of a parent to the first of its child, on the chain B."""
    plan = plans(sizes)["B"]
    graph = FloorGraph.of(plan)
    for limit in LIMITS:
        ours, floor = interleaved(
            sizes.core_rounds, partial(engine_hops, plan, limit), partial(floor_hops, graph, limit)
        )
        for share, budget in LATENCY_BUDGETS.items():
            yield row(
                "latency",
                f"B, parent's end → child's start, {_name(limit)}, p{share * 100:.0f}",
                "µs",
                [quantile(hops, share) for hops in ours],
                [quantile(hops, share) for hops in floor],
                budget=budget if limit == LIMIT else None,
            )


def engine_hops(plan: Plan, limit: int | None) -> list[float]:
    """Microseconds of each hop of a chain in the engine."""
    begun: list[int] = []
    ended: list[int] = []
    now = time.perf_counter_ns

    async def stamp(_task: Any, _context: Any) -> None:
        begun.append(now())
        ended.append(now())

    time_engine(plan, limit, stamp)
    return hops(begun, ended)


def floor_hops(graph: FloorGraph, limit: int | None) -> list[float]:
    """Microseconds of each hop of a chain on the floor."""
    begun: list[int] = []
    ended: list[int] = []
    now = time.perf_counter_ns

    async def stamp() -> None:
        begun.append(now())
        ended.append(now())

    time_floor(graph, limit, stamp)
    return hops(begun, ended)


def hops(begun: Sequence[int], ended: Sequence[int]) -> list[float]:
    """Microseconds between the end of each task and the begin of the next, of stamps in nanoseconds."""
    return [(start - end) / 1000 for end, start in zip(ended, begun[1:], strict=False)]

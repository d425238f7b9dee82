"""Edits of a run with ten thousand tasks, one at a time and in batches, and the fold of a long run's events."""

from __future__ import annotations

import asyncio
import gc
import random
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace
from tests.benchmarks.measuring import Budget, Row, interleaved, quantile, row
from tests.benchmarks.workloads import LIMIT, Sizes, engine, here, plans

from starloom.constellation.edits import AddDependency, EditBatch
from starloom.constellation.graph import Graph
from starloom.constellation.topological_order import CycleError
from starloom.events import Event, TasksDeclared
from starloom.journal.base import MemoryJournal
from starloom.model.dependency import Dependency
from starloom.scheduling.commands import CreateRun, EditConstellation
from starloom.scheduling.fold.apply import fold as fold_events
from starloom.scheduling.scheduler import Scheduler
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.testing import layered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from starloom.model.plan import Plan

MICRO: Final = 1e6
RUN: Final = "edited"
NEAR: Final = 5
"""Layers that a dependency against the order spans at most; beyond, nearly every one would close a cycle."""
FIRST: Final = "the first edit of a run makes the topological order"
ONE_BUDGET: Final = Budget(2_000, absolute=True)
BATCH_BUDGET: Final = Budget(20, absolute=True)
FOLD_BUDGET: Final = Budget(400_000, at_least=True, absolute=True)


# ---- which dependencies


def legal_dependencies(plan: Plan, sizes: Sizes, count: int, *, forward: float = 0.5) -> list[Dependency]:
    """New dependencies between random tasks of a layered plan that are legal one after the other.

    Args:
        plan: made by `layered` of the sizes.
        sizes: how many layers, and how wide.
        count: how many.
        forward: the share that agrees with the order of the layers; the others make the graph be sorted anew.
    """
    draw = random.Random(7)
    graph = Graph()
    graph.adopt(plan.tasks, plan.index)
    found: list[Dependency] = []
    while len(found) < count:
        parent, child = _pair(draw, sizes, is_forward=draw.random() < forward)
        if parent == child or graph.has_edge(parent, child):
            continue
        dependency = Dependency(parent=graph.ids[parent], child=graph.ids[child])
        try:
            graph.add_edge(parent, child, dependency)
        except CycleError:
            continue
        found.append(dependency)
    return found


def _pair(draw: random.Random, sizes: Sizes, *, is_forward: bool) -> tuple[int, int]:
    """Numbers of a parent and a child."""
    if is_forward:
        above, below = sorted(draw.sample(range(sizes.layers), 2))
    else:
        above = draw.randrange(sizes.layers)
        below = max(0, above - draw.randrange(NEAR))
    return above * sizes.width + draw.randrange(sizes.width), below * sizes.width + draw.randrange(sizes.width)


# ---- one at a time


def edits(sizes: Sizes) -> Iterator[Row]:
    """One dependency added to a live run that has not started, and batches of them."""
    plan = plans(sizes)["C"]
    tasks = f"{len(plan.tasks):,} tasks"
    for forward, text in ((1.0, "in order"), (0.0, "against the order"), (0.5, "half of each")):
        new = legal_dependencies(plan, sizes, sizes.edits, forward=forward)
        pure, sorting = interleaved(sizes.rounds, partial(by_handle, plan, new), partial(by_sorting, plan, new))
        peer = "sorting the whole graph after each"
        yield from _one(f"one dependency on {tasks}, {text}, Scheduler.handle", pure, sorting, peer)
    new = legal_dependencies(plan, sizes, sizes.edits)
    whole, pure = interleaved(
        sizes.rounds, lambda: asyncio.run(by_run(plan, new)), partial(by_handle, plan, new), warm_up=False
    )
    yield from _one(f"one dependency on {tasks}, half of each, run.edit", whole, pure, "Scheduler.handle")
    yield from _batches(plan, sizes)


def _one(name: str, ours: list[list[float]], floor: list[list[float]], peer: str) -> Iterator[Row]:
    worst = max(map(max, ours))
    for share in (0.5, 0.99):
        yield row(
            "edits",
            f"{name}, p{share * 100:.0f}",
            "µs",
            [quantile(times, share) for times in ours],
            [quantile(times, share) for times in floor],
            peer=peer,
            budget=ONE_BUDGET if share == 0.99 else None,
            note=f"the slowest took {worst:,.0f} µs; {FIRST}" if share == 0.99 else "",
        )


def by_handle(plan: Plan, new: Sequence[Dependency]) -> list[float]:
    """Microseconds of each dependency, added by the pure scheduler."""
    return [seconds * MICRO for seconds in timed_batches(plan, [(AddDependency(one),) for one in new])]


def timed_batches(plan: Plan, batches: Sequence[tuple[AddDependency, ...]]) -> list[float]:
    """Seconds the pure scheduler takes for each batch."""
    scheduler = Scheduler()
    scheduler.handle([CreateRun(run_id=RUN, plan=plan, start=False)], 0.0)
    commands = [EditConstellation(run_id=RUN, batch=EditBatch(edits=batch)) for batch in batches]
    now = time.perf_counter
    taken: list[float] = []
    gc.collect()
    for command in commands:
        begun = now()
        scheduler.handle([command], 0.0)
        taken.append(now() - begun)
    assert scheduler.run(RUN).revision == len(batches), "some edits were refused"
    return taken


async def by_run(plan: Plan, new: Sequence[Dependency]) -> list[float]:
    """Microseconds of each dependency, added by `run.edit` in an open engine."""
    changes = [AddDependency(one) for one in new]
    now = time.perf_counter
    taken: list[float] = []
    async with engine(LIMIT, here()) as orchestrator:
        run = await orchestrator.start(plan, paused=True)
        gc.collect()
        for change in changes:
            begun = now()
            await run.edit(change)
            taken.append((now() - begun) * MICRO)
        await run.cancel()
    return taken


def by_sorting(plan: Plan, new: Sequence[Dependency]) -> list[float]:
    """Microseconds of each of the first few, noted in lists and checked by sorting all tasks topologically."""
    children = [list(few) for few in plan.index.children]
    unmet = [len(few) for few in plan.index.parents]
    place = plan.index.place
    now = time.perf_counter
    taken: list[float] = []
    gc.collect()
    for one in new[:20]:
        begun = now()
        parent, child = place[one.parent], place[one.child]
        children[parent].append(child)
        unmet[child] += 1
        assert count_sorted(children, list(unmet)) == len(children)
        taken.append((now() - begun) * MICRO)
    return taken


def count_sorted(children: Sequence[Sequence[int]], unmet: list[int]) -> int:
    """How many tasks Kahn's algorithm brings into an order: all of them if there is no cycle."""
    order = [number for number, count in enumerate(unmet) if not count]
    for number in order:
        for child in children[number]:
            unmet[child] -= 1
            if not unmet[child]:
                order.append(child)
    return len(order)


# ---- in batches


def _batches(plan: Plan, sizes: Sizes) -> Iterator[Row]:
    new = legal_dependencies(plan, sizes, sizes.batches * sizes.batch)
    many = [tuple(map(AddDependency, new[at : at + sizes.batch])) for at in range(0, len(new), sizes.batch)]
    batched, single = interleaved(sizes.rounds, partial(timed_batches, plan, many), partial(by_handle, plan, new))
    title = f"batch of {sizes.batch} on {len(plan.tasks):,} tasks, half of each"
    yield row(
        "edits",
        f"{title}, p50",
        "ms",
        [quantile(times, 0.5) * 1e3 for times in batched],
        [sum(times) / len(many) / 1e3 for times in single],
        peer="the same edits one at a time",
    )
    yield row(
        "edits",
        f"{title}, slowest of {len(many)}",
        "ms",
        [max(times) * 1e3 for times in batched],
        budget=BATCH_BUDGET,
        note=FIRST,
    )


# ---- fold


def fold(sizes: Sizes) -> Iterator[Row]:
    """Events a second, folded from memory: what reading and decoding a journal costs is not in it."""
    plan = layered(sizes.layers * sizes.growth, sizes.width)
    events = asyncio.run(events_of(plan))
    ours, floor = interleaved(
        sizes.rounds,
        lambda: len(events) / time_fold(events),
        lambda: len(events) / time_count(events),
    )
    yield row(
        "fold",
        f"fold of {len(events):,} events, {len(plan.tasks):,} tasks",
        "1/s",
        ours,
        floor,
        peer="counting the events by type",
        budget=FOLD_BUDGET,
        more_is_better=True,
        note="from memory, without reading and decoding; the plan's own index is left out, as in a journal",
    )


async def events_of(plan: Plan) -> list[Event]:
    """The stream of a run, as a reader of a journal would get it."""
    journal = MemoryJournal()
    async with engine(LIMIT, here(), journal=journal) as orchestrator:
        run = await orchestrator.start(plan)
        await run.finished()
    return [_as_journalled(event) for event in journal.committed() if event.run_id == run.id]


def _as_journalled(event: Event) -> Event:
    return replace(event, index=None) if isinstance(event, TasksDeclared) else event


def time_fold(events: Sequence[Event]) -> float:
    """Seconds for the fold of a whole stream."""
    view = FoldedRun(events[0].run_id)
    gc.collect()
    begun = time.perf_counter()
    fold_events(view, events)
    seconds = time.perf_counter() - begun
    assert view.run.open == 0, "the fold does not end where the run did"
    return seconds


def time_count(events: Sequence[Event]) -> float:
    """Seconds for a loop that looks at each event's type and does next to nothing."""
    counts: dict[Any, int] = {}
    gc.collect()
    begun = time.perf_counter()
    for event in events:
        kind = type(event)
        counts[kind] = counts.get(kind, 0) + 1
    return time.perf_counter() - begun

"""What the journal on disk costs: throughput, latency and memory with it switched on, and reading it back."""

from __future__ import annotations

import asyncio
import gc
import random
import shutil
import sqlite3
import tempfile
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import patch

from tests.benchmarks.child_rows import MEGA, figures, start
from tests.benchmarks.core_rows import MICRO, OBSERVERS, floor_hops, hops
from tests.benchmarks.floor import FloorGraph, time_floor
from tests.benchmarks.measuring import Budget, Row, interleaved, quantile, row
from tests.benchmarks.workloads import EVENTS_OF_A_TASK, LIMIT, LIMITS, Observer, Sizes, engine, here, plans
from typing_extensions import override

from starloom.journal import facts_chain
from starloom.journal.library import Library
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.model.status import RunState
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.testing import independent, layered, noop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from starloom.devices.inprocess import Handler
    from starloom.model.plan import Plan
    from starloom.model.task import Task
    from starloom.scheduling.state.run_facts import RunFacts

THROUGHPUT_BUDGET: Final = Budget(3.0)
LATENCY_BUDGETS: Final = {0.5: Budget(25, absolute=True), 0.99: Budget(100, absolute=True)}
FOLD_BUDGET: Final = Budget(400_000, at_least=True, absolute=True)
MEMORY_BUDGET: Final = Budget(200, absolute=True)
RESUME_BUDGET: Final = Budget(3, absolute=True)
JUMP_BUDGET: Final = Budget(100, absolute=True)
SHARE_BUDGET: Final = Budget(4, absolute=True)
RUN: Final = "run"


def journal(sizes: Sizes) -> Iterator[Row]:
    """All rows with the journal on, in its default durability."""
    for letter in ("A", "C"):
        for limit in LIMITS:
            yield _throughput(letter, plans(sizes)[letter], limit, sizes.core_rounds)
    yield from _latency(sizes)
    yield _fold(sizes)
    yield from _checkpoints(sizes)
    yield _resume(sizes)
    yield _jump(sizes)
    yield _memory(sizes)


def time_journalled(plan: Plan, limit: int | None, handler: Handler = noop, *, observers: int = 0) -> float:
    """Seconds for a run with a journal of its own, until it has ended and all observers were told everything."""
    with tempfile.TemporaryDirectory() as folder, Library(Path(folder)) as kept:
        return asyncio.run(_timed(plan, limit, handler, observers, kept))


async def _timed(plan: Plan, limit: int | None, handler: Handler, observers: int, kept: Library) -> float:
    async with engine(limit, here(handler), journal=kept) as orchestrator:
        watching = [Observer() for _ in range(observers)]
        for observer in watching:
            orchestrator.events.subscribe(observer.note)
        gc.collect()
        begun = time.perf_counter()
        run = await orchestrator.start(plan, run_id=RUN)
        await run.finished()
        if observers:
            await orchestrator.events.drained()
        seconds = time.perf_counter() - begun
        assert run.state is RunState.COMPLETED, run
        assert all(observer.seen >= EVENTS_OF_A_TASK * len(plan.tasks) for observer in watching)
    return seconds


def _throughput(letter: str, plan: Plan, limit: int | None, rounds: int) -> Row:
    scale = MICRO / len(plan.tasks)
    graph = FloorGraph.of(plan)
    measures: list[Callable[[], float]] = [
        lambda: time_floor(graph, limit) * scale,
        lambda: time_journalled(plan, limit, observers=OBSERVERS) * scale,
    ]
    floor, ours = interleaved(rounds, *measures)
    title = f"{letter}, {len(plan.tasks):,} tasks, {'unbounded' if limit is None else f'limit {limit}'}"
    return row(
        "journal", f"{title}, journal on, {OBSERVERS} observers", "µs/task", ours, floor, budget=THROUGHPUT_BUDGET
    )


# ---- latency


def _latency(sizes: Sizes) -> Iterator[Row]:
    plan = plans(sizes)["B"]
    graph = FloorGraph.of(plan)
    ours, floor = interleaved(
        sizes.core_rounds, partial(journalled_hops, plan, LIMIT), partial(floor_hops, graph, LIMIT)
    )
    for share, budget in LATENCY_BUDGETS.items():
        yield row(
            "journal",
            f"B, parent's end → child's start, limit {LIMIT}, journal on, p{share * 100:.0f}",
            "µs",
            [quantile(taken, share) for taken in ours],
            [quantile(taken, share) for taken in floor],
            budget=budget,
        )


def journalled_hops(plan: Plan, limit: int | None) -> list[float]:
    """Microseconds of each hop of a chain in the engine, each with a commit in it."""
    begun: list[int] = []
    ended: list[int] = []
    now = time.perf_counter_ns

    async def stamp(_task: Any, _context: Any) -> None:
        begun.append(now())
        ended.append(now())

    time_journalled(plan, limit, stamp)
    return hops(begun, ended)


# ---- reading back


def _fold(sizes: Sizes) -> Row:
    plan = layered(sizes.layers * sizes.growth, sizes.width)
    with tempfile.TemporaryDirectory() as folder:
        with Library(Path(folder)) as library:
            asyncio.run(_timed(plan, LIMIT, noop, 0, library))
        with StreamFile(Path(folder, "runs", RUN, JOURNAL), read_only=True) as kept:
            count = sum(1 for _ in kept.committed())
            ours, reading = interleaved(
                sizes.rounds, lambda: count / time_fold(kept), lambda: count / time_read(kept), warm_up=False
            )
    return row(
        "journal",
        f"fold of {count:,} events from the file, {len(plan.tasks):,} tasks",
        "1/s",
        ours,
        reading,
        peer="reading and decoding alone",
        budget=FOLD_BUDGET,
        more_is_better=True,
        note="the plan is in it: its tasks and dependencies are made again, through their own validation",
    )


def time_fold(kept: StreamFile) -> float:
    """Seconds for reading, decoding and folding the stream of a run."""
    view = FoldedRun(RUN)
    gc.collect()
    begun = time.perf_counter()
    fold(view, kept.committed())
    seconds = time.perf_counter() - begun
    assert view.run.open == 0, "the fold does not end where the run did"
    return seconds


def time_read(kept: StreamFile) -> float:
    """Seconds for reading and decoding all events."""
    gc.collect()
    begun = time.perf_counter()
    for _event in kept.committed():
        pass
    return time.perf_counter() - begun


# ---- checkpoints of the facts


class TimedLibrary(Library):
    """Notes how long each call for a checkpoint took."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        self.took: list[float] = []

    @override
    def checkpoint(self, run: RunFacts) -> None:
        begun = time.perf_counter()
        super().checkpoint(run)
        self.took.append(time.perf_counter() - begun)


def _timed_checkpoints(plan: Plan) -> tuple[float, float]:
    """The longest pause for a checkpoint in a run, in milliseconds, and the share of all of them, in percent."""
    with tempfile.TemporaryDirectory() as folder, TimedLibrary(Path(folder)) as kept:
        seconds = asyncio.run(_timed(plan, LIMIT, noop, 0, kept))
        return max(kept.took) * 1000, sum(kept.took) / seconds * 100


def _checkpoints(sizes: Sizes) -> Iterator[Row]:
    few, some, many = sizes.independent // 10, sizes.independent, sizes.independent * sizes.growth
    for plan in (independent(few), independent(some), independent(many), layered(sizes.layers, sizes.width)):
        taken = [_timed_checkpoints(plan) for _ in range(sizes.rounds)]
        letter = "C" if plan.dependencies else "A"
        title = f"{letter}, {len(plan.tasks):,} tasks, limit {LIMIT}: checkpoints of the facts"
        yield row("journal", f"{title}, the longest pause", "ms", [pause for pause, _ in taken])
        if len(plan.tasks) > few:  # so short a run has one at its end and nothing besides
            yield row(
                "journal", f"{title}, share of the run's time", "%", [share for _, share in taken], budget=SHARE_BUDGET
            )


async def _dies(plan: Plan, directory: Path, picture: Path) -> None:
    """Run nine tenths of a plan, pause, and take a picture of the journal."""
    enough, count = asyncio.Event(), 0

    async def work(_task: Task, _context: Any) -> None:
        nonlocal count
        count += 1
        if count * 10 >= len(plan.tasks) * 9:
            enough.set()

    with Library(directory) as kept:
        async with engine(LIMIT, here(work), journal=kept) as orchestrator:
            run = await orchestrator.start(plan, run_id=RUN, hold_open=True)
            await enough.wait()
            await run.pause()
            while run.facts.running:  # noqa: ASYNC110 - whatever is on its way ends by itself
                await asyncio.sleep(0)
            shutil.copytree(directory, picture)
            await run.cancel()


async def _resumes(picture: Path) -> float:
    """Seconds until a run goes on: its journal taken, read, and the first turn committed."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(picture, folder, dirs_exist_ok=True)
        with Library(Path(folder)) as kept:
            async with engine(LIMIT, here(), journal=kept) as orchestrator:
                gc.collect()
                begun = time.perf_counter()
                run = await orchestrator.resume(Path(folder, "runs", RUN))
                seconds = time.perf_counter() - begun
                assert run.state is RunState.PAUSED, run
                await run.cancel()
    return seconds


def _resume(sizes: Sizes) -> Row:
    plan = layered(sizes.layers * sizes.growth, sizes.width)
    with tempfile.TemporaryDirectory() as folder:
        pictures = [Path(folder, name) for name in ("with", "without")]
        asyncio.run(_dies(plan, Path(folder, "first"), pictures[0]))
        shutil.copytree(pictures[0], pictures[1])
        with closing(sqlite3.connect(pictures[1] / "runs" / RUN / JOURNAL, isolation_level=None)) as connection:
            connection.execute("DELETE FROM checkpoints")
        ours, without = interleaved(sizes.rounds, *(partial(_in_loop, picture) for picture in pictures), warm_up=False)
    return row(
        "journal",
        f"resume of a {len(plan.tasks):,}-task journal, nine tenths done, until its first turn is committed",
        "s",
        ours,
        without,
        peer="the same without checkpoints",
        budget=RESUME_BUDGET,
    )


def _in_loop(picture: Path) -> float:
    return asyncio.run(_resumes(picture))


def _jump(sizes: Sizes) -> Row:
    """Milliseconds from one moment of a run to another, in a file that is open."""
    plan = layered(sizes.layers * sizes.growth, sizes.width)
    dice = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        with Library(Path(folder)) as library, patch.object(facts_chain, "PATIENCE", 0.0):
            asyncio.run(_timed(plan, LIMIT, noop, 0, library))
        with StreamFile(Path(folder, "runs", RUN, JOURNAL), read_only=True) as kept:
            kept.view(1)
            kept.view()
            taken = [_slowest_of([dice.randint(1, kept.last) for _ in range(5)], kept) for _ in range(sizes.rounds)]
    return row(
        "journal",
        f"a jump to another moment of a run of {len(plan.tasks):,} tasks, the slowest of five",
        "ms",
        taken,
        budget=JUMP_BUDGET,
        note="with the checkpoints of a run whose tasks take time: no bound on their share of it keeps them rarer",
    )


def _slowest_of(rows: list[int], kept: StreamFile) -> float:
    slowest = 0.0
    for number in rows:
        gc.collect()
        begun = time.perf_counter()
        kept.view(number)
        slowest = max(slowest, time.perf_counter() - begun)
    return slowest * 1000


# ---- memory


def _memory(sizes: Sizes) -> Row:
    shape = (sizes.layers * sizes.growth, sizes.width)
    taken = [figures(start("journal_child.py", *shape)) for _ in range(sizes.rounds)]
    return row(
        "journal",
        f"peak RSS above the imports, {shape[0] * shape[1]:,} tasks with 2 parents, limit {LIMIT}, journal on",
        "MB",
        [(one["peak"] - one["imported"]) / MEGA for one in taken],
        budget=MEMORY_BUDGET,
    )

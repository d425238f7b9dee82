"""A served engine with clients attached, over the same engine with none: throughput, answers, bytes, processor time."""

from __future__ import annotations

import asyncio
import gc
import json
import sqlite3
import sys
import tempfile
import time
from contextlib import AsyncExitStack, asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))  # `tests` is found from wherever this is started

from tests.benchmarks.measuring import Budget, Row, interleaved, quantile, row
from tests.benchmarks.one_device import main
from tests.benchmarks.server_child import command
from tests.benchmarks.workloads import LIMIT, here, settings

from starloom.journal.library import Library
from starloom.journal.names import JOURNAL
from starloom.model.status import RunState
from starloom.orchestration.orchestrator import Orchestrator
from starloom.server.feeds import RunFeeds
from starloom.server.listening import EngineServer
from starloom.server.server_lock import ServerLock
from starloom.testing import chain, independent, layered

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from starloom.devices.inprocess import Handler
    from starloom.model.plan import Plan
    from starloom.model.task import Task

CHILD: Final = Path(__file__).with_name("server_child.py")
EVENTS_A_SECOND: Final = 100
MANY: Final = 100
CLIENTS: Final = (
    ("follow", "one client", 0.95),
    ("engine", "one that follows the engine", 0.95),
    ("not_reading", "one that reads nothing", 0.98),
)
"""What a client does, and the share of tasks a second that is to be left."""
NOBODY: Final = "the same served engine without a client"


@asynccontextmanager
async def served(journals: Path, handler: Handler | None = None) -> AsyncIterator[Orchestrator]:
    """An engine that is served."""
    device = here() if handler is None else here(handler)
    with ServerLock(journals), Library(journals) as library:
        feeds = RunFeeds(library)
        async with (
            Orchestrator([device], settings=settings(LIMIT), journal=library) as orchestrator,
            EngineServer(orchestrator, journals, feeds),
        ):
            yield orchestrator


@asynccontextmanager
async def clients(what: str, journals: Path, run_id: str, count: int) -> AsyncIterator[Callable[[], Any]]:
    """Clients in a process of their own, connected; gives what has them end and returns their figures."""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        str(CHILD),
        *(what, str(journals), run_id, str(count)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert child.stdout is not None
    assert await child.stdout.readline() == b"ready\n"

    async def figures() -> Any:
        out, _ = await child.communicate(b"")
        assert child.returncode == 0, f"the clients failed with {child.returncode}"
        return json.loads(out)

    try:
        yield figures
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()


# ---- the engine, with clients


class Rates(NamedTuple):
    """How fast a run went.

    Attributes:
        wall: tasks a second.
        processor: tasks a second of this process' processor time: what it costs the engine that somebody follows, apart
            from what that program itself takes of a machine with two processors.
    """

    wall: float
    processor: float


def rates(plan: Plan, what: str) -> Rates:
    """Those of a run that is followed so; an empty text: by nobody."""
    return asyncio.run(_timed(plan, what))


async def _timed(plan: Plan, what: str) -> Rates:
    with tempfile.TemporaryDirectory() as folder:
        journals = Path(folder)
        async with served(journals) as orchestrator:
            run = await orchestrator.start(plan, paused=True)
            if what:
                async with clients(what, journals, run.id, 1) as figures:
                    taken = await _to_its_end(run)
                    await figures()
            else:
                taken = await _to_its_end(run)
            assert run.state is RunState.COMPLETED, run
    return Rates(*(len(plan.tasks) / seconds for seconds in taken))


async def _to_its_end(run: Any) -> tuple[float, float]:
    """Seconds until a run has ended, by the clock and of this process' processor time."""
    gc.collect()
    begun, used = time.perf_counter(), time.process_time()
    await run.start()
    await run.finished()
    return time.perf_counter() - begun, time.process_time() - used


def throughput(count: int, rounds: int) -> Iterator[Row]:
    """The workloads with one client that follows, and with one that has stopped reading."""
    plans = {
        "A": independent(count),
        "B": chain(max(count // 5, 2)),
        "C": layered(max(count // 100, 2), min(count, 100)),
    }
    for name, plan in plans.items():
        for what, title, least in CLIENTS:
            ours, floor = interleaved(rounds, partial(rates, plan, what), partial(rates, plan, ""), warm_up=False)
            for unit, by in (("tasks/s", "wall"), ("tasks/processor s", "processor")):
                yield row(
                    "server",
                    f"{name}, {len(plan.tasks):,} tasks, kept: {title}",
                    unit,
                    [getattr(one, by) for one in ours],
                    [getattr(one, by) for one in floor],
                    peer=NOBODY,
                    budget=Budget(least, at_least=True),
                    more_is_better=True,
                )


# ---- a client


def answers(count: int) -> Iterator[Row]:
    """Until the sender of a command sees its effect."""
    taken = asyncio.run(_commanded(count))
    for share, most in ((0.5, 2.0), (0.99, 10.0)):
        yield row(
            "server",
            f"command → its effect seen by the sender, {count} commands, p{share * 100:g}",
            "ms",
            [1e3 * quantile(taken, share)],
            budget=Budget(most, absolute=True),
            note="in the process of the server, as one of its children may give no commands",
        )


async def _commanded(count: int) -> list[float]:
    with tempfile.TemporaryDirectory() as folder:
        journals = Path(folder)
        async with served(journals) as orchestrator:
            run = await orchestrator.start(independent(20), paused=True)
            return await command(journals, run.id, count)


async def _asked(what: str, plan: Plan, count: int, *, is_run: bool = False) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        journals = Path(folder)
        async with served(journals) as orchestrator:
            run = await orchestrator.start(plan, paused=True)
            if is_run:
                await _to_its_end(run)
            async with clients(what, journals, run.id, count) as figures:
                return await figures()


def attaching(count: int, rounds: int) -> Iterator[Row]:
    """Until a run that has ended is there."""
    found = asyncio.run(_asked("attach", independent(count), rounds, is_run=True))
    yield row(
        "server",
        f"attaching to a run of {count:,} tasks and {found['events']:,} events: it is there",
        "s",
        found["taken"],
        budget=Budget(1.0, absolute=True),
        note="on the same machine, without painting",
    )


def indexes(count: int, rounds: int) -> Iterator[Row]:
    """Until a client has put together the scheduler of an engine that it follows."""
    found = asyncio.run(_asked("indexes", independent(count), max(rounds, 3)))
    yield row(
        "server",
        f"a scheduler of {count:,} ready tasks, put together by who follows them",
        "ms",
        found["taken"],
        budget=Budget(50.0, absolute=True),
        note="when it is asked for, after something has happened",
    )


# ---- the wire


def wire(count: int) -> Iterator[Row]:
    """Bytes that a client is sent over those of the journal's rows."""
    sent, kept = asyncio.run(_bytes(layered(max(count // 100, 2), min(count, 100))))
    yield row(
        "server",
        "bytes sent to a client that follows a run from its beginning",
        "KiB",
        [sent / 1024],
        [kept / 1024],
        peer="the rows in the journal",
        budget=Budget(1.1),
    )


async def _bytes(plan: Plan) -> tuple[int, int]:
    with tempfile.TemporaryDirectory() as folder:
        journals = Path(folder)
        async with AsyncExitStack() as connected:
            async with served(journals) as orchestrator:  # which sends what is left as it ends
                run = await orchestrator.start(plan, paused=True)
                figures = await connected.enter_async_context(clients("count", journals, run.id, 1))
                await _to_its_end(run)
            sent = (await figures())["bytes"]
        return sent, _bytes_kept(journals / "runs" / run.id / JOURNAL)


def _bytes_kept(path: Path) -> int:
    """The bytes of all rows of a journal."""
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT sum(length(CAST(data AS BLOB))) FROM turns").fetchone()[0])


# ---- many clients


def many(seconds: float, rounds: int) -> Iterator[Row]:
    """The processor's time that many clients cost the engine at a moderate rate."""
    ours, floor = interleaved(
        rounds,
        partial(share_of_core, seconds, MANY),
        partial(share_of_core, seconds, 0),
        warm_up=False,
    )
    more = [a - b for a, b in zip(ours, floor, strict=True)]
    yield row(
        "server",
        f"{MANY} clients at {EVENTS_A_SECOND} events/s: more of a core",
        "%",
        more,
        budget=Budget(10.0, absolute=True),
        note=f"{floor[0]:.1f} % of a core without them",
    )


def share_of_core(seconds: float, count: int) -> float:
    """Percent of a core of this process while a slow chain runs and so many clients follow it."""
    return asyncio.run(_share(seconds, count))


async def _share(seconds: float, count: int) -> float:
    pace = 3 / EVENTS_A_SECOND

    async def slowly(_task: Task, _context: Any) -> None:
        await asyncio.sleep(pace)

    plan = chain(max(int(seconds / pace), 2))
    with tempfile.TemporaryDirectory() as folder:
        journals = Path(folder)
        async with served(journals, slowly) as orchestrator:
            run = await orchestrator.start(plan, paused=True)
            if not count:
                return await _cost(run)
            async with clients("follow", journals, run.id, count) as figures:
                cost = await _cost(run)
                await figures()
                return cost


async def _cost(run: Any) -> float:
    used, begun = time.process_time(), time.perf_counter()
    await run.start()
    await run.finished()
    return 100 * (time.process_time() - used) / (time.perf_counter() - begun)


def rows(count: int, rounds: int) -> list[Row]:
    """All of it."""
    return [
        *throughput(count, rounds),
        *answers(min(count, 400)),
        *attaching(count, rounds),
        *indexes(count, rounds),
        *wire(count),
        *many(min(count / 1000, 10.0), min(rounds, 2)),
    ]


if __name__ == "__main__":
    main("server", "Measure a served engine with clients over one without.", rows, count=10_000, rounds=5)

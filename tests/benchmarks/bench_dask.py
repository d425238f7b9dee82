"""Tasks on the workers of a Dask cluster through the engine, over the same processes by Dask's client alone.

The client does what a user would write for the same work, and what an engine can do at best: as many at once as there
are threads, each submitted when an earlier one has ended and its result was fetched, and in a session of its own, as it
has to be for ending it with all it starts. (Linux shares its processors out among sessions, too: on a machine that is
busy with other things, processes without one of their own would tell of that.) It gathers what it sends for 10 ms, ours
for 2, which is what makes the difference where commands are short. The client guarantees less. Cancelled, its processes
go on; what they print is seen when they have ended; Dask gives them to any worker, and anew to another one if a worker
dies. Ours are pinned, heard while they run, stopped for real, and never run twice.
"""

from __future__ import annotations

import asyncio
import gc
import posixpath
import shutil
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from distributed import Client

sys.path.insert(0, str(Path(__file__).parents[2]))  # `tests` is found from wherever this is started

from tests.benchmarks.measuring import Budget, Row, interleaved, row
from tests.benchmarks.one_device import main, milliseconds, through_engine
from tests.dask_clusters import Cluster

from starloom.devices.dask import DaskCluster
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Iterator

BUDGET: Final = Budget(1.1)
CALL_BUDGET: Final = Budget(1.5)
WORKERS: Final = 2
THREADS: Final = 2
FUNCTIONS: Final = "Python functions"
_PYTHON: Final = (sys.executable, "-I", "-c")
PROGRAMS: Final[dict[str, tuple[str, ...]]] = {
    "commands doing nothing": (shutil.which("true") or "true",),
    "commands that start an interpreter": (*_PYTHON, ""),
    "commands waiting for 0.1 s": (shutil.which("sleep") or "sleep", "0.1"),
    FUNCTIONS: (
        *(sys.executable, "-u", "-c"),
        "import json, posixpath, sys; print(json.dumps(posixpath.basename(**json.loads(sys.argv[1]))))",
        '{"p": "a/b"}',
    ),
}
TASKS: Final[dict[str, Task]] = {
    **{name: Task(id="t", command=command) for name, command in PROGRAMS.items()},
    FUNCTIONS: Task(id="t", python="posixpath:basename", inputs={"p": "a/b"}),
}
PEER: Final = "client.submit of subprocess.run in a new session, output captured"


async def _by_engine(address: str, task: Task, count: int, prefetch: int = 0) -> float:
    return await through_engine(DaskCluster("c", address=address, prefetch=prefetch), task, count)


async def by_client(address: str, command: tuple[str, ...], at_once: int, count: int) -> float:
    """Seconds for as many of the same processes by Dask's client alone, each submitted when another has ended."""
    async with Client(address, asynchronous=True) as client:
        left = iter(range(count))
        gc.collect()
        begun = time.perf_counter()
        await asyncio.gather(*(_one_after_the_other(client, command, left) for _ in range(at_once)))
        return time.perf_counter() - begun


async def by_call(address: str, at_once: int, count: int) -> float:
    """Seconds for as many calls of the function in the workers themselves, where nobody could end them."""
    async with Client(address, asynchronous=True) as client:
        left = iter(range(count))
        gc.collect()
        begun = time.perf_counter()
        await asyncio.gather(*(_call_after_call(client, left) for _ in range(at_once)))
        return time.perf_counter() - begun


async def _call_after_call(client: Client, left: Iterator[int]) -> None:
    for _ in left:
        assert await client.submit(posixpath.basename, "a/b", pure=False) == "b"


async def _one_after_the_other(client: Client, command: tuple[str, ...], left: Iterator[int]) -> None:
    for _ in left:
        ended = await client.submit(subprocess.run, command, capture_output=True, start_new_session=True, pure=False)
        assert ended.returncode == 0


def rows(count: int, rounds: int) -> list[Row]:
    """For each program a row against as many at once as there are threads, and two against all submitted beforehand.

    Whoever submits beforehand gives the order away, and so does, for one task a thread, who has tasks prefetched: the
    budget is for that. For functions, a third one against calls in the workers themselves, which cannot be ended.
    """
    cluster = Cluster(WORKERS, THREADS)
    found = []
    with cluster.stands():
        for name, command in PROGRAMS.items():
            ours, prefetched, floor, beforehand = interleaved(
                rounds,
                partial(milliseconds, partial(_by_engine, cluster.address, TASKS[name]), count),
                partial(milliseconds, partial(_by_engine, cluster.address, TASKS[name], prefetch=THREADS), count),
                partial(milliseconds, partial(by_client, cluster.address, command, WORKERS * THREADS), count),
                partial(milliseconds, partial(by_client, cluster.address, command, count), count),
            )
            title = f"{count} {name}, {WORKERS} workers of {THREADS} threads"
            found.append(row("dask", title, "ms", ours, floor, peer=f"{PEER}, as many at once", budget=BUDGET))
            all_beforehand = f"{PEER}, all of them beforehand"
            found.append(row("dask", title, "ms", ours, beforehand, peer=all_beforehand))
            title = f"{title}, {THREADS} prefetched"
            found.append(row("dask", title, "ms", prefetched, beforehand, peer=all_beforehand, budget=BUDGET))
        ours, called = interleaved(
            rounds,
            partial(milliseconds, partial(_by_engine, cluster.address, TASKS[FUNCTIONS]), count),
            partial(milliseconds, partial(by_call, cluster.address, WORKERS * THREADS), count),
        )
        title = f"{count} {FUNCTIONS}, {WORKERS} workers of {THREADS} threads"
        found.append(
            row("dask", title, "ms", ours, called, peer="client.submit of the function itself", budget=CALL_BUDGET)
        )
    return found


if __name__ == "__main__":
    main("dask", "Measure the Dask devices against Dask's own client.", rows, count=80, rounds=5)

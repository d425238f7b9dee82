"""A process of its own that runs A, B and C on one engine: `peers_child.py NAME SETTING ROUNDS`, graphs on stdin.

Stands alone, as a peer's Python has no Starloom: stdin holds {"A": [parents of each task], …}, parents before
children. Prints JSON: the version, and of each graph the seconds of each round. Every run is checked: each task once,
and after its parents.
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

Parents = list[list[int]]
Timed = Callable[[Parents], float]
"""Runs a graph once and gives the seconds that took."""


class Work:
    """What a task does: it notes that it ran, and makes sure that its parents had."""

    def __init__(self, parents: Parents) -> None:
        self.parents = parents
        self.ran = bytearray(len(parents))

    def run(self, number: int) -> None:
        """One task."""
        ran = self.ran
        for parent in self.parents[number]:
            if not ran[parent]:
                raise RuntimeError(f"task {number} ran before its parent {parent}")
        ran[number] += 1

    def check(self) -> None:
        """A figure of a run that did not do its work would be worth nothing."""
        if self.ran != bytes([1]) * len(self.parents):
            raise RuntimeError(f"{self.ran.count(1)} of {len(self.parents)} tasks ran once")


work = Work([])


def begin(parents: Parents) -> None:
    """From here on tasks are those of this graph; also called in a peer's worker process."""
    global work
    work = Work(parents)


def step(number: int, *_parents: object) -> None:
    """A task, as a peer calls it."""
    work.run(number)


def finish(*_ends: object) -> bool:
    """The last task of a graph whose tasks run elsewhere: checks there."""
    work.check()
    return True


def sinks(parents: Parents) -> list[int]:
    """The tasks that no other waits for."""
    return sorted(set(range(len(parents))) - {parent for above in parents for parent in above})


def clocked(run: Callable[[], object], parents: Parents, *, here: bool = True) -> float:
    """Seconds of a run."""
    begin(parents)
    gc.collect()
    begun = time.perf_counter()
    run()
    seconds = time.perf_counter() - begun
    if here:
        work.check()
    return seconds


# ---- Starloom itself


@contextmanager
def starloom(observers: int) -> Iterator[Timed]:
    """Our engine, in-process device, limit 16, null journal; timed until `finished` and all observers were told."""
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from tests.benchmarks.workloads import LIMIT, Observer, engine, here

    from starloom.model.dependency import Dependency
    from starloom.model.plan import Plan
    from starloom.model.task import Task

    async def handler(task: Any, _context: Any) -> None:
        work.run(int(task.id))

    async def timed(parents: Parents) -> float:
        tasks = tuple(Task(id=str(number), call="noop") for number in range(len(parents)))
        edges = tuple(Dependency(parent=str(p), child=str(n)) for n, above in enumerate(parents) for p in above)
        plan = Plan(name="peers", tasks=tasks, dependencies=edges)
        async with engine(LIMIT, here(handler)) as orchestrator:
            for _ in range(observers):
                orchestrator.events.subscribe(Observer().note)
            begin(parents)
            gc.collect()
            begun = time.perf_counter()
            run = await orchestrator.start(plan)
            await run.finished()
            if observers:
                await orchestrator.events.drained()
            seconds = time.perf_counter() - begun
        work.check()
        return seconds

    yield lambda parents: asyncio.run(timed(parents))


# ---- dask


def _dask_graph(parents: Parents, prefix: str) -> dict[str, Any]:
    """As dask has it; with a last task behind all others."""
    graph: dict[str, Any] = {
        f"{prefix}{number}": (step, number, *(f"{prefix}{parent}" for parent in above))
        for number, above in enumerate(parents)
    }
    graph[f"{prefix}end"] = (finish, *(f"{prefix}{number}" for number in sinks(parents)))
    from dask._task_spec import convert_legacy_graph  # its schedulers do so first; here it is not timed

    converted: dict[str, Any] = convert_legacy_graph(graph)
    return converted


@contextmanager
def dask_threaded(threads: int, chunk: int) -> Iterator[Timed]:
    """dask's scheduler for one process and many threads."""
    import dask.threaded

    def timed(parents: Parents) -> float:
        graph = _dask_graph(parents, "t")
        return clocked(lambda: dask.threaded.get(graph, "tend", num_workers=threads, chunksize=chunk), parents)

    yield timed


@contextmanager
def dask_distributed(threads: int, *, own_process: bool) -> Iterator[Timed]:
    """dask.distributed on this machine with one worker, without stealing, profiling, memory watch and dashboard."""
    import dask
    from distributed import Client, LocalCluster

    logging.getLogger("distributed").setLevel(logging.ERROR)
    memory = dict.fromkeys(("target", "spill", "pause", "terminate"), False)
    dask.config.set(
        {
            "distributed.scheduler.work-stealing": False,
            "distributed.scheduler.worker-saturation": "inf",
            "distributed.scheduler.active-memory-manager.start": False,
            "distributed.worker.profile.enabled": False,
            "distributed.comm.compression": None,
            **{f"distributed.worker.memory.{name}": value for name, value in memory.items()},
        }
    )
    cluster = LocalCluster(n_workers=1, threads_per_worker=threads, processes=own_process, dashboard_address=None)
    rounds = iter(range(1_000_000))
    with cluster, Client(cluster) as client:

        def timed(parents: Parents) -> float:
            if own_process:
                client.run(begin, parents)
            prefix = f"r{next(rounds)}-"  # a key that was computed before would not be computed again
            graph = _dask_graph(parents, prefix)
            return clocked(lambda: client.get(graph, f"{prefix}end"), parents, here=not own_process)

        yield timed


# ---- ray


@contextmanager
def ray_workers(processes: int) -> Iterator[Timed]:
    """ray on this machine with so many worker processes, without its dashboard and log lines."""
    import ray

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    quiet = {"include_dashboard": False, "logging_level": "ERROR", "log_to_driver": False}
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as folder:
        ray.init(num_cpus=processes, _node_ip_address="127.0.0.1", _temp_dir=folder, **quiet)

        @ray.remote(num_cpus=1)
        def one(number: int, *ends: int) -> int:
            return number if all(end >= 0 for end in ends) else -1

        def run(parents: Parents) -> None:
            ends: list[Any] = []
            for number, above in enumerate(parents):
                ends.append(one.remote(number, *(ends[parent] for parent in above)))
            if ray.get(ends) != [*range(len(parents))]:
                raise RuntimeError("a task did not run, or before a parent")

        try:
            yield lambda parents: clocked(lambda: run(parents), parents, here=False)
        finally:
            ray.shutdown()


# ---- parsl


@contextmanager
def parsl_threads(threads: int) -> Iterator[Timed]:
    """parsl on threads, without scaling, caching, monitoring and log files."""
    import parsl
    from parsl.config import Config
    from parsl.executors.threads import ThreadPoolExecutor

    with tempfile.TemporaryDirectory() as folder:
        config = Config(
            executors=[ThreadPoolExecutor(max_threads=threads)],
            strategy="none",
            usage_tracking=0,
            initialize_logging=False,
            run_dir=folder,
        )
        with parsl.load(config):
            app = parsl.python_app(step, cache=False)

            def run(parents: Parents) -> None:
                futures: list[Any] = []
                for number, above in enumerate(parents):
                    futures.append(app(number, *(futures[parent] for parent in above)))
                for number in sinks(parents):
                    futures[number].result()

            yield lambda parents: clocked(lambda: run(parents), parents)
        parsl.clear()


# ---- prefect


@contextmanager
def prefect_flow(threads: int | None) -> Iterator[Timed]:
    """prefect with a server of its own, without results, caching and log lines; None: tasks called one by one."""
    os.environ.update(
        {
            "PREFECT_LOGGING_LEVEL": "CRITICAL",
            "PREFECT_LOGGING_TO_API_ENABLED": "false",
            "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "PREFECT_SERVER_ALLOW_EPHEMERAL_MODE": "true",
            "PREFECT_RESULTS_PERSIST_BY_DEFAULT": "false",
            "DO_NOT_TRACK": "1",
        }
    )
    from prefect import flow, task
    from prefect.cache_policies import NO_CACHE
    from prefect.task_runners import ThreadPoolTaskRunner

    one = task(cache_policy=NO_CACHE, persist_result=False, log_prints=False)(step)
    options: dict[str, Any] = {"validate_parameters": False, "persist_result": False, "log_prints": False}

    @flow(task_runner=ThreadPoolTaskRunner(max_workers=threads or 1), **options)
    def whole(parents: Parents) -> None:
        if threads is None:
            for number in range(len(parents)):
                one(number)
            return
        futures: list[Any] = []
        for number, above in enumerate(parents):
            futures.append(one.submit(number, wait_for=[futures[parent] for parent in above]))
        for future in futures:
            future.result()

    yield lambda parents: clocked(lambda: whole(parents), parents)


SETTINGS: Final[dict[str, dict[str, Callable[[], Any]]]] = {
    "starloom": {"limit 16": lambda: starloom(0)},
    "starloom, 3 observers": {"limit 16": lambda: starloom(3)},
    "dask threaded": {
        f"{threads} thread{'s' * (threads > 1)}, chunks of {chunk}": partial(dask_threaded, threads, chunk)
        for threads, chunk in ((1, 1), (2, 1), (2, 16), (2, 256))
    },
    "dask.distributed": {
        "in process, 1 thread": lambda: dask_distributed(1, own_process=False),
        "in process, 2 threads": lambda: dask_distributed(2, own_process=False),
        "a worker process, 1 thread": lambda: dask_distributed(1, own_process=True),
    },
    "ray": {
        f"{processes} worker process{'es' * (processes > 1)}": partial(ray_workers, processes) for processes in (1, 2)
    },
    "parsl": {f"{threads} thread{'s' * (threads > 1)}": partial(parsl_threads, threads) for threads in (1, 2, 4)},
    "prefect": {
        "16 threads": lambda: prefect_flow(16),
        "called one by one": lambda: prefect_flow(None),
    },
}
"""The settings each engine may choose from; what is best differs from graph to graph."""

PACKAGES: Final = {
    "starloom": "starloom",
    "starloom, 3 observers": "starloom",
    "dask threaded": "dask",
    "dask.distributed": "distributed",
    "ray": "ray",
    "parsl": "parsl",
    "prefect": "prefect",
}


def measure(name: str, setting: str, rounds: int, graphs: dict[str, Parents]) -> dict[str, Any]:
    """An engine with one of its settings on each graph, after a small run of each that does not count."""
    found: dict[str, dict[str, Any]] = {}
    with SETTINGS[name][setting]() as timed:
        for letter, parents in graphs.items():
            timed([above for above in parents[:20] if all(parent < 20 for parent in above)])
            taken = [timed(parents) for _ in range(rounds)]
            found[letter] = {"seconds": taken, "setting": setting, "tasks": len(parents)}
    return {"version": version(PACKAGES[name]), "graphs": found}


def main(name: str, setting: str, rounds: int) -> None:
    """Measure, and print what came of it as the last line."""
    graphs = json.load(sys.stdin)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.environ["PREFECT_HOME"] = folder  # its server lives as long as this process, and so does its database
        found = measure(name, setting, rounds, graphs)
    sys.stdout.write("\n" + json.dumps(found) + "\n")


if __name__ == "__main__":
    # As a module of its name, so that a worker process finds the tasks under it too.
    sys.path.insert(0, str(Path(__file__).parent))
    import_module("peers_child").main(sys.argv[1], sys.argv[2], int(sys.argv[3]))

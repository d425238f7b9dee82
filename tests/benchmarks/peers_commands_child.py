"""A process of its own that runs graphs of commands on one program: `peers_commands_child.py NAME AT_ONCE ROUNDS`.

Stands alone, as a peer's Python has no Starloom: stdin holds {"independent": [parents of each command], …}, parents
before children. Prints JSON as `peers_child` does. Every run is checked: each command once, and after its parents.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

Parents = list[list[int]]
Run = Callable[[Parents, Path, int], "float | None"]
"""Runs all commands of a graph in a folder, so many at once; seconds, None: as long as the call took."""


def command(number: int, parents: list[int]) -> str:
    """What a shell is to run: fails if a parent has not run, and notes that it has run itself."""
    return " && ".join([*(f"test -e {parent}" for parent in parents), f"echo done >> {number}"])


def check(parents: Parents, folder: Path) -> None:
    """A figure of a run that did not do its work would be worth nothing."""
    ran = sum((folder / str(number)).read_text() == "done\n" for number in range(len(parents)))
    if ran != len(parents):
        raise RuntimeError(f"{ran} of {len(parents)} commands ran once")


# ---- ours, and asyncio alone


def starloom(parents: Parents, folder: Path, at_once: int) -> float:
    """Our engine with a local device whose commands outlive it, as in the console; its loading is not timed."""
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from tests.benchmarks.local_rows import KeepingDevice, through_engine

    from starloom.model.dependency import Dependency
    from starloom.model.plan import Plan
    from starloom.model.task import Task

    tasks = [
        Task(id=str(number), shell=command(number, above), cwd=str(folder)) for number, above in enumerate(parents)
    ]
    edges = [Dependency(parent=str(p), child=str(n)) for n, above in enumerate(parents) for p in above]
    device = KeepingDevice("machine", slots=at_once)
    with tempfile.TemporaryDirectory() as kept:
        device.folder = Path(kept)
        plan = Plan(name="commands", tasks=tuple(tasks), dependencies=tuple(edges))
        return asyncio.run(through_engine(plan, device))


def by_asyncio(parents: Parents, folder: Path, at_once: int) -> None:
    """asyncio alone, of which nothing is known afterwards; each command waits for its parents."""

    async def whole() -> None:
        ended = [asyncio.Event() for _ in parents]
        slots = asyncio.Semaphore(at_once)

        async def one(number: int) -> None:
            for parent in parents[number]:
                await ended[parent].wait()
            async with slots:
                process = await asyncio.create_subprocess_shell(command(number, parents[number]), cwd=folder)
                await process.wait()
            ended[number].set()

        await asyncio.gather(*map(one, range(len(parents))))

    asyncio.run(whole())


# ---- programs


def by_make(parents: Parents, folder: Path, at_once: int) -> None:
    """GNU make, with its start."""
    lines = [f"all: {' '.join(map(str, range(len(parents))))}"]
    for number, above in enumerate(parents):
        lines += [f"{number}: {' '.join(map(str, above))}", f"\t@{command(number, above)}"]
    (folder / "Makefile").write_text("\n".join(lines) + "\n")
    _call(["make", f"-j{at_once}", "all"], folder)


def by_parallel(parents: Parents, folder: Path, at_once: int) -> None:
    """GNU parallel, with its start; it knows of no dependencies."""
    if any(parents):
        raise LookupError("it knows of no dependencies")
    text = "".join(f"{command(number, [])}\n" for number in range(len(parents)))
    _call(["parallel", f"-j{at_once}"], folder, text)


def by_snakemake(parents: Parents, folder: Path, at_once: int) -> None:
    """Snakemake, with its start."""
    lines = [f"rule all:\n    input: {', '.join(repr(str(number)) for number in range(len(parents)))}"]
    for number, above in enumerate(parents):
        inputs = ", ".join(repr(str(parent)) for parent in above)
        lines.append(
            f"rule r{number}:\n    input: {inputs}\n    output: '{number}'\n    shell: '{command(number, above)}'"
        )
    (folder / "Snakefile").write_text("\n".join(lines) + "\n")
    _call([sys.executable, "-m", "snakemake", f"-j{at_once}", "--quiet", "all"], folder)


def by_hyperqueue(parents: Parents, folder: Path, at_once: int) -> float:
    """HyperQueue, whose server and worker are there already; until its last command."""
    from hyperqueue import Job, LocalCluster
    from hyperqueue.cluster import WorkerConfig

    (folder / "server").mkdir()
    with LocalCluster(str(folder / "server"), WorkerConfig(cores=at_once)) as cluster:
        client = cluster.client()
        begun = time.time()
        job, tasks = Job(str(folder)), list[Any]()
        for number, above in enumerate(parents):
            tasks.append(job.program(["sh", "-c", command(number, above)], deps=[tasks[parent] for parent in above]))
        with contextlib.redirect_stderr(io.StringIO()):  # its bar of progress
            client.wait_for_jobs([client.submit(job)])
    return max((folder / str(number)).stat().st_mtime for number in range(len(parents))) - begun


def _call(arguments: list[str], folder: Path, text: str = "") -> None:
    done = subprocess.run(arguments, cwd=folder, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{arguments[0]} ended with {done.returncode}: {(done.stderr or done.stdout)[-300:]}")


def _says(*arguments: str) -> str:
    """The version in the first line that a program prints."""
    if shutil.which(arguments[0]) is None:
        raise LookupError(f"{arguments[0]} is not installed")
    told = subprocess.run(arguments, capture_output=True, text=True, check=False).stdout
    return told.partition("\n")[0].split()[-1]


PROGRAMS: Final[dict[str, tuple[Run, Callable[[], str]]]] = {
    "starloom": (starloom, lambda: version("starloom")),
    "asyncio": (by_asyncio, lambda: sys.version.split()[0]),
    "GNU make": (by_make, lambda: _says("make", "--version")),
    "GNU parallel": (by_parallel, lambda: _says("parallel", "--version")),
    "snakemake": (by_snakemake, lambda: version("snakemake")),
    "hyperqueue": (by_hyperqueue, lambda: version("hyperqueue")),
}
"""How each runs a graph, and its version."""


def timed(run: Run, parents: Parents, at_once: int) -> float:
    """Seconds of a run in a folder of its own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        gc.collect()
        begun = time.perf_counter()
        seconds = run(parents, Path(folder), at_once)
        taken = time.perf_counter() - begun
        check(parents, Path(folder))
    return taken if seconds is None else seconds


def main(name: str, at_once: int, rounds: int) -> None:
    """Measure, and print what came of it as the last line; a graph that it cannot run is left out."""
    run, known = PROGRAMS[name]
    found: dict[str, Any] = {"version": known(), "graphs": {}}
    for letter, parents in json.load(sys.stdin).items():
        with contextlib.suppress(LookupError):
            timed(run, parents[:8] if not any(parents[:8]) else [[]] * 8, at_once)  # a first run does not count
            taken = [timed(run, parents, at_once) for _ in range(rounds)]
            found["graphs"][letter] = {"seconds": taken, "setting": f"{at_once} at once", "tasks": len(parents)}
    sys.stdout.write("\n" + json.dumps(found) + "\n")


if __name__ == "__main__":
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    sys.path.insert(0, str(Path(__file__).parent))
    import_module("peers_commands_child").main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))

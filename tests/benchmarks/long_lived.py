"""How much memory an engine takes that lives for long: `long_lived.py [RUNS [TASKS]]`, 5,000 of 200 by default.

Each run is journalled on disk, ends, and is let go of in time; then as many tasks are submitted one by one. Prints what
the process holds, what the collector knows, and how long a run took, at twenty points on the way: the first columns
should not grow.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil

from starloom import InProcessDevice, Orchestrator, Plan, SchedulerSettings, Task
from starloom.journal.library import Library
from starloom.testing import independent

POINTS = 20


async def noop(_task: Task, _context: Any) -> None:
    """Nothing takes no time."""


def say(done: int, what: str, begun: float) -> None:
    """Print a row."""
    gc.collect()
    held = psutil.Process().memory_info().rss / 2**20
    each = (time.process_time() - begun) / max(1, done) * 1000
    sys.stdout.write(
        f"{done:>7} {what:<12} {held:>8.1f} MB {len(gc.get_objects()):>9} objects {each:>8.2f} ms CPU each\n"
    )
    sys.stdout.flush()


async def main(runs: int, tasks: int) -> None:
    """Run so many plans, then submit so many tasks."""
    plan: Plan = independent(tasks)
    device = InProcessDevice("here", handlers={"noop": noop})
    with tempfile.TemporaryDirectory() as folder, Library(Path(folder)) as journal:
        async with Orchestrator([device], settings=SchedulerSettings(), journal=journal) as engine:
            begun = time.process_time()
            for number in range(1, runs + 1):
                await (await engine.start(plan, run_id=f"run-{number}")).finished()
                if number % max(1, runs // POINTS) == 0:
                    say(number, "runs", begun)
            begun = time.process_time()
            for number in range(1, 10 * runs + 1):
                await engine.submit(Task(id=f"s{number}", call="noop"))
                if number % max(1, 10 * runs // POINTS) == 0:
                    say(number, "submissions", begun)


if __name__ == "__main__":
    asyncio.run(main(*(int(word) for word in (sys.argv[1:] + ["5000", "200"][len(sys.argv) - 1 :]))))

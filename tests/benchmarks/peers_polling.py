"""Event-driven against polling: our engine, and the same engine looking every 100 ms whether anything has happened.

The polling one is what the seeds replaced: ends and commands are noticed only when the clock has come round. All else
is equal, the limit on tasks at once included.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import patch
from zlib import crc32

from tests.benchmarks.child_rows import figures, start
from tests.benchmarks.measuring import number, quantile, say
from tests.benchmarks.workloads import LIMIT, engine
from typing_extensions import override

from starloom.devices.inprocess import InProcessDevice
from starloom.orchestration import orchestrator as wiring
from starloom.orchestration.pump import Pump
from starloom.testing import layered

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from starloom.model.plan import Plan
    from starloom.scheduling.stimuli import AttemptEnded

INTERVAL: Final = 0.1
MODES: Final = ("event-driven", "polling")
SHORTEST, LONGEST = 0.005, 0.08
"""Seconds a task takes."""


class PollingPump(Pump):
    """Decides about what has arrived when its clock comes round, and not before."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._clockwork = self._loop.call_later(INTERVAL, self._look)

    @override
    def post(self, stimulus: Any) -> None:
        self._inbox.append(stimulus)

    @override
    def ended(self, stimulus: AttemptEnded) -> None:
        self._inbox.append(stimulus)

    def _look(self) -> None:
        self._clockwork = self._loop.call_later(INTERVAL, self._look)
        if self._inbox:
            self._run_turn()

    @override
    def close(self) -> None:
        super().close()
        self._clockwork.cancel()


def turned_by(mode: str) -> AbstractContextManager[Any]:
    """Engines opened meanwhile are of this mode: the switch that the seeds ask for, for benchmarks only."""
    return patch.object(wiring, "Pump", PollingPump if mode == "polling" else Pump)


def run_once(mode: str, plan: Plan) -> dict[str, float]:
    """Run a plan of sleeping tasks; milliseconds from the last parent's end to the start, and what it took in all."""
    begun: dict[str, float] = {}
    ended: dict[str, float] = {}

    async def sleep(task: Any, _context: Any) -> None:
        begun[task.id] = time.perf_counter()
        await asyncio.sleep(SHORTEST + (LONGEST - SHORTEST) * (crc32(task.id.encode()) % 97) / 96)
        ended[task.id] = time.perf_counter()

    async def timed() -> dict[str, float]:
        async with engine(LIMIT, InProcessDevice("here", slots=None, handlers={"noop": sleep})) as orchestrator:
            cpu, clock = time.process_time(), time.perf_counter()
            run = await orchestrator.start(plan)
            await run.finished()
            return {"seconds": time.perf_counter() - clock, "cpu": time.process_time() - cpu}

    with turned_by(mode):
        took = asyncio.run(timed())
    delays = dispatch_delays(plan, begun, ended)
    return {
        "mean": sum(delays) / len(delays),
        "p50": quantile(delays, 0.5),
        "p99": quantile(delays, 0.99),
        "makespan": took["seconds"],
        "cpu_a_task": took["cpu"] / len(plan.tasks) * 1000,
    }


def dispatch_delays(plan: Plan, begun: dict[str, float], ended: dict[str, float]) -> list[float]:
    """Milliseconds from the end of the last parent to the start, of each task that has parents."""
    ids = [task.id for task in plan.tasks]
    return [
        (begun[ids[number]] - max(ended[ids[parent]] for parent in parents)) * 1000
        for number, parents in enumerate(plan.index.parents)
        if parents
    ]


def idle(mode: str, seconds: float) -> dict[str, float]:
    """Share of a CPU, in percent, and wake-ups a second of an open engine with nothing to do."""
    taken = figures(start("polling_child.py", mode, seconds), seconds + 60)
    return {
        "idle_cpu": taken["cpu"] / taken["seconds"] * 100,
        "idle_wakes": taken["switches"] / taken["seconds"],
    }


def report(*, tiny: bool = False) -> tuple[str, list[dict[str, Any]]]:
    """The table of both modes, and their figures."""
    plan = layered(3, 4) if tiny else layered(25, 12)
    found: list[dict[str, Any]] = []
    for mode in MODES:
        say(f"{mode} …")
        found.append({"mode": mode, **run_once(mode, plan), **idle(mode, 0.05 if tiny else 10.0)})
    rows = {
        "dispatch delay, mean (ms)": "mean",
        "dispatch delay, p50 (ms)": "p50",
        "dispatch delay, p99 (ms)": "p99",
        "makespan (s)": "makespan",
        "CPU a task, in all (ms)": "cpu_a_task",
        "idle CPU (%)": "idle_cpu",
        "idle wake-ups a second": "idle_wakes",
    }
    lines = [f"{'':28}{MODES[0]:>14}{f'{MODES[1]}, {INTERVAL * 1000:g} ms':>18}"]
    lines += [f"{title:28}{number(found[0][key]):>14}{number(found[1][key]):>18}" for title, key in rows.items()]
    lines.append(
        f"{len(plan.tasks)} tasks in layers, each {SHORTEST * 1000:g} to {LONGEST * 1000:g} ms, limit {LIMIT} for both."
    )
    return "\n".join(lines), found

"""What is measured: the workloads A, B and C, how large they are, and one timed run of a plan through the engine."""

from __future__ import annotations

import asyncio
import gc
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from starloom.devices.inprocess import Handler, InProcessDevice
from starloom.journal.base import Journal, NullJournal
from starloom.model.status import Placement, RunState
from starloom.orchestration.orchestrator import Orchestrator
from starloom.settings import SchedulerSettings
from starloom.testing import chain, independent, layered, noop

if TYPE_CHECKING:
    import cProfile
    from collections.abc import Callable, Coroutine, Iterable

    from starloom.devices.base import Device
    from starloom.events import Event
    from starloom.model.plan import Plan

LIMIT: Final = 16
LIMITS: Final = (LIMIT, None)
EVENTS_OF_A_TASK: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How much is measured.

    Attributes:
        core_rounds: rounds of the short measurements; `rounds` of all others.
        growth: how many times as large the large workloads are.
        edits: single edits a round; `batches` of `batch` edits.
        commands: local commands a round, `at_once` at a time.
        idle: seconds of doing nothing.
        observed: tasks of the chain that many observers watch.
        links: tasks of the chain of which each opens an edit cycle.
    """

    independent: int = 10_000
    chain: int = 2_000
    layers: int = 100
    width: int = 100
    core_rounds: int = 9
    rounds: int = 5
    growth: int = 10
    edits: int = 1_000
    batches: int = 20
    batch: int = 100
    commands: int = 400
    at_once: int = 8
    idle: float = 5.0
    observers: int = 50
    observed: int = 400
    links: int = 1_000


FULL: Final = Sizes()
TINY: Final = Sizes(
    independent=20,
    chain=20,
    layers=5,
    width=4,
    core_rounds=1,
    rounds=1,
    growth=2,
    edits=4,
    batches=1,
    batch=4,
    commands=20,
    idle=0.01,
    observers=5,
    observed=20,
    links=20,
)


def plans(sizes: Sizes, growth: int = 1) -> dict[str, Plan]:
    """The workloads: A has no dependencies, B is a chain, C has layers with two random parents."""
    return {
        "A": independent(sizes.independent * growth),
        "B": chain(sizes.chain * growth),
        "C": layered(sizes.layers * growth, sizes.width),
    }


def settings(limit: int | None) -> SchedulerSettings:
    """Settings that neither the environment nor a file changes."""
    return SchedulerSettings(
        enabled=None,
        max_concurrency=limit,
        starvation_timeout=30.0,
        max_queue=0,
        placement=Placement.LOAD_BALANCE,
    )


def here(handler: Handler = noop) -> InProcessDevice:
    """The in-process device, without slots, that all workloads run on."""
    return InProcessDevice("here", slots=None, handlers={"noop": handler})


def engine(limit: int | None, *devices: Device, journal: Journal | None = None) -> Orchestrator:
    """An engine with these devices; it keeps no journal if none is given."""
    return Orchestrator(devices, settings=settings(limit), journal=journal or NullJournal())


class Observer:
    """Counts the events it is told."""

    def __init__(self) -> None:
        self.seen = 0

    def note(self, _event: Event) -> None:
        """One more."""
        self.seen += 1


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds from the call of `start` until `finished` returned, and until every observer had been told everything."""

    finished: float
    told: float


def time_engine(
    plan: Plan,
    limit: int | None,
    handler: Handler = noop,
    *,
    observers: int = 0,
    profiler: cProfile.Profile | None = None,
    run: Callable[[Coroutine[Any, Any, Timing]], Timing] = asyncio.run,
) -> Timing:
    """Run a plan once, in an engine and an event loop of its own."""
    return run(_timed(plan, limit, handler, observers, profiler))


async def _timed(
    plan: Plan, limit: int | None, handler: Handler, observers: int, profiler: cProfile.Profile | None
) -> Timing:
    async with engine(limit, here(handler)) as orchestrator:
        watching = [Observer() for _ in range(observers)]
        for observer in watching:
            orchestrator.events.subscribe(observer.note)
        gc.collect()
        _switch(profiler, on=True)
        begun = time.perf_counter()
        run = await orchestrator.start(plan)
        await run.finished()
        finished = time.perf_counter()
        if observers:
            await orchestrator.events.drained()
        told = time.perf_counter()
        _switch(profiler, on=False)
        _check(run, plan, watching)
    return Timing(finished - begun, told - begun)


def _switch(profiler: Any, *, on: bool) -> None:
    if profiler is not None:
        profiler.enable() if on else profiler.disable()


def _check(run: Any, plan: Plan, watching: Iterable[Observer]) -> None:
    """A figure of a run that did not do its work would be worth nothing."""
    assert run.state is RunState.COMPLETED, run
    for observer in watching:
        assert observer.seen >= EVENTS_OF_A_TASK * len(plan.tasks), f"an observer saw only {observer.seen} events"

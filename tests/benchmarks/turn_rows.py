"""Turns that concern a whole graph of 100,000 tasks: their processor time, and for how long the loop stands at once."""

from __future__ import annotations

import asyncio
import gc
import random
import tempfile
import time
from collections import deque
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.benchmarks.measuring import Budget, Row, interleaved, quantile, row

from starloom.constellation.edits import AddDependency, AddTask, EditBatch, RemoveTask, UpdateTask
from starloom.journal.library import Library
from starloom.model.dependency import Dependency
from starloom.model.plan import Limits, Plan
from starloom.model.result import DONE
from starloom.model.status import RunState, TaskStatus
from starloom.model.task import Task
from starloom.orchestration.orchestrator import Orchestrator
from starloom.scheduling import commands as c
from starloom.scheduling.read.summary import RunSummary
from starloom.scheduling.scheduler import Scheduler
from starloom.scheduling.stimuli import AttemptEnded
from starloom.testing import layered

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Iterator

    from tests.benchmarks.workloads import Sizes

    from starloom.constellation.edits import Edit
    from starloom.scheduling.turn import Turn

MILLI: Final = 1e3
RUN: Final = "large"
ROOT: Final = "root"
TURN_BUDGET: Final = Budget(100, absolute=True)
AGAIN_BUDGET: Final = Budget(10, absolute=True)
EDIT_BUDGET: Final = Budget(5, absolute=True)
GROUPS_BUDGET: Final = Budget(30, absolute=True)
SLOTS: Final = 16
TICK: Final = 0.001
SETTLED: Final = 0.5
Measured = tuple[str, float]


def turns(sizes: Sizes) -> Iterator[Row]:
    """Commands that concern all tasks, then single edits."""
    deep = _rooted(layered(sizes.layers * sizes.growth, sizes.width))
    wide = _rooted(layered(sizes.width // 10 or 1, sizes.layers * sizes.growth // 10 * sizes.width))
    (rounds,) = interleaved(sizes.rounds, lambda: [*_steering(deep), *_layer(wide)], warm_up=False)
    for at, (name, _) in enumerate(rounds[0]):
        figures = [taken[at][1] * MILLI for taken in rounds]
        budget = AGAIN_BUDGET if name.endswith("again") else TURN_BUDGET
        yield row("turns", f"{name}, {len(deep.tasks):,} tasks", "ms", figures, budget=budget)
    yield from _stops(sizes, deep)
    yield from _groups(sizes)
    for name, edits_of in (("before", _before), ("between", _between)):
        (times,) = interleaved(sizes.rounds, partial(_edits, deep, edits_of, sizes.edits // 4 or 1))
        for share in (0.5, 0.99):
            figures = [quantile(taken, share) * MILLI for taken in times]
            title = f"a task inserted {name} others, {len(deep.tasks):,} tasks, p{share * 100:.0f}"
            yield row("turns", title, "ms", figures, budget=EDIT_BUDGET if share == 0.99 else None)


def _rooted(plan: Plan) -> Plan:
    """The plan behind one task that the whole first layer depends on."""
    first = (task.id for task in plan.tasks if task.id.startswith("l0-"))
    edges = tuple(Dependency(parent=ROOT, child=task_id) for task_id in first)
    return replace(plan, tasks=(Task(id=ROOT, call="noop"), *plan.tasks), dependencies=(*edges, *plan.dependencies))


def _scheduler(plan: Plan) -> Scheduler:
    scheduler = Scheduler()
    _turn(scheduler, c.CreateRun(run_id=RUN, plan=plan, start=False))
    return scheduler


def _turn(scheduler: Scheduler, command: Any) -> Turn:
    turn = scheduler.handle([command], scheduler.now)
    assert turn.rest is None or not any(isinstance(answer, Exception) for _, answer in turn.rest.replies), turn.rest
    return turn


def _time(act: Callable[[], Any]) -> float:
    """Seconds of processor time; what was there before is not collected meanwhile."""
    is_thawed = not gc.get_freeze_count()
    gc.collect()
    gc.freeze()
    begun = time.process_time()
    act()
    taken = time.process_time() - begun
    if is_thawed:  # nobody else has frozen what a collection would take seconds for
        gc.unfreeze()
    return taken


def _of(name: str, scheduler: Scheduler, command: Any) -> Measured:
    return name, _time(lambda: _turn(scheduler, command))


# ---- commands, in an engine with a journal


def _stops(sizes: Sizes, plan: Plan) -> Iterator[Row]:
    """How long the loop stands at once, and how long each command takes, of an engine with a journal."""
    for wanted in (_steering_commands(plan), _batches(plan)):
        (rounds,) = interleaved(sizes.rounds, lambda: asyncio.run(_commands(plan, wanted)), warm_up=False)  # noqa: B023 - called at once
        for at, (name, _, _) in enumerate(rounds[0]):
            title = f"{name}, {len(plan.tasks):,} tasks, with a journal"
            stops = [taken[at][1] * MILLI for taken in rounds]
            yield row("turns", f"{title}: longest stop of the loop", "ms", stops, budget=TURN_BUDGET)
            yield row("turns", f"{title}: until it is answered", "ms", [taken[at][2] * MILLI for taken in rounds])


def _steering_commands(plan: Plan) -> tuple[tuple[str, c.Command], ...]:
    everything = tuple(task.id for task in plan.tasks)
    half = everything[::2]
    return (
        ("skip the root", c.SkipTasks(run_id=RUN, task_ids=(ROOT,))),
        ("retry it, which revives the rest", c.RetryTasks(run_id=RUN, task_ids=(ROOT,))),
        ("mark all completed", c.MarkTasks(run_id=RUN, task_ids=everything, status=TaskStatus.COMPLETED)),
        ("rerun from the root", c.RerunFrom(run_id=RUN, task_id=ROOT)),
        ("another priority for half", c.SetPriority(run_id=RUN, task_ids=half, priority=80)),
        ("hold half", c.HoldTasks(run_id=RUN, task_ids=half)),
        ("release half", c.ReleaseTasks(run_id=RUN, task_ids=half)),
        ("cancel the run", c.CancelRun(run_id=RUN)),
    )


def _batches(plan: Plan) -> tuple[tuple[str, c.Command], ...]:
    tenth = [task.id for task in plan.tasks[1::10]]
    return (
        (f"other fields of {len(tenth):,}", _edit(*(UpdateTask(task_id, timeout=3.0) for task_id in tenth))),
        (f"{len(tenth):,} removals", _edit(*(RemoveTask(task_id) for task_id in tenth))),
    )


async def _commands(plan: Plan, wanted: Iterable[tuple[str, c.Command]]) -> list[tuple[str, float, float]]:
    """The name of each command, the longest stop of the loop and the seconds until its answer."""
    taken = []
    with tempfile.TemporaryDirectory() as folder, Library(Path(folder)) as kept:
        async with Orchestrator(journal=kept) as engine:
            await engine.start(plan, run_id=RUN, paused=True)
            gc.collect()
            gc.freeze()
            for name, command in wanted:
                taken.append((name, *await _stopped(engine.pump.ask(command))))
            gc.unfreeze()
    return taken


async def _stopped(command: Coroutine[Any, Any, Any]) -> tuple[float, float]:
    """The longest stop of the loop while a command is carried out and told of, and the seconds until its answer."""
    stops = [0.0]

    async def watch() -> None:
        before = time.perf_counter()
        while True:
            await asyncio.sleep(TICK)
            now = time.perf_counter()
            stops.append(now - before - TICK)
            before = now

    watching = asyncio.create_task(watch())
    await asyncio.sleep(SETTLED)
    begun = time.perf_counter()
    await command
    took = time.perf_counter() - begun
    await asyncio.sleep(SETTLED)
    watching.cancel()
    return max(stops), took


# ---- commands, by the scheduler alone


def _steering(plan: Plan) -> Iterator[Measured]:
    scheduler = _scheduler(plan)
    run = scheduler.run(RUN)
    yield "statistics, for the first time", _time(lambda: RunSummary(run, 0.0).statistics)
    yield "statistics again", _time(lambda: RunSummary(run, 0.0).statistics)
    _turn(scheduler, _edit(*_between(plan, random.Random(5), "new")))
    yield "statistics after an edit", _time(lambda: RunSummary(run, 0.0).statistics)


def _layer(plan: Plan) -> Iterator[Measured]:
    scheduler = _scheduler(plan)
    first = [task.id for task in plan.tasks if task.id.startswith("l0-")]
    _turn(scheduler, _edit(AddTask(Task(id="begin", call="noop")), AddTask(Task(id="end", call="noop"))))
    joined = (AddDependency(Dependency(parent=task_id, child="end")) for task_id in first)
    yield _of(f"a dependency on each of {len(first):,} tasks", scheduler, _edit(*joined))
    fanned = (AddDependency(Dependency(parent="begin", child=task_id)) for task_id in first)
    yield _of(f"a dependency of each of {len(first):,} tasks", scheduler, _edit(*fanned))


def _groups(sizes: Sizes) -> Iterator[Row]:
    """Time per task where many groups with limits wait for the same slots."""
    count = sizes.independent
    groups = {f"g{number}": 1 for number in range(count // 10)}
    tasks = [Task(id=f"t{number}", call="noop", groups=(f"g{number % len(groups)}",)) for number in range(count)]
    plan = Plan(tasks=tuple(tasks), limits=Limits(groups=groups))
    (figures,) = interleaved(sizes.rounds, lambda: _time(lambda: _run_through(plan)) / count * 1e6)
    title = f"a task of {len(groups):,} groups with limits, that wait for {SLOTS} slots"
    yield row("turns", title, "µs/task", figures, budget=GROUPS_BUDGET)


def _run_through(plan: Plan) -> None:
    scheduler = Scheduler()
    _turn(scheduler, c.AddDevice(device_id="d", kind="simulated", slots=SLOTS, connected=True))
    starts = deque(_turn(scheduler, c.CreateRun(run_id=RUN, plan=plan)).starts)
    while starts:
        start = starts.popleft()
        starts.extend(scheduler.handle([AttemptEnded(RUN, start.task_id, start.attempt, DONE)], scheduler.now).starts)
    assert scheduler.run(RUN).state is RunState.COMPLETED


def _edit(*edits: Edit) -> c.EditConstellation:
    return c.EditConstellation(run_id=RUN, batch=EditBatch(edits=edits))


# ---- single edits


def _edits(plan: Plan, edits_of: Callable[[Plan, random.Random, str], tuple[Edit, ...]], count: int) -> list[float]:
    """Seconds of each edit; the first of a run, which makes the order, is left out."""
    scheduler, draw = _scheduler(plan), random.Random(5)
    batches = [_edit(*edits_of(plan, draw, f"new-{number}")) for number in range(count)]
    _turn(scheduler, _edit(AddTask(Task(id="first", call="noop"))))
    return [_time_of_one(scheduler, batch) for batch in batches]


def _time_of_one(scheduler: Scheduler, batch: c.EditConstellation) -> float:
    begun = time.process_time()
    _turn(scheduler, batch)
    return time.process_time() - begun


def _before(plan: Plan, draw: random.Random, name: str) -> tuple[Edit, ...]:
    child = draw.choice(plan.tasks).id
    return AddTask(Task(id=name, call="noop")), AddDependency(Dependency(parent=name, child=child))


def _between(plan: Plan, draw: random.Random, name: str) -> tuple[Edit, ...]:
    one = draw.choice(plan.dependencies)
    above = AddDependency(Dependency(parent=one.parent, child=name))
    return AddTask(Task(id=name, call="noop")), above, AddDependency(Dependency(parent=name, child=one.child))

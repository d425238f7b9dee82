"""Makespans with an agent that thinks, behind each fence, over editing between phases: `bench_cycles.py [--tiny]`.

An agent is asked about a quarter of the tasks of a plan that others depend on. It thinks, and of one end in five it
wants another value in a field of the first task behind. Ends that come while it thinks form its next batch. It is
compared with two that know nothing of fences:

* `phases`: edit, then execute. What is ready runs to its end, the agent answers to all ends of that, and then the next
  phase begins. Where nobody is asked about any of them it begins at once.
* `oracle`: it thinks in no time.
* `bound`: it thinks about every end at once and by itself, and nothing waits for that but the task that it may want to
  change. No fence that waits for answers can know more, nor any agent answer sooner.

What the oracle gains over phases is the most that can be gained by editing while a plan runs; what a fence keeps of
that is the figure. Plans are those of `peers_overlap`, with enough tasks for phases; thoughts take as long as parts of
a mean task. The engine, its fences and replaced tasks are the real ones, in virtual time: each run gives equal figures.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

sys.path.insert(0, str(Path(__file__).parents[2]))  # a script finds only what lies beside it

from tests.benchmarks.bench_makespan import generated_plans, geometric_mean, recorded_plans, traces_folder
from tests.benchmarks.measuring import Budget, Row, row, say, table
from tests.virtual_time import engine, loop, run

from starloom.agents.base import AgentView, FinishedTask, Proposal
from starloom.constellation.edits import UpdateTask
from starloom.devices.simulated import SimulatedDevice
from starloom.events import RunEnded, TaskCompleted, TaskReset
from starloom.model.agent_terms import EditScope, EndFilter, OnConflict, ScopeKind
from starloom.model.dependency import Dependency
from starloom.model.status import Fence
from starloom.model.task import Simulate, Task
from starloom.scheduling.state.codes import COMPLETED, PENDING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from starloom.model.plan import Plan
    from starloom.orchestration.run import Run

    Thought = Callable[[Sequence[str]], float]
    """Seconds that the agent thinks about the ends of these tasks."""

SLOTS: Final = 16
LEAST_TASKS: Final = 40
ASKED: Final = 0.25
"""The share of the tasks with children about which the agent is asked."""
WANTED: Final = 0.2
"""The share of these ends of which an edit follows."""
SHARES: Final = (0.1, 0.3, 1.0)
"""How long the agent thinks on average, as a part of the mean duration of the plan's tasks."""
THOUGHTS: Final = ("constant", "log-normal", "correlated")
SPREAD: Final = 0.5
"""Of the logarithms of log-normal thoughts: one in a hundred takes three times as long as the mean."""
FENCES: Final = (Fence.GLOBAL, Fence.DESCENDANTS, Fence.SCOPE, Fence.OPTIMISTIC)
BOUND: Final = "bound"
Way = Fence | Literal["bound"]
WAYS: Final[tuple[Way, ...]] = (*FENCES, BOUND)
GOALS: Final[Mapping[Fence, float]] = {Fence.SCOPE: 70.0, Fence.OPTIMISTIC: 95.0}
"""Per cent of the oracle's gain."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One plan with one kind of thought; makespans in seconds, `repeated` the tasks that `optimistic` replaced."""

    plan: str
    thought: str
    share: float
    phases: float
    oracle: float
    bound: float
    behind: Mapping[Fence, float]
    repeated: int

    def gain_of(self, way: Way) -> float:
        """The gain of a way, as a part of the makespan of phases."""
        return 1 - self.seconds(way) / self.phases

    def seconds(self, way: Way) -> float:
        """The makespan of a way."""
        return self.bound if way == BOUND else self.behind[Fence(way)]

    @property
    def gain(self) -> float:
        """The oracle's gain, as a part of the makespan of phases."""
        return 1 - self.oracle / self.phases


# ---- what the agent is asked, thinks and wants; the same of every way


@cache
def _dice(*seed: object) -> float:
    return random.Random(repr(seed)).random()


def asked_about(plan: Plan) -> dict[str, str]:
    """The tasks the agent is asked about, each with the first one behind it."""
    children: dict[str, str] = {}
    for dependency in plan.dependencies:
        children.setdefault(dependency.parent, dependency.child)
    return {task: child for task, child in children.items() if _dice(plan.name, task, "asked") < ASKED}


def wants(plan: Plan, task_id: str) -> bool:
    """Whether an edit follows from the end of a task."""
    return _dice(plan.name, task_id, "wanted") < WANTED


def thought_of(plan: Plan, kind: str, share: float) -> Thought:
    """How long the agent thinks: always alike, log-normally, or the longer the longer what it is asked about took."""
    seconds = {task.id: task.expected_duration or 0.0 for task in plan.tasks}
    mean = share * sum(seconds.values()) / len(seconds)
    if kind == "constant":
        return lambda _ids: mean
    if kind == "log-normal":
        return lambda ids: (
            mean * random.Random(repr((plan.name, *sorted(ids)))).lognormvariate(-(SPREAD**2) / 2, SPREAD)
        )
    return lambda ids: share * max(seconds[task_id] for task_id in ids)


# ---- the ways


class Reviewer:
    """The agent, for an engine with fences."""

    name = "reviewer"

    def __init__(self, plan: Plan, thought: Thought) -> None:
        self._plan = plan
        self._thought = thought
        self._behind = asked_about(plan)

    async def propose(self, view: AgentView, finished: Sequence[FinishedTask]) -> Proposal | None:
        """Think, and want another description of what comes after some of these ends."""
        ids = [one.id for one in finished]
        await asyncio.sleep(self._thought(ids))
        changed = dict.fromkeys(self._behind[task_id] for task_id in ids if wants(self._plan, task_id))
        edits = tuple(UpdateTask(task_id, description=f"after {ids[0]}") for task_id in changed)
        return Proposal(edits=edits) if edits else None


async def _behind_a_fence(plan: Plan, thought: Thought, fence: Fence) -> tuple[float, int]:
    repeated: list[Any] = []
    async with engine(SimulatedDevice("d", slots=SLOTS)) as orchestrator:
        handle = await orchestrator.start(replace(plan, devices=()), paused=True)
        behind = asked_about(plan)
        scope = EditScope(ScopeKind.TASKS, tuple(dict.fromkeys(behind.values())))
        terms: dict[str, Any] = {"scope": scope, "on_conflict": OnConflict.REPLACE}
        await handle.set_fence(fence)
        if behind:
            await handle.attach(Reviewer(plan, thought), on=EndFilter(tuple(behind)), **terms)
        orchestrator.events.subscribe(repeated.append, TaskReset)
        return await _seconds(handle), len(repeated)


async def _seconds(handle: Run) -> float:
    """The seconds until the last task has ended: what an agent thinks about that is no part of the makespan."""
    ended: list[float] = []
    watching = handle.events()

    async def watch() -> None:
        async for event in watching:
            if isinstance(event, TaskCompleted):
                ended.append(loop().time())

    watcher = asyncio.create_task(watch())
    begun = loop().time()
    await handle.start()
    await handle.finished()
    await watcher
    facts = handle.facts
    assert facts.status == bytes([COMPLETED]) * len(facts.status), f"{facts.name}: {handle.summary()}"
    return ended[-1] - begun


async def _in_phases(plan: Plan, thought: Thought) -> float:
    async with engine(SimulatedDevice("d", slots=SLOTS)) as orchestrator:
        handle = await orchestrator.start(replace(plan, devices=()), paused=True)
        inner = [task.id for task, parents in zip(plan.tasks, plan.index.parents, strict=True) if parents]
        await handle.hold(*inner)
        news = asyncio.Event()
        orchestrator.events.subscribe(lambda _: news.set(), TaskCompleted, RunEnded)
        answering = asyncio.create_task(_answer_phases(plan, handle, thought, news))
        seconds = await _seconds(handle)
        await answering
        return seconds


async def _answer_phases(plan: Plan, handle: Run, thought: Thought, news: asyncio.Event) -> None:
    """Whenever nothing runs any more, think about what has ended, and let go on what is ready by that."""
    facts, behind, answered = handle.facts, asked_about(plan), set[str]()
    while not facts.state.has_ended:
        await news.wait()
        news.clear()
        held = [number for number in facts.with_status(PENDING) if number in facts.held]
        if facts.running or not held or len(held) < len(facts.with_status(PENDING)):
            continue
        ids = [facts.graph.ids[number] for number in facts.with_status(COMPLETED)]
        ended = [task_id for task_id in ids if task_id in behind and task_id not in answered]
        if ended:
            await asyncio.sleep(thought(ended))
            answered.update(ended)
            changed = dict.fromkeys(behind[task_id] for task_id in ended if wants(plan, task_id))
            edits = [UpdateTask(task_id, description="after a phase") for task_id in changed]
            if edits:
                await handle.edit(*edits)
        await handle.release(*(facts.graph.ids[number] for number in held))


async def _at_once(plan: Plan, thought: Thought) -> float:
    """Each thought is a task of its own, between an end and the task behind it, on a device without a limit."""
    behind = asked_about(plan)
    tasks = [replace(task, device="d") for task in plan.tasks]
    dependencies = list(plan.dependencies)
    for task_id, child in behind.items():
        thinks = Task(id=f"thought of {task_id}", simulate=Simulate(duration=thought([task_id])), device="thinkers")
        tasks.append(thinks)
        dependencies.append(Dependency(parent=task_id, child=thinks.id))
        dependencies.append(Dependency(parent=thinks.id, child=child))
    wider = replace(plan, devices=(), tasks=tuple(tasks), dependencies=tuple(dependencies))
    async with engine(SimulatedDevice("d", slots=SLOTS), SimulatedDevice("thinkers", slots=None)) as orchestrator:
        return await _seconds(await orchestrator.start(wider, paused=True))


def figure(plan: Plan, kind: str, share: float) -> Figure:
    """The makespans of one plan with one kind of thought."""
    thought = thought_of(plan, kind, share)
    found = {fence: run(_behind_a_fence(plan, thought, fence)) for fence in FENCES}
    return Figure(
        plan=plan.name,
        thought=kind,
        share=share,
        phases=run(_in_phases(plan, thought)),
        oracle=_oracle(plan),
        bound=run(_at_once(plan, thought)),
        behind={fence: seconds for fence, (seconds, _) in found.items()},
        repeated=found[Fence.OPTIMISTIC][1],
    )


_ORACLES: Final[dict[str, float]] = {}


def _oracle(plan: Plan) -> float:
    if plan.name not in _ORACLES:
        _ORACLES[plan.name] = run(_behind_a_fence(plan, lambda _ids: 0.0, Fence.GLOBAL))[0]
    return _ORACLES[plan.name]


# ---- reporting


def kept(figures: Iterable[Figure], way: Way) -> float:
    """The gain of a way over all these plans in per cent of the oracle's; 100 where there is nothing to gain."""
    figures = tuple(figures)
    whole = sum(one.gain for one in figures)
    return 100 * sum(one.gain_of(way) for one in figures) / whole if whole > 0 else 100.0


def report(figures: Sequence[Figure]) -> str:
    """A line for each plan with each kind of thought, and what each way keeps of the oracle's gain."""
    width = max(len(one.plan) for one in figures)
    titles = _columns(WAYS)
    lines = [f"{'plan':{width}}  {'thought':10}  of a task  phases (s)   oracle{titles}  replaced"]
    for one in figures:
        start = f"{one.plan:{width}}  {one.thought:10}  {one.share:9g}  {one.phases:10,.1f}"
        changes = _columns(_change(one.seconds(way) / one.phases) for way in WAYS)
        lines.append(f"{start}  {_change(one.oracle / one.phases):>7}{changes}  {one.repeated:8}")
    lines += ["", f"{'kept of the gain of the oracle, %':34}{titles}"]
    for kind in THOUGHTS:
        for share in SHARES:
            group = [one for one in figures if (one.thought, one.share) == (kind, share)]
            shown = _columns(f"{kept(group, way):.0f}" for way in WAYS)
            lines.append(f"{kind:10}  {share:9g}{'':13}{shown}")
    lines.append(f"{'all':34}" + _columns(f"{kept(figures, way):.1f}" for way in WAYS))
    ratios = [geometric_mean([one.seconds(way) / one.phases for one in figures]) for way in WAYS]
    slower = [sum(one.seconds(way) > one.phases * 1.0001 for one in figures) for way in WAYS]
    lines.append(f"{'makespan over phases, mean':34}" + _columns(map(_change, ratios)))
    return "\n".join([*lines, f"{f'slower than phases, of {len(figures)}':34}{_columns(slower)}"])


def _columns(values: Iterable[object]) -> str:
    return "".join(f"{value!s:>13}" for value in values)


def _change(ratio: float) -> str:
    return f"{(ratio - 1) * 100:+.1f} %"


def budgets(figures: Sequence[Figure]) -> list[Row]:
    """What the fences with a goal come to, and the plan with which each is slowest."""
    rows = []
    for fence, goal in GOALS.items():
        name = f"fence {fence}: kept of the oracle's gain over phases"
        budget = Budget(goal, at_least=True, absolute=True)
        rows.append(row("cycles", name, "%", [kept(figures, fence)], [100.0], peer="oracle", budget=budget))
        worst = max(figures, key=lambda one: one.behind[fence] / one.phases)
        name = f"fence {fence}: where it does worst, {worst.plan}, {worst.thought} {worst.share:g}"
        seconds = [worst.behind[fence]], [worst.phases]
        rows.append(row("cycles", name, "s", *seconds, peer="editing in phases", budget=Budget(1.0)))
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; returns how many goals were missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tiny", action="store_true", help="generated plans alone, to see that it works")
    wanted = parser.parse_args(arguments)
    recorded = [] if wanted.tiny else recorded_plans(traces_folder())
    if not (recorded or wanted.tiny):
        say(f"No recorded workflows in {traces_folder()}: only made ones.")
    known = [*recorded, *generated_plans()]
    plans = [replace(plan, name=name) for name, plan, _ in known if len(plan.tasks) >= LEAST_TASKS]
    figures = []
    for plan in plans[-1:] if wanted.tiny else plans:
        say(f"cycles: {plan.name} …")
        figures += [figure(plan, kind, share) for kind in THOUGHTS for share in SHARES]
    found = budgets(figures)
    sys.stdout.write(f"{report(figures)}\n\n{table(found)}\n")
    return sum(one.holds is False for one in found)


if __name__ == "__main__":
    main()

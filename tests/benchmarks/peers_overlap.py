"""Edits while a plan runs against edits between phases of its execution, on recorded workflows, in virtual time.

An agent looks at every task that has completed, thinks for a while, and edits a task that has not started. Ends that
come while it thinks form its next batch. What may go on meanwhile is the way:

* `phases`: edit, then execute. What is ready runs to its end, the agent answers, and only then the next phase begins.
* `global`: what runs goes on, nothing new starts while the agent thinks: the seeds' safe assignment lock.
* `descendants`: only what comes after the tasks that the agent thinks about waits.
* `none`: nothing waits.

The engine, its fences apart (here they are holds and pauses), is the real one; thinking and tasks take virtual time.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tests.benchmarks.bench_makespan import generated_plans, geometric_mean, recorded_plans, traces_folder
from tests.benchmarks.measuring import say
from tests.virtual_time import engine, loop, run

from starloom.constellation.edits import UpdateTask
from starloom.devices.simulated import SimulatedDevice
from starloom.errors import CommandRefused
from starloom.events import RunEnded, TaskCompleted
from starloom.model.status import RunState
from starloom.scheduling.state.codes import COMPLETED, PENDING, WAITING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.events import Event
    from starloom.model.plan import Plan
    from starloom.orchestration.run import Run

WAYS: Final = ("phases", "global", "descendants", "none")
SLOTS: Final = 16
SHARES: Final = (0.1, 0.5)
"""How long the agent thinks, as a part of the mean duration of the plan's tasks."""


class Agent:
    """Answers ends with edits, and lets start what it has answered for.

    Attributes:
        edits: how many of its edits were taken.
    """

    def __init__(self, handle: Run, way: str, think: float) -> None:
        self.edits = 0
        self._run = handle
        self._way = way
        self._think = think
        self._news = asyncio.Event()
        self._over = False
        self._ended: list[int] = []
        self._answered = bytearray(len(handle.facts.status))
        self._holds = way != "none"

    def tell(self, event: Event) -> None:
        """Hear that a task has completed, or that all is over."""
        if isinstance(event, TaskCompleted):
            self._ended.append(self._run.facts.graph.place[event.task_id])
        self._over = self._over or isinstance(event, RunEnded)
        self._news.set()

    async def work(self) -> None:
        """Answer until the run has ended."""
        while True:
            await self._news.wait()
            self._news.clear()
            if self._over:
                return
            if self._way == "phases" and self._is_going_on():
                continue
            while self._ended:
                batch, self._ended = self._ended, []
                await self._answer(batch)

    def _is_going_on(self) -> bool:
        """Whether anything runs, or is ready and may start."""
        facts = self._run.facts
        ready = facts.with_status(PENDING)
        return bool(facts.running) or any(number not in facts.held for number in ready)

    async def _answer(self, batch: Iterable[int]) -> None:
        facts = self._run.facts
        waiting = [*facts.with_status(WAITING), *facts.with_status(PENDING)]
        if waiting:  # else there is nothing left to edit
            if self._way == "global":
                await self._run.pause()
            await asyncio.sleep(self._think)
            await self._edit(facts.graph.ids[waiting[-1]])
        for number in batch:
            self._answered[number] = 1
        await self._let_start(batch)
        if facts.state is RunState.PAUSED:
            await self._run.resume()

    async def _edit(self, task_id: str) -> None:
        try:
            await self._run.edit(UpdateTask(task_id, description=f"as of edit {self.edits}"))
        except CommandRefused:  # it has started meanwhile, which a way without fences has to live with
            return
        self.edits += 1

    async def _let_start(self, batch: Iterable[int]) -> None:
        graph, held = self._run.facts.graph, self._run.facts.held
        children = {child for number in batch for child in graph.children[number] if child in held}
        free = [graph.ids[n] for n in sorted(children) if all(self._answered[parent] for parent in graph.parents[n])]
        if free and self._holds:
            await self._run.release(*free)


async def _seconds(plan: Plan, way: str, think: float) -> tuple[float, int]:
    async with engine(SimulatedDevice("d", slots=SLOTS)) as orchestrator:
        handle = await orchestrator.start(replace(plan, devices=()), paused=True)
        if way != "none":
            inner = [task.id for task, parents in zip(plan.tasks, plan.index.parents, strict=True) if parents]
            await handle.hold(*inner) if inner else None
        agent = Agent(handle, way, think)
        orchestrator.events.subscribe(agent.tell, TaskCompleted, RunEnded)
        working = asyncio.create_task(agent.work())
        begun = loop().time()
        await handle.start()
        await handle.finished()
        seconds = loop().time() - begun
        await working
        facts = handle.facts
        assert facts.status == bytes([COMPLETED]) * len(facts.status), f"{plan.name}, {way}: {handle.summary()}"
        return seconds, agent.edits


def makespan(plan: Plan, way: str, share: float) -> tuple[float, int]:
    """Virtual seconds of a run with an agent that thinks for this share of a mean task, and how often it edited."""
    durations = [task.expected_duration or 0.0 for task in plan.tasks]
    think = share * sum(durations) / len(durations)
    return run(_seconds(plan, way, think))


def report(*, tiny: bool = False) -> tuple[str, list[dict[str, Any]]]:
    """The table of all plans and ways, and their figures."""
    recorded = [] if tiny else recorded_plans(traces_folder())
    skipped = f"No recorded workflows in {traces_folder()}: only made ones." if not (recorded or tiny) else ""
    plans = [*recorded, *generated_plans()]
    found: list[dict[str, Any]] = []
    for name, plan, is_recorded in plans[-2:] if tiny else plans:
        say(f"overlap: {name} …")
        for share in SHARES:
            results = {way: makespan(plan, way, share) for way in WAYS}
            found.append(
                {
                    "plan": name,
                    "recorded": is_recorded,
                    "tasks": len(plan.tasks),
                    "think": share,
                    "makespans": {way: seconds for way, (seconds, _) in results.items()},
                    "edits": {way: edits for way, (_, edits) in results.items()},
                }
            )
    return "\n".join(filter(None, [_table(found), skipped])), found


def _table(found: list[dict[str, Any]]) -> str:
    lines = [
        f"{'plan':38}{'tasks':>6}{'thinks':>8}{'phases (s)':>12}" + "".join(f"{way:>13}" for way in WAYS[1:]),
    ]
    for one in found:
        base = one["makespans"]["phases"]
        changes = "".join(f"{_change(one['makespans'][way] / base):>13}" for way in WAYS[1:])
        lines.append(f"{one['plan'][:37]:38}{one['tasks']:>6}{one['think']:>8g}{base:>12,.1f}{changes}")
    for is_recorded, title in ((True, "recorded"), (False, "made")):
        for share in SHARES:
            group = [one for one in found if one["recorded"] is is_recorded and one["think"] == share]
            if group:
                means = [
                    geometric_mean([o["makespans"][w] / o["makespans"]["phases"] for o in group]) for w in WAYS[1:]
                ]
                lines.append(
                    f"{f'geometric mean, {title}':38}{'':>6}{share:>8g}{'':>12}"
                    + "".join(f"{_change(m):>13}" for m in means)
                )
    note = (
        "Columns after `phases`: by how much overlapping edits and execution changes the makespan of edit-then-execute,"
        f"\nwhose agent answers once a phase. {SLOTS} slots; each answer takes so many mean tasks as `thinks` says."
    )
    return "\n".join([*lines, note])


def _change(ratio: float) -> str:
    return f"{(ratio - 1) * 100:+.1f} %"

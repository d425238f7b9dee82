"""Reads the present state of a run of an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import override

from starloom.scheduling.read.line import in_line
from starloom.scheduling.read.queue_reorder import QueueReorder
from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.state.fence import kept
from starloom_gui.gateway.forecast import SAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from starloom.agents.base import Agent
    from starloom.constellation.edits import Edit
    from starloom.foresight.projection import Projection
    from starloom.foresight.speedups import Speedups
    from starloom.foresight.what_if import WhatIf
    from starloom.scheduling.fork import Fork
    from starloom.scheduling.read.line import InLine
    from starloom.scheduling.read.why import Reason
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.engine import Engine


class LiveReader:
    """A `RunReader` of a run of this engine.

    Args:
        engine: whose.
        bridge: tells of it.
        run_id: of the run.
        behind: gives the seconds since the facts were up to date, as the engine has halted or is not reached.
    """

    is_past = False

    def __init__(self, engine: Engine, bridge: Bridge, run_id: str, behind: Callable[[], float] = lambda: 0.0) -> None:
        self._engine, self._bridge, self._behind = engine, bridge, behind
        self.run_id, self.log = run_id, bridge.log

    def facts(self) -> RunFacts | None:
        """The facts of the run."""
        return self._bridge.run(self.run_id)

    def view(self) -> RunView | None:
        """The run."""
        facts = self.facts()
        return RunView(facts) if facts is not None else None

    def now(self) -> float:
        """Seconds on the engine's clock; the moment up to which the facts are known, if no more is heard."""
        return self._engine_now()

    def _engine_now(self) -> float:
        return self._bridge.now() - self._behind()

    def fleet(self) -> FleetFacts:
        """The facts of the fleet."""
        return self._bridge.fleet

    def runs(self) -> list[RunFacts]:
        """The facts of all runs, oldest first."""
        return self._bridge.all_runs()

    def run(self, run_id: str) -> RunFacts | None:
        """The facts of a run; None: there is no such run."""
        return self._bridge.run(run_id)

    def in_line(self, most: int) -> tuple[list[InLine], int]:
        """The first so many of the ready queue of all runs, and how many stand in it."""
        return in_line(self._engine.scheduler, self._engine_now(), most)

    def wall(self, at: float) -> float:
        """Seconds since 1970 of a time on the engine's clock since this program began."""
        return self._bridge.wall(at)

    def why(self, run_id: str, task_id: str) -> tuple[Reason, ...]:
        """The reasons why a task does not run, the blocking ones first; none of one that is only staged."""
        return self._engine.why(run_id, task_id)

    def fenced(self, among: Iterable[int] | None = None) -> frozenset[int]:
        """The ready tasks, or those among some, that do not start because agents, or people, are asked."""
        index = self._engine.scheduler.runs.get(self.run_id)
        return kept(index, among) if index is not None else frozenset()

    def of_plan(self, facts: Callable[[], RunFacts | None]) -> PlanReader:
        """Reads a plan of these facts, beside the runs of the same engine."""
        return PlanReader(self._engine, self._bridge, facts, self._behind)

    # ---- of the present alone

    def reorder(self, number: int) -> QueueReorder | None:
        """The ready queue in which other priorities of a task can be tried; None: the task is not in it."""
        try:
            return QueueReorder(self._engine.scheduler, self.run_id, number)
        except KeyError:
            return None

    def agent(self, name: str) -> Agent | None:
        """An agent that was attached to the run, detached by now or not; None: this program has attached none so named.

        Raises:
            KeyError: there is no such run.
        """
        return self._engine.agent(self.run_id, name)

    async def durations_for(self, plan: str) -> Callable[[Fork, str], Fork]:
        """What adds durations of earlier runs of the plan of a name to a fork; see `orchestration.foresight`."""
        return await self._engine.durations_for(plan)

    async def project(self) -> Projection:
        """Foresee the run, with few samples; see `starloom.orchestration.run.Run.project`.

        Raises:
            KeyError: there is no such run.
        """
        return await self._engine.project(self.run_id, SAMPLES)

    async def what_if(self, *edits: Edit) -> WhatIf:
        """Project the effect of edits, without samples; see `starloom.orchestration.run.Run.what_if`.

        Raises:
            KeyError: there is no such run.
        """
        return await self._engine.what_if(self.run_id, edits)

    async def speedups(self) -> Speedups:
        """Try what would let the run end earlier; see `starloom.orchestration.run.Run.speedups`.

        Raises:
            KeyError: there is no such run.
        """
        return await self._engine.speedups(self.run_id)


class PlanReader(LiveReader):
    """A `RunReader` of a plan: its tasks are its own and its times count from its start, all else is the engine's.

    Args:
        engine: whose.
        bridge: tells of it.
        facts: gives the plan's facts.
        behind: as for `LiveReader`.
    """

    def __init__(
        self,
        engine: Engine,
        bridge: Bridge,
        facts: Callable[[], RunFacts | None],
        behind: Callable[[], float] = lambda: 0.0,
    ) -> None:
        super().__init__(engine, bridge, "", behind)
        self._facts = facts

    @override
    def facts(self) -> RunFacts | None:
        """The facts of the plan."""
        return self._facts()

    @override
    def now(self) -> float:
        """The start of the plan, 0."""
        return 0.0

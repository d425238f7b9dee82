"""The engine in this process."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from starloom.agents.rules import RuleAgent
from starloom.errors import CommandRefused
from starloom.formats.rules import read_rules
from starloom.journal.names import JOURNAL
from starloom.orchestration.foresight import durations_for
from starloom.orchestration.handover import agents_of
from starloom.scheduling.commands import OPERATOR
from starloom.settings import journal_path
from starloom_gui.gateway.engine import halt_obstacle
from starloom_gui.gateway.run_archive import LocalArchive

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from pathlib import Path

    from starloom.agents.base import Agent
    from starloom.constellation.edits import Edit
    from starloom.devices.base import Device
    from starloom.errors import DeviceRefused
    from starloom.events import Event
    from starloom.foresight.projection import Projection
    from starloom.foresight.speedups import Speedups
    from starloom.foresight.what_if import WhatIf
    from starloom.journal.records import RunRecord
    from starloom.model.agent_terms import AgentTerms
    from starloom.model.device import DeviceSpec
    from starloom.model.plan import Plan
    from starloom.orchestration.handover import HandedRun
    from starloom.orchestration.orchestrator import Orchestrator
    from starloom.orchestration.resuming import Ready
    from starloom.orchestration.run import Run
    from starloom.orchestration.subscription import Subscription
    from starloom.scheduling.commands import Command
    from starloom.scheduling.fork import Fork
    from starloom.scheduling.read.why import Reason
    from starloom.scheduling.scheduler import Scheduler
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts


class LocalDevices:
    """The devices of an engine in this process: see `EngineDevices`.

    Args:
        orchestrator: an open one.
    """

    def __init__(self, orchestrator: Orchestrator) -> None:
        self._orchestrator, self._fleet = orchestrator, orchestrator.fleet
        self.has, self.unended = self._fleet.has, self._fleet.unended
        self.add_all, self.remove, self.loads = self._fleet.add_all, self._fleet.remove, self._fleet.loads

    @property
    def specs(self) -> Sequence[DeviceSpec]:
        """The specs of its devices and groups, as far as they have any."""
        return self._fleet.specs

    def heard(self, device_id: str) -> float | None:
        """When a device last gave a sign of life, on the engine's clock; None: it is not asked for any."""
        return self._orchestrator.supervisor.heard.get(device_id)

    def is_late(self, device_id: str) -> bool:
        """Whether a device has missed a sign of life, though it is not given up yet."""
        return self._orchestrator.supervisor.is_late(device_id)

    def refusal(self, device_id: str) -> DeviceRefused | None:
        """The error with which a device refuses us; None: it does not, or is elsewhere."""
        return self._orchestrator.supervisor.refusal(device_id)

    def about(self, device_id: str) -> str:
        """What a device has told of its machine; empty: nothing."""
        device = self._orchestrator.dispatcher.devices.get(device_id)
        return "" if device is None else device.about


class LocalEngine:
    """An engine in this process: see `Engine`.

    Args:
        orchestrator: an open one.

    Attributes:
        orchestrator: the engine itself.
        archive: the runs that this user has kept.
    """

    where, origin, watches = "", OPERATOR, False

    def __init__(self, orchestrator: Orchestrator) -> None:
        self.orchestrator, self._pump = orchestrator, orchestrator.pump
        self.channel, self.devices = orchestrator.channel, LocalDevices(orchestrator)
        self.output_file, self.now = orchestrator.dispatcher.output_file, self._pump.clock
        self.set_limits = orchestrator.set_limits
        self.archive = LocalArchive(journal_path())
        self.dismiss, self.tidy = orchestrator.ended_runs.dismiss, orchestrator.ended_runs.tidy

    # ---- facts

    def subscribe(self, callback: Callable[[Event], None], *, max_pending: int) -> Subscription:
        """Have a function called with each event; see `EventBus.subscribe`."""
        return self.orchestrator.events.subscribe(callback, max_pending=max_pending)

    @property
    def scheduler(self) -> Scheduler:
        """Its scheduler."""
        return self._pump.scheduler

    @property
    def run_ids(self) -> Sequence[str]:
        """The ids of its runs in memory, the oldest first."""
        return tuple(self.scheduler.runs)

    @property
    def live(self) -> Iterable[str]:
        """The ids of those that have not ended."""
        return self.scheduler.live

    def facts(self, run_id: str) -> RunFacts | None:
        """The facts of a run in memory; None: there is none of this id."""
        index = self.scheduler.runs.get(run_id)
        return None if index is None else index.run

    @property
    def fleet_facts(self) -> FleetFacts:
        """The facts of its fleet."""
        return self.scheduler.fleet

    def why(self, run_id: str, task_id: str) -> tuple[Reason, ...]:
        """The reasons why a task does not run, the blocking ones first; none of an unknown task or run."""
        try:
            return self.orchestrator.run(run_id).why(task_id)
        except (CommandRefused, KeyError):
            return ()

    def agent(self, run_id: str, name: str) -> Agent | None:
        """An agent that was attached to a run; see `Engine.agent`."""
        return self.orchestrator.run(run_id).agent(name)

    @property
    def journals(self) -> Path:
        """The directory of the journals of this user."""
        return journal_path()

    def journal(self, run_id: str) -> Path | None:
        """The file with the journal of a run; None: it keeps none."""
        folder = self._pump.journal.folder(run_id)
        return None if folder is None else folder / JOURNAL

    # ---- commands

    def obstacle(self, command: Command) -> tuple[str, str] | None:
        """Why no command of this kind can be given now, and what to do; None: it can."""
        return halt_obstacle(self.orchestrator.halted, command)

    async def command(self, command: Command) -> Any:
        """Give a command; returns its answer."""
        return await self.orchestrator.fleet.command(command)

    async def add_device(self, device: Device, origin: str) -> None:
        """Add a device to the fleet and connect it."""
        await self.orchestrator.fleet.add(device, origin=origin)

    async def attach(self, run_id: str, agent: Agent, asks: Collection[str], terms: AgentTerms) -> None:
        """Attach an agent to a run; `asks` are the kinds of its edits that need approval."""
        on, scope, on_conflict = terms.on, terms.scope, terms.on_conflict
        run = self.orchestrator.run(run_id)
        await run.attach(agent, asks=asks, on=on, scope=scope, on_conflict=on_conflict)

    async def start(self, plan: Plan, run_id: str, rules: Collection[str] | None, *, paused: bool = False) -> None:
        """Run a plan; see `Engine.start`."""
        run = await self.orchestrator.start(plan, run_id=run_id, paused=True)
        if run.state.has_ended:  # as one without tasks has
            return
        if rules is not None:
            await run.attach(RuleAgent(read_rules(plan.rules)), asks=rules)
        if not paused:
            await run.start()

    async def resume(self, folder: Path, without: Collection[str], handed: HandedRun | None, ready: Ready) -> Run:
        """Resume the run in a folder; see `Engine.resume`."""
        agents: dict[str, Any] = {} if handed is None else {"agents": partial(agents_of, handed)}
        return await self.orchestrator.resume(folder, without=without, ready=ready, **agents)

    async def reopen(self, run: RunRecord, without: Collection[str]) -> None:
        """Take up a run that has ended; see `Engine.reopen`."""
        await self.orchestrator.resume(run.folder, without=without)

    # ---- foresight

    async def durations_for(self, plan: str) -> Callable[[Fork, str], Fork]:
        """What adds durations of earlier runs of the plan of a name to a fork; see `orchestration.foresight`."""
        return durations_for(self._pump, plan)

    async def project(self, run_id: str, samples: int) -> Projection:
        """Foresee a run; see `starloom.orchestration.run.Run.project`."""
        return await self.orchestrator.run(run_id).project(samples=samples)

    async def what_if(self, run_id: str, edits: Sequence[Edit]) -> WhatIf:
        """Project the effect of edits, without samples; see `starloom.orchestration.run.Run.what_if`."""
        return await self.orchestrator.run(run_id).what_if(*edits, samples=0)

    async def speedups(self, run_id: str) -> Speedups:
        """Try what would let a run end earlier; see `starloom.orchestration.run.Run.speedups`."""
        return await self.orchestrator.run(run_id).speedups()

    # ---- memory

    def keep_in_memory(self, in_use: Callable[[], Collection[str]]) -> None:
        """Have ended runs stay in memory that are in use, by their ids."""
        self.orchestrator.ended_runs.in_use = in_use

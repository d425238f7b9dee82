"""The protocol of an engine as the console reads and asks it: in this process `LocalEngine`, elsewhere `RemoteEngine`.

Facts and scheduler are for reading, and hold until the loop's next turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from starloom.scheduling.commands import OPERATOR, CancelRun, CancelTasks

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from typing_extensions import Unpack

    from starloom.agents.base import Agent
    from starloom.constellation.edits import Edit
    from starloom.devices.base import Device, Metrics
    from starloom.errors import DeviceRefused
    from starloom.events import Event
    from starloom.foresight.projection import Projection
    from starloom.foresight.speedups import Speedups
    from starloom.foresight.what_if import WhatIf
    from starloom.journal.records import RunRecord
    from starloom.model.agent_terms import AgentTerms
    from starloom.model.device import DeviceSpec
    from starloom.model.plan import Plan
    from starloom.orchestration.channel import Channel
    from starloom.orchestration.handover import HandedRun
    from starloom.orchestration.limits import LimitFields
    from starloom.orchestration.resuming import Ready
    from starloom.orchestration.run import Run
    from starloom.orchestration.subscription import Subscription
    from starloom.scheduling.commands import Command
    from starloom.scheduling.fork import Fork
    from starloom.scheduling.read.why import Reason
    from starloom.scheduling.scheduler import Scheduler
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.gateway.run_archive import RunArchive

_STILL_HEARD: Final = (CancelRun, CancelTasks)
"""What an engine does even while it is halted."""


def halt_obstacle(halted: object, command: Command) -> tuple[str, str] | None:
    """Why an engine that has halted does not carry a command out, and what to do; None: it does.

    Args:
        halted: why it has halted; None or empty: it has not.
        command: what it is asked to do.
    """
    if not halted or isinstance(command, _STILL_HEARD):
        return None
    return f"The engine is halted: {halted}", "Mend that and retry the commit."


class EngineDevices(Protocol):
    """What an engine knows of its devices besides their facts, and what its fleet is changed by besides commands."""

    @property
    def specs(self) -> Sequence[DeviceSpec]:
        """The specs of its devices and groups, as far as they have any."""

    def has(self, device_id: str) -> bool:
        """Whether there is a device or a group of this id."""

    def heard(self, device_id: str) -> float | None:
        """When a device last gave a sign of life, on the engine's clock; None: it is not asked for any."""

    def is_late(self, device_id: str) -> bool:
        """Whether a device has missed a sign of life, though it is not given up yet."""

    def about(self, device_id: str) -> str:
        """What a device has told of its machine; empty: nothing."""

    def refusal(self, device_id: str) -> DeviceRefused | None:
        """The error with which a device refuses us; None: it does not, or is elsewhere."""

    def unended(self, device_id: str) -> int:
        """The number of attempts that count as ended but may still run there, as the device could not end them."""

    async def loads(self) -> Mapping[str, Metrics | None]:
        """Measure all devices; None in the place of one that does not tell."""

    async def add_all(self, devices: Iterable[Device], *, origin: str = "") -> None:
        """Add devices to the fleet: all of them or, if one differs from another of its id, none.

        Raises:
            StarloomError: it cannot be done.
        """

    async def remove(self, device_id: str) -> object:
        """Remove an unused device, or a group.

        Raises:
            StarloomError: it cannot be done.
        """


class Engine(Protocol):
    """An engine: what it is like, and what it can be asked."""

    @property
    def where(self) -> str:
        """The machine it is on, for sentences; empty: this program."""

    @property
    def watches(self) -> bool:
        """Whether it is only looked at, so that no command is given."""

    @property
    def origin(self) -> str:
        """In whose name commands are given."""

    def subscribe(self, callback: Callable[[Event], None], *, max_pending: int) -> Subscription:
        """Have a function called with each event; see `EventBus.subscribe`."""

    @property
    def scheduler(self) -> Scheduler:
        """The state of its scheduler, for questions."""

    @property
    def run_ids(self) -> Sequence[str]:
        """The ids of its runs, the oldest first."""

    @property
    def live(self) -> Iterable[str]:
        """The ids of those that have not ended."""

    def facts(self, run_id: str) -> RunFacts | None:
        """The facts of a run; None: there is none of this id."""

    @property
    def fleet_facts(self) -> FleetFacts:
        """The facts of its fleet."""

    def now(self) -> float:
        """Seconds on its clock."""

    def why(self, run_id: str, task_id: str) -> tuple[Reason, ...]:
        """The reasons why a task does not run, the blocking ones first; none of an unknown task or run."""

    def agent(self, run_id: str, name: str, /) -> Agent | None:
        """An agent that was attached to a run, detached by now or not; None: this program has attached none so named.

        Raises:
            KeyError: there is no such run.
        """

    @property
    def channel(self) -> Channel:
        """Tells output and progress of running attempts."""

    @property
    def devices(self) -> EngineDevices:
        """The devices of its fleet."""

    # ---- files of its runs, where they are on this machine

    @property
    def journals(self) -> Path | None:
        """The directory of the journals of its runs; None: it is on another machine."""

    @property
    def archive(self) -> RunArchive:
        """The runs that it has kept, those of earlier programs among them."""

    def journal(self, run_id: str, /) -> Path | None:
        """The file with the journal of a run, which it goes on to write; None: there is none here."""

    def output_file(self, run_id: str, task_id: str, attempt: int, /) -> Path | None:
        """The file with the whole output of an attempt, which may not be there yet; None: there is none here."""

    # ---- commands

    def obstacle(self, command: Command, /) -> tuple[str, str] | None:
        """Why no command of this kind can be given now, and what to do; None: it can."""

    async def command(self, command: Command) -> Any:
        """Give a command; returns its answer once the facts here have what it has changed.

        Raises:
            StarloomError: it was refused, or the engine cannot be asked.
        """

    async def add_device(self, device: Device, origin: str) -> None:
        """Add a device to the fleet and connect it.

        Raises:
            StarloomError: it cannot be done.
        """

    async def attach(self, run_id: str, agent: Agent, asks: Collection[str], terms: AgentTerms, /) -> None:
        """Attach an agent to a run; `asks` are the kinds of its edits that need approval.

        Raises:
            StarloomError: it cannot be done.
        """

    async def start(self, plan: Plan, run_id: str, rules: Collection[str] | None, *, paused: bool = False) -> None:
        """Run a plan.

        Args:
            plan: what to run.
            run_id: the id of the run.
            rules: the kinds of edits by the plan's rules that need approval; None: its rules do not apply.
            paused: whether nothing of it starts before `StartRun`.

        Raises:
            StarloomError: it cannot be done; the run may be there, and not started.
        """

    async def resume(self, folder: Path, without: Collection[str], handed: HandedRun | None, ready: Ready, /) -> Run:
        """Resume the run in a folder of this machine, whose program has died; see `Orchestrator.resume`.

        Args:
            folder: of the run.
            without: ids of devices it brings back only where something of it may still run there.
            handed: what a server has handed over of it; None: its program has died.
            ready: is awaited before anything of it begins; see `resume_together`.

        Raises:
            StarloomError: it cannot be done.
        """

    async def reopen(self, run: RunRecord, without: Collection[str], /) -> None:
        """Take up a run that has ended, so that its tasks can be retried, rerun and changed; nothing of it starts.

        Args:
            run: of the engine's archive.
            without: ids of devices that it does not bring back.

        Raises:
            StarloomError: it cannot be done.
        """

    async def set_limits(self, *, origin: str = OPERATOR, **limits: Unpack[LimitFields]) -> None:
        """Change limits of the fleet; see `Orchestrator.set_limits`.

        Raises:
            StarloomError: it cannot be done.
        """

    # ---- foresight

    async def durations_for(self, plan: str, /) -> Callable[[Fork, str], Fork]:
        """What adds durations of earlier runs of the plan of a name to a fork; see `orchestration.foresight`."""

    async def project(self, run_id: str, samples: int) -> Projection:
        """Foresee a run; see `starloom.orchestration.run.Run.project`.

        Raises:
            KeyError: there is no such run.
        """

    async def what_if(self, run_id: str, edits: Sequence[Edit]) -> WhatIf:
        """Project the effect of edits, without samples; see `starloom.orchestration.run.Run.what_if`.

        Raises:
            KeyError: there is no such run.
        """

    async def speedups(self, run_id: str) -> Speedups:
        """Try what would let a run end earlier; see `starloom.orchestration.run.Run.speedups`.

        Raises:
            KeyError: there is no such run.
        """

    # ---- memory

    def keep_in_memory(self, in_use: Callable[[], Collection[str]]) -> None:
        """Have ended runs stay in memory that are in use, by their ids."""

    def tidy(self) -> None:
        """Release ended runs that are not in use, where there are many."""

    async def dismiss(self, run_id: str, /) -> None:
        """Remove a run, if it has ended; returns once its journal is closed."""

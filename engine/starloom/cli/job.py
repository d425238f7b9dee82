"""The job of `starloom run`, made of a plan and of the options, and its result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from starloom.cli.agents import AgentGiven, approval_of, fence_of, make_agents
from starloom.cli.changes import changed_plan
from starloom.cli.gates import way_of
from starloom.devices.kinds import actions_of
from starloom.errors import SettingsError, StarloomError
from starloom.foresight.virtual import SimulatedSpec
from starloom.formats import load_fleet
from starloom.formats.script import check_script, load_script
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.model.device import DeviceSpec
from starloom.model.frozen import EMPTY
from starloom.model.plan import NO_LIMITS, Limits, Plan
from starloom.model.status import RunState
from starloom.private_files import make_folder
from starloom.settings import SchedulerSettings, journal_path, load_settings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from starloom.model.status import Fence
    from starloom.scheduling.read.summary import RunSummary
    from starloom.scheduling.scripts import Script
    from starloom.scheduling.state.run_facts import RunFacts

MOST_SPEEDS: Final = 10_000
DURABILITIES: Final = ("default", "full", "off")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The options of `starloom run` as given."""

    fleet: Path | None = None
    max_concurrency: int | None = None
    placement: str | None = None
    changes: tuple[str, ...] = ()
    simulate: bool = False
    speeds: str | None = None
    output: Path | None = None
    metrics: int | None = None
    journal: Path | None = None
    durability: str = "default"
    agents: tuple[str, ...] = ()
    approve: str = "ask"
    gates: str = "ask"
    fence: str | None = None
    modification_timeout: str | None = None
    overdue_factor: str | None = None
    script: Path | None = None
    detach: bool = False
    again: str | None = None
    retry: bool = False
    rerun_from: str | None = None
    fail_when_stalled: bool = False
    as_json: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A plan with its settings and devices, ready to run.

    Attributes:
        plan: names the whole fleet among its devices; of a run that is to go on only those that are new.
        folder: the folder of the run that is to go on; None: it is a new one.
        done: of a run that was salvaged: the tasks that are taken as completed; None: it was not.
        retry: whether what failed or was cancelled of a run that has ended runs again.
        rerun_from: of such a run, the task that runs again with all after it; None: none does.
        journal: the directory of the journals; None: none is kept.
        full: whether each commit waits for the disk.
        settings: what the scheduler starts with.
        limits: those of the fleet, over the settings.
        simulated: the devices of a simulation; None: run it really.
        agents: who changes the plan as tasks end, and on which terms.
        asks: whether somebody has to approve of each of their changes.
        gates: how gates are answered: `ask`, `approve` or `reject`.
        fence: what waits while they think; None: as the plan says, else as it is by default.
        patience: seconds they are waited for, whatever the plan says; None: as that and the settings say.
        script: what is done to the run meanwhile, with the name of its file; None: nothing.
        fail_when_stalled: whether the program ends with 2 where nothing can start until a person does something.
        tells_all: whether every task gets a line when it starts to matter, not just what went wrong.
    """

    plan: Plan
    settings: SchedulerSettings
    limits: Limits = NO_LIMITS
    simulated: tuple[SimulatedSpec, ...] | None = None
    output: Path | None = None
    folder: Path | None = None
    done: tuple[str, ...] | None = None
    retry: bool = False
    rerun_from: str | None = None
    journal: Path | None = None
    full: bool = False
    agents: tuple[AgentGiven, ...] = ()
    asks: bool = True
    gates: str = "ask"
    fence: Fence | None = None
    patience: float | None = None
    script: tuple[Script, str] | None = None
    tells_all: bool = False
    fail_when_stalled: bool = False


class EngineHaltedError(StarloomError):
    """The engine halted after the run had begun, so that the arguments were not wrong."""


class RunLeftError(StarloomError):
    """The run was left as it is, as nobody answered what it waits for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFinish:
    """The end of a run that was started on the command line.

    Attributes:
        stalled: whether it was given up as nothing could start, and that is to be an error of its own.
        outputs: the folder of the whole outputs; None: they were not kept.
        may_still_run: how many of its commands may, by where, as a link was down when they were to be ended.
    """

    run: RunFacts
    summary: RunSummary
    interrupted: bool = False
    stalled: bool = False
    outputs: Path | None = None
    may_still_run: Mapping[str, int] = EMPTY

    @property
    def exit_code(self) -> int:
        """0 completed, 130 interrupted, 2 given up as it stalled, 1 anything else."""
        if self.stalled and not self.interrupted:
            return 2
        if self.summary.state is RunState.COMPLETED:
            return 0
        return 130 if self.interrupted else 1


def job_of(plan: Plan, wanted: RunOptions) -> Job:
    """The job of a plan with the options.

    Raises:
        StarloomError: an option or a setting cannot be used.
    """
    if wanted.speeds is not None and not wanted.simulate:
        raise SettingsError("--speeds: real devices have the speed they have; it goes with --simulate.")
    if wanted.output is not None and wanted.simulate:
        raise SettingsError("--output: a simulation prints nothing that could be kept; leave one of the two out.")
    if wanted.metrics is not None and wanted.simulate:
        raise SettingsError("--metrics: a simulation is over before anybody could ask; leave one of the two out.")
    if wanted.agents and wanted.simulate:
        raise SettingsError("--agent: agents are asked while a plan really runs; leave this or --simulate out.")
    if wanted.script is not None and wanted.simulate:
        raise SettingsError("--script: a simulation is over before anything is done to it; leave one of the two out.")
    settings, added, limits = fleet_and_limits(wanted)
    plan = _with_devices(changed_plan(plan, wanted.changes), added)
    if wanted.placement is not None:
        plan = replace(plan, placement=None)  # the settings have it, and flags go first
    if wanted.overdue_factor is not None and plan.overdue_factor is not None:
        plan = replace(plan, overdue_factor=settings.overdue_factor)
    return Job(
        plan=plan,
        settings=settings,
        limits=limits,
        simulated=_simulated(plan, wanted) if wanted.simulate else None,
        output=_folder(wanted.output),
        journal=None if wanted.simulate else journal_directory(wanted),
        full=_durability(wanted.durability) == "full",
        script=_script(wanted.script, plan),
        fail_when_stalled=wanted.fail_when_stalled,
        **_people_and_agents(wanted, plan, settings),
    )


def _script(path: Path | None, plan: Plan) -> tuple[Script, str] | None:
    """The script in a file, checked against the plan.

    Raises:
        PlanError: it cannot be read, is no good script, or names tasks that are not there.
    """
    if path is None:
        return None
    script = load_script(path)
    check_script(script, plan, str(path))
    return script, path.name


def _people_and_agents(wanted: RunOptions, plan: Plan, settings: SchedulerSettings) -> dict[str, Any]:
    """The agents and approvals of the run, as fields of a job."""
    for option, given in (("--fence", wanted.fence), ("--modification-timeout", wanted.modification_timeout)):
        if given is not None and not wanted.agents:
            raise SettingsError(f"{option}: nothing is waited for without an agent; name one with --agent.")
    return {
        "agents": make_agents(wanted.agents, plan),
        "asks": approval_of(wanted.approve),
        "gates": way_of(wanted.gates),
        "fence": fence_of(wanted.fence),
        "patience": None if wanted.modification_timeout is None else settings.modification_timeout,
    }


def job_of_folder(folder: Path, wanted: RunOptions) -> Job:
    """The job that resumes the run in a folder.

    Raises:
        StarloomError: an option or a setting cannot be used.
    """
    settings, added, limits = fleet_and_limits(wanted)
    if _durability(wanted.durability) == "off":
        raise SettingsError("--durability: a run that goes on keeps its journal; use default or full.")
    return Job(
        plan=Plan(name="to go on", devices=added),
        settings=settings,
        limits=limits,
        output=_folder(wanted.output),
        folder=folder,
        retry=wanted.retry,
        rerun_from=wanted.rerun_from,
        journal=journal_directory(wanted),
        full=wanted.durability == "full",
        fail_when_stalled=wanted.fail_when_stalled,
        **_people_and_agents(wanted, _plan_in(folder) if wanted.agents else Plan(), settings),
    )


def _plan_in(folder: Path) -> Plan:
    """The parts of a resumed run's plan that agents need: its name, its description and its rules.

    Raises:
        JournalError: the journal cannot be read.
    """
    with StreamFile(folder / JOURNAL, read_only=True) as file:
        view, _, _ = file.view_without_graph() or file.view()
    run = view.run
    return Plan(name=run.name or "plan", description=run.description, rules=run.rules, agents=run.agents)


def journal_directory(wanted: RunOptions) -> Path | None:
    """The directory of journals; None: none are kept.

    Raises:
        SettingsError: there is no such durability, or a directory is named for nothing.
    """
    if _durability(wanted.durability) != "off":
        return wanted.journal if wanted.journal is not None else journal_path()
    if wanted.journal is not None:
        raise SettingsError("--journal: nothing is kept with --durability off; leave one of the two out.")
    return None


def _durability(text: str) -> str:
    if text not in DURABILITIES:
        raise SettingsError(f"--durability: there is no {text!r}; use {', '.join(DURABILITIES)}.")
    return text


def fleet_and_limits(wanted: RunOptions) -> tuple[SchedulerSettings, tuple[DeviceSpec, ...], Limits]:
    """The settings, and the devices and limits of the fleet file.

    Raises:
        StarloomError: the file or a setting cannot be used.
    """
    settings = load_settings(
        max_concurrency=wanted.max_concurrency,
        placement=wanted.placement,
        metrics_port=wanted.metrics,
        modification_timeout=wanted.modification_timeout,
        overdue_factor=wanted.overdue_factor,
    )
    added, limits = load_fleet(wanted.fleet) if wanted.fleet is not None else ((), NO_LIMITS)
    if wanted.max_concurrency is not None:
        limits = replace(limits, max_concurrency=None)
    return settings, tuple(added), limits


def _with_devices(plan: Plan, added: tuple[DeviceSpec, ...]) -> Plan:
    """The plan with the whole fleet: its own devices, those of the fleet file over them, else this computer."""
    fleet = {spec.id: spec for spec in (*plan.devices, *added)} or {"local": DeviceSpec(id="local")}
    devices = tuple(fleet.values())
    return plan if devices == plan.devices else replace(plan, devices=devices)


def _simulated(plan: Plan, wanted: RunOptions) -> tuple[SimulatedSpec, ...]:
    if wanted.speeds is None:
        return tuple(SimulatedSpec.of(spec, actions_of(spec.kind)) for spec in plan.devices)
    return tuple(SimulatedSpec(f"sim-{number}", 1, speed) for number, speed in enumerate(_speeds(wanted.speeds), 1))


def _speeds(text: str) -> list[float]:
    parts = text.split(",")
    if len(parts) > MOST_SPEEDS:
        raise SettingsError(f"--speeds: {len(parts):,} devices are too many; at most {MOST_SPEEDS:,} are simulated.")
    speeds = []
    for part in parts:
        try:
            speed = float(part)
        except ValueError:
            speed = 0.0
        if not 0 < speed < float("inf"):
            raise SettingsError(f"--speeds: {part.strip()!r} is not a speed; write numbers above 0, e.g. 1,1,2,4.")
        speeds.append(speed)
    return speeds


def _folder(path: Path | None) -> Path | None:
    if path is not None:
        try:
            make_folder(path)
        except OSError as error:
            raise SettingsError(f"--output: {path} cannot be made: {error.strerror or error}.") from None
    return path

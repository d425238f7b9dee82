"""What `starloom run` is to do, as a value made of a plan and of the options, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from starloom.cli.changes import changed_plan
from starloom.errors import SettingsError
from starloom.foresight.virtual import SimulatedSpec
from starloom.formats import load_fleet
from starloom.model.device import DeviceSpec
from starloom.model.plan import NO_LIMITS, Limits, Plan
from starloom.model.status import RunState
from starloom.settings import SchedulerSettings, load_settings

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.scheduling.run_facts import RunFacts
    from starloom.scheduling.summary import RunSummary

MOST_SPEEDS: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The options of `starloom run` as they were given."""

    fleet: Path | None = None
    max_concurrency: int | None = None
    placement: str | None = None
    changes: tuple[str, ...] = ()
    simulate: bool = False
    speeds: str | None = None
    output: Path | None = None
    as_json: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What is to be run, and on what.

    Attributes:
        plan: names the whole fleet among its devices.
        settings: what the scheduler starts with.
        limits: those of the fleet, over the settings.
        simulated: the devices of a simulation; None: run it really.
        tells_all: whether every task gets a line when it starts to matter, not just what went wrong.
    """

    plan: Plan
    settings: SchedulerSettings
    limits: Limits = NO_LIMITS
    simulated: tuple[SimulatedSpec, ...] | None = None
    output: Path | None = None
    tells_all: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """How a run came to its end."""

    run: RunFacts
    summary: RunSummary
    interrupted: bool = False

    @property
    def exit_code(self) -> int:
        """0 completed, 130 interrupted, 1 anything else."""
        if self.summary.state is RunState.COMPLETED:
            return 0
        return 130 if self.interrupted else 1


def job_of(plan: Plan, wanted: Wanted) -> Job:
    """The job that the options make of a plan.

    Raises:
        StarloomError: an option or a setting cannot be used.
    """
    if wanted.speeds is not None and not wanted.simulate:
        raise SettingsError("--speeds: real devices have the speed they have; it goes with --simulate.")
    if wanted.output is not None and wanted.simulate:
        raise SettingsError("--output: a simulation prints nothing that could be kept; leave one of the two out.")
    settings = load_settings(max_concurrency=wanted.max_concurrency, placement=wanted.placement)
    added, limits = load_fleet(wanted.fleet) if wanted.fleet is not None else ((), NO_LIMITS)
    if wanted.max_concurrency is not None:
        limits = replace(limits, max_concurrency=None)
    plan = _with_devices(changed_plan(plan, wanted.changes), added)
    return Job(
        plan=plan,
        settings=settings,
        limits=limits,
        simulated=_simulated(plan, wanted) if wanted.simulate else None,
        output=_folder(wanted.output),
    )


def _with_devices(plan: Plan, added: tuple[DeviceSpec, ...]) -> Plan:
    """The plan with the whole fleet: its own devices, those of the fleet file over them, else this computer."""
    fleet = {spec.id: spec for spec in (*plan.devices, *added)} or {"local": DeviceSpec(id="local")}
    devices = tuple(fleet.values())
    return plan if devices == plan.devices else replace(plan, devices=devices)


def _simulated(plan: Plan, wanted: Wanted) -> tuple[SimulatedSpec, ...]:
    if wanted.speeds is None:
        return tuple(SimulatedSpec.of(spec) for spec in plan.devices)
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
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SettingsError(f"--output: {path} cannot be made: {error.strerror or error}.") from None
    return path

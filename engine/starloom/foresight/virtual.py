"""A run in virtual time: the same scheduler, driven from one end to the next as fast as it decides.

No loop, clock, process or thread: every attempt ends as `simulated_outcome` says, and time jumps to whatever is next.
"""

from __future__ import annotations

import os
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import msgspec

from starloom.errors import DeviceError
from starloom.foresight.drive import NEVER, Drive
from starloom.model.device import DeviceSpec
from starloom.model.simulation import simulated_outcome
from starloom.scheduling import commands as c
from starloom.scheduling.fork import Fork
from starloom.scheduling.read.summary import RunSummary
from starloom.scheduling.reservation_commands import Reserve
from starloom.scheduling.scheduler import Scheduler

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starloom.events import Event
    from starloom.model.plan import Plan
    from starloom.model.result import Outcome
    from starloom.model.status import Placement
    from starloom.scheduling.instructions import StartTask
    from starloom.scheduling.state.run_facts import RunFacts

ORIGIN: Final = "simulation"
_OF_ONE_SLOT: Final = frozenset({"acp", "aip", "llm", "simulated", "ssh"})
"""The kinds of devices that have one slot unless a number is given; those of this computer have one a processor."""
PROGRESS_EVERY: Final = 1000
"""Turns between two calls of the progress callback."""


class SimulatedSpec(msgspec.Struct, frozen=True):
    """The specification of a device in virtual time.

    Attributes:
        slots: attempts at once; None: as many as are asked for.
        speed: more than 0; what takes 1 s takes 1/speed.
        failure_rate: the share of attempts that fail though they were to complete, 0 to 1.
        seed: another seed lets other attempts fail; None: the simulation's.
        actions: what it can do, as `Device.actions`; None: anything.
    """

    id: str
    slots: int | None = 1
    speed: float = 1.0
    capabilities: frozenset[str] = frozenset()
    kind: str = "simulated"
    failure_rate: float = 0.0
    seed: int | None = None
    actions: frozenset[str] | None = None

    @classmethod
    def of(cls, spec: DeviceSpec, actions: frozenset[str] | None = None) -> SimulatedSpec:
        """The specification of a plan's device, with the number of slots of its kind where it gives none.

        Args:
            spec: the device.
            actions: what devices of its kind can do; None: anything.

        Raises:
            DeviceError: an option of a simulated device cannot be used.
        """
        slots = spec.slots
        if slots is None and spec.kind != "inprocess":
            slots = 1 if spec.kind in _OF_ONE_SLOT else cpu_count()
        rate, seed = 0.0, None
        if spec.kind == "simulated":
            rate, seed = spec.options.get("failure_rate", 0.0), spec.options.get("seed")
            _check_options(spec.id, rate, seed)
        return cls(spec.id, slots, spec.speed, spec.capabilities, spec.kind, rate, seed, actions)


def _check_options(device_id: str, rate: object, seed: object) -> None:
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 <= rate <= 1:
        raise DeviceError(f"Device {device_id!r}: failure_rate cannot be {rate!r}; give a number, 0 to 1.")
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
        raise DeviceError(f"Device {device_id!r}: seed cannot be {seed!r}; give a whole number.")


def cpu_count() -> int:
    """The number of processors this process may use: the slots of a local device that gives no number."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


class VirtualRun:
    """A run of a plan in virtual time, made and started; `step` lets the next thing happen.

    Equal arguments give equal runs, event by event.

    Attributes:
        run: the facts of the run; for reading only.

    Args:
        plan: what to run. A task without `simulate` takes its estimate, else no time; a gate is approved after that
            time, or comes to what it says of its countdown.
        devices: the fleet, whatever devices the plan names; of each id one.
        limits: the fleet's limits; None: the engine's defaults.
        placement: the placement, over that of `limits`.
        seed: for the devices that have none of their own.
        run_id: the run's id.
        on_events: called with each turn's events, in order.
        reserved: for how many seconds devices are reserved, by their ids.

    Raises:
        DeviceError: two devices have the same id.
        CommandRefused: a limit cannot be used.
    """

    def __init__(
        self,
        plan: Plan,
        devices: Sequence[SimulatedSpec | DeviceSpec],
        *,
        limits: c.SetLimits | None = None,
        placement: Placement | None = None,
        seed: int = 0,
        run_id: str = "simulated",
        on_events: Callable[[Sequence[Event]], None] | None = None,
        reserved: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        self._seed = seed
        self._devices = _by_id(devices)
        self._scheduler = Scheduler()
        tell = None if on_events is None else lambda turn: on_events(turn.events)
        self._drive = Drive(self._scheduler, self._attempt, gate=self._gate, on_turn=tell)
        self._set_up(limits, placement)
        for device_id, seconds in reserved.items():
            self._drive.do(Reserve(device_id=device_id, seconds=seconds, reason="it is reserved", origin=ORIGIN))
        self._drive.do(c.CreateRun(run_id=run_id, plan=plan, placement=placement, origin=ORIGIN))
        self.run: RunFacts = self._scheduler.run(run_id)

    def _set_up(self, limits: c.SetLimits | None, placement: Placement | None) -> None:
        if limits is not None:
            self._drive.do(limits)
        if placement is not None:
            self._drive.do(c.SetLimits(placement=placement, origin=ORIGIN))
        for device in self._devices.values():
            self._drive.do(
                c.AddDevice(
                    device_id=device.id,
                    kind=device.kind,
                    slots=device.slots,
                    capabilities=device.capabilities,
                    speed=device.speed,
                    connected=True,
                    actions=device.actions,
                    origin=ORIGIN,
                )
            )

    # ---- what is

    @property
    def now(self) -> float:
        """Virtual seconds since the start."""
        return self._drive.now

    @property
    def turns(self) -> int:
        """The number of turns of the scheduler."""
        return self._drive.turns

    @property
    def has_ended(self) -> bool:
        """Whether the run has ended."""
        return self.run.state.has_ended

    @property
    def stalled(self) -> tuple[str, ...]:
        """The reason why the run cannot go on by itself; empty unless it neither goes on nor has ended."""
        return () if self.has_ended or self._drive.next() < NEVER else self.run.stalled or ("nothing is left to do",)

    def summary(self) -> RunSummary:
        """The summary of the run up to now."""
        return RunSummary(self.run, self.now)

    def fork(self) -> Fork:
        """A copy of the scheduler's state, for a projection."""
        return Fork.of(self._scheduler, self.now, also=(self.run.run_id,))

    # ---- what happens

    def step(self) -> bool:
        """Advance to the time of the next event and decide about it; False: there is none."""
        return not self.has_ended and self._drive.step()

    def cancel(self, reason: str = "") -> None:
        """Cancel everything that has not ended; further steps end what runs, at once."""
        self._drive.do(c.CancelRun(run_id=self.run.run_id, reason=reason, origin=ORIGIN))

    def _attempt(self, start: StartTask) -> tuple[float, Outcome]:
        device = self._devices[start.device_id]
        return simulated_outcome(
            start.task,
            start.attempt,
            device_id=device.id,
            speed=device.speed,
            failure_rate=device.failure_rate,
            seed=self._seed if device.seed is None else device.seed,
        )

    def _gate(self, run_id: str, task_id: str) -> float | None:
        """A gate is approved after its estimate; without one its countdown decides, else it is approved at once."""
        task = self._scheduler.run(run_id).graph.task(task_id)
        has_countdown = task.gate is not None and task.gate.after is not None
        return task.estimate if task.estimate is not None or has_countdown else 0.0


def _by_id(devices: Sequence[SimulatedSpec | DeviceSpec]) -> dict[str, SimulatedSpec]:
    found: dict[str, SimulatedSpec] = {}
    for device in devices:
        spec = SimulatedSpec.of(device) if isinstance(device, DeviceSpec) else device
        if found.setdefault(spec.id, spec) is not spec:
            raise DeviceError(f"There are two devices {spec.id!r}. Give each its own id.")
    return found


def simulate(
    plan: Plan,
    devices: Sequence[SimulatedSpec | DeviceSpec],
    *,
    limits: c.SetLimits | None = None,
    placement: Placement | None = None,
    seed: int = 0,
    on_events: Callable[[Sequence[Event]], None] | None = None,
    on_progress: Callable[[int, int, int, float], None] | None = None,
) -> VirtualRun:
    """Run a plan in virtual time until it has ended or stalled; see `VirtualRun` for the arguments.

    Args:
        plan: what to run.
        devices: the fleet.
        limits: the fleet's limits.
        placement: the placement, over that of `limits`.
        seed: for the devices that have none of their own.
        on_events: called with each turn's events.
        on_progress: called every `PROGRESS_EVERY` turns and at the end with how many tasks have ended, run and have
            failed, and the virtual time in seconds.

    Raises:
        DeviceError: two devices have the same id, or an option cannot be used.
        CommandRefused: a limit cannot be used.
    """
    virtual = VirtualRun(plan, devices, limits=limits, placement=placement, seed=seed, on_events=on_events)
    while virtual.step():
        if on_progress is not None and virtual.turns % PROGRESS_EVERY == 0:
            on_progress(*progress_of(virtual))
    if on_progress is not None:
        on_progress(*progress_of(virtual))
    return virtual


def progress_of(virtual: VirtualRun) -> tuple[int, int, int, float]:
    """The numbers of ended, running and failed tasks, and the virtual time in seconds."""
    counts = virtual.run.counts()
    ended = counts["completed"] + counts["failed"] + counts["cancelled"] + counts["skipped"]
    return ended, counts["running"], counts["failed"], virtual.now

"""A run in virtual time: the same scheduler, driven from one end to the next as fast as it decides.

No loop, clock, process or thread: every attempt ends as `simulated_outcome` says, and time jumps to whatever is next.
"""

from __future__ import annotations

import itertools
import os
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, Final

import msgspec

from starloom.errors import CommandRefused, DeviceError
from starloom.model.device import DeviceSpec
from starloom.model.result import Outcome, OutcomeStatus
from starloom.model.simulation import simulated_outcome
from starloom.scheduling import commands as c
from starloom.scheduling.scheduler import Scheduler
from starloom.scheduling.stimuli import AttemptEnded
from starloom.scheduling.summary import RunSummary

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.events import Event
    from starloom.model.plan import Plan
    from starloom.model.status import Placement
    from starloom.scheduling.instructions import StartTask
    from starloom.scheduling.run_facts import RunFacts
    from starloom.scheduling.turn import Turn

ORIGIN: Final = "simulation"
PROGRESS_EVERY: Final = 1000
"""Turns between two calls of the progress callback."""

_STOPPED: Final = Outcome(OutcomeStatus.STOPPED)
_TO_THE_END: Final = float("inf")


class SimulatedSpec(msgspec.Struct, frozen=True):
    """A device as virtual time needs it.

    Attributes:
        slots: attempts at once; None: as many as are asked for.
        speed: more than 0; what takes 1 s takes 1/speed.
        failure_rate: the share of attempts that fail though they were to complete, 0 to 1.
        seed: another seed lets other attempts fail; None: the simulation's.
    """

    id: str
    slots: int | None = 1
    speed: float = 1.0
    capabilities: frozenset[str] = frozenset()
    kind: str = "simulated"
    failure_rate: float = 0.0
    seed: int | None = None

    @classmethod
    def of(cls, spec: DeviceSpec) -> SimulatedSpec:
        """What a plan says about a device of any kind, with that kind's number of slots where it gives none.

        Raises:
            DeviceError: an option of a simulated device cannot be used.
        """
        slots = spec.slots
        if slots is None and spec.kind != "inprocess":
            slots = 1 if spec.kind == "simulated" else cpu_count()
        rate, seed = 0.0, None
        if spec.kind == "simulated":
            rate, seed = spec.options.get("failure_rate", 0.0), spec.options.get("seed")
            _check_options(spec.id, rate, seed)
        return cls(spec.id, slots, spec.speed, spec.capabilities, spec.kind, rate, seed)


def _check_options(device_id: str, rate: object, seed: object) -> None:
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 <= rate <= 1:
        raise DeviceError(f"Device {device_id!r}: failure_rate cannot be {rate!r}; give a number, 0 to 1.")
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
        raise DeviceError(f"Device {device_id!r}: seed cannot be {seed!r}; give a whole number.")


def cpu_count() -> int:
    """How many processors this process may use: the slots of a local device that gives no number."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


class VirtualRun:
    """A run of a plan in virtual time, made and started; `step` lets the next thing happen.

    Equal arguments give equal runs, event by event.

    Attributes:
        run: the facts of the run; for reading only.
        now: virtual seconds since the start.
        turns: how often the scheduler has decided.

    Args:
        plan: what to run. A task without `simulate` takes its estimate, else no time.
        devices: the fleet, whatever devices the plan names; of each id one.
        limits: the fleet's limits; None: the engine's defaults.
        placement: the placement, over that of `limits`.
        seed: for the devices that have none of their own.
        run_id: the run's id.
        on_events: called with each turn's events, in order.

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
    ) -> None:
        self.now = 0.0
        self.turns = 0
        self._seed = seed
        self._on_events = on_events
        self._scheduler = Scheduler()
        self._devices = _by_id(devices)
        self._ends: list[tuple[float, int, StartTask, Outcome]] = []
        self._order = itertools.count()
        self._alive: dict[str, int] = {}
        """The attempt that runs now, by task id."""
        self._stopped: list[AttemptEnded] = []
        self._wake: float | None = None
        self._set_up(limits, placement)
        self._do(c.CreateRun(run_id=run_id, plan=plan, origin=ORIGIN))
        self.run: RunFacts = self._scheduler.run(run_id)

    def _set_up(self, limits: c.SetLimits | None, placement: Placement | None) -> None:
        if limits is not None:
            self._do(limits)
        if placement is not None:
            self._do(c.SetLimits(placement=placement, origin=ORIGIN))
        for device in self._devices.values():
            self._do(
                c.AddDevice(
                    device_id=device.id,
                    kind=device.kind,
                    slots=device.slots,
                    capabilities=device.capabilities,
                    speed=device.speed,
                    connected=True,
                    origin=ORIGIN,
                )
            )

    # ---- what is

    @property
    def has_ended(self) -> bool:
        """Whether the run has ended."""
        return self.run.state.has_ended

    @property
    def stalled(self) -> tuple[str, ...]:
        """Why the run cannot go on by itself; empty unless it neither goes on nor has ended."""
        return () if self.has_ended or self._next() < _TO_THE_END else self.run.stalled or ("nothing is left to do",)

    def summary(self) -> RunSummary:
        """What the run comes to by now."""
        return RunSummary(self.run, self.now)

    # ---- what happens

    def step(self) -> bool:
        """Go to the next moment at which anything happens and decide about it; False: there is none."""
        at = self._next()
        if self.has_ended or at == _TO_THE_END:
            return False
        self.now = max(self.now, at)
        self._turn(self._due())
        return True

    def cancel(self, reason: str = "") -> None:
        """Cancel everything that has not ended; further steps end what runs, at once."""
        self._do(c.CancelRun(run_id=self.run.run_id, reason=reason, origin=ORIGIN))

    def _next(self) -> float:
        if self._stopped:
            return self.now
        ends = self._ends
        while ends and self._alive.get(ends[0][2].task_id) != ends[0][2].attempt:
            heappop(ends)  # it was stopped before
        at = ends[0][0] if ends else _TO_THE_END
        return at if self._wake is None else min(at, self._wake)

    def _due(self) -> list[AttemptEnded]:
        due, self._stopped = self._stopped, []
        ends, alive, now = self._ends, self._alive, self.now
        while ends and ends[0][0] <= now:
            _, _, start, outcome = heappop(ends)
            if alive.get(start.task_id) == start.attempt:
                del alive[start.task_id]
                due.append(AttemptEnded(start.run_id, start.task_id, start.attempt, outcome))
        return due

    def _do(self, command: c.Command) -> None:
        rest = self._turn([command]).rest
        for _, answer in rest.replies if rest is not None else ():
            if isinstance(answer, CommandRefused):
                raise answer

    def _turn(self, arrived: Sequence[Any]) -> Turn:
        turn = self._scheduler.handle(arrived, self.now)
        self.turns += 1
        rest = turn.rest
        if rest is not None:
            for stop in rest.stops:
                if self._alive.pop(stop.task_id, None) is not None:
                    self._stopped.append(AttemptEnded(stop.run_id, stop.task_id, stop.attempt, _STOPPED))
            if rest.wake is not None:
                self._wake = rest.wake.at
        for start in turn.starts:
            self._begin(start)
        if self._on_events is not None:
            self._on_events(turn.events)
        return turn

    def _begin(self, start: StartTask) -> None:
        device = self._devices[start.device_id]
        seconds, outcome = simulated_outcome(
            start.task,
            start.attempt,
            device_id=device.id,
            speed=device.speed,
            failure_rate=device.failure_rate,
            seed=self._seed if device.seed is None else device.seed,
        )
        self._alive[start.task_id] = start.attempt
        heappush(self._ends, (self.now + seconds, next(self._order), start, outcome))


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
    """How many tasks have ended, run and have failed, and the virtual time in seconds."""
    counts = virtual.run.counts()
    ended = counts["completed"] + counts["failed"] + counts["cancelled"] + counts["skipped"]
    return ended, counts["running"], counts["failed"], virtual.now

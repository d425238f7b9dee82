"""Speedups: the commands that would let a run end earlier, each tried on a copy of the scheduler in virtual time."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from starloom.foresight.projection import Certainty, Projection, estimates_of, projection_of
from starloom.foresight.sampling import foreseen_end
from starloom.foresight.schedule import Schedule
from starloom.pauses import Pause, no_pause
from starloom.scheduling import commands as c
from starloom.scheduling.reservation_commands import ReleaseReservation
from starloom.scheduling.state.reservations import ReservationTarget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from starloom.scheduling.fork import Fork
    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts

MOST_DEVICES: Final = 8
"""Devices whose slots are tried: those that work longest for the run."""
MOST_GROUPS: Final = 8
_MOST_MORE: Final = 256
"""By so much a limit or a number of slots is raised at most."""
LEAST_GAIN_S: Final = 1.0
LEAST_SHARE: Final = 0.01
"""Of what is left: less than that is no help."""


class Speedup(msgspec.Struct, frozen=True, kw_only=True):
    """A command that would let the run end earlier.

    Attributes:
        command: the command.
        earlier_s: seconds by which the run would end earlier.
        before, after: the limit or the slots now and then; None: the command sets no number.
    """

    command: c.Command
    earlier_s: float
    before: int | None = None
    after: int | None = None


class Speedups(msgspec.Struct, frozen=True, kw_only=True):
    """The speedups of a run, the strongest first.

    Attributes:
        projection: what is foreseen as things are, without samples.
        basis: the limits and devices it was found with; see `basis_of`.
        is_certain: whether the end is known well enough to be compared; else nothing was tried.
        found: those that help.
    """

    projection: Projection
    basis: Hashable
    is_certain: bool = True
    found: tuple[Speedup, ...] = ()


def speedups(fork: Fork, run_id: str, *, pause: Pause = no_pause) -> Speedups:
    """Try what would let a run end earlier: higher limits, more slots, devices that are disabled, draining or reserved.

    It is pure.

    Args:
        fork: where the run stands; stays as it is.
        run_id: a run of the fork.
        pause: see `pauses.Pause`.

    Raises:
        KeyError: the run is not in the fork.
    """
    estimates = estimates_of(fork, pause)
    now = Schedule(fork, run_id, estimates, pause=pause)
    projection, basis = projection_of(now, samples=0, pause=pause), basis_of(fork.run(run_id), fork.fleet)
    if projection.certainty is not Certainty.EXPECTED:
        return Speedups(projection=projection, basis=basis, is_certain=False)
    end, found = foreseen_end(now), list[Speedup]()
    least = max(LEAST_GAIN_S, LEAST_SHARE * (end - now.now))

    def earlier(command: c.Command) -> float:
        """Seconds by which the run would end earlier; 0: that is no help, or not certain."""
        then = Schedule(fork, run_id, estimates, [command], pause)
        seconds = 0.0 if then.refusals or then.left_over() else end - foreseen_end(then)
        return seconds if seconds >= least else 0.0

    run, fleet = fork.run(run_id), fork.fleet
    for raised in _raised(run, fleet, projection):
        if (helps := _least_that_helps(raised, len(projection.tasks), earlier)) is not None:
            found.append(helps)
    for command in _given_back(fleet):
        if seconds := earlier(command):
            found.append(Speedup(command=command, earlier_s=seconds))
    found.sort(key=lambda one: -one.earlier_s)
    return Speedups(projection=projection, basis=basis, found=tuple(found))


def basis_of(run: RunFacts, fleet: FleetFacts) -> Hashable:
    """The limits and devices of a run: where they are others by now, what was found says nothing any more."""
    devices = tuple(
        (one.id, one.offered, one.connected, one.enabled, one.draining, one.is_kept_away)
        for one in fleet.devices.values()
    )
    return run.limit, fleet.max_concurrency, tuple(fleet.groups.items()), devices


class _Raised(NamedTuple):
    """A limit or a number of slots that may be raised."""

    before: int
    command: Callable[[int], c.Command]
    """Makes the command that sets it to so many."""


def _least_that_helps(raised: _Raised, left: int, earlier: Callable[[c.Command], float]) -> Speedup | None:
    """The smallest of some steps by which the run ends earlier; None: not even so many help that all tasks have room.

    Args:
        raised: what is raised.
        left: how many tasks are left.
        earlier: gives by how many seconds a command helps.
    """
    most = raised.before + max(1, min(left, _MOST_MORE))
    step = max(1, raised.before // 4)
    helped = earlier(raised.command(most))
    if not helped:
        return None
    while (after := raised.before + step) < most:
        if seconds := earlier(raised.command(after)):
            return Speedup(command=raised.command(after), earlier_s=seconds, before=raised.before, after=after)
        step *= 2
    return Speedup(command=raised.command(most), earlier_s=helped, before=raised.before, after=most)


def _raised(run: RunFacts, fleet: FleetFacts, projection: Projection) -> Iterator[_Raised]:
    """The numbers that may keep the run from ending earlier."""
    if run.limit is not None:
        yield _Raised(run.limit, lambda more: c.SetRunLimit(run_id=run.run_id, max_concurrency=more))
    if fleet.max_concurrency is not None:
        yield _Raised(fleet.max_concurrency, lambda more: c.SetLimits(max_concurrency=more))
    for group in _groups(run, fleet, projection):
        yield _Raised(fleet.groups[group], partial(_limit_group, group))
    by_work = sorted(projection.devices.values(), key=lambda device: (-device.busy_s, device.id))
    for forecast in by_work[:MOST_DEVICES]:
        device = fleet.devices.get(forecast.id)
        if device is not None and device.offered:
            yield _Raised(device.offered, partial(_set_slots, device.id))


def _limit_group(group: str, most: int) -> c.Command:
    return c.SetLimits(groups={group: most})


def _set_slots(device_id: str, slots: int) -> c.Command:
    return c.SetSlots(device_id=device_id, slots=slots)


def _given_back(fleet: FleetFacts) -> Iterator[c.Command]:
    """The commands by which devices take tasks again."""
    for device in _resting(fleet):
        command = c.ResumeDevice if device.enabled else c.EnableDevice
        yield command(device_id=device.id)
    for device_id, holder in _reserved(fleet):
        yield ReleaseReservation(device_id=device_id, origin=holder)


def _groups(run: RunFacts, fleet: FleetFacts, projection: Projection) -> list[str]:
    """The limited groups of the tasks that are left."""
    left = (run.graph.tasks[run.graph.place[task_id]] for task_id in projection.tasks if task_id in run.graph.place)
    named = {group for task in left if task is not None for group in task.groups}
    return sorted(group for group in named if group in fleet.groups)[:MOST_GROUPS]


def _resting(fleet: FleetFacts) -> list[DeviceFacts]:
    """The connected devices that take no tasks as somebody wanted it so."""
    resting = [device for device in fleet.devices.values() if device.connected and not device.refusal]
    return [device for device in resting if device.draining or not device.enabled][:MOST_DEVICES]


def _reserved(fleet: FleetFacts) -> list[tuple[str, str]]:
    """The devices that take no tasks only as they are reserved, and who has reserved each."""
    kept = [id for id, device in fleet.devices.items() if device.is_kept_away and not device.draining]
    return [(id, fleet.reservations[ReservationTarget(device_id=id)].holder) for id in kept[:MOST_DEVICES]]

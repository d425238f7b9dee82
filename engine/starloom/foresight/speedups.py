"""Speedups: the commands that would let a run end earlier, each tried on a copy of the scheduler in virtual time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from starloom.foresight.projection import Certainty, Projection, estimates_of, projection_of
from starloom.foresight.sampling import foreseen_end
from starloom.foresight.schedule import Schedule
from starloom.pauses import Pause, no_pause
from starloom.scheduling import commands as c
from starloom.scheduling.reservation_commands import ReleaseReservation
from starloom.scheduling.state.reservations import ReservationTarget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.scheduling.fork import Fork
    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts

MOST_DEVICES: Final = 8
"""Devices whose slots are tried: those that work longest for the run."""
MOST_GROUPS: Final = 8
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
        is_certain: whether the end is known well enough to be compared; else nothing was tried.
        found: those that help.
    """

    projection: Projection
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
    projection = projection_of(now, samples=0, pause=pause)
    if projection.certainty is not Certainty.EXPECTED:
        return Speedups(projection=projection, is_certain=False)
    end, found = foreseen_end(now), list[Speedup]()
    least = max(LEAST_GAIN_S, LEAST_SHARE * (end - now.now))
    for command, before, after in _candidates(fork.run(run_id), fork.fleet, projection):
        then = Schedule(fork, run_id, estimates, [command], pause)
        earlier = end - foreseen_end(then)
        if not then.refusals and not then.left_over() and earlier >= least:
            found.append(Speedup(command=command, earlier_s=earlier, before=before, after=after))
    return Speedups(projection=projection, found=tuple(sorted(found, key=lambda one: -one.earlier_s)))


def _more(count: int) -> int:
    """A count raised by a quarter, by one at least."""
    return count + max(1, count // 4)


def _candidates(
    run: RunFacts, fleet: FleetFacts, projection: Projection
) -> Iterator[tuple[c.Command, int | None, int | None]]:
    """The commands that may help, each with the number it changes and the number it sets."""
    if run.limit is not None:
        more = _more(run.limit)
        yield c.SetRunLimit(run_id=run.run_id, max_concurrency=more), run.limit, more
    if fleet.max_concurrency is not None:
        more = _more(fleet.max_concurrency)
        yield c.SetLimits(max_concurrency=more), fleet.max_concurrency, more
    for group in _groups(run, fleet, projection):
        more = _more(fleet.groups[group])
        yield c.SetLimits(groups={group: more}), fleet.groups[group], more
    by_work = sorted(projection.devices.values(), key=lambda device: (-device.busy_s, device.id))
    for forecast in by_work[:MOST_DEVICES]:
        device = fleet.devices.get(forecast.id)
        if device is not None and device.offered:
            more = _more(device.offered)
            yield c.SetSlots(device_id=device.id, slots=more), device.offered, more
    for device in _resting(fleet):
        command = c.ResumeDevice if device.enabled else c.EnableDevice
        yield command(device_id=device.id), None, None
    for device_id, holder in _reserved(fleet):
        yield ReleaseReservation(device_id=device_id, origin=holder), None, None


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

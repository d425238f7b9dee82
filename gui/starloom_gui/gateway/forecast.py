"""The projection of a plan, computed in a thread as `starloom plan` does; nothing is run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.devices.kinds import actions_of, is_group
from starloom.foresight.projection import project
from starloom.foresight.virtual import SimulatedSpec, VirtualRun
from starloom.model.device import DeviceSpec
from starloom.model.status import DeviceStatus, Placement
from starloom.orchestration.foresight import beside_the_loop
from starloom.scheduling.commands import SetLimits
from starloom.scheduling.state.reservations import ReservationTarget

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable

    from starloom.foresight.projection import Projection
    from starloom.model.plan import Plan
    from starloom.pauses import Pause
    from starloom.scheduling.fork import Fork
    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom.scheduling.state.fleet_facts import FleetFacts

_AWAY: Final = frozenset({DeviceStatus.SUSPENDED, DeviceStatus.REFUSED, DeviceStatus.FAILED, DeviceStatus.DISCONNECTED})
SAMPLES: Final = 60
"""So many ends are sampled for how uncertain an end is: more take several times as long as the projection itself, and a
look ahead that is slow is made seldom."""


async def foresee_plan(
    plan: Plan,
    key: str,
    fleet: FleetFacts,
    leaving: Container[str] = (),
    now: float = 0.0,
    durations: Callable[[Fork, str], Fork] = lambda fork, _run_id: fork,
) -> Projection:
    """Foresee a plan that is not run; times count from its start. Cancelling it ends the work within milliseconds.

    Devices that are out of reach take nothing, as in a run; where all are, the plan is foreseen as if they were there.
    Those of the plan that are in the fleet already are taken as they are there.

    Args:
        plan: what would be run.
        key: what the projection calls the run.
        fleet: the devices there are, and the limits; only read, at once.
        leaving: ids of devices that would be removed before the start.
        now: seconds on the engine's clock: until when devices are reserved counts from there.
        durations: adds those of earlier runs of the plan; called in the thread.

    Raises:
        StarloomError: it could not be run like that.
    """
    away = _away(plan, fleet)
    takers = (one for one in fleet.devices.values() if one.enabled and not one.draining)
    there = [_as_it_is(one) for one in takers if one.id not in away and one.id not in leaving]
    kept = {id for id in fleet.devices if id not in leaving}
    made = tuple(spec for spec in plan.devices if spec.id not in {*kept, *away})
    if not made and not there:
        made = tuple(plan.devices) or (DeviceSpec(id="local"),)
    reserved = {
        id: held.until - now
        for id in {spec.id for spec in made}.union(spec.id for spec in there)
        if (held := fleet.reservations.get(ReservationTarget(device_id=id))) is not None and held.until > now
    }
    limits = SetLimits(
        max_concurrency=fleet.max_concurrency,
        groups=dict(fleet.groups),
        starvation_timeout=fleet.starvation_timeout,
        placement=Placement(fleet.placement),
    )

    def work(pause: Pause) -> Projection:
        joining = [spec for spec in made if not _has_joined(spec, kept)]  # here: a kind may take long to load
        devices = [SimulatedSpec.of(spec, actions_of(spec.kind)) for spec in joining]
        virtual = VirtualRun(plan, [*devices, *there], limits=limits, run_id=key, reserved=reserved)
        pause()
        return project(durations(virtual.fork(), key), key, samples=SAMPLES, pause=pause)

    return await beside_the_loop(work)


def _as_it_is(device: DeviceFacts) -> SimulatedSpec:
    actions = None if device.actions is None else device.actions - device.unsupported
    return SimulatedSpec(device.id, device.slots, device.speed, device.capabilities, device.kind, actions=actions)


def _has_joined(spec: DeviceSpec, ids: Iterable[str]) -> bool:
    """Whether a device of a plan is a group of which some members are among these."""
    return is_group(spec.kind) and any(id.startswith(f"{spec.id}-") for id in ids)


def _away(plan: Plan, fleet: FleetFacts) -> frozenset[str]:
    """The ids of the devices that are out of reach; none, if nothing else could take the plan's tasks."""
    away = frozenset(device.id for device in fleet.devices.values() if device.status in _AWAY)
    takers = {one.id for one in fleet.devices.values() if one.enabled and not one.draining}
    return away if takers.union(spec.id for spec in plan.devices) - away else frozenset()

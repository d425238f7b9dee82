"""Keeping real tasks off simulated devices, as the devices of a fleet take tasks of all its runs.

A simulated device belongs to the runs whose plans name it. One that an operator has added himself is his to answer for:
he is asked before it could take real tasks.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from starloom.model.device import DeviceSpec
    from starloom.model.task import Task
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts


class Clash(Enum):
    """The reason why work cannot begin beside the runs that go on."""

    THEIRS = "theirs"
    """A device of theirs that only acts as if could take its tasks."""
    OURS = "ours"
    """A device it brings that only acts as if could take their tasks."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """The answer to whether work may begin beside the runs that go on.

    Attributes:
        clash: why it cannot begin now; None: it can.
        run_id: of the run it clashes with.
        leave: the devices that have to leave the fleet before, as only runs that have ended named them.
    """

    clash: Clash | None = None
    run_id: str = ""
    leave: tuple[str, ...] = ()


def meeting(
    named: Collection[DeviceSpec],
    tasks: Iterable[Task] | None,
    runs: Sequence[RunFacts],
    fleet: FleetFacts,
    own: Collection[str] = (),
) -> Meeting:
    """Whether work may begin on a fleet, beside the runs that go on.

    Args:
        named: the devices that its plan names.
        tasks: what is to be done; None: not known yet, so that it may be anything.
        runs: all runs of the engine.
        fleet: the devices there are.
        own: ids of the devices that the operator has added: a run of a plan without devices records them as its own,
            but they are not the run's.
    """
    work = None if tasks is None else list(tasks)
    ids = {spec.id for spec in named}
    not_theirs = ids.union(own)
    for run in runs:
        if not run.state.has_ended:
            theirs = {spec.id for spec in run.devices}.union(own)
            there = [spec for spec in _acting(run.devices, not_theirs) if _is_there(spec, fleet)]  # not removed since
            if _could_take(there, work):
                return Meeting(Clash.THEIRS, run.run_id)
            if _could_take(_acting(named, theirs), [task for task in run.graph.tasks if task is not None]):
                return Meeting(Clash.OURS, run.run_id)
    brought = [spec for run in runs for spec in _acting(run.devices, not_theirs) if _is_there(spec, fleet)]
    leave = dict.fromkeys(spec.id for spec in brought) if _could_take(brought, work) else ()
    return Meeting(leave=tuple(leave))


def _acting(specs: Iterable[DeviceSpec], named: Collection[str]) -> list[DeviceSpec]:
    """The simulated devices whose ids are not in `named`."""
    return [spec for spec in specs if spec.kind == "simulated" and spec.id not in named]


def _is_there(spec: DeviceSpec, fleet: FleetFacts) -> bool:
    device = fleet.devices.get(spec.id)
    return device is not None and device.kind == spec.kind


def _could_take(specs: Sequence[DeviceSpec], tasks: Sequence[Task] | None) -> bool:
    """Whether a task that is meant could be placed on one of these."""
    if tasks is None:
        return bool(specs)
    return any(
        task.simulate is None and task.pin in (None, spec.id) and task.requires <= spec.capabilities
        for spec in specs
        for task in tasks
    )

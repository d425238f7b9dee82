"""The real tasks of a plan or run that simulated devices of a fleet could take, which serves all its runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starloom.scheduling.state.device_facts import DeviceFacts, DeviceRequirements

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from starloom.model.task import Task
    from starloom.scheduling.state.fleet_facts import FleetFacts


@dataclass(frozen=True, slots=True)
class Pretence:
    """What of a plan or run could end without having run.

    Attributes:
        devices: the simulated ones that could take real tasks although it does not name them.
        tasks: how many they could take.
    """

    devices: tuple[str, ...] = ()
    tasks: int = 0


def pretence(tasks: Iterable[Task], fleet: FleetFacts, others: Collection[str] = ()) -> Pretence:
    """The real tasks that simulated devices of the fleet could take, drained and disabled ones apart.

    Args:
        tasks: what is to be done.
        fleet: the devices there are.
        others: ids of those that the plan names, or that leave the fleet before.
    """
    acting = [
        one
        for one in fleet.devices.values()
        if one.kind == "simulated" and one.id not in others and one.enabled and not one.draining
    ]
    takers: dict[str, None] = {}
    count = 0
    for task in tasks if acting else ():
        if _is_real(task):
            wanted = DeviceRequirements.of(task)
            fitting = [one.id for one in acting if wanted.fits(one)]
            takers.update(dict.fromkeys(fitting))
            count += bool(fitting)
    return Pretence(tuple(takers), count)


def count_takeable(tasks: Iterable[Task], id: str, capabilities: Iterable[str]) -> int:
    """The number of real tasks that a simulated device could take that is about to join the fleet.

    Args:
        tasks: what is to be done.
        id: of the device.
        capabilities: that it will have.
    """
    joined = DeviceFacts(id, "simulated", 1, frozenset(capabilities), 1.0, True)
    return sum(_is_real(task) and DeviceRequirements.of(task).fits(joined) for task in tasks)


def _is_real(task: Task) -> bool:
    return task.simulate is None and task.gate is None

"""The resources of the fleet that a run holds: slots of devices and places in groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.scheduling.state.codes import RUNNING

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts


def own_load(run: RunFacts) -> dict[str, int]:
    """The number of slots the run itself holds, per device."""
    load: dict[str, int] = {}
    for number in run.with_status(RUNNING):
        if number in run.fetching:
            continue
        device = run.device_of[number]
        assert device is not None
        load[device] = load.get(device, 0) + 1
    return load


def own_groups(run: RunFacts) -> dict[str, int]:
    """The number of places of each group the run itself holds."""
    used: dict[str, int] = {}
    for number in run.with_status(RUNNING):
        task = run.graph.tasks[number]
        for group in task.groups if task is not None else ():
            used[group] = used.get(group, 0) + 1
    return used

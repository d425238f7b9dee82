"""Determines when a run that waits only for suspended devices continues."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.model.status import Breaker, RunState
from starloom.scheduling.state.codes import PENDING, RUNNING
from starloom.scheduling.state.device_facts import DeviceRequirements

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts


def again_in(run: RunFacts, now: float) -> float | None:
    """Seconds until the first suspended device is tried again that an otherwise idle run waits for.

    Args:
        run: its facts.
        now: seconds on the engine's clock.

    Returns:
        None: it does not go on, something of it runs or could start, or it waits for something else.
    """
    suspended = {id for id, device in run.fleet.devices.items() if device.breaker is Breaker.OPEN and device.enabled}
    if not suspended or run.state is not RunState.EXECUTING or RUNNING in run.status:
        return None
    due: set[float] = set()
    known: dict[DeviceRequirements, float | None] = {}
    for number in run.with_status(PENDING):
        task = run.graph.tasks[number]
        if task is None or task.gate is not None or number in run.held or number in run.backoff:
            continue
        wanted = DeviceRequirements.of(task, run.pin_of(number))
        if wanted not in known:
            fitting = [device for device in run.fleet.devices.values() if wanted.fits(device)]
            if any(device.accepts for device in fitting):
                return None
            known[wanted] = min((device.until for device in fitting if device.id in suspended), default=None)
        until = known[wanted]
        if until is not None:
            due.add(until)
    return max(0.0, min(due) - now) if due else None

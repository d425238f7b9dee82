"""Simulated tasks on devices that could run real ones: they only sleep in the loop, and start no process."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starloom.model.result import Outcome, OutcomeStatus
from starloom.model.simulation import simulated_outcome

if TYPE_CHECKING:
    from starloom.devices.base import Device, TaskContext
    from starloom.model.task import Task


async def simulate(device: Device, task: Task, context: TaskContext) -> Outcome:
    """Sleep for a simulated task's duration and return its outcome; cancelled, it is stopped.

    Args:
        device: where it is made; a fast one takes less time.
        task: one that is to be simulated.
        context: of the attempt.
    """
    seconds, outcome = simulated_outcome(task, context.attempt, device_id=device.id, speed=device.speed)
    try:
        await asyncio.sleep(seconds)
    except asyncio.CancelledError:
        return Outcome(OutcomeStatus.STOPPED)
    return outcome

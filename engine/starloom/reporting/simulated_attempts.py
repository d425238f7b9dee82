"""Attempts that a simulated device took, of tasks that say what to run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom import events as ev

if TYPE_CHECKING:
    from starloom.scheduling.state.folded_run import FoldedRun


class SimulationWatch:
    """Notes them from the events of a run, as its facts tell that of the last attempt of each task only.

    Args:
        folded: the run as the events before have made it.
    """

    def __init__(self, folded: FoldedRun) -> None:
        self._folded = folded
        self._found: set[tuple[int, int]] = set()

    def see(self, event: ev.Event) -> None:
        """Record one event that is about to be folded."""
        if type(event) is not ev.TaskStarted:
            return
        run = self._folded.run
        device, number = run.fleet.devices.get(event.device_id), run.graph.place.get(event.task_id)
        if device is None or device.kind != "simulated" or number is None:
            return
        task = run.graph.tasks[number]
        if task is not None and task.simulate is None:
            self._found.add((number, event.attempt))

    def has_seen(self, number: int, attempt: int) -> bool:
        """Whether an attempt of the task of this number was only simulated."""
        return (number, attempt) in self._found

"""Counts that present statuses do not give, folded from the events: endings, retries, and queue times."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from starloom import events as ev
from starloom.constellation.edits import RemoveTask
from starloom.scheduling.state.codes import PENDING
from starloom.telemetry.durations import WAITS, Durations

if TYPE_CHECKING:
    from collections.abc import Callable

ENDINGS: Final = ("completed", "failed", "cancelled", "skipped")


class Tally:
    """Counts events; a `Snapshot` resets its state.

    A task's wait is the time from when it became ready to the `TaskStarted` that follows, pauses of the run included. A
    start of which it was not told when the task became ready, as in a run that was resumed, counts as no wait.

    Attributes:
        endings: how often a task ended in each way since the tally began; a retried task can end again, so unlike
            the scheduler's counters these never fall.
        retries: how many failed attempts are followed by another one.
        waits: how long tasks that started had been ready, in seconds.
    """

    def __init__(self) -> None:
        self.endings = dict.fromkeys(ENDINGS, 0)
        self.retries = 0
        self.waits = Durations(WAITS)
        self._ready: defaultdict[str, dict[str, float]] = defaultdict(dict)
        self._handlers: dict[type[ev.Event], Callable[[Any], None]] = {
            ev.TaskReady: self._task_ready,
            ev.TaskInterrupted: self._task_ready,
            ev.TaskStarted: self._task_started,
            ev.TaskCompleted: self._task_completed,
            ev.TaskFailed: self._task_failed,
            ev.TaskCancelled: self._task_cancelled,
            ev.TaskSkipped: self._task_skipped,
            ev.TaskMarked: self._task_marked,
            ev.TaskRetryScheduled: self._task_retry_scheduled,
            ev.TaskReset: self._forget,
            ev.ConstellationModified: self._constellation_modified,
            ev.RunEnded: self._run_ended,
            ev.Snapshot: self._snapshot,
        }

    @property
    def kinds(self) -> tuple[type[ev.Event], ...]:
        """The types of event it counts."""
        return tuple(self._handlers)

    @property
    def queued(self) -> int:
        """The number of ready tasks, by the events."""
        return sum(map(len, self._ready.values()))

    def tell(self, event: ev.Event) -> None:
        """Count an event of one of `kinds`, each stream's in order."""
        self._handlers[type(event)](event)

    # ---- the queue

    def _task_ready(self, event: ev.TaskReady | ev.TaskInterrupted) -> None:
        self._ready[event.run_id][event.task_id] = event.at

    def _task_started(self, event: ev.TaskStarted) -> None:
        ready = self._ready[event.run_id].pop(event.task_id, None)
        if ready is not None:
            self.waits.note(event.at - ready)

    def _forget(self, event: Any) -> None:
        self._ready[event.run_id].pop(event.task_id, None)

    def _constellation_modified(self, event: ev.ConstellationModified) -> None:
        for change in event.changes:
            if isinstance(change, RemoveTask):
                self._ready[event.run_id].pop(change.task_id, None)

    def _run_ended(self, event: ev.RunEnded) -> None:
        self._ready.pop(event.run_id, None)

    def _snapshot(self, event: ev.Snapshot) -> None:
        self._ready.pop(event.run_id, None)
        if event.state is not None:
            run = event.state.run
            ready = {run.graph.ids[number]: run.ready_at[number] for number in run.with_status(PENDING)}
            if ready:
                self._ready[event.run_id] = ready

    # ---- ends

    def _task_completed(self, _event: ev.TaskCompleted) -> None:
        self.endings["completed"] += 1

    def _task_failed(self, _event: ev.TaskFailed) -> None:
        self.endings["failed"] += 1

    def _task_retry_scheduled(self, _event: ev.TaskRetryScheduled) -> None:
        self.retries += 1

    def _task_cancelled(self, event: ev.TaskCancelled) -> None:
        self.endings["cancelled"] += 1
        self._forget(event)

    def _task_skipped(self, event: ev.TaskSkipped) -> None:
        self.endings["skipped"] += 1
        self._forget(event)

    def _task_marked(self, event: ev.TaskMarked) -> None:
        self.endings[event.status.value] += 1
        self._forget(event)

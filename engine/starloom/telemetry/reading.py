"""A reading of all metrics as one value."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from starloom.scheduling.read.counters import Counters
from starloom.telemetry.durations import DurationsReading


class Reading(msgspec.Struct, frozen=True, rename="camel"):
    """The metrics of an engine at one moment.

    Attributes:
        scheduler: tasks by present status, over all runs, with the seeds' names.
        task_endings: how often tasks ended in each way since the watch began.
        retries: failed attempts followed by another one since the watch began.
        queue_wait: how long started tasks had been ready.
        loop_lag: how late the event loop was.
        journal: how long commits took; None: no journal is kept.
        halted: why the engine decides nothing at present; None: all is well.
        events_missed: how many events were not counted because there were too many at once.
    """

    scheduler: Counters
    task_endings: Mapping[str, int]
    retries: int
    queue_wait: DurationsReading
    loop_lag: DurationsReading
    journal: DurationsReading | None
    halted: str | None
    events_missed: int

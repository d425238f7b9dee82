"""Snapshots of runs, for subscribers that are new or have missed events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.events import Snapshot
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from collections.abc import Collection

    from starloom.orchestration.pump import Pump


def snapshots_of(pump: Pump, also: Collection[str] = ()) -> list[Snapshot]:
    """A snapshot of each live run, and of these runs even if they have ended, as far as they are in memory.

    Args:
        pump: whose runs.
        also: ids of ended runs that are wanted too.
    """
    pump.large.finish()  # a snapshot in the middle of a turn would be of nothing that ever was
    scheduler = pump.scheduler
    wanted = scheduler.live | {run_id: scheduler.runs[run_id] for run_id in also if run_id in scheduler.runs}
    return [
        Snapshot(index.run.seq, scheduler.now, run_id, 0, FoldedRun.of(index.run)) for run_id, index in wanted.items()
    ]

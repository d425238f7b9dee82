"""The scheduler's counters: tasks by present status, over all runs; they add up at any time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from starloom.scheduling.state.codes import COMPLETED, FAILED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.scheduler_state import SchedulerState

HIGH: Final = 75
LOW: Final = 25
"""The seeds' tiers: a base priority of 75 or more is high, below 25 is low."""


_ENDED: Final = bytes(code in (COMPLETED, FAILED) for code in range(256))
_HIGH: Final = bytes(priority >= HIGH for priority in range(256))
_LOW: Final = bytes(priority < LOW for priority in range(256))


class Counters(msgspec.Struct, frozen=True, rename="camel"):
    """Counts of tasks by status; the first eight keep the seeds' names and meaning.

    Attributes:
        enabled: whether the number of tasks at once is limited.
        active_count: running now.
        queued_count: ready and not running.
        total_submitted: all there ever were: completed + failed + cancelled + skipped + active + queued + waiting +
            removed.
        total_completed: ended by themselves, well or not, as the seeds count.
        starvation_promotions: started by their age while one of higher base priority was still ready.
        rejected: runs and submissions refused for want of room; not part of `total_submitted`.
        attempts: how often tasks were started.
        total_modifications, completed_modifications, timeout_modifications: how many ended tasks were handed over to
            agents, were answered to, and were given up by timeout.
    """

    enabled: bool
    active_count: int
    queued_count: int
    total_submitted: int
    total_completed: int
    high_priority_completed: int
    low_priority_completed: int
    starvation_promotions: int
    completed: int
    failed: int
    cancelled: int
    skipped: int
    waiting: int
    removed: int
    rejected: int
    attempts: int
    total_modifications: int = 0
    completed_modifications: int = 0
    timeout_modifications: int = 0


def modifications(scheduler: SchedulerState) -> dict[str, int]:
    """The numbers of ended tasks that were given to agents, over all runs, by the names in `Counters`."""
    known = _modifications(index.run for index in scheduler.runs.values())
    return {name: count + scheduler.released.get(name, 0) for name, count in known.items()}


def _modifications(runs: Iterable[RunFacts]) -> dict[str, int]:
    cycles = [run.cycles for run in runs if run.cycles is not None]
    return {
        "total_modifications": sum(one.handed for one in cycles),
        "completed_modifications": sum(one.answered for one in cycles),
        "timeout_modifications": sum(one.timed_out for one in cycles),
    }


def counters(scheduler: SchedulerState) -> Counters:
    """The counters of all runs, those released from memory included."""
    runs = [index.run for index in scheduler.runs.values()]
    known = _sum(runs, enabled=scheduler.fleet.max_concurrency is not None, rejected=scheduler.rejected)
    past = scheduler.released
    return replace(known, **{name: getattr(known, name) + more for name, more in past.items()}) if past else known


def run_counters(run: RunFacts) -> Counters:
    """The counters of one run."""
    return _sum([run], enabled=run.fleet.max_concurrency is not None, rejected=0)


def _in_both(one: bytearray, other: bytearray) -> int:
    """The number of places where both are 1; by large integers, as 100,000 steps would be too slow."""
    return (int.from_bytes(one, "big") & int.from_bytes(other, "big")).bit_count()


def _sum(runs: list[RunFacts], *, enabled: bool, rejected: int) -> Counters:
    total: dict[str, int] = dict.fromkeys(
        ("submitted", "waiting", "queued", "running", "completed", "failed", "cancelled", "skipped", "removed"), 0
    )
    high = low = 0
    for run in runs:
        for name, count in run.counts().items():
            total[name] += count
        ended = run.status.translate(_ENDED)
        high += _in_both(ended, run.priority.translate(_HIGH))
        low += _in_both(ended, run.priority.translate(_LOW))
    return Counters(
        enabled=enabled,
        active_count=total["running"],
        queued_count=total["queued"],
        total_submitted=total["submitted"],
        total_completed=total["completed"] + total["failed"],
        high_priority_completed=high,
        low_priority_completed=low,
        starvation_promotions=sum(len(run.promoted) for run in runs),
        completed=total["completed"],
        failed=total["failed"],
        cancelled=total["cancelled"],
        skipped=total["skipped"],
        waiting=total["waiting"],
        removed=total["removed"],
        rejected=rejected,
        attempts=sum(sum(run.tries) for run in runs),
        **_modifications(runs),
    )

"""When tasks became ready. Unlike the age that decides about their turn, this goes on while their run is paused."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts


def ready_time(run: RunFacts, number: int) -> float:
    """When a task became ready last, in seconds on the engine's clock."""
    return run.first_ready.get(number, run.ready_at[number])


def ready_times(run: RunFacts) -> list[float]:
    """The `ready_time` of each task, by its number."""
    times = run.ready_at.copy()
    for number, at in run.first_ready.items():
        times[number] = at
    return times


def paused_within(run: RunFacts, since: float, until: float) -> float:
    """The seconds of a stretch of a run's clock in which it was paused, and has gone on since."""
    return sum(max(0.0, min(until, resumed) - max(since, paused)) for paused, resumed in run.paused_spans)

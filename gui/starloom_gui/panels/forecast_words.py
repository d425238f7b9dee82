"""When a task that runs is foreseen to end, in words that claim no more than is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.model.status import RunState
from starloom.scheduling.state.codes import RUNNING
from starloom_gui.text.words import fill, remaining, took, translate

if TYPE_CHECKING:
    from starloom.foresight.projection import Projection, TaskForecast
    from starloom.scheduling.state.run_facts import RunFacts

_NOTHING_LEFT = 1.0
"""Seconds; a task that has outrun its estimate and has less left by the forecast has no forecast."""


def has_forecast(run: RunFacts, number: int, forecast: TaskForecast, now: float) -> bool:
    """Whether anybody can tell when a task ends.

    Nobody can of one without an estimate, of one that runs longer than by it, and of one behind either.

    Args:
        run: the facts.
        number: of the task.
        forecast: what is foreseen of it.
        now: seconds on the engine's clock.
    """
    if forecast.finish is None or forecast.estimate.seconds is None or forecast.is_lower_bound:
        return False
    if run.status[number] != RUNNING:
        return True
    if number in run.overdue:
        return False
    return forecast.finish - now >= _NOTHING_LEFT or _over(run, number, forecast, now) <= 0


def ends_words(run: RunFacts, number: int, projection: Projection | None, now: float) -> str:
    """When a task ends: `ends in about 48 s`, `overdue by 40 s; no forecast`, `paused`; empty: nobody can tell.

    Args:
        run: the facts.
        number: of the task.
        projection: what is foreseen; None: nothing is.
        now: seconds on the engine's clock.
    """
    if number in run.overdue:
        over = took(now - run.started_at[number] - run.overdue[number])
        return fill(translate("Inspector", "overdue by %1; no forecast"), over)
    forecast = projection.tasks.get(run.graph.ids[number]) if projection is not None else None
    if forecast is None or forecast.finish is None:
        return ""
    if run.state is RunState.PAUSED and run.status[number] != RUNNING:
        return translate("Inspector", "paused")  # foreseen is what would be if it went on now
    if has_forecast(run, number, forecast, now):
        return fill(translate("Inspector", "ends in about %1"), remaining(forecast.finish - now))
    if forecast.estimate.seconds is None:
        return ""
    over = took(_over(run, number, forecast, now))
    return fill(translate("Inspector", "%1 longer than expected; no forecast"), over)


def _over(run: RunFacts, number: int, forecast: TaskForecast, now: float) -> float:
    """Seconds a running task has taken beyond its estimate, which there must be."""
    assert forecast.estimate.seconds is not None
    device = run.fleet.devices.get(run.device_of[number] or "")
    return now - run.started_at[number] - forecast.estimate.seconds / (device.speed if device is not None else 1.0)

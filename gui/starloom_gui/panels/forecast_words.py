"""The projected end of a running task in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.model.status import RunState
from starloom_gui.text.words import fill, remaining, took, translate

if TYPE_CHECKING:
    from starloom.foresight.projection import Projection, TaskForecast
    from starloom.scheduling.read.run_view import TaskView

_NOTHING_LEFT = 1.0
"""Seconds; a task that has outrun its estimate and has less left by the forecast has no forecast."""


def has_forecast(task: TaskView, forecast: TaskForecast, now: float) -> bool:
    """Whether the end of a task can be projected.

    Nobody can of one without an estimate, of one that runs longer than by it, and of one behind either.

    Args:
        task: any that has not ended.
        forecast: what is foreseen of it.
        now: seconds on the engine's clock.
    """
    if forecast.finish is None or forecast.estimate.seconds is None or forecast.is_lower_bound:
        return False
    if not task.is_running:
        return True
    if task.overdue is not None:
        return False
    return forecast.finish - now >= _NOTHING_LEFT or _over(task, forecast, now) <= 0


def ends_words(task: TaskView, projection: Projection | None, now: float) -> str:
    """The projected end of a task: `ends in about 48 s`, `overdue by 40 s; no forecast`, `paused`; empty: unknown.

    Args:
        task: any that has not ended.
        projection: what is foreseen; None: nothing is.
        now: seconds on the engine's clock.
    """
    if task.overdue is not None:
        over = took(now - task.started_at - task.overdue)
        return fill(translate("Inspector", "overdue by %1; no forecast"), over)
    forecast = projection.tasks.get(task.id) if projection is not None else None
    if forecast is None or forecast.finish is None:
        return ""
    if task.run.facts.run_started_at is None:
        return ""  # foreseen is what would be if it were started now
    if task.run.state is RunState.PAUSED and not task.is_running:
        return translate("Inspector", "paused")  # foreseen is what would be if it went on now
    if has_forecast(task, forecast, now):
        return fill(translate("Inspector", "ends in about %1"), remaining(forecast.finish - now))
    if not task.is_running or forecast.estimate.seconds is None or _over(task, forecast, now) <= 0:
        return ""
    over = took(_over(task, forecast, now))
    return fill(translate("Inspector", "%1 longer than expected; no forecast"), over)


def _over(task: TaskView, forecast: TaskForecast, now: float) -> float:
    """Seconds a running task has taken beyond its estimate, which there must be."""
    assert forecast.estimate.seconds is not None
    device = task.run.fleet.devices.get(task.device or "")
    return now - task.started_at - forecast.estimate.seconds / (device.speed if device is not None else 1.0)

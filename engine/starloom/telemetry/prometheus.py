"""A reading in Prometheus' text format; the only module that needs the extra `metrics`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from prometheus_client import Metric

    from starloom.scheduling.read.counters import Counters
    from starloom.telemetry.durations import DurationsReading
    from starloom.telemetry.reading import Reading

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST


def prometheus_text(reading: Reading) -> bytes:
    """All metrics of a reading in Prometheus' text format.

    What may fall (tasks by present status) is a gauge, what only grows a counter, and durations are histograms.
    """
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Families(reading))
    return generate_latest(registry)


class _Families(Collector):
    """A reading as families of metrics."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    @override
    def collect(self) -> Iterable[Metric]:
        """All families."""
        reading = self._reading
        yield from _scheduler(reading.scheduler)
        yield _counters("starloom_task_endings", "Ends of tasks, by how they ended.", "status", reading.task_endings)
        yield CounterMetricFamily("starloom_retries", "Failed attempts followed by another one.", value=reading.retries)
        yield _histogram("starloom_queue_wait_seconds", "Time from ready to started.", reading.queue_wait)
        yield _histogram("starloom_loop_lag_seconds", "How late the event loop was.", reading.loop_lag)
        if reading.journal is not None:
            yield from _journal(reading.journal)
        yield GaugeMetricFamily(
            "starloom_halted",
            "1 while a failed commit keeps the engine from deciding.",
            value=reading.halted is not None,
        )
        yield CounterMetricFamily(
            "starloom_events_missed", "Events the metrics could not count.", value=reading.events_missed
        )


def _scheduler(counters: Counters) -> Iterator[Metric]:
    present = {
        "running": counters.active_count,
        "queued": counters.queued_count,
        "waiting": counters.waiting,
        "completed": counters.completed,
        "failed": counters.failed,
        "cancelled": counters.cancelled,
        "skipped": counters.skipped,
        "removed": counters.removed,
    }
    tiers = {"high": counters.high_priority_completed, "low": counters.low_priority_completed}
    yield GaugeMetricFamily(
        "starloom_scheduler_enabled", "1 if the number of tasks at once is limited.", value=counters.enabled
    )
    yield _gauges("starloom_tasks", "Tasks by present status, over all runs.", "status", present)
    yield GaugeMetricFamily(
        "starloom_tasks_ended", "Tasks that have completed or failed.", value=counters.total_completed
    )
    yield _gauges("starloom_tier_tasks_ended", "The same, of high and of low priority.", "tier", tiers)
    modifications = {
        "handed_over": counters.total_modifications,
        "answered": counters.completed_modifications,
        "timed_out": counters.timeout_modifications,
    }
    yield _counters("starloom_modifications", "Ended tasks that agents were asked about.", "how", modifications)
    growing = {
        "starloom_tasks_submitted": ("Tasks there ever were.", counters.total_submitted),
        "starloom_starvation_promotions": ("Tasks started by their age.", counters.starvation_promotions),
        "starloom_rejected": ("Runs and submissions refused for want of room.", counters.rejected),
        "starloom_attempts": ("Times a task was started.", counters.attempts),
    }
    for name, (text, value) in growing.items():
        yield CounterMetricFamily(name, text, value=value)


def _journal(commits: DurationsReading) -> Iterator[Metric]:
    yield _histogram("starloom_journal_commit_seconds", "Time a commit to the journal took.", commits)
    figures = {"last": commits.last, "p50": commits.p50, "p99": commits.p99, "max": commits.max}
    known = {name: value for name, value in figures.items() if value is not None}
    yield _gauges("starloom_journal_lag_seconds", "Times of the latest commits.", "of", known)


def _gauges(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, text, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family


def _counters(name: str, text: str, label: str, values: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily(name, text, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family


def _histogram(name: str, text: str, reading: DurationsReading) -> Metric:
    buckets = [(str(bound), float(count)) for bound, count in reading.buckets]
    return HistogramMetricFamily(name, text, buckets=[*buckets, ("+Inf", float(reading.count))], sum_value=reading.sum)

"""A reading in Prometheus' text format, read back with Prometheus' own parser."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from prometheus_client.parser import text_string_to_metric_families as families

from starloom.scheduling.read.counters import Counters
from starloom.telemetry.durations import COMMITS, WAITS, Durations, DurationsReading
from starloom.telemetry.prometheus import prometheus_text
from starloom.telemetry.reading import Reading

if TYPE_CHECKING:
    from collections.abc import Mapping


def durations(bounds: tuple[float, ...], *seconds: float) -> DurationsReading:
    noted = Durations(bounds)
    for one in seconds:
        noted.note(one)
    return noted.reading()


def reading(journal: DurationsReading | None = None, halted: str | None = None) -> Reading:
    names = Counters.__struct_fields__[1:]
    return Reading(
        scheduler=Counters(True, *range(1, len(names) + 1)),
        task_endings={"completed": 5, "failed": 2, "cancelled": 1, "skipped": 0},
        retries=4,
        queue_wait=durations(WAITS, 0.0, 0.02, 7_000.0),
        loop_lag=durations(WAITS),
        journal=journal,
        halted=halted,
        events_missed=0,
    )


def samples(value: Reading) -> Mapping[tuple[str, tuple[tuple[str, str], ...]], float]:
    found: dict[tuple[str, tuple[tuple[str, str], ...]], float] = {}
    for family in families(prometheus_text(value).decode()):
        assert family.documentation
        assert family.type in ("gauge", "counter", "histogram")
        for sample in family.samples:
            key = (sample.name, tuple(sorted(sample.labels.items())))
            assert key not in found
            found[key] = sample.value
    return found


def test_every_counter_of_the_scheduler_is_there_once() -> None:
    found = samples(reading())
    counters = reading().scheduler
    values = [value for (name, _), value in found.items() if "tasks" in name or "attempts" in name or "reject" in name]
    values += [value for (name, _), value in found.items() if "promotions" in name or "modifications" in name]
    numbers = [getattr(counters, name) for name in Counters.__struct_fields__[1:]]
    assert sorted(values) == sorted(float(value) for value in numbers)
    assert found["starloom_scheduler_enabled", ()] == 1
    assert found["starloom_tasks", (("status", "failed"),)] == counters.failed
    assert found["starloom_tasks", (("status", "cancelled"),)] == counters.cancelled
    assert found["starloom_rejected_total", ()] == counters.rejected
    assert found["starloom_starvation_promotions_total", ()] == counters.starvation_promotions
    assert found["starloom_task_endings_total", (("status", "failed"),)] == 2
    assert found["starloom_retries_total", ()] == 4


def test_a_histogram_is_cumulative_and_ends_with_all() -> None:
    found = samples(reading())
    name = "starloom_queue_wait_seconds"
    buckets = {float(labels[0][1]): value for (key, labels), value in found.items() if key == f"{name}_bucket"}
    assert list(buckets) == [*WAITS, math.inf]
    assert (buckets[0.001], buckets[0.05], buckets[1_800.0], buckets[math.inf]) == (1, 2, 2, 3)
    assert found[f"{name}_count", ()] == 3
    assert found[f"{name}_sum", ()] == pytest.approx(7_000.02)


def test_an_engine_without_a_journal_has_no_figures_of_one() -> None:
    assert not any("journal" in name for name, _ in samples(reading()))
    found = samples(reading(durations(COMMITS, 0.1, 0.3)))
    assert found["starloom_journal_commit_seconds_count", ()] == 2
    assert found["starloom_journal_lag_seconds", (("of", "last"),)] == 0.3
    assert found["starloom_journal_lag_seconds", (("of", "p99"),)] == 0.3
    assert found["starloom_journal_lag_seconds", (("of", "p50"),)] == 0.1


def test_a_halt_shows() -> None:
    assert samples(reading())["starloom_halted", ()] == 0
    assert samples(reading(halted="the disk is full"))["starloom_halted", ()] == 1

"""Durations are counted in the right buckets, and quantiles are those of the latest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starloom.telemetry.durations import COMMITS, DELAYS, RECENT, WAITS, Durations


def test_nothing_noted_is_nothing_read() -> None:
    reading = Durations((1.0,)).reading()
    assert (reading.count, reading.sum, reading.buckets) == (0, 0.0, ((1.0, 0),))
    assert (reading.last, reading.p50, reading.p99, reading.max) == (None, None, None, None)


def test_a_duration_on_a_bound_belongs_below_it_and_one_above_all_is_only_in_the_count() -> None:
    durations = Durations((1.0, 2.0))
    for seconds in (0.5, 1.0, 1.5, 2.0, 9.0):
        durations.note(seconds)
    reading = durations.reading()
    assert reading.buckets == ((1.0, 2), (2.0, 4))
    assert (reading.count, reading.sum, reading.last) == (5, 14.0, 9.0)
    assert (reading.p50, reading.p99, reading.max) == (1.5, 9.0, 9.0)


def test_quantiles_forget_what_is_long_past_and_the_buckets_do_not() -> None:
    durations = Durations((1.0,))
    durations.note(100.0)
    for _ in range(RECENT):
        durations.note(0.5)
    reading = durations.reading()
    assert (reading.count, reading.buckets, reading.max) == (RECENT + 1, ((1.0, RECENT),), 0.5)


@given(st.lists(st.floats(0, 1e4)))
def test_buckets_never_fall_and_never_hold_more_than_there_were(values: list[float]) -> None:
    durations = Durations(WAITS)
    for value in values:
        durations.note(value)
    reading = durations.reading()
    counts = [count for _, count in reading.buckets]
    assert counts == [sum(value <= bound for value in values) for bound in WAITS]
    assert reading.count == len(values)


@pytest.mark.parametrize("bounds", [WAITS, DELAYS, COMMITS])
def test_bounds_ascend(bounds: tuple[float, ...]) -> None:
    assert list(bounds) == sorted(set(bounds))

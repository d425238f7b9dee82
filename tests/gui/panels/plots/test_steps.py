"""Step functions that grow in any order, and their points: what is drawn is what was, two points a pixel."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from starloom_gui.panels.plots.steps import CurvePoints, Gap, Steps

MOMENTS = st.lists(st.tuples(st.integers(0, 60), st.sampled_from([-1.0, 1.0])), max_size=40)


def made(changes, **given_) -> Steps:
    steps = Steps(**given_)
    steps.add(np.array([at for at, _ in changes], np.float64), np.array([by for _, by in changes]))
    return steps


@given(parts=st.lists(MOMENTS, max_size=6))
def test_changes_may_come_in_any_order_and_in_any_parts(parts):
    grown = Steps()
    for part in parts:
        grown.add(np.array([at for at, _ in part], np.float64), np.array([by for _, by in part]))
    changes = [change for part in parts for change in part]
    for moment in range(-1, 62):
        known = [by for at, by in changes if at <= moment]
        assert grown.at(moment) == sum(known) if known else np.isnan(grown.at(moment))
    assert sorted(set(grown.times)) == list(grown.times)


def test_of_new_values_at_one_moment_the_last_holds():
    steps = made([(1, 5.0), (2, 8.0), (2, 3.0)], adds=False)
    assert list(steps.values) == [5.0, 3.0]
    steps.add(np.array([2.0]), np.array([4.0]))
    assert list(zip(steps.times, steps.values, strict=True)) == [(1, 5), (2, 4)]


def test_what_is_said_at_one_moment_is_one_change_and_no_peak():
    """An end and a start in one turn: nobody saw one task more or less."""
    steps = made([(0, 1.0), (5, 1.0), (5, -1.0)])
    assert steps.top == 1.0


def test_few_changes_are_drawn_as_the_steps_they_are():
    line = CurvePoints()
    line.show(made([(0, 2.0), (10, 1.0), (20, -3.0)]), left=0.0, per_px=1.0, width=100, until=30.0)
    assert not line.is_thinned
    points = [*zip(line.x.tolist(), line.y.tolist(), strict=True)]
    assert points == [(0, 2), (10, 2), (10, 3), (20, 3), (20, 0), (30, 0)]


def test_a_line_begins_at_the_left_edge_with_what_held_before():
    line = CurvePoints()
    line.show(made([(0, 4.0), (50, 1.0)]), left=20.0, per_px=1.0, width=10, until=1000.0)
    assert [*zip(line.x.tolist(), line.y.tolist(), strict=True)] == [(0, 4), (10, 4)]


@pytest.mark.parametrize("left", [0.0, 13.7, -5.0])
def test_of_many_changes_every_pixel_shows_the_least_and_the_greatest(left):
    chance = np.random.default_rng(7)
    times = np.sort(chance.uniform(0, 40, 5_000))
    steps = Steps()
    steps.add(times, chance.choice([-1.0, 1.0], 5_000))
    line, per_px = CurvePoints(), 0.05
    line.show(steps, left, per_px, width=600, until=40.0)
    assert line.is_thinned
    assert len(line.x) <= 2 * 600
    for column in range(0, len(line.x) // 2, 7):
        begin, end = left + column * per_px, left + (column + 1) * per_px
        inside = steps.values[(steps.times >= begin) & (steps.times < end)].tolist()
        held = steps.values[steps.times < begin][-1:].tolist()
        low, high = line.y[2 * column], line.y[2 * column + 1]
        if not inside and not held:
            assert np.isnan(low)
            continue
        assert (low, high) == (min(inside + held), max(inside + held))


def test_the_same_buffers_are_used_again():
    chance = np.random.default_rng(7)
    steps = Steps()
    steps.add(np.sort(chance.uniform(0, 40, 5_000)), chance.choice([-1.0, 1.0], 5_000))
    line = CurvePoints()
    line.show(steps, 0.0, 0.05, 600, 40.0)
    before = line.x.base
    line.show(steps, 1.0, 0.05, 600, 40.0)
    assert before is not None
    assert line.x.base is before


@pytest.mark.parametrize("many", [False, True])
def test_in_a_gap_the_line_is_broken_and_after_it_what_holds_then(many):
    steps = made([(0, 1.0), (30, 1.0)])
    if many:
        moments = np.linspace(0.001, 9.9, 4_000)
        steps.add(moments, np.tile([1.0, -1.0], 2_000))
    line = CurvePoints()
    line.show(steps, 0.0, 0.1, 600, 60.0, [Gap(10.0, 20.0, "away")])
    assert line.is_thinned is many

    def drawn(at: float) -> float:
        place = np.searchsorted(line.x, at * 10, "right") - 1
        return float(line.y[place])

    assert np.isnan(drawn(15.0))
    assert drawn(25.0) == 1.0
    assert drawn(35.0) == 2.0
    assert not np.isnan(drawn(5.0))


def test_nothing_is_drawn_of_what_has_not_begun():
    line = CurvePoints()
    line.show(Steps(), 0.0, 1.0, 100, 50.0)
    assert not len(line.x)
    line.show(made([(80, 1.0)]), 0.0, 1.0, 100, 50.0)
    assert not len(line.x)


def test_a_curve_of_a_hundred_thousand_changes_grows_without_being_written_anew():
    steps = Steps()
    steps.add(np.arange(100_000.0), np.ones(100_000))
    kept = steps.times
    steps.add(np.array([100_000.0]), np.array([1.0]))
    assert steps.times.base is kept.base or len(kept) == 100_000
    assert steps.at(1e9) == 100_001

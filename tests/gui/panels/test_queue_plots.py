"""Plots: folded from facts, so that nothing has to be sampled, and painted in muted colours with units."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor
from tests.driver import Driver, plan, task
from tests.gui.panels.queues import waiting

from starloom.scheduling.codes import COMPLETED
from starloom.scheduling.fleet_facts import FleetFacts
from starloom.scheduling.run_facts import RunFacts
from starloom_gui.panels.plot_samples import BIN, BINS, MINUTE, SPAN, Samples, samples_of
from starloom_gui.panels.plots import Curve, Plot, nice_top
from starloom_gui.panels.queue_words import throughput_curve, utilisation_curve
from starloom_gui.theme.appearance import Theme
from starloom_gui.theme.palette import DARK, LIGHT


def test_use_is_the_exact_average_of_each_part_of_the_time():
    driver = Driver(slots=4, checked=False)
    driver.now = 1000.0
    driver.create(plan(["a", "b"]))
    driver.advance(7.5)
    driver.end("a")
    driver.advance(12.5)
    driver.end("b")
    samples = samples_of([driver.run()], 1030.0)
    at = round((1000.0 - samples.begin) / BIN)
    assert samples.used[at - 1 : at + 5] == (0.0, 2.0, 1.5, 1.0, 1.0, 0.0)
    assert sum(samples.used) * BIN == pytest.approx(7.5 + 20.0)


def test_what_runs_now_counts_fully_in_the_part_that_has_only_begun():
    driver = Driver(slots=4, checked=False)
    driver.now = 1000.0
    driver.create(plan(["a", "b"]))
    driver.advance(52)
    assert samples_of([driver.run()], driver.now).used[-1] == 2.0


def test_every_attempt_that_ended_is_counted_once_wherever_it_is_kept():
    driver = Driver(slots=4, checked=False)
    driver.now = 1000.0
    driver.create(plan([task("a", retry={"attempts": 3, "delay": 5}), task("b")]))
    driver.advance(3)
    driver.fail("a")
    driver.end("b")
    driver.advance(10)
    driver.fail("a")
    driver.advance(10)
    driver.end("a")
    samples = samples_of([driver.run()], driver.now)
    assert sum(samples.ended) == 4
    assert samples.ended_per_minute()[-1] == 4
    assert len(samples.ended_per_minute()) == len(samples.used) == BINS


def test_the_first_sample_knows_the_minute_before_it_and_older_ends_are_forgotten():
    driver = Driver(slots=4, checked=False)
    driver.create(plan(["a", "b"]))
    driver.advance(10)
    driver.end("a")
    driver.advance(50)
    now = 10 + SPAN + 30
    samples = samples_of([driver.run()], now)
    assert samples.ended_per_minute()[0] == 1
    assert sum(samples_of([driver.run()], now + 120).ended) == 0


def test_samples_stay_what_they_are_while_time_goes_on():
    driver = waiting()
    driver.end("second")
    driver.advance(100)
    early, late = samples_of([driver.run()], driver.now), samples_of([driver.run()], driver.now + 20)
    moved = round((late.begin - early.begin) / BIN)
    assert late.used[: BINS - moved - 1] == early.used[moved : BINS - 1]
    assert late.ended[: BINS - moved] == early.ended[moved:BINS]


def test_without_runs_everything_is_zero():
    samples = samples_of([], 123.4)
    assert set(samples.used) | set(samples.ended) == {0}
    assert len(samples.ended) == BINS + MINUTE


def test_many_ends_are_told_a_second_and_few_a_minute():
    few = Samples(0.0, SPAN, (1,) * (BINS + MINUTE), (0.0,) * BINS)
    many = Samples(0.0, SPAN, (50,) * (BINS + MINUTE), (0.0,) * BINS)
    assert (throughput_curve(few).title, throughput_curve(few).figure) == ("Ended per minute", "12 per min")
    assert (throughput_curve(many).title, throughput_curve(many).figure) == ("Ended per second", "10 per s")
    assert throughput_curve(many).values[0] == 10.0


def test_use_is_told_of_all_slots_that_take_tasks():
    driver = waiting()
    samples = samples_of([driver.run()], driver.now)
    curve = utilisation_curve(samples, driver.scheduler.fleet)
    assert (curve.figure, curve.bound) == ("2 of 5 · 40 %", 5)
    driver.add_device("endless", slots=None)
    assert utilisation_curve(samples, driver.scheduler.fleet).figure == "2"
    assert utilisation_curve(samples, FleetFacts()).bound is None


@pytest.mark.parametrize(
    ("most", "top"), [(0, 2), (1.5, 2), (2, 2), (3, 4), (5, 6), (7, 10), (10, 10), (11, 20), (61, 100), (400, 400)]
)
def test_an_axis_ends_at_a_round_number(most, top):
    assert nice_top(most, 2) == top


@pytest.mark.parametrize(("theme", "palette"), [(Theme.LIGHT, LIGHT), (Theme.DARK, DARK)])
def test_a_plot_is_never_the_colour_of_a_status(app, appearance, theme, palette):
    appearance.choose(theme)
    plot = Plot(lambda: appearance.palette)
    plot.resize(240, 108)
    plot.setStyleSheet(f"background: {palette.panel}")
    empty = plot.grab().toImage()
    plot.show_curve(Curve(title="Slots in use", values=tuple(range(120)), top=120.0, bound=60))
    image = plot.grab().toImage()
    assert image != empty
    seen = {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}
    assert QColor(palette.muted).rgb() in seen
    assert not {QColor(ink.shape).rgb() for ink in palette.status[1:6]} & seen
    assert max(one.hsvSaturation() for one in map(QColor, seen) if one.value() > 80) < 80
    assert plot.accessibleName() == "Slots in use"


def test_a_plot_that_shows_the_same_is_not_painted_again(app, appearance):
    plot = Plot(lambda: appearance.palette)
    painted = []
    plot.update = lambda: painted.append(1)
    curve = Curve(title="x", values=(1.0, 2.0), top=2.0)
    plot.show_curve(curve)
    plot.show_curve(Curve(title="x", values=(1.0, 2.0), top=2.0))
    assert painted == [1]


def test_fifty_thousand_tasks_come_out_right():
    count = 50_000
    run = RunFacts("r", FleetFacts())
    run.run_started_at = 0.0
    run.status = bytearray([COMPLETED]) * count
    run.started_at = [number / 100 for number in range(count)]
    run.ended_at = [number / 100 + 1 for number in range(count)]
    run.device_of = ["d"] * count
    samples = samples_of([run], 500.0)
    assert sum(samples.ended) == count - 99
    assert max(samples.used) == pytest.approx(100)

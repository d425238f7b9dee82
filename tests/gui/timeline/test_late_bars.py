"""Bars of attempts whose work was found to have begun and ended at other times than were known."""

from __future__ import annotations

from msgspec.structs import replace
from tests.driver import RUN, Driver, outcome, plan
from tests.gui.timeline.test_timeline_model import content

from starloom.scheduling.stimuli import AttemptEnded, AttemptWorkEndNoticed
from starloom_gui.timeline.model import TimelineModel
from starloom_gui.viewmodel.lane_bars import NEVER, Bar, LaneBars


def test_an_attempt_whose_work_ended_and_whose_times_became_known_later_has_one_bar() -> None:
    driver = Driver()
    driver.create(plan(["a", "b"]))
    model = TimelineModel(driver.run())
    driver.advance(46.0)
    driver.turn(AttemptWorkEndNoticed(RUN, "a", 1))  # heard when the machine was back
    model.update([0])
    start = driver.ordered.pop((RUN, "a"))
    driver.turn(AttemptEnded(RUN, "a", start.attempt, replace(outcome(), ended_ago=39.0, took=6.0)))
    model.update([0])
    assert content(model) == content(TimelineModel(driver.run()))
    (bar,) = [bar for bars in content(model).values() for bar in bars if bar.number == 0]
    assert bar.end - bar.start == 6.0


def test_a_closed_bar_with_another_start_takes_the_place_of_the_one_before() -> None:
    lane = LaneBars()
    first = Bar(1.0, 9.0, 0, 3, 1, 0, 1.0, -NEVER)
    lane.put(first)
    lane.put(Bar(2.0, 4.0, 0, 4, 1, 0, 2.0, -NEVER))
    lane.put(first._replace(start=3.0, end=5.0))
    assert [lane.at(place)[:4] for place in range(lane.size)] == [(2.0, 4.0, 0, 4), (3.0, 5.0, 0, 3)]

"""When devices could not be used, as events tell it, and how that looks in their lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import RUN, Driver, plan

from starloom import events as ev
from starloom.scheduling import commands as c
from starloom.scheduling.stimuli import DeviceConnectingNoticed, DeviceLostNoticed
from starloom_gui.theme.metrics import LANE_COLUMN
from starloom_gui.timeline.frame_painter import _stretches
from starloom_gui.timeline.geometry import Geometry
from starloom_gui.viewmodel.absences import Absence, Absences, within
from starloom_gui.viewmodel.event_words import event_text
from starloom_gui.viewmodel.lane_bars import NEVER
from starloom_gui.viewmodel.span import Span

if TYPE_CHECKING:
    from tests.gui.timeline.screen import Scene

    from starloom.events import Event


def folded(*events: Event) -> list[tuple[float, float, str]]:
    absences = Absences(event_text)
    for event in events:
        absences.take(event)
    return [(one.start, one.end, one.text) for one in absences.of.get("d", [])]


def test_a_device_is_away_from_its_loss_until_it_is_connected_again() -> None:
    lost, found = ev.DeviceLost(1, 10.0, "", "d", "no route"), ev.DeviceConnected(3, 25.0, "", "d")
    again = ev.DeviceLost(2, 12.0, "", "d", "refused")
    assert folded(lost, again) == [(10.0, NEVER, "d does not answer: no route")]
    assert folded(lost, again, found) == [(10.0, 25.0, "d does not answer: no route")]


def test_a_suspension_lasts_until_the_trial_and_says_so_though_it_is_connected() -> None:
    opened = ev.BreakerOpened(2, 12.0, "", "d", 72.0, 5, "no memory")
    trial = ev.BreakerHalfOpened(4, 72.0, "", "d")
    ((begin, end, text),) = folded(opened, ev.DeviceConnected(3, 25.0, "", "d"), trial)
    assert (begin, end) == (12.0, 72.0)
    assert text.startswith("d is suspended for 1:00 after 5 failure")


def test_a_suspended_device_that_is_not_connected_stays_away_after_the_suspension() -> None:
    lost, opened = ev.DeviceLost(1, 10.0, "", "d", "no route"), ev.BreakerOpened(2, 10.0, "", "d", 70.0, 5, "no route")
    trial, found = ev.BreakerHalfOpened(3, 70.0, "", "d"), ev.DeviceConnected(4, 80.0, "", "d")
    ((begin, end, text),) = folded(lost, opened, trial, found)
    assert (begin, end) == (10.0, 80.0)
    assert "suspended" in text
    assert len(folded(lost, opened, trial, found, ev.DeviceLost(5, 90.0, "", "d", "x"))) == 2


def test_a_device_that_was_removed_is_away_until_one_of_its_name_is_connected() -> None:
    removed, added = ev.DeviceRemoved(2, 12.0, "", "d", origin="bob"), ev.DeviceAdded(3, 25.0, "", "d", "local")
    found = ev.DeviceConnected(4, 27.0, "", "d")
    ((begin, end, text),) = folded(removed, added, found)
    assert (begin, end) == (12.0, 27.0)
    assert "left the fleet" in text
    assert folded(removed, ev.DeviceAdded(3, 25.0, "", "d", "local", connected=True))[0][:2] == (12.0, 25.0)
    lost = ev.DeviceLost(1, 10.0, "", "d", "no route")
    assert [one[:2] for one in folded(lost, removed, added, found)] == [(10.0, 12.0), (12.0, 27.0)]
    driver = Driver(slots=1)
    driver.do(c.RemoveDevice(device_id="d"))
    driver.create(plan(["a"]))
    picture = next(event for event in driver.of(ev.FleetSnapshot) if event.run_id == RUN)
    assert folded(removed, picture)[0][:2] == (12.0, NEVER), "no fleet without it says that it is back"


@pytest.mark.parametrize("is_tried", [False, True])
def test_a_device_that_was_away_as_a_run_began_is_so_from_its_beginning_on(is_tried: bool) -> None:
    driver = Driver(slots=1)
    driver.turn(DeviceLostNoticed("d", "it does not let us in", refused=True))
    driver.advance(30.0)
    if is_tried:
        driver.turn(DeviceConnectingNoticed("d", 2))
    driver.create(plan(["a"]))
    picture = next(event for event in driver.of(ev.FleetSnapshot) if event.run_id == RUN)
    ((begin, end, text),) = folded(picture)
    assert (begin, end) == (picture.at, NEVER)
    assert "it does not let us in" in text
    again = ev.DeviceLost(2, picture.at + 10.0, "", "d", "it does not let us in", refused=True)
    found = ev.DeviceConnected(3, picture.at + 20.0, "", "d")
    assert [(one[0], one[1]) for one in folded(picture, again, found)] == [(picture.at, picture.at + 20.0)]


def test_a_device_that_is_just_being_reached_for_the_first_time_is_not_away() -> None:
    driver = Driver(devices=())
    driver.add_device("d", slots=1, connected=False)
    driver.create(plan(["a"]))
    assert folded(next(event for event in driver.of(ev.FleetSnapshot) if event.run_id == RUN)) == []


def test_its_lanes_are_hatched_for_that_time_and_say_why(scene: Scene) -> None:
    lane = next(lane for lane in scene.model.lanes if not lane.is_only)
    rows = [row for row, one in enumerate(scene.model.lanes) if one.device_id == lane.device_id]
    span = scene.view.span
    begin, end = span.time_at(100), span.time_at(160)
    before = scene.view.viewport().grab().toImage()
    absences = Absences(event_text)
    absences.take(ev.DeviceLost(1, begin, "", lane.device_id, "no route"))
    absences.take(ev.DeviceConnected(2, end, "", lane.device_id))
    scene.view.set_absences(absences.of)
    after = scene.view.viewport().grab().toImage()
    changed = [
        (x, y) for x in range(after.width()) for y in range(after.height()) if after.pixel(x, y) != before.pixel(x, y)
    ]
    geometry = scene.view.geometry_now()
    assert changed
    assert all(LANE_COLUMN + 99 <= x <= LANE_COLUMN + 161 for x, _ in changed)
    assert {geometry.row_at(y) for _, y in changed} <= set(rows)
    assert scene.view.absence_at(rows[0], (begin + end) / 2) is not None
    assert scene.view.absence_at(rows[0], end) is None


def test_of_what_comes_after_the_moment_that_is_shown_nothing_is_said(scene: Scene) -> None:
    row, lane = next((row, lane) for row, lane in enumerate(scene.model.lanes) if lane.is_only)
    now = scene.view.present()
    absences = Absences(event_text)
    absences.take(ev.DeviceLost(1, now + 5.0, "", lane.device_id, "no route"))
    absences.take(ev.DeviceConnected(2, now + 9.0, "", lane.device_id))
    scene.view.set_absences(absences.of)
    assert scene.view.absence_at(row, now + 6.0) is None


def test_only_what_falls_into_a_stretch_of_time_is_looked_at() -> None:
    known = [Absence(10.0 * number, 10.0 * number + 4.0, "") for number in range(9)] + [Absence(90.0, NEVER, "")]
    assert [one.start for one in within(known, 14.0, 40.0)] == [20.0, 30.0]
    assert [one.start for one in within(known, 22.0, 23.0)] == [20.0]
    assert [one.start for one in within(known, 500.0, 600.0)] == [90.0]
    assert list(within((), 0.0, 1.0)) == []


def test_a_device_that_came_and_went_a_thousand_times_is_painted_as_one_stretch() -> None:
    known = [Absence(60.0 * number, 60.0 * number + 30.0, "") for number in range(1440)]
    far, near = Span(0.0, 72.0), Span(6000.0, 0.5)
    ((left, right),) = _stretches(Geometry(far, LANE_COLUMN + 1000, 400, 0, 1), known, 43_200.0)
    assert left <= 2.0
    assert right == 600.0
    assert _stretches(Geometry(near, LANE_COLUMN + 200, 400, 0, 1), known, 43_200.0) == [(0.0, 60.0), (120.0, 180.0)]

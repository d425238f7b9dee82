"""Which time is shown, and what the axis says of it."""

from __future__ import annotations

from datetime import UTC, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starloom_gui.theme.fonts import font
from starloom_gui.theme.metrics import LANE_COLUMN
from starloom_gui.theme.palette import LIGHT
from starloom_gui.timeline.frame_painter import TimelineFramePainter
from starloom_gui.timeline.geometry import Geometry
from starloom_gui.timeline.inks import Inks
from starloom_gui.timeline.labels import LabelCache
from starloom_gui.viewmodel.span import COARSEST, FINEST, Span
from starloom_gui.viewmodel.ticks import HOUR, MINUTE, STEPS, clock_text, step_of, ticks
from starloom_gui.viewmodel.wall_time import WallTime

MIDNIGHT = 1_795_132_800.0  # of 20 November 2026, UTC
spans = st.builds(Span, st.floats(-1e6, 1e6), st.floats(1e-4, 1e4))


@given(spans, st.floats(0.01, 100), st.floats(0, 1000))
def test_zooming_leaves_the_time_under_the_pointer_where_it_is(span: Span, factor: float, x: float) -> None:
    zoomed = span.zoomed(factor, x)
    assert zoomed.x_of(span.time_at(x)) == pytest.approx(x, abs=1e-3)


@given(st.floats(0, 1e6), st.floats(0, 1e6), st.floats(200, 3000))
def test_what_is_fitted_is_in_sight_with_a_margin(first: float, length: float, width: float) -> None:
    span = Span.fitted(first, first + length, width)
    assert span.x_of(first) >= 23.9
    assert span.x_of(first + length) <= width - 23.9


def test_zooming_ends_where_a_pixel_is_a_day_or_ten_microseconds() -> None:
    assert Span(0, 1).zoomed(1e-12, 5).per_px == COARSEST
    assert Span(0, 1).zoomed(1e12, 5).per_px == FINEST


def test_a_glide_begins_and_ends_where_it_should() -> None:
    here, there = Span(0, 1), Span(100, 16)
    assert here.toward(there, 0) == here
    assert here.toward(there, 1) == there
    assert here.toward(there, 0.5).per_px == pytest.approx(4)


@given(st.floats(1e-5, 86_400))
def test_labels_have_room(per_px: float) -> None:
    step = step_of(per_px)
    assert step == STEPS[-1] or step / per_px >= (64 if step >= MINUTE else 84)


def test_ticks_stand_at_round_local_times() -> None:
    zone = timezone(timedelta(hours=5, minutes=45))
    wall = WallTime([(1000.0, MIDNIGHT + 17 * MINUTE + 3.5)], zone)
    found = ticks(Span(1000, HOUR / 100), 400, wall)
    assert [tick.text for tick in found] == ["07:00", "08:00", "09:00", "10:00"]
    assert all(wall.at(tick.at).minute == wall.at(tick.at).second == 0 for tick in found)
    assert found[0].at > 1000


def test_the_axis_jumps_where_nobody_ran_the_run() -> None:
    wall = WallTime([(0.0, MIDNIGHT + HOUR), (90.0, MIDNIGHT + 5 * HOUR)], UTC)
    texts = [tick.text for tick in ticks(Span(0, 0.5), 400, wall)]
    assert texts == ["01:00", "01:01", "05:00", "05:01"]
    assert wall.jumps == (90.0,)


def test_a_label_is_as_precise_as_its_step() -> None:
    moment = WallTime([(0.0, MIDNIGHT + 3661.25)], UTC).at(0)
    assert [clock_text(moment, step) for step in (60.0, 1.0, 0.1, 0.01)] == [
        "01:01",
        "01:01:01",
        "01:01:01.2",
        "01:01:01.25",
    ]


def test_midnight_is_called_by_its_date() -> None:
    assert clock_text(WallTime([(0.0, MIDNIGHT)], UTC).at(0), HOUR) == "20 Nov"


def test_a_time_far_out_of_any_calendar_is_still_a_time() -> None:
    assert WallTime([(0.0, MIDNIGHT)], UTC).at(-1e12).year == 1970


@pytest.mark.parametrize(("hours", "text"), [(5, "05:00"), (29, "Sat 05:00"), (24 * 9, "in 9 d")])
@pytest.mark.usefixtures("app")
def test_a_finish_of_another_day_says_which(hours: float, text: str) -> None:
    painter = TimelineFramePainter(Inks(LIGHT, 1.0), LabelCache(font()))
    geometry = Geometry(Span(0.0, 36_000.0), 900, 200, 0, 0)
    wall = WallTime([(0.0, MIDNIGHT)], UTC)
    pill = painter.pill_of(geometry, hours * HOUR, wall, now=0.0)
    assert pill is not None
    assert pill[1] == text


def test_without_a_start_times_count_from_it() -> None:
    wall = WallTime([], is_relative=True)
    assert [tick.text for tick in ticks(Span(0.0, 600.0), 300.0, wall)][:2] == ["+0:00 h", "+12:00 h"], (
        "beside a duration such as 12:31"
    )
    assert [wall.text(at) for at in (0.0, 93_784.0)] == ["+0:00:00", "+26:03:04"]


@pytest.mark.parametrize(("per_px", "tick", "finish"), [(0.6, "+0:01:00", "+0:01:03"), (60.0, "+2:00 h", "+0:01 h")])
@pytest.mark.usefixtures("app")
def test_minutes_from_the_start_are_told_with_their_seconds(per_px: float, tick: str, finish: str) -> None:
    wall, geometry = WallTime([], is_relative=True), Geometry(Span(0.0, per_px), 900, 200, 0, 0)
    assert ticks(geometry.span, geometry.plot_width, wall)[1].text == tick
    pill = TimelineFramePainter(Inks(LIGHT, 1.0), LabelCache(font())).pill_of(geometry, 63.0, wall, now=0.0)
    assert pill is not None
    assert pill[1] == finish, "as the header tells it: Takes 1:03"


@given(st.floats(0.0, 1e6), st.floats(1e-5, 1e4))
def test_times_from_the_start_are_right_and_differ_from_each_other(left: float, per_px: float) -> None:
    found = ticks(Span(left, per_px), 900.0, WallTime([], is_relative=True))
    for tick in found:
        hours, minutes, *rest = tick.text.removeprefix("+").removesuffix(" h").split(":")
        said = 3600 * int(hours) + 60 * int(minutes) + float(rest[0] if rest else 0)
        assert said == pytest.approx(tick.at, abs=1e-4)
    assert len({tick.text for tick in found}) == len(found)


@pytest.mark.parametrize(("per_px", "text"), [(0.01, "00:01:44"), (0.1, "00:01:44"), (60.0, "00:01")])
@pytest.mark.usefixtures("app")
def test_the_finish_is_told_as_its_line_stands_and_never_rounded_up(per_px: float, text: str) -> None:
    painter = TimelineFramePainter(Inks(LIGHT, 1.0), LabelCache(font()))
    geometry = Geometry(Span(100.0, per_px), 900, 200, 0, 0)
    pill = painter.pill_of(geometry, 104.0, WallTime([(0.0, MIDNIGHT)], UTC), now=100.0)
    assert pill is not None
    assert pill[1] == text


@pytest.mark.parametrize("begin", [0.2, 1.0, 1.8, 4.9])
@pytest.mark.usefixtures("app")
def test_no_time_on_the_axis_is_cut_at_its_edges(begin: float) -> None:
    labels = LabelCache(font())
    span = Span(begin, 0.02)
    geometry = Geometry(span, 700, 200, 0, 0)
    marks = ticks(span, geometry.plot_width, WallTime([(0.0, MIDNIGHT)], UTC))
    shown = list(TimelineFramePainter(Inks(LIGHT, 1.0), labels).labels_of(geometry, marks, ()))
    assert shown
    for text, left in shown:
        assert left >= LANE_COLUMN
        assert left + labels.width(text) <= geometry.width

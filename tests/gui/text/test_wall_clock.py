"""Times by the clock here or by UTC, and which of them says so."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from starloom_gui.models import task_cells
from starloom_gui.shell.recent_row import when_words
from starloom_gui.text import wall_clock
from starloom_gui.text.words import moment, time_of_day
from starloom_gui.viewmodel.wall_time import WallTime

if TYPE_CHECKING:
    from collections.abc import Iterator

NOON = 1_800_014_400.0
"""2027-01-15, 12:00 in UTC."""

pytestmark = pytest.mark.skipif(not hasattr(time, "tzset"), reason="The clock cannot be hung elsewhere here.")


@pytest.fixture(autouse=True)
def kolkata(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Somewhere half an hour off."""
    with monkeypatch.context() as there:
        there.setenv("TZ", "IST-5:30")
        time.tzset()
        yield
        wall_clock.show_utc(False)
    time.tzset()


def test_times_are_those_here_and_need_no_mark():
    assert (time_of_day(NOON), moment(NOON)) == ("17:30:00", "17:30:00")
    assert task_cells.TaskColumn.STARTED.column.heading() == "Started"


def test_times_in_utc_say_so_where_no_heading_does():
    wall_clock.show_utc(True)
    assert (time_of_day(NOON), moment(NOON)) == ("12:00:00", "12:00:00 UTC")
    assert task_cells.TaskColumn.STARTED.column.heading() == "Started UTC"
    assert when_words(NOON, NOON) == "Today 12:00 UTC"
    assert wall_clock.marked("") == ""


def test_a_day_ends_by_the_clock_that_is_shown():
    late = NOON + 7.5 * 3600
    assert when_words(late, NOON + 12 * 3600).startswith("Today")
    wall_clock.show_utc(True)
    assert when_words(late, NOON + 12 * 3600) == "Yesterday"


def test_the_axis_of_the_timeline_follows_the_choice():
    wall = WallTime([(0.0, NOON)])
    assert f"{wall.at(60):%H:%M}" == "17:31"
    wall_clock.show_utc(True)
    assert f"{wall.at(60):%H:%M}" == "12:01"


def test_a_moment_out_of_any_calendar_is_shown_as_the_nearest():
    assert wall_clock.shown(-1e20).year == 1970
    assert wall_clock.shown(1e20).year == 3000

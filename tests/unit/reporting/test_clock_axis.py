"""The clock of a report's charts: times of day as they were, also where the run was closed and gone on with."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from tests.driver import RUN, Driver, plan
from tests.unit.reporting.story import WALL

from starloom.reporting import charts
from starloom.reporting.clock_axis import axis
from starloom.reporting.folding import build
from starloom.reporting.marks import LETTER
from starloom.reporting.report import ReportedSession
from starloom.reporting.report_presenter import ReportPresenter
from starloom.reporting.timeline import timeline
from starloom.scheduling import commands as c
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from starloom.events import Event
    from starloom.reporting.report import Report

AWAY = 3600.0


def closed_and_gone_on(away: float = AWAY) -> list[Event]:
    """`a` runs 40 s; the run is paused and closed, later it goes on in another program, and `b` runs 30 s."""
    first = Driver()
    first.create(plan("ab", ["a>b"]), wall_time=WALL)
    first.advance(40)
    first.ask(c.PauseRun, origin="ana")
    first.end("a")
    first.ask(c.SetRunLimit, max_concurrency=2, origin="ana")
    stream = [event for event in first.journal() if event.run_id == RUN]
    heir = Driver(checked=False)
    heir.now = 7.0
    heir.inherit(stream)
    facts = fold(FoldedRun(RUN), stream).run
    now = WALL + 40 + away
    heir.do(c.RecoverRun(run_id=RUN, facts=facts, last_at=stream[-1].at, wall_time=now, origin="ben"))
    heir.ask(c.ResumeRun, origin="ben")
    heir.advance(30)
    heir.end("b")
    return [event for event in heir.journal() if event.run_id == RUN]


def report_of(away: float = AWAY) -> Report:
    return build(RUN, closed_and_gone_on(away))


def test_times_of_day_go_on_after_a_break_where_they_were() -> None:
    report = report_of()
    marks = axis(report, UTC, 700.0)
    (gap,) = [mark for mark in marks if mark.is_break]
    assert gap.at == pytest.approx(40.0, abs=1e-5)
    assert gap.text == "// 1:00:00"
    told = [mark for mark in marks if not mark.is_break]
    assert min(mark.at for mark in told) < gap.at < max(mark.at for mark in told)
    for mark in told:
        assert mark.text == f"{datetime.fromtimestamp(report.wall(mark.at), UTC):%H:%M:%S}"
        assert report.wall(mark.at) % 10 == pytest.approx(0.0, abs=1e-6), "they are round"


@pytest.mark.parametrize("wide", [120.0, 400.0, 724.0, 1400.0])
def test_no_text_on_the_axis_covers_another_one(wide: float) -> None:
    report = report_of()
    told = [mark for mark in axis(report, UTC, wide) if mark.text]
    for one, other in pairwise(told):
        assert (other.at - one.at) * wide / report.seconds > LETTER * (len(one.text) + len(other.text)) / 2
    assert any(mark.is_break for mark in told)


def test_a_run_of_one_program_and_one_of_no_time_have_no_break() -> None:
    report = report_of(0.0)
    assert not any(mark.is_break for mark in axis(report, UTC, 700.0))
    empty = replace(report, seconds=0.0, sessions=(ReportedSession(0.0, WALL), ReportedSession(0.0, WALL + 9.0)))
    assert not any(mark.is_break for mark in axis(empty, UTC, 700.0))


def test_many_breaks_are_all_drawn_and_told_where_there_is_room() -> None:
    sessions = tuple(ReportedSession(float(at), WALL + at * 100.0) for at in range(60))
    marks = [mark for mark in axis(replace(report_of(), sessions=sessions), UTC, 700.0) if mark.is_break]
    assert len(marks) == 59
    assert 0 < sum(bool(mark.text) for mark in marks) < 59


def test_all_charts_over_time_show_the_break() -> None:
    report = report_of()
    for drawing in (timeline(report), charts.at_once(report), charts.in_line(report)):
        assert "// 1:00:00" in drawing.body
        assert "No program ran the run for 1:00:00" in drawing.body


def test_what_was_done_before_a_break_is_told_with_its_own_time_of_day() -> None:
    report = report_of()
    told = ReportPresenter(report)
    before, after = (told.clock(at) for at in (40.0, 40.1))
    assert before < after
    lines = [(line.at, line.who, line.what) for line in told.steered]
    begun = f"{datetime.fromtimestamp(WALL + 40.0, UTC):%H:%M:%S}"
    assert lines == [
        (begun, "ana", "paused the run"),
        (begun, "ana", "at most 2 tasks at once"),
        (after, "ben", "went on with the run in another program"),
        (after, "ben", "let the run go on"),
    ]


def test_what_ended_just_before_a_break_ended_by_the_clock_of_then() -> None:
    report = report_of()
    (ended,) = (task.ended for task in report.tasks if task.id == "a")
    assert ended == 40.0
    assert report.wall(ended, is_end=True) == WALL + 40.0
    assert report.wall(ended) == WALL + 40.0
    session = report.sessions[1].at
    assert report.wall(session) == pytest.approx(WALL + 40.0 + AWAY), "what begins then begins in the next program"
    run = fold(FoldedRun(RUN), closed_and_gone_on()).run
    number = run.graph.place["a"]
    assert ReportPresenter(report).clock(session, is_end=True) < ReportPresenter(report).clock(session)
    assert run.ended_at[number] == pytest.approx(run.sessions[-1][0], abs=1e-5)

"""A timeline goes by the time of its own run: other runs are seen as far as they lie in sight of it, and no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject, QRect
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication
from tests.gui.panels.plots.room import until
from tests.gui.timeline.scenes import Stream, projection
from tests.gui.timeline.screen import Scene
from typing_extensions import override

from starloom.foresight.estimates import Estimate, EstimateSource
from starloom.foresight.projection import TaskForecast
from starloom.model.status import RunState
from starloom_gui.timeline.corner import TimelineCorner
from starloom_gui.timeline.model import TimelineModel
from starloom_gui.viewmodel.lane_bars import NEVER

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.theme.appearance import Appearance

BEGUN = 5000.0


class Watch(QObject):
    """Notes what of a widget is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.painted: list[QRect] = []

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.painted.append(event.rect())
        return False


def earlier() -> RunFacts:
    """A run of an hour before, on a device that has gone since, too."""
    stream = Stream("old", ["far", "near"], {"gone": 2, "local": 1})
    stream.attempt("far", ("gone", 1), (0.0, 10.0, 40.0))
    stream.attempt("near", ("local", 0), (0.0, 12.0, 60.0))
    return stream.run


def second(names: list[str]) -> Stream:
    """A run that begins long after the other; nothing of it has started."""
    stream = Stream("new", names, {"local": 2})
    stream.run.run_started_at = BEGUN
    return stream


def test_nothing_of_other_runs_is_on_the_timeline_of_what_has_not_started() -> None:
    stream = Stream("new", ["a"], {"local": 2})
    stream.run.run_started_at = None
    model = TimelineModel(stream.run, [earlier()])
    assert model.is_empty
    assert model.extent(BEGUN) is None
    model.update([0, 1], "old")
    assert model.is_empty, "nor when the other run goes on"
    stream.run.run_started_at = BEGUN
    model.update()
    assert not model.is_empty, "from the start on they say what the devices do"


def test_a_run_that_waits_for_its_start_has_no_bars_at_times_that_pass_meanwhile() -> None:
    stream = Stream("new", ["a"], {"local": 2})
    stream.run.run_started_at = None
    model = TimelineModel(stream.run)
    forecast = TaskForecast("a", 20.0, 25.0, "local", Estimate(5.0, EstimateSource.DECLARED), 0.0)
    model.project(projection(stream.run, {"a": forecast}, end=25.0))
    assert model.is_foreseen
    assert model.is_empty, "nobody knows when it will be started"
    stream.run.sessions[:] = [(0.0, 0.0)]
    model.rebuild()
    assert model.is_planned
    assert not model.is_empty, "a plan is shown by the time from its start"


def test_a_run_is_fitted_by_its_own_time() -> None:
    stream = second(["a", "b"])
    model = TimelineModel(stream.run, [earlier()])
    stream.attempt("a", ("local", 0), (BEGUN, BEGUN + 1, BEGUN + 5))
    stream.attempt("b", ("local", 1), (BEGUN, BEGUN + 2, None))
    model.update([0, 1])
    assert model.extent(BEGUN + 30) == (BEGUN + 1, BEGUN + 30)


def test_a_run_that_ended_before_anything_started_is_fitted_by_its_own_time() -> None:
    stream = second(["a"])
    stream.run.run_ended_at = BEGUN + 3
    assert TimelineModel(stream.run, [earlier()]).extent(BEGUN + 30) == (BEGUN, BEGUN + 3)


def test_a_device_that_has_gone_has_lanes_only_in_runs_that_used_it() -> None:
    stream = second(["a"])
    assert {lane.device_id for lane in TimelineModel(stream.run, [earlier()]).lanes} == {"local"}
    old = earlier()
    del old.fleet.devices["gone"]
    assert {lane.device_id for lane in TimelineModel(old).lanes} == {"local", "gone"}


def test_a_second_run_is_in_sight_and_followed_once_it_begins(appearance: Appearance) -> None:
    stream = second(["a"])
    stream.run.run_started_at = None
    scene = Scene(appearance, stream.run)
    scene.now = 900.0
    scene.model.set_others([earlier()])
    scene.view.changed()
    scene.now = stream.run.run_started_at = BEGUN
    scene.view.refresh()
    assert scene.view.movement.is_following
    assert 0 <= scene.view.span.x_of(BEGUN) < scene.view.plot_width() / 2, "there is room for what is to come"


@pytest.mark.parametrize(("unestimated", "least"), [(0, 10.0), (3, 60.0)])
def test_the_first_sight_of_a_run_is_not_a_second_wide(appearance: Appearance, unestimated: int, least: float) -> None:
    stream = second(["a", "b", "c", "d"])
    scene = Scene(appearance, stream.run)
    scene.now = BEGUN
    stream.attempt("a", ("local", 0), (BEGUN, BEGUN, None))
    forecast = TaskForecast("a", BEGUN, BEGUN + 1, "local", Estimate(1.0, EstimateSource.DECLARED), 0.0)
    made = projection(stream.run, {"a": forecast}, end=BEGUN + 1)
    made = replace(made, unestimated=unestimated)
    scene.model.update([0])
    scene.model.project(made)
    scene.view.changed()
    assert scene.view.span.per_px * scene.view.plot_width() >= least
    assert scene.view.movement.is_following


def test_a_part_that_is_painted_alone_does_not_stay_ahead_of_the_rest(appearance: Appearance) -> None:
    scene, watch = Scene(appearance), Watch()
    port = scene.view.viewport()
    scene.now = 5000.0
    QApplication.processEvents()
    port.installEventFilter(watch)
    scene.now += 100 * scene.view.span.per_px
    port.repaint(QRect(0, 0, 200, 40))
    assert watch.painted == [QRect(0, 0, 200, 40)]
    scene.view._tick.stop()
    until(lambda: port.rect() in watch.painted)


def test_bars_of_other_runs_are_where_they_were_though_breaks_have_moved_the_past_of_each() -> None:
    """Both ran at 1,000 s by the wall clock; their program died, and the next one took one up, and the other later."""
    names = ["before", "in the break", "now", "across", "running", "into the break", "away"]
    other = Stream("other", names, {"local": 3})
    other.attempt("into the break", ("local", 1), (93.0, 93.0, 102.0))
    other.attempt("away", ("local", 2), (93.0, 93.0, 100.0))  # it had ended before its own run was taken up
    other.attempt("across", ("local", 1), (101.0, 102.0, 108.0))
    other.attempt("running", ("local", 2), (101.0, 103.0, None))
    for name, at in (("before", 93.0), ("in the break", 102.0), ("now", 110.0)):
        other.attempt(name, ("local", 0), (at, at, at + 2.0))
    other.run.sessions = [(90.0, 1_000.0), (100.0, 2_000.0)]
    shown = Stream("shown", ["a"], {"local": 3})
    shown.run.run_started_at = 44.0
    shown.attempt("a", ("local", 0), (45.0, 45.0, 46.0))
    shown.run.sessions = [(44.0, 999.0), (105.0, 2_005.0)]
    model = TimelineModel(shown.run, [other.run])
    kept = TimelineModel(shown.run, [other.run])
    kept.update(range(len(names)), "other")
    for one in (model, kept):
        lanes = [one.bars(lane) for lane in range(len(one.lanes))]
        bars = [lane.at(at) for lane in lanes for at in range(lane.size)]
        others = {other.run.graph.ids[bar.number]: (bar.start, bar.end) for bar in bars if bar.run}
        begun_unseen = {"across": (105.0, 108.0), "running": (105.0, NEVER)}
        ended_unseen = {"into the break": (48.0, 105.0), "away": (48.0, 55.0)}
        seen = {"before": (48.0, 50.0), "now": (110.0, 112.0)}
        assert others == seen | begun_unseen | ended_unseen, "there is no place while nobody ran it"
        assert all(bar.ready == 105.0 for bar in bars if other.run.graph.ids[bar.number] in begun_unseen and bar.run)
    assert model.wall.ahead(48.0) + 48.0 == 1_003.0


def test_slots_that_a_device_had_in_another_run_and_has_no_more_have_no_lanes() -> None:
    other = Stream("other", ["ended", "running"], {"local": 4})
    other.attempt("ended", ("local", 3), (0.0, 0.0, 4.0))
    other.attempt("running", ("local", 2), (0.0, 0.0, None))
    shown = Stream("shown", ["a"], {"local": 2})
    shown.run.run_started_at = 5.0
    model = TimelineModel(shown.run, [other.run])
    assert [lane.slot for lane in model.lanes] == [0, 1, 2], "and what runs there still can be seen"


def test_the_corner_of_a_run_that_had_ended_before_it_was_opened_says_so(appearance: Appearance) -> None:
    stream = second(["a"])
    stream.run.state, stream.run.run_ended_at = RunState.COMPLETED, BEGUN + 9.0
    scene = Scene(appearance, stream.run)
    assert TimelineCorner(scene.view, appearance).live.text() == "Ended"


def test_what_is_foreseen_far_ahead_only_does_not_take_the_present_out_of_sight(appearance: Appearance) -> None:
    stream = second(["a"])
    scene = Scene(appearance, stream.run)
    scene.now = BEGUN + 1.0
    ahead = TaskForecast("a", BEGUN + 100, BEGUN + 110, "local", Estimate(10.0, EstimateSource.DECLARED), 0.0)
    scene.model.project(projection(stream.run, {"a": ahead}, end=BEGUN + 110))
    scene.view.changed()
    scene.picture()
    assert scene.view.movement.is_following, "what keeps it waiting may be gone in a moment"
    assert 0 <= scene.view.span.x_of(scene.now) <= scene.view.movement.width
    assert scene.view.span.x_of(BEGUN + 110) <= scene.view.movement.width
    scene.now = BEGUN + 5.0
    scene.view.refresh([stream.attempt("a", ("local", 0), (BEGUN + 2, BEGUN + 2, None))])
    scene.picture()
    assert 0 <= scene.view.span.x_of(BEGUN + 2) < scene.view.span.x_of(scene.now) <= scene.view.movement.width

"""What the user does: selecting, moving, keys; and that nothing moves or zooms by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from tests.gui.pressing import press
from tests.gui.timeline.scenes import NOW, Stream, foreseen, many, projection, put

from starloom.model.status import RunState
from starloom_gui.theme.metrics import LANE, LANE_COLUMN
from starloom_gui.timeline.geometry import AXIS
from starloom_gui.timeline.spots import spot_of
from starloom_gui.viewmodel.keys import Scope
from starloom_gui.viewmodel.span import Span

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.timeline.spots import Spot


from tests.gui.timeline.screen import CONTROL, PLAIN, SHIFT, Scene

# ---- selecting


def test_a_click_selects_everywhere_and_into_the_void_nothing(scene: Scene) -> None:
    scene.click(scene.place("fuzz ui"))
    assert scene.selected == {"fuzz ui"}
    scene.click(scene.place("soak lab-b"))
    assert scene.selected == {"soak lab-b"}, "what is foreseen can be selected too"
    scene.click(QPoint(LANE_COLUMN + 4, AXIS + 70))
    assert scene.selected == set()


def test_a_click_with_control_adds_and_takes_out(scene: Scene) -> None:
    scene.click(scene.place("fuzz ui"))
    scene.click(scene.place("bisect"), CONTROL)
    assert scene.selected == {"fuzz ui", "bisect"}
    scene.click(scene.place("fuzz ui"), CONTROL)
    assert scene.selected == {"bisect"}


def test_a_bar_of_another_run_selects_nothing_of_this_one(scene: Scene) -> None:
    scene.click(scene.place("fuzz ui"))
    row = next(row for row in range(4) if scene.model.bars(row).run[: scene.model.bars(row).size].any())
    bars = scene.model.bars(row)
    other = bars.at(bars.size - 1)
    x = LANE_COLUMN + scene.view.span.x_of((other.start + other.end) / 2)
    scene.click(QPoint(round(x), AXIS + row * LANE + 10))
    assert scene.selected == set()
    assert scene.view.focus is not None
    assert scene.view.focus.bar.run == 1


def test_a_bar_of_two_pixels_can_be_hit(appearance: Appearance) -> None:
    stream = Stream("r", ["blink"], {"d": 1})
    stream.attempt("blink", ("d", 0), (10.0, 10.0, 10.001))
    scene = Scene(appearance, stream.run)
    scene.click(scene.place("blink") + QPoint(3, 0))
    assert scene.selected == {"blink"}


def test_the_ring_is_seen_and_what_another_view_selects_gets_one(scene: Scene) -> None:
    before = scene.picture()
    scene.selection.select(scene.run.graph.place["unit usb"])
    after = scene.picture()
    at = scene.place("unit usb")
    above = at - QPoint(0, 10)
    assert before.pixelColor(above) != after.pixelColor(above)
    assert after.pixelColor(above).name().upper() == scene.appearance.palette.text


def dashed(scene: Scene) -> Spot | None:
    """The bar that gets the dashed ring in the next frame."""
    return scene.view._frame(scene.view.geometry_now()).focus


def test_the_dashed_ring_is_where_the_bar_is_foreseen_now_and_goes_with_it(scene: Scene) -> None:
    scene.view.activateWindow()
    scene.view.setFocus()
    number = scene.run.graph.place["soak lab-b"]
    scene.selection.select(number)
    before = foreseen(scene.run)
    old = before.tasks["soak lab-b"]
    assert old.start is not None
    sooner = replace(old, start=old.start - 20.0, finish=old.start + 10.0, device_id="lab-c")
    scene.model.project(replace(before, tasks={**before.tasks, "soak lab-b": sooner}))
    scene.view.changed()
    scene.click(QPoint(LANE_COLUMN + 4, AXIS + 70))
    assert scene.selected == set()
    assert scene.view.hasFocus()
    ring = dashed(scene)
    assert ring is not None
    assert (ring, ring.bar.start, ring.bar.end) == (spot_of(scene.model, number), sooner.start, sooner.finish)
    assert ring.row != scene.model.row_of(("lab-b", 0)), "it is foreseen on another device"
    assert scene.view.focus == ring, "keys go on from there, too"
    others = {name: one for name, one in before.tasks.items() if name != "soak lab-b"}
    scene.model.project(replace(before, tasks=others))
    scene.view.changed()
    assert dashed(scene) is None


def test_the_dashed_ring_goes_on_with_what_was_foreseen_and_has_started(scene: Scene) -> None:
    scene.view.activateWindow()
    scene.view.setFocus()
    number = scene.run.graph.place["soak lab-c"]
    scene.selection.select(number)
    scene.selection.clear()
    assert dashed(scene) == spot_of(scene.model, number)
    put(scene.run, number, 0, NOW - 6.0, NOW - 1.0)
    scene.run.device_of[number], scene.run.slot_of[number] = "lab-c", 0
    scene.view.refresh([number])
    ring = dashed(scene)
    assert ring is not None
    assert (ring.is_foreseen, ring.bar.start, ring.bar.end) == (False, NOW - 6.0, NOW - 1.0)


def test_a_double_click_and_enter_ask_for_more(scene: Scene) -> None:
    asked: list[int] = []
    scene.view.asked.connect(asked.append)
    QTest.mouseDClick(scene.view.viewport(), Qt.MouseButton.LeftButton, PLAIN, scene.place("docs"))
    scene.click(scene.place("bisect"))
    scene.key(Qt.Key.Key_Return)
    assert asked == [scene.run.graph.place["docs"], scene.run.graph.place["bisect"]]


# ---- keys


def test_arrows_go_along_a_lane_and_across_lanes(scene: Scene) -> None:
    scene.click(scene.place("docs"))
    scene.key(Qt.Key.Key_Right)
    assert scene.current == "link m4"
    scene.key(Qt.Key.Key_Left)
    assert scene.current == "docs"
    scene.key(Qt.Key.Key_Up)
    assert scene.current == "hal"
    scene.key(Qt.Key.Key_Down)
    assert scene.current == "docs"
    assert scene.selected == {"docs"}


def test_arrows_go_on_into_what_is_foreseen(scene: Scene) -> None:
    scene.click(scene.place("flash lab-b"))
    scene.key(Qt.Key.Key_Right)
    assert scene.current == "soak lab-b"
    scene.key(Qt.Key.Key_Right)
    assert scene.current == "soak lab-b", "there is nothing behind it"
    scene.key(Qt.Key.Key_Left)
    assert scene.current == "flash lab-b"


def test_home_and_end_are_the_first_and_the_last_of_the_lane(scene: Scene) -> None:
    scene.click(scene.place("os"))
    scene.key(Qt.Key.Key_End)
    assert scene.current == "report"
    scene.key(Qt.Key.Key_Home)
    assert scene.current == "sources"


def test_keys_begin_near_the_present_where_nothing_is_selected(scene: Scene) -> None:
    scene.key(Qt.Key.Key_Down)
    assert scene.current is not None


def test_keys_go_on_from_what_another_view_has_selected(scene: Scene) -> None:
    scene.selection.select(scene.run.graph.place["docs"])
    scene.key(Qt.Key.Key_Right)
    assert scene.current == "link m4"


def test_a_key_brings_the_bar_into_sight_and_a_selection_elsewhere_moves_nothing(scene: Scene) -> None:
    scene.view.zoom_to(Span(150.0, 0.05))
    shown = scene.view.span
    scene.selection.select(scene.run.graph.place["lint"])
    assert scene.view.span == shown
    scene.key(Qt.Key.Key_Home)
    assert scene.view.span.per_px == shown.per_px
    assert scene.view.span.x_of(0.0) == pytest.approx(scene.view.plot_width() / 4)


def test_lanes_out_of_sight_are_scrolled_to_by_keys(appearance: Appearance) -> None:
    scene = Scene(appearance, many(400), size=(900, 200))
    scene.now = 1.0
    scene.view.fit()
    scene.key(Qt.Key.Key_Down)
    for _ in range(20):
        scene.key(Qt.Key.Key_Down)
    assert scene.view.focus is not None
    assert scene.view.focus.row == 20
    assert scene.view.focus.row in scene.view.geometry_now().rows
    assert scene.view.scrolled() > 0


def test_plus_and_minus_zoom_and_a_key_fits(scene: Scene) -> None:
    before = scene.view.span
    scene.key(Qt.Key.Key_Plus)
    assert scene.view.span.per_px == pytest.approx(before.per_px / 1.25)
    scene.key(Qt.Key.Key_Minus)
    assert scene.view.span.per_px == pytest.approx(before.per_px)
    scene.key(Qt.Key.Key_Minus)
    scene.key(Qt.Key.Key_F, CONTROL)
    assert scene.view.span != before, "that one belongs to the search"
    press(scene.view, Scope.TIMELINE, "whole")
    assert scene.view.span == before


# ---- moving


def test_the_wheel_zooms_time_under_the_pointer(scene: Scene) -> None:
    at = scene.view.span.time_at(300)
    scene.wheel(LANE_COLUMN + 300, 240)
    assert scene.view.span.x_of(at) == pytest.approx(300)
    assert scene.view.movement.is_following, "the present is still in sight"


def test_zooming_the_present_out_of_sight_stops_following(scene: Scene) -> None:
    for _ in range(20):
        scene.wheel(LANE_COLUMN + 900, 120)
    assert not scene.view.movement.is_following


def test_the_wheel_with_shift_pans_and_stops_following(scene: Scene) -> None:
    said: list[bool] = []
    scene.view.following_changed.connect(said.append)
    before = scene.view.span
    scene.wheel(LANE_COLUMN + 300, -120, SHIFT)
    assert scene.view.span == before.panned(60)
    assert said == [False]


def test_dragging_keeps_what_is_under_the_pointer(scene: Scene) -> None:
    start, end = QPoint(400, 100), QPoint(520, 100)
    at = scene.view.span.time_at(400 - LANE_COLUMN)
    scene.drag(start, end, PLAIN)
    assert scene.view.span.x_of(at) == pytest.approx(520 - LANE_COLUMN)
    assert not scene.view.movement.is_following
    assert scene.selected == set()


def test_escape_takes_a_drag_back(scene: Scene) -> None:
    before = scene.view.span
    scene.drag(QPoint(400, 100), QPoint(520, 100), PLAIN, release=False)
    assert scene.view.span != before
    scene.key(Qt.Key.Key_Escape)
    assert scene.view.span == before


def test_an_area_drawn_with_shift_fills_the_plot(scene: Scene) -> None:
    first, last = (scene.view.span.time_at(x - LANE_COLUMN) for x in (300, 500))
    scene.drag(QPoint(300, 100), QPoint(500, 120), SHIFT)
    assert scene.view.span.x_of(first) == pytest.approx(0, abs=0.01)
    assert scene.view.span.x_of(last) == pytest.approx(scene.view.plot_width(), abs=0.01)


def test_the_present_runs_not_away_under_an_area_that_is_being_drawn(scene: Scene) -> None:
    before = scene.view.span
    scene.drag(QPoint(300, 100), QPoint(500, 120), SHIFT, release=False)
    scene.now = 5000.0
    scene.picture()
    assert scene.view.span == before


def test_a_slip_with_shift_zooms_nothing(scene: Scene) -> None:
    before = scene.view.span
    scene.drag(QPoint(300, 100), QPoint(303, 100), SHIFT)
    assert scene.view.span == before


def test_the_present_is_followed_until_the_user_pans_and_again_after_live(scene: Scene) -> None:
    width = scene.view.plot_width()
    scene.now = 5000.0
    scene.picture()
    assert round(scene.view.span.x_of(scene.now)) == round(0.75 * width)
    scene.key(Qt.Key.Key_Left, SHIFT)
    shown = scene.view.span
    scene.now = 9000.0
    scene.picture()
    assert scene.view.span == shown
    press(scene.view, Scope.TIMELINE, "follow")
    assert scene.view.movement.is_following
    assert scene.view.span == shown.with_at(9000.0, 0.75 * width)


def test_following_moves_by_whole_pixels(scene: Scene) -> None:
    scene.now = 5000.0
    scene.picture()
    before, where = scene.view.span, round(0.75 * scene.view.plot_width())
    for _ in range(40):
        scene.now += 0.3 * before.per_px
        scene.picture()
        by = (scene.view.span.left - before.left) / before.per_px
        assert by == pytest.approx(round(by), abs=1e-6)
        assert round(scene.view.span.x_of(scene.now)) == where, "the line of the present stands still"
    assert by == pytest.approx(12, abs=1)


def test_what_was_painted_anyway_is_not_painted_again_at_once(scene: Scene) -> None:
    scene.view._tick.setInterval(1)
    scene.picture()
    assert scene.view._tick.interval() >= 16
    assert scene.view._tick.isActive()


def test_it_never_zooms_by_itself(scene: Scene) -> None:
    size = scene.view.span.per_px
    scene.now = 5000.0
    scene.view.refresh(range(5))
    scene.model.project(projection(scene.run, {}, end=90_000.0))
    scene.view.changed()
    scene.view.resize(700, 200)
    scene.picture()
    assert scene.view.span.per_px == size


def whole(scene: Scene) -> bool:
    """Whether all of the run is in sight, and fills half of the width at least."""
    extent, span, width = scene.model.extent(scene.now), scene.view.span, scene.view.plot_width()
    assert extent is not None
    first, last = (span.x_of(at) for at in extent)
    return first >= 0 and last <= width and last - first > width / 2


def test_all_of_a_run_stays_in_sight_when_the_window_changes(scene: Scene) -> None:
    scene.view.fit()
    for wide in (700, 1400, 500):
        scene.view.resize(wide, 200)
        scene.picture()
        assert whole(scene), wide
    scene.view.pan_to(scene.view.span.panned(40), 0)
    size = scene.view.span.per_px
    scene.view.resize(900, 200)
    scene.picture()
    assert scene.view.span.per_px == size, "what the user has chosen stays"


def test_a_run_that_has_ended_stays_in_sight_too_though_nobody_asked(appearance: Appearance) -> None:
    ended = many(200, lanes=8, per_second=1.0)
    ended.state, ended.run_ended_at = RunState.COMPLETED, max(ended.ended_at)
    scene = Scene(appearance, ended, size=(1100, 200))
    scene.now = ended.run_ended_at + 50.0
    for wide in (1100, 600, 1300):
        scene.view.resize(wide, 200)
        scene.picture()
        assert whole(scene), wide


def test_a_state_change_moves_nothing(scene: Scene) -> None:
    scene.view.pan_to(scene.view.span.panned(10), 0)
    scene.selection.select(3)
    before = (scene.view.span, scene.view.scrolled(), scene.selection.now, scene.view.model.lanes)
    number = scene.run.graph.place["fuzz ui"]
    scene.run.status[number], scene.run.ended_at[number] = 4, NOW
    scene.view.refresh([number])
    scene.picture()
    assert (scene.view.span, scene.view.scrolled(), scene.selection.now, scene.view.model.lanes) == before


def test_gliding_ends_where_it_should_and_can_be_interrupted(app: QApplication, scene: Scene) -> None:
    scene.appearance.reduced_motion = False
    before = scene.view.span
    scene.view.zoom_to(Span(0, 0.01))
    assert scene.view.span.per_px > 0.01, "it is still on its way"
    scene.wheel(LANE_COLUMN + 10, 120)
    stopped = scene.view.span
    app.processEvents()
    assert scene.view.span == stopped
    assert before.per_px >= stopped.per_px > 0.01


def test_it_paints_by_itself_only_while_a_run_goes_on_and_is_in_sight(scene: Scene) -> None:
    def ticks() -> bool:
        return scene.view._tick.isActive()

    assert ticks()
    scene.view.hide()
    scene.view._pass_time()
    assert not ticks()
    scene.view.show()
    assert ticks()
    scene.run.state = type(scene.run.state).COMPLETED
    scene.run.run_ended_at = NOW
    scene.view.changed()
    assert not ticks()

"""What there is to be seen on the timeline and to be read about a bar."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
import shiboken6
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QFontMetricsF, QHelpEvent, QImage, QPainter
from PySide6.QtWidgets import QApplication
from tests.gui.timeline.scenes import NOW, Stream, foreseen, many, projection, put

from starloom import events as ev
from starloom.foresight.estimates import Estimate
from starloom.foresight.projection import TaskForecast
from starloom.scheduling.state.codes import PENDING
from starloom_gui.theme.appearance import Theme
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import LANE_COLUMN
from starloom_gui.timeline.card import as_html, card_of
from starloom_gui.timeline.corner import TimelineCorner
from starloom_gui.timeline.geometry import AXIS, Geometry
from starloom_gui.timeline.model import TimelineModel
from starloom_gui.timeline.painting import TimelineFrame, TimelinePainter
from starloom_gui.timeline.spots import spot_of
from starloom_gui.viewmodel.flags import Flag
from starloom_gui.viewmodel.lane_bars import NEVER
from starloom_gui.viewmodel.span import Span

if TYPE_CHECKING:
    from starloom_gui.theme.appearance import Appearance


from tests.gui.timeline.screen import SHIFT, Scene

# ---- what is to be seen


def test_a_view_made_anew_shows_the_same_picture(appearance: Appearance) -> None:
    chance = random.Random(3)
    run = many(600, lanes=16)
    for number in range(600):
        run.device_of[number] = None
    free = [0.0] * 16
    kept = Scene(appearance, run)
    kept.now = 12.0
    for begin in range(0, 600, 25):
        for number in range(begin, begin + 25):
            lane = number % 16
            took = chance.uniform(0.01, 0.5)
            put(run, number, lane, free[lane], free[lane] + took, failed=chance.random() < 0.1)
            free[lane] += took + chance.choice((0.0, 0.2))
        kept.view.refresh(reversed(range(begin, begin + 25)))
    fresh = Scene(appearance, run)
    fresh.now = 12.0
    for scene in (kept, fresh):
        scene.view.zoom_to(Span(-1.0, 0.015))
        scene.selection.select(40)
    assert kept.picture() == fresh.picture()
    put(run, 599, 599 % 16, 0.0, 12.0, failed=True)
    assert Scene(appearance, run).picture() != fresh.picture(), "a picture that shows nothing would be equal too"


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_bars_are_where_they_should_be_at_every_pixel_ratio(scene: Scene, ratio: float, theme: Theme) -> None:
    scene.appearance.choose(theme)
    palette = scene.appearance.palette
    span = Span(-20.0, 60 / 67.4)
    geometry = Geometry(span, 1144, 252, 0, len(scene.model.lanes), ratio)
    image = QImage(round(1144 * ratio), round(252 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    painter = QPainter(image)
    TimelinePainter(palette, ratio).paint(painter, TimelineFrame(scene.model, geometry, NOW, is_live=True))
    painter.end()

    def ink(name: str, by: float = 0.0) -> str:
        spot = spot_of(scene.model, scene.run.graph.place[name])
        assert spot is not None
        x = LANE_COLUMN + span.x_of(spot.bar.start) + by
        y = geometry.y_of(spot.row) + 5
        return image.pixelColor(round(x * ratio), round(y * ratio)).name().upper()

    assert ink("unit usb", 5) == palette.tint
    assert ink("fuzz ui", 5) == palette.status[2].shape
    assert ink("compile ble", 5) == palette.status[4].shape
    assert ink("soak lab-b", 5) == palette.panel
    now_x = LANE_COLUMN + geometry.snapped(span.x_of(NOW))
    assert image.pixelColor(round(now_x * ratio), round(200 * ratio)).name().upper() == palette.text


@pytest.mark.parametrize(("start", "is_numbered"), [(50.0, False), (60.0, True)])
def test_the_number_of_a_foreseen_attempt_stands_only_where_there_is_room(
    appearance: Appearance, start: float, is_numbered: bool
) -> None:
    pictures = []
    for tries in (0, 1):
        run = Stream("r", ["first", "again"], {"d": 1}).run
        run.tries[1] = tries
        spans = (("first", 10.0, 50.0), ("again", start, 90.0))
        tasks = {name: TaskForecast(name, begin, end, "d", Estimate(), 0.0) for name, begin, end in spans}
        scene = Scene(appearance, run)
        scene.now = 0.0
        scene.model.project(projection(run, tasks, end=90.0))
        scene.view.zoom_to(Span(-5.0, 0.5))
        pictures.append(scene.picture())
    assert (pictures[0] != pictures[1]) is is_numbered


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
def test_a_task_that_asks_bears_the_mark_of_what_waits_for_you_until_it_is_answered(
    appearance: Appearance, theme: Theme
) -> None:
    appearance.choose(theme)
    stream = Stream("r", ["coder"], {"d": 1})
    stream.attempt("coder", ("d", 0), (0.0, 0.0, None))

    def shown() -> QImage:
        scene = Scene(appearance, stream.run)
        scene.now = 100.0
        scene.view.zoom_to(Span(-5.0, 0.5))
        picture = scene.picture()
        end = LANE_COLUMN + scene.view.span.x_of(100.0)
        return picture.copy(round(end) - 20, 0, 20, 120)

    def has_badge(picture: QImage) -> bool:
        waits = appearance.palette.status[PENDING].shape
        inks = [picture.pixelColor(x, y).name().upper() for x in range(20) for y in range(120)]
        return inks.count(waits) > 40

    assert not has_badge(shown())
    stream.say(ev.QuestionAsked, 50.0, task_id="coder", attempt=1, number=1, key=1, text="May I write?")
    assert has_badge(shown())
    stream.say(ev.QuestionAnswered, 90.0, task_id="coder", attempt=1, number=1)
    assert not has_badge(shown())


def test_another_theme_takes_effect_at_once(scene: Scene) -> None:
    dark = scene.picture()
    scene.appearance.choose(Theme.LIGHT)
    light = scene.picture()
    assert dark.pixelColor(300, 270).lightness() < 80 < 200 < light.pixelColor(300, 270).lightness()


def test_flags_are_on_the_axis_and_say_what_was_done(scene: Scene) -> None:
    before = scene.picture()
    scene.view.set_flags([Flag(60.0, "You raised the limit to <8>")])
    x = round(LANE_COLUMN + scene.view.span.x_of(60.0))
    after = scene.picture()
    assert before.copy(x, 18, 8, 9) != after.copy(x, 18, 8, 9)
    assert "&lt;8&gt;" in scene.view._hits.card_at(QPointF(x + 2, 20))


def test_an_unknown_finish_is_called_so(scene: Scene) -> None:
    known = scene.picture()
    scene.model.project(projection(scene.run, {}))
    scene.view.changed()
    assert scene.picture().copy(1000, 0, 144, AXIS) != known.copy(1000, 0, 144, AXIS)


def test_an_unknown_finish_is_not_called_so_where_the_present_would_cut_the_words(scene: Scene) -> None:
    scene.model.project(projection(scene.run, {}))
    muted = scene.appearance.palette.muted
    for right, is_said in ((400, True), (100, False)):
        scene.view.zoom_to(Span(NOW - (1144 - LANE_COLUMN - right) * 0.1, 0.1))
        picture = scene.picture()
        inks = {picture.pixelColor(x, y).name().upper() for x in range(1144 - 60, 1140) for y in range(4, AXIS - 4)}
        assert (muted in inks) is is_said, right


def test_no_label_of_the_axis_is_cut_by_the_words_that_the_finish_is_unknown(scene: Scene) -> None:
    scene.model.project(projection(scene.run, {}))
    panel = scene.appearance.palette.panel
    wide = QFontMetricsF(font(Role.SMALL)).horizontalAdvance("No estimate of the finish")
    beside = round(1144 - wide - 12) - 3
    cut = set[float]()
    for step in range(80):
        left = -20.0 - 2 * step
        scene.view.zoom_to(Span(left, 60 / 67.4))
        image = scene.picture()
        inks = {image.pixelColor(x, y).name().upper() for x in (beside, beside + 1) for y in range(3, 17)}
        if inks != {panel}:
            cut.add(left)
    assert not cut


def test_staged_edits_show_what_would_come_over_what_it_replaces(scene: Scene) -> None:
    before, coming = scene.picture(), foreseen(scene.run)
    scene.model.stage(coming)
    scene.view.changed()
    assert scene.picture() == before, "what would be as it is looks as it does"
    later = {**coming.tasks, "soak lab-c": replace(coming.tasks["soak lab-c"], device_id="lab-a")}
    scene.model.stage(replace(coming, tasks=later))
    scene.view.changed()
    assert scene.picture() != before
    scene.model.stage(None)
    scene.view.changed()
    assert scene.picture() == before


def outlined(scene: Scene, name: str) -> int:
    """How many pixels of the upper edge of a projected bar are drawn."""
    at, panel = scene.place(name), scene.appearance.palette.panel
    image = scene.picture()
    ground = image.pixelColor(at).name().upper()
    assert ground == panel
    top = [image.pixelColor(at.x() + by, at.y() - 7).lightness() for by in range(-30, 31)]
    return sum(light > 100 for light in top)


def test_what_is_staged_is_dashed(scene: Scene) -> None:
    assert outlined(scene, "soak lab-c") == 61
    scene.model.stage(foreseen(scene.run))
    scene.model.project(None)
    scene.view.changed()
    assert 10 < outlined(scene, "soak lab-c") < 50
    scene.click(scene.place("soak lab-c"))
    assert scene.selected == {"soak lab-c"}


def test_the_wait_before_a_bar_and_the_pause_behind_one_are_seen_without_the_bar(appearance: Appearance) -> None:
    stream = Stream("r", ["waits", "pauses"], {"d": 2})
    stream.attempt("waits", ("d", 0), (10.0, 100.0, 110.0))
    stream.attempt("pauses", ("d", 1), (0.0, 0.0, 10.0), "retry", retry_at=200.0)
    scene = Scene(appearance, stream.run)
    scene.view.pan_to(Span(20.0, 50 / scene.view.plot_width()), 0)
    image = scene.picture()
    rows = [{image.pixelColor(x, AXIS + y).name().upper() for x in range(400, 600)} for y in (10, 30)]
    assert appearance.palette.status[1].shape in rows[0]
    assert len(rows[1]) > 2, "dots on the ground"


def test_what_nobody_can_estimate_says_so_right_of_the_present(scene: Scene) -> None:
    number = scene.run.graph.place["fuzz ui"]
    nobody = TaskForecast("fuzz ui", scene.run.started_at[number], NOW, "build-1", Estimate(), None)

    def beside(tasks: dict[str, TaskForecast]) -> set[str]:
        scene.model.project(projection(scene.run, tasks))
        scene.view.changed()
        x, y = LANE_COLUMN + round(scene.view.span.x_of(NOW)) + 8, scene.place("fuzz ui").y()
        image = scene.picture()
        return {image.pixelColor(x + by, y + down).name().upper() for by in range(60) for down in range(-5, 5)}

    assert len(beside({})) <= 2, "the ground, and perhaps a line of the grid"
    assert len(beside({"fuzz ui": nobody})) > 10
    spot = spot_of(scene.model, number)
    assert spot is not None
    assert not spot.is_foreseen


def test_a_timeline_that_is_gone_is_told_nothing(app: QApplication, appearance: Appearance) -> None:
    scene = Scene(appearance)
    selection = scene.selection
    scene.view.close()
    scene.view.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    selection.select(1)
    appearance.choose(Theme.LIGHT)
    assert not shiboken6.isValid(scene.view)


def test_another_run_begins_with_its_own_first_sight(scene: Scene) -> None:
    scene.click(scene.place("docs"))
    scene.view.set_flags([Flag(1.0, "x")])
    run = many(50)
    scene.view.show_model(TimelineModel(run))
    assert scene.view.focus is None
    assert scene.view.flags == ()
    assert scene.view.span.x_of(0.0) == pytest.approx(24)


# ---- what is said


def test_the_card_tells_the_whole_story(scene: Scene) -> None:
    spot = spot_of(scene.model, scene.run.graph.place["compile ble"])
    assert spot is not None
    name, standing, where, times, *rest = card_of(scene.model, spot, NOW)
    assert (name, standing, where) == ("compile ble", "Failed, attempt 2 of 2", "build-1, slot 4")
    assert " to " in times
    assert rest[-1] == "It exited with 1."


def test_the_card_of_what_is_foreseen_names_the_critical_path(scene: Scene) -> None:
    spot = spot_of(scene.model, scene.run.graph.place["collect"])
    assert spot is not None
    lines = card_of(scene.model, spot, NOW)
    assert lines[1].startswith("Foreseen: ")
    assert "On the critical path" in lines


def test_nothing_in_a_card_is_taken_for_markup() -> None:
    assert as_html(["<b>&", "x<y"]) == "<b>&lt;b&gt;&amp;</b><br>x&lt;y"


def test_a_running_bar_says_since_when(scene: Scene) -> None:
    spot = spot_of(scene.model, scene.run.graph.place["fuzz ui"])
    assert spot is not None
    assert spot.bar.end == NEVER
    assert any(line.startswith("Since ") for line in card_of(scene.model, spot, NOW))


def test_the_card_comes_up_over_a_bar_only(scene: Scene) -> None:
    assert "fuzz ui" in scene.view._hits.card_at(QPointF(scene.place("fuzz ui")))
    assert scene.view._hits.card_at(QPointF(LANE_COLUMN + 4, AXIS + 70)) == ""
    at = QPoint(LANE_COLUMN + 4, AXIS + 70)
    event = QHelpEvent(QEvent.Type.ToolTip, at, scene.view.viewport().mapToGlobal(at))
    assert QApplication.sendEvent(scene.view.viewport(), event)


def test_keys_say_aloud_what_they_have_reached(scene: Scene) -> None:
    scene.view.activateWindow()
    scene.view.setFocus()
    QApplication.processEvents()
    assert scene.view.hasFocus()
    scene.click(scene.place("docs"))
    scene.key(Qt.Key.Key_Right)
    assert scene.view.accessibleDescription().startswith("link m4. Done")
    assert scene.view.accessibleName() == "Timeline"


def test_the_bar_keys_act_on_has_a_dashed_ring_where_it_is_not_selected(scene: Scene) -> None:
    scene.view.activateWindow()
    scene.view.setFocus()
    QApplication.processEvents()
    scene.click(scene.place("docs"))
    ringed = scene.picture()
    scene.key(Qt.Key.Key_Escape)
    dashed = scene.picture()
    scene.view.clearFocus()
    plain = scene.picture()
    assert ringed != dashed != plain


# ---- the corner


def test_live_is_pressed_while_the_present_is_followed(scene: Scene) -> None:
    corner = TimelineCorner(scene.view, scene.appearance)
    assert corner.live.isChecked()
    scene.key(Qt.Key.Key_Right, SHIFT)
    assert not corner.live.isChecked()
    corner.live.click()
    assert corner.live.isChecked()
    assert scene.view.movement.is_following
    corner.live.click()
    assert corner.live.isChecked(), "only moving the timeline ends it"
    scene.view.movement.set_present(there=False)
    assert not corner.live.isChecked()
    corner.live.click()
    assert not corner.live.isChecked(), "there is nothing to follow"
    corner.deleteLater()


def test_a_button_that_is_pressed_does_not_look_as_one_under_the_pointer(scene: Scene) -> None:
    corner = TimelineCorner(scene.view, scene.appearance)
    corner.resize(corner.sizeHint())
    corner.show()
    on = corner.live.grab().toImage()
    scene.key(Qt.Key.Key_Right, SHIFT)
    off = corner.live.grab().toImage()
    QApplication.sendEvent(corner.live, QEnterEvent(QPointF(4, 4), QPointF(4, 4), QPointF(4, 4)))
    corner.live.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    near = corner.live.grab().toImage()
    assert on != off
    assert on != near
    corner.close()
    corner.deleteLater()

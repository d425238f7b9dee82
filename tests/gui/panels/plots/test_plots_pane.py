"""The pane as people use it: switches, keys, the hairline, the time it shares, what it costs hidden, and its looks."""

from __future__ import annotations

import gc

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication
from tests.gui.panels.plots.room import EVERYTHING, Room, press, until
from tests.gui.timeline.scenes import Stream, many

from starloom.model.status import RunState
from starloom_gui.gateway.changes import Changes
from starloom_gui.panels.plots.corner import PlotsCorner
from starloom_gui.panels.plots.curves import DEVICE, Plot, RunCurves
from starloom_gui.panels.plots.frame import LEAST, nice_top, row_boxes
from starloom_gui.panels.plots.look import STYLES
from starloom_gui.theme.appearance import Theme
from starloom_gui.theme.palette import DARK, LIGHT


def test_before_anything_has_run_there_is_one_sentence_and_a_button_to_start(appearance):
    room = Room(appearance, Stream("r", ["a"], {"d": 1}).run)
    room.run.run_started_at = None
    room.show()
    asked = []
    room.pane.start_asked.connect(lambda: asked.append(True))
    assert room.pane.is_empty
    assert room.pane._nothing.isVisible()
    assert room.pane._nothing.text() == "Nothing has run yet."
    room.pane._start.click()
    assert asked == [True]
    assert room.pane.area.graphs is None, "nothing is loaded for an empty page"


def test_every_kind_of_curve_is_there_and_more_devices_than_a_few_wait_to_be_switched_on(appearance):
    room = Room(appearance).show()
    assert room.pane.area.frame is not None
    assert [row.plot for row in room.pane.area.frame.rows] == list(Plot)
    devices = [key for key in sorted(room.pane.chosen) if key.startswith(DEVICE)]
    assert len(devices) == 4
    assert {f"{DEVICE}{id}" for id in ("local", "build-1")} - set(devices) == {f"{DEVICE}local"}


def test_up_and_down_choose_a_curve_and_space_switches_it(appearance):
    room = Room(appearance).show()
    assert room.pane.list.current == "running"
    press(room, Qt.Key.Key_Down)
    assert room.pane.list.current == "limit"
    press(room, Qt.Key.Key_Down)
    assert room.pane.list.current == "ready", "headings are passed over"
    press(room, Qt.Key.Key_Space)
    assert "ready" not in room.pane.chosen
    press(room, Qt.Key.Key_Down)
    press(room, Qt.Key.Key_Space)
    assert room.pane.area.frame is not None
    assert Plot.STANDING not in [row.plot for row in room.pane.area.frame.rows], "without a curve there is no plot"
    press(room, Qt.Key.Key_Space)
    assert Plot.STANDING in [row.plot for row in room.pane.area.frame.rows]


def test_a_click_in_a_row_switches_its_curve(appearance):
    room = Room(appearance).show()
    row = room.pane.list.rows.index(1, 0)
    at = room.pane.list.visualRect(row).center()
    QTest.mouseClick(room.pane.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert "running" not in room.pane.chosen
    QTest.mouseClick(room.pane.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert "running" in room.pane.chosen


def test_the_list_is_a_proper_model(appearance):
    room = Room(appearance)
    QAbstractItemModelTester(room.pane.list.rows, QAbstractItemModelTester.FailureReportingMode.Warning)
    room.show()


def test_choosing_a_curve_scrolls_its_plot_into_sight(appearance):
    room = Room(appearance, size=(900, 200)).show()
    bar = room.pane.area._scroll.verticalScrollBar()
    until(lambda: bar.maximum() > 0)
    press(room, Qt.Key.Key_Down, 11)
    assert bar.value() > 0
    press(room, Qt.Key.Key_Up, 40)
    assert bar.value() == 0


# ---- time


def test_linked_the_plots_show_the_time_of_the_timeline_both_ways(appearance):
    room = Room(appearance).show()
    time, movement = room.pane.area.time, room.timeline.movement

    def ends() -> tuple[float, float]:
        return time.span.left, time.span.time_at(time.width)

    def theirs() -> tuple[float, float]:
        return movement.span.left, movement.span.time_at(movement.width)

    assert ends() == pytest.approx(theirs())
    room.pane.zoom(3)
    assert ends() == pytest.approx(theirs())
    movement.pan_to(movement.span.panned(77))
    assert ends() == pytest.approx(theirs())
    room.pane.set_linked(False)
    before = theirs()
    room.pane.zoom(2)
    assert theirs() == before
    room.pane.set_linked(True)
    assert ends() == pytest.approx(theirs())


def test_dragging_moves_time_and_is_no_click(appearance):
    room = Room(appearance).show()
    asked = []
    room.pane.travel_asked.connect(asked.append)
    left, per_px = room.pane.area.time.span.left, room.pane.area.time.span.per_px
    room.mouse(QEvent.Type.MouseButtonPress, 300, held=True)
    room.mouse(QEvent.Type.MouseMove, 340, held=True)
    room.mouse(QEvent.Type.MouseButtonRelease, 340)
    assert room.pane.area.time.span.left == pytest.approx(left - 40 * per_px)
    assert not asked


def test_a_click_asks_for_that_moment(appearance):
    room = Room(appearance).show()
    asked: list[float] = []
    room.pane.travel_asked.connect(asked.append)
    room.mouse(QEvent.Type.MouseButtonPress, 300, held=True)
    room.mouse(QEvent.Type.MouseButtonRelease, 300)
    assert asked == [pytest.approx(room.pane.area.time.span.time_at(300))]


def test_the_hairline_is_one_for_plots_and_timeline(appearance):
    room = Room(appearance).show()
    room.mouse(QEvent.Type.MouseMove, 200)
    at = room.pane.area.time.span.time_at(200)
    assert room.timeline.hairline.at == pytest.approx(at)
    assert room.pane.area.frame is not None
    assert room.pane.area.frame.hairline == room.timeline.hairline.at
    room.timeline.hairline.move_to(50.0)
    assert room.pane.area.frame.hairline == 50.0
    QApplication.sendEvent(room.graphs, QEvent(QEvent.Type.Leave))
    assert room.timeline.hairline.at is None


def test_the_timeline_paints_the_hairline_only_while_plots_share_it(appearance):
    room = Room(appearance).show()
    room.timeline.show()
    room.timeline.hairline.move_to(100.0)
    QApplication.processEvents()
    with_line = room.timeline.viewport().grab().toImage()
    room.pane.hide()
    room.timeline.hairline.move_to(100.0)
    assert room.timeline.viewport().grab().toImage() != with_line
    room.timeline.hide()


def test_left_and_right_move_the_hairline_and_enter_travels_there(appearance):
    room = Room(appearance).show()
    asked: list[float] = []
    room.pane.travel_asked.connect(asked.append)
    press(room, Qt.Key.Key_Return)
    assert asked == [], "there is no moment yet"
    press(room, Qt.Key.Key_Left)
    first = room.timeline.hairline.at
    assert first is not None
    press(room, Qt.Key.Key_Left, 3)
    per_px = room.pane.area.time.span.per_px
    assert room.timeline.hairline.at == pytest.approx(first - 12 * per_px)
    assert "Running" in room.pane.list.accessibleDescription()
    press(room, Qt.Key.Key_Right)
    press(room, Qt.Key.Key_Return)
    assert asked == [pytest.approx(first - 8 * per_px)]
    press(room, Qt.Key.Key_Escape)
    assert room.timeline.hairline.at is None


def test_keys_that_take_the_hairline_out_of_sight_take_time_along(appearance):
    room = Room(appearance).show()
    press(room, Qt.Key.Key_Left)
    for _ in range(60):
        QTest.keyClick(room.pane.list, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    at = room.timeline.hairline.at
    assert at is not None
    assert 0 <= room.pane.area.time.span.x_of(at) <= room.pane.area.time.width


# ---- what it costs


def test_a_hidden_pane_reads_nothing_and_has_no_timer(appearance, monkeypatch):
    room = Room(appearance).show()
    room.pane.hide()
    read = []
    original = RunCurves.read
    monkeypatch.setattr(RunCurves, "read", lambda *given: read.append(1) or original(*given))
    room.pane.on_changes(EVERYTHING)
    QApplication.processEvents()
    assert not room.pane._soon.isActive()
    assert not room.pane.area._tick.isActive()
    assert not read
    room.show()
    assert read


def test_many_changes_are_one_update_within_a_tenth_of_a_second(appearance, monkeypatch):
    room = Room(appearance).show()
    read = []
    original = RunCurves.read
    monkeypatch.setattr(RunCurves, "read", lambda *given: read.append(given[1]) or original(*given))
    room.pane._since.restart()
    for number in range(50):
        room.pane.on_changes(Changes(run_id="r12", tasks=frozenset({number % 9})))
    assert not read
    assert room.pane._soon.isActive()
    until(lambda: bool(read))
    assert read == [set(range(9))]


def test_a_run_that_has_ended_moves_nothing(appearance):
    stream = Stream("r", ["a"], {"d": 1})
    stream.attempt("a", ("d", 0), (0.0, 1.0, 4.0))
    from starloom import events as ev

    stream.say(ev.RunEnded, 4.0)
    room = Room(appearance, stream.run).show()
    assert room.pane.area.frame is not None
    assert not room.pane.area.frame.is_live
    assert not room.pane.area._tick.isActive()


def test_a_hundred_thousand_tasks_are_two_points_a_pixel(appearance):
    run = many(100_000)
    run.run_started_at = 0.0
    room = Room(appearance, run).show()
    room.pane.fit()
    assert room.pane.area.frame is not None
    width = room.pane.area.time.width
    lines = [shown.line for row in room.pane.area.frame.rows for shown in row.shown]
    assert any(line.is_thinned for line in lines)
    assert all(len(line.x) <= 4 * width + 4 for line in lines)
    assert all(len(line.x) <= 2 * width + 4 for line in lines if line.is_thinned)


def test_nothing_of_pyqtgraph_is_left_when_the_pane_has_gone(app, appearance):
    import pyqtgraph as pg

    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    widgets, views = len(app.allWidgets()), len(pg.ViewBox.AllViews)
    room = Room(appearance).show()
    assert len(pg.ViewBox.AllViews) > views
    room.pane.open_menu(room.pane.mapToGlobal(room.pane.rect().center())).close()
    for widget in (room.pane, room.timeline):
        widget.hide()
        widget.deleteLater()
    del room, widget
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert len(app.allWidgets()) == widgets
    assert len(pg.ViewBox.AllViews) == views
    assert not pg.getConfigOption("exitCleanup"), "its clean-up at exit would find nothing, or what is gone"


# ---- how it looks


@pytest.mark.parametrize(("theme", "palette"), [(Theme.LIGHT, LIGHT), (Theme.DARK, DARK)])
def test_the_theme_changes_while_it_is_shown_and_no_status_hue_is_used(appearance, theme, palette):
    room = Room(appearance).show()
    appearance.choose(Theme.DARK if theme is Theme.LIGHT else Theme.LIGHT)
    QApplication.processEvents()
    appearance.choose(theme)
    QApplication.processEvents()
    image = room.pane.grab().toImage()
    seen = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(0, image.height(), 2)}
    assert palette.panel.lower() in seen
    assert palette.text.lower() in seen
    grey = [max(QColor(one).getRgb()[:3]) - min(QColor(one).getRgb()[:3]) for one in seen]
    assert max(grey) < 40, "a colour that is no grey"


def test_lines_that_share_a_plot_differ_by_grey_or_dash(appearance):
    room = Room(appearance).show()
    for plot in (Plot.RUNNING, Plot.STANDING, Plot.THROUGHPUT, Plot.FAILURES):
        styles = [one.style for one in room.pane.curves.series() if one.plot is plot]
        assert len({STYLES[style] for style in styles}) == len(styles)
    limit = next(one for one in room.pane.curves.series() if one.key == "limit")
    assert STYLES[limit.style].dashes


def test_plots_are_never_lower_than_they_may_be_and_fill_the_room_there_is():
    for count, height in ((1, 50), (3, 100), (6, 2000)):
        boxes = row_boxes(count, height)
        assert all(box.height() - 28 >= LEAST for box in boxes)
    assert row_boxes(2, 900)[-1].bottom() == 900


@pytest.mark.parametrize(("most", "top"), [(0, 1), (1, 1), (3, 4), (5, 6), (7, 8), (8.5, 10), (61, 80), (1001, 2000)])
def test_axes_end_at_round_values(most, top):
    assert nice_top(most) == top


def test_of_a_run_that_has_run_it_is_never_said_that_nothing_has(appearance):
    room = Room(appearance)
    room.pane.show()
    assert not room.pane._nothing.isVisible(), "what is painted first is painted before anything is read"


def test_live_is_called_ended_once_the_run_has_ended(appearance):
    room = Room(appearance).show()
    corner = PlotsCorner(room.pane, appearance)
    assert corner.live.text() == "Live"
    room.run.state = RunState.COMPLETED
    room.run.run_ended_at = room.now
    room.pane.on_changes(EVERYTHING)
    until(lambda: corner.live.text() == "Ended")
    corner.deleteLater()

"""What is told beside the curves: durations and their estimates, copies, tables and pictures."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication, QImage
from tests.driver import Driver, plan, task
from tests.gui.panels.plots.room import Room, press
from tests.gui.timeline.scenes import many

from starloom_gui.panels.plots.durations import by_device, by_group
from starloom_gui.panels.plots.frame import FIGURES
from starloom_gui.panels.plots.saving import MOST_COPIED
from starloom_gui.viewmodel.flags import Flag


def test_durations_are_told_by_group_and_by_device_beside_their_estimates(appearance):
    room = Room(appearance).show()
    by = {one.name: one for one in by_device(room.run, {})}
    assert sum(one.attempts for one in by.values()) == 21
    assert by["local"].shares == tuple(sorted(by["local"].shares))
    groups = {one.name for one in by_group(room.run, {})}
    assert "sources" in groups
    press(room, Qt.Key.Key_Up, 50)
    room.pane.list._go_to("durations:device")
    press(room, Qt.Key.Key_Space)
    assert [title for title, _ in room.pane.area.durations.tables] == ["Durations by device"]
    assert room.pane.area.durations.isVisible()
    assert "local" in room.pane.area.durations.accessibleDescription()
    press(room, Qt.Key.Key_Space)
    assert not room.pane.area.durations.isVisible()


def test_an_estimate_is_of_a_device_of_its_speed():
    driver = Driver(slots=1, checked=False)
    driver.create(plan([task("a", estimate=10)]))
    driver.advance(4)
    driver.end("a")
    (one,) = by_device(driver.run(), {"d": 2.0})
    assert (one.shares[2], one.estimate, one.estimated) == (4.0, 5.0, 1)
    assert by_device(driver.run(), {})[0].estimate == 10.0


# ---- copying and exporting


def actions(room: Room) -> dict[str, QAction]:
    menu = room.pane.open_menu(room.pane.mapToGlobal(room.pane.rect().center()))
    found = {one.text(): one for one in menu.actions()}
    menu.close()
    return found


def test_what_is_in_sight_is_copied_as_csv(appearance):
    room = Room(appearance).show()
    room.pane.fit()
    room.pane.saver.copy()
    head, *rows = QGuiApplication.clipboard().text().splitlines()
    names = head.split(",")
    assert names[:4] == ["seconds", "time", "running: Running", "running: Limit"]
    first, last = rows[0].split(","), rows[-1].split(",")
    assert (float(first[0]), float(last[0])) == (0.0, 216.0)
    assert last[names.index("running: Running")] == str(room.run.running)
    assert first[names.index("standing: Ready")] == "", "nobody knows"
    assert first[1].startswith("2026-11-20T14:18:00")


def test_what_is_exported_is_whole_and_made_elsewhere(appearance):
    room = Room(appearance).show()
    room.pane.zoom(20)
    asked = []
    room.pane.saver.export_asked.connect(asked.append)
    room.pane.saver.export_table()
    room.pane.saver.export_picture()
    table, picture = asked
    room.run.running = 99  # what is written is what was there when it was asked for
    assert table.made("csv").decode().count("\n") > 40
    assert list(table.kinds.values()) == ["csv"]
    image = QImage.fromData(picture.made("png"))
    assert image.height() >= 2 * (28 + 6 * 100 - 40)
    assert image.width() == 2 * room.pane.area.axis.width()


def test_without_a_curve_there_is_nothing_to_be_exported_and_that_is_said(appearance):
    room = Room(appearance).show()
    for key in tuple(room.pane.chosen):
        room.pane._switch(key, False)
    found = actions(room)
    assert not any(one.isEnabled() for one in found.values())
    assert {one.toolTip() for one in found.values()} == {"No curve is switched on."}


def test_more_rows_than_anybody_pastes_are_not_copied_and_the_remedy_is_said(appearance):
    run = many(100_000)
    run.run_started_at = 0.0
    room = Room(appearance, run).show()
    room.pane.fit()
    copy = actions(room)["Copy what is in sight as CSV"]
    assert not copy.isEnabled()
    assert f"{MOST_COPIED:,}" in copy.toolTip()


def test_a_flag_on_the_axis_says_what_was_done(appearance):
    room = Room(appearance).show()
    frame = room.pane.area.frame
    assert frame is not None
    frame.flags = [Flag(100.0, "Limit changed to 4 by you")]
    x = FIGURES + frame.span.x_of(100.0)
    assert room.pane.area.axis.said_at(x + 3) == "Limit changed to 4 by you"
    assert room.pane.area.axis.said_at(x + 40) == ""

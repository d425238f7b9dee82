"""The tasks pane: rows in order, filters, the one selection, text for the clipboard, and all failed tasks run again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from tests.driver import Driver, task
from tests.gui.models.cells import texts
from tests.gui.panels.fleets import ByHand
from tests.gui.panels.shown_tasks import NAMES, Paints, Shown, entries

from starloom.constellation.edits import AddTask, UpdateTask
from starloom.scheduling import commands as c
from starloom.scheduling.state.codes import FAILED, PENDING, RUNNING
from starloom.testing import independent
from starloom_gui.gateway.changes import Changes
from starloom_gui.models.task_cells import TaskColumn, natural
from starloom_gui.models.task_filter import TaskFilter
from starloom_gui.models.task_table import TaskTable
from starloom_gui.panels.tasks import TasksPanel
from starloom_gui.theme.appearance import Theme
from starloom_gui.theme.metrics import ROW
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance

UP, DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


@pytest.fixture
def shown(appearance: Appearance, app: QApplication) -> Shown:
    return Shown(appearance, app)


# ---- order


def test_names_are_sorted_as_people_count():
    assert sorted(["unit 10", "Unit 9", "a", "unit 2", "unit 02b"], key=natural) == [
        "a",
        "unit 2",
        "unit 02b",
        "Unit 9",
        "unit 10",
    ]


def test_rows_that_are_equal_stand_by_place_in_line_in_either_order(shown):
    shown.driver.ask(c.SetPriority, "t3", priority=80)
    shown.tell()
    shown.grid.sortByColumn(TaskColumn.PRIORITY, DOWN)
    assert shown.names() == ["build", "unit 1", "unit 10", "unit 2", "lint"]
    shown.grid.sortByColumn(TaskColumn.PRIORITY, UP)
    assert shown.names() == ["unit 1", "unit 10", "unit 2", "lint", "build"]


def test_durations_are_sorted_as_numbers_and_follow_time(shown):
    shown.driver.advance(9)
    shown.driver.end("t1")
    shown.driver.advance(95)
    shown.tell()
    shown.grid.sortByColumn(TaskColumn.DURATION, DOWN)
    assert [text for text in texts(shown.table, TaskColumn.DURATION) if text] == ["1:44", "1:44", "1:35", "9.0 s"]


def test_what_is_said_is_sorted_by_kind_and_then_by_its_figure(shown):
    shown.driver.advance(30)
    shown.driver.edit(AddTask(task("late")))
    shown.driver.ask(c.HoldTasks, "t3")
    shown.driver.fail("t0")
    shown.driver.advance(20)
    shown.tell()
    shown.grid.sortByColumn(TaskColumn.WHY, UP)
    assert texts(shown.table, TaskColumn.WHY) == [
        "held",
        "in line · 0:20",
        "d · 0:20",
        "d · 0:50",
        "d · 0:50",
        "exit 1",
    ]


def test_a_third_click_on_a_heading_ends_sorting(shown):
    head = shown.grid.head
    at = QPoint(head.sectionViewportPosition(TaskColumn.NAME) + 40, 10)
    seen = []
    for _ in range(3):
        QTest.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=at)
        seen.append(shown.names())
    assert seen[0] == seen[1][::-1] == ["build", "lint", "unit 1", "unit 2", "unit 10"]
    assert seen[2] == list(NAMES)


def test_columns_are_chosen_and_sorted_by_a_menu_and_kept(shown):
    head = shown.grid.head
    menu = head.open_menu(QPoint(0, 0))
    found = entries(menu)
    assert not found["Name"].isEnabled()
    found["Priority"].trigger()
    orders = entries(found["Sort by"].menu())
    orders["Name"].trigger()
    orders["Descending"].trigger()
    menu.close()
    assert TaskColumn.PRIORITY not in head.shown()
    assert shown.names()[0] == "unit 10"
    state = shown.panel.columns_state()
    other = shown.made()
    assert not other.restore_columns(b"nonsense")
    assert TaskColumn.PRIORITY in other.grid.head.shown()
    assert other.restore_columns(state)
    assert other.grid.head.shown() == head.shown()
    assert texts(other._table, TaskColumn.NAME) == shown.names()


# ---- filter


def test_statuses_are_chosen_by_chips_that_count(shown):
    shown.driver.fail("t0")
    shown.tell()
    chips = shown.bar.chips
    assert {code: chip.count for code, chip in chips.items() if chip.count} == {RUNNING: 3, PENDING: 1, FAILED: 1}
    assert chips[FAILED].accessibleName() == "Failed: 1"
    chips[FAILED].click()
    assert shown.names() == ["unit 1"]
    assert shown.bar.count.text() == "1 of 5 task(s)"
    QTest.keyClick(chips[PENDING], Qt.Key.Key_Space)
    assert len(shown.names()) == 2
    chips[FAILED].click()
    chips[PENDING].click()
    assert shown.bar.count.text() == "5 task(s)"


def test_a_text_is_looked_for_once_the_keys_rest_and_escape_forgets_it(shown, qtbot):
    QTest.keyClicks(shown.bar.field, "UNIT 1")
    qtbot.waitUntil(lambda: shown.names() == ["unit 1", "unit 10"])
    QTest.keyClick(shown.bar.field, Qt.Key.Key_Down)
    assert shown.grid.currentIndex().row() == 0
    QTest.keyClick(shown.bar.field, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: len(shown.names()) == 5)


def test_devices_and_groups_are_chosen_from_a_menu_also_where_there_is_little_room(shown):
    menu = shown.bar.open_menu("group")
    assert list(entries(menu)) == ["Any group", "licences", "unit"]
    entries(menu)["licences"].trigger()
    menu.close()
    assert shown.names() == ["unit 1", "unit 10", "unit 2"]
    shown.panel.resize(420, 280)
    shown.app.processEvents()
    assert not shown.bar.group.isVisible()
    menu = shown.bar.open_both()
    entries(entries(menu)["Device"].menu())["d"].trigger()
    entries(entries(menu)["Group"].menu())["Any group"].trigger()
    menu.close()
    assert shown.table.filter == TaskFilter(device="d")
    assert shown.names() == ["unit 1", "unit 10", "unit 2"]


def test_bypassed_tasks_are_counted_and_found_by_a_button_that_is_there_only_with_them(shown):
    assert not shown.bar.bypassed.isVisible()
    shown.driver.edit(UpdateTask("t4", bypass=True))
    shown.tell()
    assert shown.bar.bypassed.isVisible()
    assert shown.bar.bypassed.accessibleName() == "Bypassed: 1"
    shown.bar.bypassed.click()
    shown.app.processEvents()
    assert shown.table.filter == TaskFilter(only_bypassed=True)
    assert shown.names() == ["lint"]
    shown.panel.show_filter(TaskFilter())
    assert not shown.bar.bypassed.isChecked()


def test_where_nothing_fits_the_filter_one_button_shows_all_again(shown):
    shown.panel.show_filter(TaskFilter(text="nothing like it"))
    shown.app.processEvents()
    assert not shown.grid.isVisible()
    (button,) = [one for one in shown.panel.findChildren(QPushButton) if one.text() == "Show all tasks"]
    assert button.isVisible()
    button.click()
    assert len(shown.names()) == 5
    assert shown.bar.field.text() == ""


def test_without_a_run_a_sentence_and_one_button_take_its_place(appearance, app):
    panel = TasksPanel(TaskTable(lambda: None, lambda: 0.0), appearance, Selection(), lambda: None, ByHand(Driver()))
    asked = []
    panel.open_requested.connect(lambda: asked.append(True))
    panel.show()
    (button,) = [one for one in panel.findChildren(QPushButton) if one.isVisible()]
    button.click()
    assert asked == [True]
    assert not panel.retry_button.isEnabled()
    assert panel.retry_button.toolTip() == "There is no run."


# ---- verbs and text


def test_return_and_double_click_ask_for_the_inspector_and_the_menu_is_asked_for(shown):
    asked: list[Any] = []
    shown.panel.activated.connect(asked.append)
    shown.panel.menu_asked.connect(asked.append)
    shown.click(1)
    QTest.keyClick(shown.grid, Qt.Key.Key_Return)
    assert asked == ["t1"]
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(200, ROW + 5), QPoint(700, 500))
    shown.app.sendEvent(shown.grid.viewport(), event)
    assert asked == ["t1", QPoint(700, 500)]


def test_all_failed_tasks_are_run_again_by_one_button_that_says_why_not(shown):
    button = shown.panel.retry_button
    assert not button.isEnabled()
    assert button.toolTip() == "No task has failed."
    shown.driver.fail("t0")
    shown.driver.fail("t2")
    shown.tell()
    assert button.isEnabled()
    assert button.text() == "Retry all failed (2)"
    button.click()
    assert shown.asks.sent == [c.RetryTasks(run_id="r", task_ids=("t0", "t2"))]
    shown.tell()
    assert not button.isEnabled()


def test_failures_are_shown_on_their_own(shown):
    shown.driver.fail("t1")
    shown.tell()
    shown.panel.show_filter(TaskFilter(text="x", device="d"))
    shown.panel.show_failed()
    assert shown.names() == ["unit 10"]
    assert shown.bar.chips[FAILED].isChecked()
    shown.panel.show_all_again()
    assert len(shown.names()) > 1
    assert not shown.bar.chips[FAILED].isChecked()
    shown.panel.show_filter(TaskFilter(text="x"))
    kept = shown.names()
    shown.panel.show_all_again()
    assert shown.names() == kept, "the user has set another filter"


def test_rows_and_errors_are_copied_as_text(shown):
    shown.driver.advance(61)
    shown.driver.fail("t1")
    shown.tell()
    shown.grid.head.setSectionHidden(TaskColumn.STARTED, True)
    shown.selection.select_all([3, 1])
    shown.panel.copy_rows.trigger()
    assert QGuiApplication.clipboard().text().splitlines() == [
        "Status\tName\tWhy\tDevice\tPriority\tAttempts\tDuration",
        "Failed\tunit 10\texit 1\td\t50\t1\t1:01",
        "Running\tbuild\td · 0:00\td\t50\t1\t0:00",
    ]
    shown.panel.copy_errors.trigger()
    assert QGuiApplication.clipboard().text().startswith("unit 10 (on d, attempt 1)\nExit code ")


# ---- pictures and size


def test_thrown_away_and_made_anew_it_looks_the_same_in_both_themes(shown):
    shown.driver.fail("t0")
    shown.driver.ask(c.HoldTasks, "t4")
    shown.tell()
    shown.panel.show_filter(TaskFilter(forms=frozenset({FAILED, RUNNING, PENDING})))
    shown.grid.sortByColumn(TaskColumn.NAME, DOWN)
    shown.selection.select(2)
    fresh = shown.made()
    fresh.show_filter(shown.table.filter)
    fresh.grid.sortByColumn(TaskColumn.NAME, DOWN)
    fresh.resize(shown.panel.size())
    fresh.show()
    seen = []
    for theme in (Theme.DARK, Theme.LIGHT):
        shown.appearance.choose(theme)
        shown.app.processEvents()
        seen.append(shown.picture())
        assert shown.picture(fresh) == seen[-1]
    assert seen[0] != seen[1]


def test_times_tick_when_the_pane_is_told_of_a_second(shown):
    painted = Paints(shown.grid.viewport())
    before = shown.picture()
    shown.app.processEvents()
    painted.count = 0
    shown.driver.advance(3)
    shown.app.processEvents()
    assert not painted.count, "nobody has told it"
    shown.panel.on_changes(Changes(run_id="r", second=True))
    shown.app.processEvents()
    assert painted.count
    assert shown.picture() != before


def test_fifty_thousand_rows_are_sorted_selected_and_filtered_in_few_steps(appearance, app):
    driver = Driver(slots=4, checked=False)
    driver.create(independent(50_000))
    one = Shown(appearance, app, driver)
    steps: list[str] = []
    for name in ("rowsInserted", "rowsRemoved", "modelReset", "layoutChanged"):
        getattr(one.table, name).connect(lambda *_, name=name: steps.append(name))
    one.grid.sortByColumn(TaskColumn.NAME, DOWN)
    assert one.names()[0] == "t49999"
    one.grid.selectAll()
    assert len(one.selection.now.numbers) == 50_000
    one.grid.sortByColumn(TaskColumn.NAME, UP)
    one.selection.select_all(range(0, 50_000, 2))
    assert one.grid.selecting.is_selected(one.table.index_of(2))
    assert not one.grid.selecting.is_selected(one.table.index_of(3))
    one.panel.show_filter(TaskFilter(text="t4999"))
    assert len(one.names()) == 11
    assert one.grid.rowHeight(0) == ROW
    assert set(steps) <= {"modelReset", "layoutChanged"}
    assert len(steps) == 3


def test_the_chip_of_a_status_that_no_task_has_is_without_its_hue(shown):
    chip, palette = shown.bar.chips[FAILED], shown.appearance.palette
    chip.show()

    def colours():
        picture = chip.grab().toImage()
        return {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}

    chip.show_count(1)
    assert palette.status[FAILED].shape.lower() in colours()
    chip.show_count(0)
    assert palette.status[FAILED].shape.lower() not in colours()

"""The tasks pane and the one selection of the run: what is done in it goes there, and what is done elsewhere comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.driver import Driver, task
from tests.gui.panels.shown_tasks import Shown

from starloom.constellation.edits import AddTask, RemoveTask
from starloom.scheduling.state.codes import COMPLETED, PENDING, RUNNING
from starloom.testing import independent
from starloom_gui.models.task_cells import TaskColumn
from starloom_gui.models.task_filter import TaskFilter

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance

UP, DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


@pytest.fixture
def shown(appearance: Appearance, app: QApplication) -> Shown:
    return Shown(appearance, app)


def test_rows_are_selected_as_usual_for_all_views(shown):
    shown.click(0)
    assert shown.selection.now.numbers == {0}
    shown.click(2, Qt.KeyboardModifier.ShiftModifier)
    assert shown.selection.now.numbers == {0, 1, 2}
    shown.click(1, Qt.KeyboardModifier.ControlModifier)
    assert shown.selection.now.numbers == {0, 2}
    assert shown.selection.now.current == 1
    QTest.keyClick(shown.grid, Qt.Key.Key_Down)
    assert shown.selection.now.numbers == {2}
    QTest.keyClick(shown.grid, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert len(shown.selection.now.numbers) == 5


def test_what_is_selected_elsewhere_is_shown_without_being_told_back(shown):
    shown.selection.select_all([1, 3])
    assert shown.seen == [shown.selection.now]
    assert shown.selected() == {"unit 10", "build"}
    assert shown.grid.currentIndex().row() == 1


def test_a_filter_takes_nothing_out_of_the_selection_but_a_click_does(shown):
    shown.selection.select_all([0, 3])
    shown.seen.clear()
    shown.panel.show_filter(TaskFilter(text="unit"))
    assert not shown.seen
    assert shown.selected() == {"unit 1"}
    shown.click(1, Qt.KeyboardModifier.ControlModifier)
    assert shown.selection.now.numbers == {0, 1, 3}
    shown.panel.show_filter(TaskFilter())
    assert shown.selected() == {"unit 1", "unit 10", "build"}
    shown.panel.show_filter(TaskFilter(text="unit"))
    shown.click(1)
    assert shown.selection.now.numbers == {1}


def test_rows_that_come_and_go_change_no_selection_and_scroll_nothing(appearance, app):
    driver = Driver(slots=1, checked=False)
    driver.create(independent(200))
    one = Shown(appearance, app, driver)
    one.selection.select_all([0, 150], 0)
    one.grid.verticalScrollBar().setValue(900)
    one.seen.clear()
    one.panel.show_filter(TaskFilter(forms=frozenset({RUNNING, PENDING})))
    one.grid.verticalScrollBar().setValue(900)
    driver.end("t0")
    one.tell()
    assert 0 not in one.table.numbers()
    driver.edit(AddTask(task("new")), RemoveTask("t199"))
    one.tell()
    one.panel.show_filter(TaskFilter(forms=frozenset({RUNNING, PENDING, COMPLETED})))
    assert not one.seen
    assert one.selection.now.numbers == {0, 150}
    assert one.selected() == {"t0", "t150"}
    assert one.grid.verticalScrollBar().value() == 900


def test_sorting_keeps_what_is_selected(shown):
    shown.selection.select_all([0, 4])
    shown.seen.clear()
    shown.grid.sortByColumn(TaskColumn.NAME, DOWN)
    assert shown.selected() == {"unit 1", "lint"}
    assert not shown.seen


def test_the_window_coming_to_the_front_selects_nothing(shown):
    shown.grid.setFocus()
    shown.app.processEvents()
    assert not shown.seen
    assert shown.grid.currentIndex().isValid(), "keys go on from somewhere"


def test_hidden_it_is_not_touched_and_shown_again_it_knows_what_is_selected(shown):
    shown.panel.hide()
    shown.selection.select(2)
    assert not shown.selected()
    shown.panel.show()
    assert shown.selected() == {"unit 2"}


def test_a_row_that_comes_is_selected_if_its_task_is(shown):
    shown.panel.show_filter(TaskFilter(forms=frozenset({RUNNING})))
    shown.selection.select(3)
    assert not shown.selected()
    shown.driver.end("t0")
    shown.tell()
    assert shown.names() == ["unit 10", "unit 2", "build"]
    assert shown.selected() == {"build"}

"""The table of tasks: sorting, filtering and keeping a selection, without storms of signals."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from tests.driver import Driver, plan, task
from tests.gui.gateway.driven_bridge import DrivenBridge
from tests.gui.models.cells import steps_of, texts

from starloom.constellation.edits import AddTask, RemoveTask, UpdateTask
from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import TaskView
from starloom.scheduling.state.codes import FAILED, RUNNING
from starloom.testing import independent
from starloom_gui.canvas.badges import Badge, badge_of
from starloom_gui.gateway.changes import Changes
from starloom_gui.models.task_cells import COMPARED, TaskColumn
from starloom_gui.models.task_filter import TaskFilter
from starloom_gui.models.task_table import TaskTable
from starloom_gui.viewmodel.roles import ItemRole

pytestmark = pytest.mark.usefixtures("app")


class Shown:
    """A table over a driver's run."""

    def __init__(self, driver: Driver) -> None:
        self.driver, self.bridge = driver, DrivenBridge(driver)
        self.table = TaskTable(lambda: self.bridge.facts("r"), lambda: driver.now)
        self.steps = steps_of(self.table)
        self.tell()
        self.steps.clear()

    def tell(self) -> None:
        for changes in self.bridge.news():
            self.table.on_changes(changes)

    def names(self) -> list[str]:
        return texts(self.table, TaskColumn.NAME)


def shown(*tasks, slots: int = 1) -> Shown:
    driver = Driver(slots=slots)
    driver.create(plan(tasks))
    return Shown(driver)


def test_a_task_that_has_ended_is_not_marked_as_held_before_it_is_to_run_again():
    one = shown("a", "b", "c")
    run = one.driver.run()
    one.driver.ask(c.HoldTasks, "c", origin="operator")
    one.tell()
    row = one.names().index("c")
    held, status = one.table.index(row, 0), one.table.index(row, TaskColumn.STATUS)
    assert held.data(ItemRole.HELD)
    assert badge_of(run, 2, is_fenced=False, is_quiet=False) is Badge.HELD
    one.driver.ask(c.SkipTasks, "c", origin="operator")
    one.tell()
    assert 2 in run.held
    assert (held.data(ItemRole.HELD), status.data()) == (False, "Skipped")
    assert badge_of(run, 2, is_fenced=False, is_quiet=False) is Badge.NONE
    one.driver.ask(c.RetryTasks, "c", origin="operator")
    one.tell()
    assert held.data(ItemRole.HELD)


def test_a_row_says_that_its_task_prints_nothing():
    quiet: dict[int, float] = {}
    one = shown(task("a"), task("b"), slots=2)
    one.table = TaskTable(lambda: one.bridge.facts("r"), lambda: one.driver.now, quiet=lambda: quiet)
    told: list[tuple[int, int]] = []
    one.table.dataChanged.connect(lambda top, bottom: told.append((top.row(), bottom.row())))
    one.driver.now = 700.0
    quiet[1] = TaskView(one.driver.run(), 1).run.wall(700.0) - 620.0
    one.table.on_changes(Changes(run_id="r"))
    assert texts(one.table, TaskColumn.STATUS) == ["Running", "Running, no output"]
    assert told == [(1, 1)]
    row = one.table.index(1, TaskColumn.STATUS)
    assert "No output for 10:20" in row.data(Qt.ItemDataRole.ToolTipRole)
    assert [one.table.index(at, 0).data(ItemRole.QUIET) for at in range(2)] == [False, True]
    quiet.clear()
    one.table.on_changes(Changes(run_id="r"))
    assert texts(one.table, TaskColumn.STATUS) == ["Running", "Running"]
    assert told == [(1, 1), (1, 1)]


def test_a_row_says_where_its_task_stands():
    one = shown(task("a", name="first", priority=80), task("b", priority=0))
    one.driver.now = 42.0
    one.driver.turn()
    cells = [
        [one.table.data(one.table.index(row, column)) for column in TaskColumn if column not in COMPARED]
        for row in range(2)
    ]
    assert [cell for column, cell in enumerate(cells[0]) if column != TaskColumn.STARTED] == [
        "Running",
        "first",
        "d",
        "80",
        "1",
        "0:42",
        "d · 0:42",
    ]
    assert cells[1] == ["Ready", "b", "", "0", "", "", "", "in line · 0:42"]
    assert all(column.column.heading() for column in TaskColumn)
    assert {
        column
        for column in TaskColumn
        if one.table.data(one.table.index(0, column), Qt.ItemDataRole.TextAlignmentRole)
        & int(Qt.AlignmentFlag.AlignRight)
    } == COMPARED | {TaskColumn.PRIORITY, TaskColumn.ATTEMPTS, TaskColumn.STARTED, TaskColumn.DURATION}


def test_rows_are_sorted_by_any_column_both_ways_and_by_place_again():
    one = shown(task("b", priority=20), task("C", priority=100), task("a"))
    one.table.sort(TaskColumn.NAME)
    assert one.names() == ["a", "b", "C"]
    one.table.sort(TaskColumn.PRIORITY, Qt.SortOrder.DescendingOrder)
    assert one.names() == ["C", "a", "b"]
    one.table.sort(-1)
    assert one.names() == ["b", "C", "a"]


def test_a_changed_row_moves_to_its_place_a_moment_later_and_what_is_selected_stays_selected():
    one = shown(*(task(name) for name in "abcd"))
    one.table.sort(TaskColumn.PRIORITY)
    selection = QItemSelectionModel(one.table)
    selection.select(one.table.index(1, 0), QItemSelectionModel.SelectionFlag.Select)
    assert one.table.number_at(1) == 1
    one.driver.ask(c.SetPriority, "b", priority=100)
    one.tell()
    assert one.names() == ["a", "b", "c", "d"]
    one.table.settle()
    assert one.names() == ["a", "c", "d", "b"]
    assert [one.table.number_at(index.row()) for index in selection.selectedIndexes()] == [1]


def test_a_filter_follows_what_happens():
    one = shown(*(task(name) for name in ("build-1", "build-2", "test-1")), slots=3)
    one.table.set_filter(TaskFilter(forms=frozenset({FAILED})))
    assert one.names() == []
    one.driver.fail("build-2")
    one.tell()
    assert one.names() == ["build-2"]
    one.driver.ask(c.RetryTasks, "build-2")
    one.tell()
    assert one.names() == []
    one.table.set_filter(TaskFilter(text="BUILD", forms=frozenset({RUNNING})))
    assert one.names() == ["build-1", "build-2"]
    one.table.set_filter(TaskFilter(device="d"))
    assert len(one.names()) == 3
    one.table.set_filter(TaskFilter(device="e"))
    assert one.names() == []


def test_edits_add_change_and_take_away_rows_without_touching_others():
    one = shown(task("a"), task("b"), task("c"))
    one.driver.edit(AddTask(task("d")), RemoveTask("b"), UpdateTask("c", name="new"))
    one.tell()
    assert one.names() == ["a", "new", "d"]
    assert one.steps.count("inserted") == one.steps.count("removed") == 1
    assert "reset" not in one.steps
    one.driver.edit(AddTask(task("b"), 1))
    one.tell()
    assert one.names() == ["a", "b", "new", "d"]


def test_fifty_thousand_rows_are_one_reset_and_a_thousand_changes_a_few_signals():
    driver = Driver(slots=None, checked=False)
    driver.create(independent(50_000), start=False)
    one = Shown(driver)
    assert one.table.rowCount() == 50_000
    ids = [f"t{number}" for number in range(0, 50_000, 50)]
    driver.ask(c.SetPriority, *ids, priority=80)
    one.tell()
    assert one.steps == ["data"]
    assert one.table.data(one.table.index(50, TaskColumn.PRIORITY)) == "80"
    one.steps.clear()
    one.table.set_filter(TaskFilter(text="t499"))
    assert one.steps == ["reset"]
    assert len(one.names()) == 111


def test_a_table_of_a_run_that_is_not_there_is_empty_until_it_is():
    driver = Driver()
    bridge = DrivenBridge(driver)
    table = TaskTable(lambda: bridge.facts("r"), lambda: 0.0)
    table.sort(TaskColumn.NAME)
    assert table.rowCount() == 0
    driver.create(plan("ba"))
    for changes in bridge.news():
        table.on_changes(changes)
    assert texts(table, TaskColumn.NAME) == ["a", "b"]

"""Who is in line and what for, the selection shared with other views, the counts, and what a hidden pane costs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QFontMetricsF
from PySide6.QtTest import QTest
from tests.driver import Driver, plan, task
from tests.gui.models.cells import texts
from tests.gui.panels.queues import QueueBench, waiting

from starloom.constellation.edits import AddTask, EditBatch
from starloom.scheduling import commands as c
from starloom_gui.documents.facts import facts_of
from starloom_gui.gateway.changes import FLEET, Changes
from starloom_gui.models import queue_table
from starloom_gui.models.queue_table import MOST, PATIENCE, QueueColumn, QueueTable
from starloom_gui.panels.queue_words import sum_words
from starloom_gui.text import translations
from starloom_gui.theme.appearance import Theme
from starloom_gui.widgets.table_view import HEADING_PAD

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

EVERYTHING = Changes(run_id=FLEET, everything=True)


def picture(bench: QueueBench) -> QImage:
    focused = bench.app.focusWidget()
    if focused is not None:
        focused.clearFocus()  # only one window can have it, and it is to be seen
    bench.app.processEvents()
    return bench.pane.grab().toImage()


def row_at(bench: QueueBench, row: int, column: int = 1) -> QPoint:
    return bench.pane.queue.visualRect(bench.table.index(row, column)).center()


def click(bench: QueueBench, row: int, modifiers: Any = Qt.KeyboardModifier.NoModifier) -> None:
    port = bench.pane.queue.viewport()
    QTest.mouseClick(port, Qt.MouseButton.LeftButton, modifiers, row_at(bench, row))


def test_the_line_stands_in_order_with_what_each_waits_for(app, appearance):
    bench = QueueBench(waiting(), appearance, app)
    assert texts(bench.table, QueueColumn.TASK)[:3] == ["step 5", "step 0", "step 1"]
    assert set(texts(bench.table, QueueColumn.BLOCKED)) == {"limit of all runs"}
    bench.asks.driver.do(c.SetLimits(max_concurrency=None))
    bench.told()
    assert set(texts(bench.table, QueueColumn.BLOCKED)) == {"limit group licences", "a free slot"}, "any device will do"
    bench.driver.do(c.PinTasks(run_id="r", task_ids=("t4",), device_id="local"))
    bench.told()
    assert set(texts(bench.table, QueueColumn.BLOCKED)) == {"limit group licences", "a free slot", "slot of local"}
    bench.driver.do(c.PauseRun(run_id="r"))
    bench.told()
    assert set(texts(bench.table, QueueColumn.BLOCKED)) == {"the paused run"}


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_heading_is_cut_in_any_language(spoken, appearance, language):
    translations.install(spoken, language)
    bench = QueueBench(waiting(), appearance, spoken)
    bench.pane.resize(1000, 300)
    heads = bench.pane.queue.horizontalHeader()
    words = QFontMetricsF(heads.font())
    for each in QueueColumn:
        if not heads.isSectionHidden(each):
            assert heads.sectionSize(each) >= words.horizontalAdvance(each.column.heading()) + 2 * HEADING_PAD, each


def test_the_time_waited_goes_on_while_the_run_is_paused_as_reports_count_it_and_only_ageing_stands_still(
    app, appearance
):
    driver = waiting()
    driver.do(c.PauseRun(run_id="r"))
    driver.end("first")
    driver.do(c.EditConstellation(run_id="r", batch=EditBatch(edits=(AddTask(task("new")),))))
    driver.advance(60)
    bench = QueueBench(driver, appearance, app)

    def cell(name: str, column: QueueColumn, role: int = Qt.ItemDataRole.DisplayRole) -> str:
        place = next(at for at, row in enumerate(bench.table.rows) if row.task_id == name)
        return str(bench.table.index(place, column).data(role))

    assert (cell("t1", QueueColumn.WAITED), cell("new", QueueColumn.WAITED)) == ("1:06", "1:00")
    assert "while the run does not go on" in cell("t1", QueueColumn.EFFECTIVE, Qt.ItemDataRole.ToolTipRole)
    effective = cell("new", QueueColumn.EFFECTIVE)
    driver.do(c.ResumeRun(run_id="r"))
    bench.told()
    assert (cell("new", QueueColumn.WAITED), cell("new", QueueColumn.EFFECTIVE)) == ("1:00", effective)
    assert "while the run" not in cell("new", QueueColumn.EFFECTIVE, Qt.ItemDataRole.ToolTipRole)


def test_tasks_that_are_ready_and_in_no_line_are_counted_beside_it(app, appearance):
    driver = Driver(slots=1)
    driver.create(plan(["a", "b", "c"]))
    bench = QueueBench(driver, appearance, app)
    assert bench.pane._heading.text().startswith("2 ")
    assert bench.pane._more.text() == ""
    driver.do(c.HoldTasks(run_id="r", task_ids=("b", "c")))
    bench.told()
    assert bench.pane._heading.text().startswith("0 ")
    assert bench.pane._more.text().startswith("2 ")
    assert bench.pane._more.text().endswith("ready: held, at a breakpoint, or not to start yet")


def test_what_was_not_started_has_not_waited(app, appearance):
    driver = Driver(slots=1)
    driver.create(plan(["a"]), start=False)
    driver.advance(60)
    bench = QueueBench(driver, appearance, app)
    assert texts(bench.table, QueueColumn.WAITED) == ["–"]


def test_why_is_asked_once_for_tasks_with_the_same_constraints(app, appearance):
    bench = QueueBench(waiting(40), appearance, app)
    bench.asked.clear()
    bench.told()
    texts(bench.table, QueueColumn.BLOCKED)
    assert len(bench.asked) == 2


def test_a_click_selects_and_a_selection_made_elsewhere_shows(app, appearance):
    bench = QueueBench(waiting(), appearance, app)
    numbers = [row.number for row in bench.table.rows]
    click(bench, 1)
    assert bench.selection.now.numbers == {numbers[1]}
    click(bench, 3, Qt.KeyboardModifier.ControlModifier)
    assert bench.selection.now.numbers == {numbers[1], numbers[3]}
    before = picture(bench)
    bench.selection.select(numbers[2])
    assert picture(bench) != before
    assert bench.pane.queue.is_selected(bench.table.rows[2])


def test_arrow_keys_select_and_stay_with_their_task_when_the_rows_are_others(app, appearance):
    bench = QueueBench(waiting(), appearance, app)
    click(bench, 0)
    QTest.keyClick(bench.pane.queue, Qt.Key.Key_Down)
    second = bench.table.rows[1]
    assert bench.selection.now.numbers == {second.number}
    bench.driver.end("second")
    bench.told()
    assert bench.table.rows[0].number == second.number
    QTest.keyClick(bench.pane.queue, Qt.Key.Key_Down)
    assert bench.selection.now.numbers == {bench.table.rows[1].number}


def test_a_task_of_another_run_is_not_selected_but_told_of(app, appearance):
    driver = waiting(2)
    driver.create(plan([task("far")]), run_id="other")
    bench = QueueBench(driver, appearance, app)
    told = []
    bench.pane.elsewhere_chosen.connect(told.append)
    assert not bench.pane.queue.isColumnHidden(QueueColumn.RUN)
    far = next(at for at, row in enumerate(bench.table.rows) if row.run_id == "other")
    click(bench, far)
    assert [row.task_id for row in told] == ["far"]
    assert not bench.selection.now.numbers


def test_a_menu_is_wanted_for_the_row_under_the_pointer_which_gets_selected(app, appearance):
    bench = QueueBench(waiting(), appearance, app)
    wanted = []
    bench.pane.menu_wanted.connect(wanted.append)
    port = bench.pane.queue.viewport()
    at = row_at(bench, 2)
    app.sendEvent(port, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, port.mapToGlobal(at)))
    (one,) = wanted
    assert one.row == bench.table.rows[2]
    assert bench.selection.now.numbers == {one.row.number}


def test_the_counts_are_a_sum_that_comes_out():
    driver = waiting()
    driver.end("second")
    driver.fail("first")
    counts = driver.run().counts()
    words = sum_words(counts)
    assert words == "14 submitted = 1 done + 1 failed + 2 running + 10 ready"
    total, parts = words.split(" submitted = ")
    assert int(total) == sum(int(part.split()[0]) for part in parts.split(" + "))
    assert sum_words({}) == "0 submitted"


def test_an_empty_line_is_a_sentence(app, appearance):
    bench = QueueBench(Driver(checked=False), appearance, app, run_id="none")
    assert bench.pane._nobody.isVisible()
    assert not bench.pane.queue.isVisible()


def test_of_a_long_line_the_first_are_shown_and_the_rest_is_counted(app, appearance):
    bench = QueueBench(waiting(MOST + 5), appearance, app)
    assert len(bench.table.rows) == MOST
    assert "5 " in bench.pane._more.text()


def test_a_hidden_pane_reads_nothing_and_shown_again_everything(app, appearance, monkeypatch):
    bench = QueueBench(waiting(), appearance, app)
    bench.pane.hide()
    read = []
    original = QueueTable.rebuild
    monkeypatch.setattr(QueueTable, "rebuild", lambda table: read.append(1) or original(table))
    bench.pane.on_changes(EVERYTHING)
    assert not bench.table._calm.isActive()
    assert not read
    bench.driver.do(c.SetLimits(max_concurrency=3))
    bench.pane.show()
    app.processEvents()
    assert read
    assert bench.pane.limits.row("running", "").field.value() == 3


def test_a_change_is_shown_without_being_asked_for(app, appearance, qtbot):
    bench = QueueBench(waiting(), appearance, app)
    bench.driver.end("second")
    bench.pane.on_changes(Changes(run_id="r", tasks=frozenset({1})))
    qtbot.waitUntil(lambda: bench.table.total == 11)
    assert "1 done" in bench.pane._sum.text()


def test_the_counts_do_not_wait_for_the_calm_of_the_rows(app, appearance):
    bench = QueueBench(waiting(), appearance, app)
    bench.table._calm.setInterval(60_000)
    bench.driver.end("second")
    bench.pane.on_changes(Changes(run_id="r", tasks=frozenset({1})))
    assert bench.table._calm.isActive()
    assert "1 done" in bench.pane._sum.text(), "as in the header"


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
def test_a_pane_made_anew_shows_the_same(app, appearance, theme):
    appearance.choose(theme)
    one = QueueBench(waiting(), appearance, app)
    one.driver.end("second")
    one.driver.advance(30)
    one.driver.do(c.SetLimits(max_concurrency=5, groups={"licences": 2, "new": 7}))
    one.driver.do(c.SetSlots(device_id="lab", slots=3))
    one.told()
    other = QueueBench(one.driver, appearance, app)
    assert picture(one) == picture(other)
    one.driver.do(c.SetSlots(device_id="lab", slots=4))
    one.told()
    assert picture(one) != picture(other)


def test_narrow_panes_leave_out_what_counts_least(app, appearance):
    bench = QueueBench(waiting(), appearance, app)
    assert not bench.pane.queue.isColumnHidden(QueueColumn.BASE)
    bench.pane.resize(640, 252)
    app.processEvents()
    assert bench.pane.queue.isColumnHidden(QueueColumn.BASE)
    assert not bench.pane.queue.isColumnHidden(QueueColumn.BLOCKED)


def test_with_two_runs_names_keep_their_room_as_less_important_columns_go(app, appearance):
    driver = waiting()
    driver.create(plan(["other"]), run_id="s")
    driver.do(c.SetLimits(max_concurrency=0))
    for wide in (1144, 800, 740, 720):
        bench = QueueBench(driver, appearance, app)
        bench.pane.resize(wide, 252)
        bench.told()
        assert not bench.pane.queue.isColumnHidden(QueueColumn.RUN)
        assert not bench.pane.queue.isColumnHidden(QueueColumn.BLOCKED)
        assert bench.pane.queue.columnWidth(QueueColumn.TASK) >= 60, wide


def test_of_a_plan_that_nobody_has_started_nothing_was_submitted(app, appearance, monkeypatch):
    driver = waiting()
    bench = QueueBench(driver, appearance, app)
    plans = facts_of(plan(["a", "b", "c"]), "plan 1", driver.scheduler.fleet)
    monkeypatch.setattr(bench, "facts_of", lambda _run_id: plans)
    bench.told()
    assert bench.pane._sum.text().startswith("3 task")
    assert bench.pane._sum.text().endswith(", not started")
    assert "submitted" in QueueBench(driver, appearance, app).pane._sum.text(), "of a run it was, though none runs yet"
    assert not bench.pane.queue.isColumnHidden(QueueColumn.RUN), "whoever is in line is of another run"


def test_a_queue_that_takes_long_to_read_is_read_more_rarely(app, monkeypatch):
    moments = iter((5.0, 5.001, 10.0, 10.1))
    monkeypatch.setattr(queue_table, "time", SimpleNamespace(perf_counter=lambda: next(moments)))
    table = QueueTable(lambda _most: ([], 0), lambda _run_id: None)
    assert table._calm.interval() == PATIENCE
    table.rebuild()
    assert table._calm.interval() == 2000

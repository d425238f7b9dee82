"""The event log: rows with their causes, filters, following the newest, selecting, copying, and what is not kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QMouseEvent
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication
from tests.gui.gateway.driven_bridge import DrivenBridge
from tests.gui.models.cells import texts
from tests.gui.panels.fleets import coverage

from starloom import events as ev
from starloom.model.result import ErrorCode, ErrorInfo, Result
from starloom.scheduling import commands as c
from starloom_gui.gateway.changes import Changes
from starloom_gui.gateway.event_log import EventLog
from starloom_gui.models import event_table
from starloom_gui.models.event_table import EventColumn, EventFilter, EventTable
from starloom_gui.panels.event_corner import EventsCorner
from starloom_gui.panels.events import EventsPane
from starloom_gui.specs.event_list import EVENTS
from starloom_gui.specs.event_spec import EventSort
from starloom_gui.theme.appearance import Theme
from starloom_gui.theme.metrics import ROW
from starloom_gui.viewmodel.event_words import kind_word, kinds_of
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from starloom_gui.theme.appearance import Appearance


class Log:
    """A run, what happened in it, and the pane."""

    def __init__(self, appearance: Appearance) -> None:
        self.driver, self.run = coverage()
        self.bridge = DrivenBridge(self.driver)
        self.selection = Selection()
        self._appearance = appearance
        list(self.bridge.news())
        self.pane = self.made_anew()
        self.grid, self.table = self.pane.grid, self.pane._table

    def made_anew(self) -> EventsPane:
        table = EventTable(self.bridge.log, lambda at: at, self.bridge.facts)
        pane = EventsPane(self._appearance, self.selection, self.driver.run, table, self.run.run_id)
        pane.resize(900, 200)
        pane.show()
        QApplication.processEvents()
        return pane

    def told(self) -> None:
        for changes in list(self.bridge.news()):
            self.pane.on_changes(changes)
        QApplication.processEvents()

    def add(self, count: int, name: str = "t") -> None:
        """So many events more, as if tasks got ready."""
        for number in range(count):
            self.bridge.log.add(ev.TaskReady(number, 0.0, self.run.run_id, f"{name}{number}"))
        self.pane.on_changes(Changes(run_id=self.run.run_id, log=True))
        QApplication.processEvents()

    def row_of(self, text: str) -> int:
        return texts(self.table, EventColumn.TEXT).index(text)

    def click(self, row: int) -> None:
        self.grid.scrollTo(self.table.index(row, 0))
        place = self.grid.visualRect(self.table.index(row, EventColumn.TEXT)).center()
        QTest.mouseClick(self.grid.viewport(), Qt.MouseButton.LeftButton, pos=place)

    def top(self) -> int:
        """The number of the event in the uppermost row."""
        return self.table._numbers[self.grid.rowAt(0)]


@pytest.fixture
def log(app, appearance) -> Log:
    return Log(appearance)


def test_each_row_says_what_happened_and_why_or_whose_doing_it_was(log):
    log.driver.ask(c.SetPriority, "coverage", priority=80)
    log.driver.fail("fuzz")
    log.told()
    causes = dict(zip(texts(log.table, EventColumn.TEXT), texts(log.table, EventColumn.CAUSE), strict=True))
    assert causes["coverage is ready"] == "unit usb has ended"
    assert causes["Priority 80 for coverage"] == "by hand"
    assert causes["fuzz ui failed, attempt 1: It exited with 1"] == "by the task itself"
    assert causes["coverage started on local, attempt 1"] == "by the engine"
    assert {text for text, cause in causes.items() if not cause} == {
        "local joined the fleet",
        "build-1 joined the fleet",
    }
    assert log.grid.rowHeight(0) == ROW


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        (ErrorCode.EXIT_CODE, "by the task itself"),
        (ErrorCode.DEVICE_LOST, "its device was lost"),
        (ErrorCode.TIMEOUT, "its timeout"),
        (ErrorCode.REJECTED, "it was rejected"),
        (ErrorCode.MARKED, "it was marked"),
    ],
)
def test_a_failure_that_is_not_the_tasks_own_has_its_cause(log: Log, code: ErrorCode, cause: str) -> None:
    result = Result(error=ErrorInfo(code=code, message="So it ended."))
    for seq, made in enumerate((ev.TaskFailed, ev.TaskRetryScheduled)):
        event = made(seq, 0.0, log.run.run_id, "fuzz", 1, result)
        assert log.table.cause_of(event) == cause


def test_an_interrupted_attempt_says_what_interrupted_it(log: Log) -> None:
    run_id = log.run.run_id
    assert log.table.cause_of(ev.TaskInterrupted(0, 0.0, run_id, "fuzz", 1)) == "the program that ran it had ended"
    assert log.table.cause_of(ev.TaskInterrupted(0, 0.0, run_id, "fuzz", 1, "It is slow.")) == "by the engine"


def test_a_row_that_is_clicked_selects_its_task_everywhere_and_its_rows_are_raised(log):
    log.click(log.row_of("coverage is ready"))
    number = log.run.graph.place["coverage"]
    assert log.selection.now.numbers == {number}
    assert log.grid.marked == "coverage"
    fleet = next(row for row in range(log.table.rowCount()) if not texts(log.table, EventColumn.TASK)[row])
    log.click(fleet)
    assert log.selection.now.numbers == {number}, "an event without a task selects nothing"
    log.grid.setCurrentIndex(log.table.index(log.row_of("coverage is ready") - 1, 0))
    QTest.keyClick(log.grid, Qt.Key.Key_Up)
    assert log.selection.now.numbers != {number}


def test_rows_that_come_or_go_select_nothing(log):
    log.click(log.row_of("coverage is ready"))
    changed = QSignalSpy(log.selection.changed)
    log.add(50)
    log.pane.search.setText("unit")
    log.pane.show_everything()
    assert changed.count() == 0


def test_kinds_are_hidden_one_by_one_or_by_sort_in_a_menu_that_stays_open(log):
    menu = log.pane.open_kinds(QPoint(0, 0))
    entries = {action.text(): action for action in menu.actions()}
    tasks = {action.text(): action for action in entries["Tasks"].menu().actions()}
    before = log.table.rowCount()
    tasks["Task started"].trigger()
    assert not any("started on" in text for text in texts(log.table, EventColumn.TEXT))
    assert not tasks["All of these"].isChecked()
    assert not entries["Everything"].isChecked()
    assert log.pane.kinds.text() == "1 kind(s) hidden"
    tasks["All of these"].trigger()
    assert log.table.rowCount() == before
    entries["Everything"].trigger()
    assert log.table.rowCount() == 0
    assert log.pane.kinds.text().endswith("hidden")
    at = menu.actionGeometry(entries["Everything"]).center()
    for kind in (QEvent.Type.MouseMove, QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
        where = QPointF(at)
        pressed = Qt.MouseButton.LeftButton
        QApplication.sendEvent(
            menu, QMouseEvent(kind, where, QPointF(menu.mapToGlobal(at)), pressed, pressed, Qt.KeyboardModifier(0))
        )
    assert menu.isVisible()
    assert log.table.rowCount() == before
    menu.close()


def test_rows_are_found_by_task_or_text_and_without_any_a_button_shows_everything(log):
    before = log.table.rowCount()
    log.pane.search.setText("UNIT HAL")
    assert set(texts(log.table, EventColumn.TASK)) == {"unit hal"}
    log.pane.search.setText("is done")
    assert len(texts(log.table, EventColumn.TASK)) == 3
    log.pane.search.setText("nothing like this")
    assert not log.grid.isVisible()
    assert log.pane._sentence.text() == "No event passes the filter."
    log.pane._clear.click()
    assert log.grid.isVisible()
    assert log.table.rowCount() == before


def test_only_the_selected_tasks_rows_are_shown_as_long_as_that_is_wanted(log):
    log.pane.only_selected.click()
    for name in ("unit hal", "coverage"):
        log.selection.select(log.run.graph.place[name])
        assert set(texts(log.table, EventColumn.TASK)) == {name}
    log.pane.only_selected.click()
    assert len(set(texts(log.table, EventColumn.TASK))) > 2


def test_the_newest_is_followed_until_somebody_scrolls_up_and_then_nothing_moves(log, appearance):
    corner = EventsCorner(log.pane, appearance)
    bar = log.grid.verticalScrollBar()
    log.add(100)
    assert bar.value() == bar.maximum() > 0
    assert corner.live.isChecked()
    bar.setValue(20 * ROW)
    assert not corner.live.isChecked()
    top = log.top()
    log.add(100)
    assert log.top() == top
    corner.live.click()
    assert bar.value() == bar.maximum()
    assert corner.live.isChecked()
    corner.deleteLater()


def test_what_is_not_kept_is_counted_and_its_rows_go_without_moving_the_others(log):
    log.bridge.log._most = 200
    log.add(150)
    log.grid.verticalScrollBar().setValue(100 * ROW)
    top = log.top()
    assert not log.pane.notice.isVisible()
    log.add(60)
    gone = log.bridge.log.begin
    assert 0 < gone < top
    assert log.pane.notice.words.text() == f"{gone} earlier event(s) are not kept here."
    assert all(texts(log.table, EventColumn.TEXT)), "no row stays behind empty"
    assert log.top() == top
    log.bridge.log.lost = 7
    log.add(1)
    assert log.pane.notice.words.text().endswith("7 event(s) came too fast to be listed.")


def test_a_filter_reads_a_long_log_in_steps_and_finds_the_same(log, monkeypatch):
    log.add(5_000)
    monkeypatch.setattr(event_table, "_BUDGET", 0.0)
    monkeypatch.setattr(event_table, "_STEP", 100)
    wanted = EventFilter(run_id=log.run.run_id, text="t499")
    log.table.set_filter(wanted)
    assert log.table.is_reading
    spy = QSignalSpy(log.table.rowsInserted)
    while log.table.is_reading:
        log.table._look_back()
    log.table._timer.stop()
    found = texts(log.table, EventColumn.TASK)
    assert found == ["t499", *(f"t499{digit}" for digit in range(10))]
    assert spy.count() >= 1


def test_rows_are_copied_as_text(log):
    log.click(log.row_of("coverage is ready"))
    QTest.keySequence(log.grid, "Ctrl+C")
    (line,) = QGuiApplication.clipboard().text().splitlines()
    assert line.split("\t")[1:] == ["Tasks", "coverage", "coverage is ready", "unit usb has ended"]
    log.grid.clearSelection()
    log.grid.copy()
    assert len(QGuiApplication.clipboard().text().splitlines()) == log.table.rowCount()


def test_the_menu_of_a_row_is_asked_for_its_task(log):
    asked: list[QPoint] = []
    log.pane.menu_asked.connect(asked.append)
    row = log.row_of("coverage is ready")
    log.grid.scrollTo(log.table.index(row, 0))
    at = log.grid.visualRect(log.table.index(row, EventColumn.TEXT)).center()
    shown_at = log.grid.viewport().mapToGlobal(at)
    QApplication.sendEvent(log.grid.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, shown_at))
    assert asked == [shown_at]
    assert log.selection.now.numbers == {log.run.graph.place["coverage"]}


def test_without_events_a_sentence_says_what_will_be_here(app, appearance):
    driver, _ = coverage()
    pane = EventsPane(appearance, Selection(), driver.run, EventTable(EventLog(), lambda at: at))
    pane.resize(600, 200)
    pane.show()
    assert pane._sentence.text() == "No events yet. What happens in the run will be listed here."
    assert not pane._clear.isVisible()


def test_no_two_kinds_that_are_logged_are_called_the_same():
    named = [kind for sort in EventSort for kind in kinds_of(sort)]
    assert len({kind_word(kind) for kind in named}) == len(named)
    unlogged = {ev.Snapshot, ev.FleetSnapshot, ev.FleetLoad, ev.TasksDeclared, ev.RunReadied, ev.CommandAnswered}
    assert set(named) == EVENTS.keys() - unlogged


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
def test_a_pane_made_anew_shows_the_same(log, appearance, theme):
    appearance.choose(theme)
    log.driver.fail("fuzz")
    log.told()
    log.pane.grid.clearFocus()
    other = log.made_anew()
    while (focused := QApplication.focusWidget()) is not None:
        focused.clearFocus()
    assert log.pane.grab().toImage() == other.grab().toImage()
    log.add(1)
    assert log.pane.grab().toImage() != other.grab().toImage()


def test_whose_doing_it_is_that_a_device_is_there_is_not_made_up(log):
    joined = ev.DeviceAdded(1, 1.0, "", "dev2")
    assert log.table.cause_of(joined) == ""


def test_of_a_run_that_was_taken_up_the_pane_says_where_the_events_before_are(log):
    assert not log.pane.notice.isVisible()
    run_id = log.run.run_id
    table = EventTable(EventLog(), lambda at: at, log.bridge.facts)
    log.driver.run().sessions[:] = [(0.0, 1e9), (5.0, 2e9)]
    pane = EventsPane(log._appearance, log.selection, log.driver.run, table, run_id)
    pane.show()
    table._log.add(ev.DeviceConnected(1, 5.0, "", "local"))
    table._log.add(ev.RunRecovered(9, 5.0, run_id, wall_time=1e9))
    table._log.add(ev.TaskReady(10, 6.0, run_id, "coverage"))
    pane.on_changes(Changes(run_id=run_id, log=True))
    assert "What happened earlier is told in the past of the run" in pane.notice.words.text()
    assert table.index(1, EventColumn.TEXT).data() == "The run was opened again", "one that is paused stays so"
    pane.close()
    pane.deleteLater()

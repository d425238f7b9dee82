"""Where an earlier run is told of besides the timeline: columns of the tasks, and the line about the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QByteArray, Qt
from tests.gui.diff.runs import BEGAN, now, then
from tests.gui.looks import looks

from starloom import events as ev
from starloom.model.status import RunState
from starloom_gui.diff.run_difference_words import MINUS
from starloom_gui.gateway.changes import Changes
from starloom_gui.models.task_cells import COMPARED, TaskColumn, TaskSource
from starloom_gui.models.task_table import TaskTable
from starloom_gui.panels.compared_bar import ComparedStrip
from starloom_gui.panels.compared_run import Compared
from starloom_gui.panels.task_copying import rows_text
from starloom_gui.panels.task_grid import TaskGrid
from starloom_gui.theme.appearance import Theme
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.diff.baseline_run import BaselineRun
    from starloom_gui.theme.appearance import Appearance

AT = BEGAN + 20.0


@pytest.fixture
def appearance(app: QApplication) -> Iterator[Appearance]:
    with looks(app, Theme.DARK) as made:
        yield made


def cells(table: TaskTable, column: TaskColumn) -> dict[str, str]:
    rows = range(table.rowCount())
    return {table.index(row, TaskColumn.NAME).data(): table.index(row, column).data() for row in rows}


def order(table: TaskTable) -> list[str]:
    return [table.index(row, TaskColumn.NAME).data() for row in range(table.rowCount())]


@pytest.mark.usefixtures("app")
def test_three_columns_tell_how_tasks_differ_and_sort_them() -> None:
    run = now().run
    table = TaskTable(lambda: run, lambda: AT)
    assert set(cells(table, TaskColumn.LONGER).values()) == {""}
    table.compare(then())
    assert cells(table, TaskColumn.BEFORE) == {"new": "", "late": "", "b": "0:34 in 2 attempt(s)", "a": "0:10"}
    assert cells(table, TaskColumn.LATER) == {"new": "", "late": "", "b": "+3.0 s", "a": f"{MINUS}1.0 s"}
    assert cells(table, TaskColumn.LONGER) == {"new": "", "late": "", "b": "", "a": "+5.0 s"}
    table.sort(TaskColumn.LATER, Qt.SortOrder.DescendingOrder)
    assert order(table)[:2] == ["b", "a"]
    table.sort(TaskColumn.BEFORE, Qt.SortOrder.AscendingOrder)
    assert order(table)[2:] == ["a", "b"], "what is not known comes first"
    table.compare(None)
    assert set(cells(table, TaskColumn.BEFORE).values()) == {""}


@pytest.mark.usefixtures("app")
def test_a_task_that_comes_to_take_longer_moves_in_the_order() -> None:
    run, at = now().run, [AT]
    table = TaskTable(lambda: run, lambda: at[0])
    table.compare(then())
    table.sort(TaskColumn.LONGER, Qt.SortOrder.DescendingOrder)
    assert order(table)[0] == "a"
    at[0] = BEGAN + 60.0
    table.on_changes(Changes(run_id=run.run_id, second=True))
    table.settle()
    assert order(table)[0] == "b"
    assert cells(table, TaskColumn.LONGER)["b"] == "+0:23 in all attempts"


def test_the_columns_are_there_only_while_there_is_something_to_compare(appearance: Appearance) -> None:
    run = now().run
    table = TaskTable(lambda: run, lambda: AT)
    grid = TaskGrid(table, appearance, Selection())
    head = grid.head
    plain = head.shown()
    state = head.columns_state()
    assert COMPARED.isdisjoint(plain)
    head.show_extra(on=True)
    shown = head.shown()
    place = shown.index(TaskColumn.NAME)
    assert shown[place + 1 : place + 4] == [TaskColumn.BEFORE, TaskColumn.LATER, TaskColumn.LONGER]
    head.show_extra(on=True)
    assert head.shown() == shown, "asked twice it stays as it is"
    assert head.restore_columns(bytes(QByteArray(state).data()))
    assert set(head.shown()) == {*plain, *COMPARED}, "what was kept knows nothing of comparing"
    head.show_extra(on=False)
    assert head.shown() == plain


@pytest.mark.usefixtures("app")
def test_rows_that_are_copied_have_the_columns_too() -> None:
    run = now().run
    source = TaskSource(run, lambda: AT, then())
    text = rows_text(source, [run.graph.place["a"]], [TaskColumn.NAME, TaskColumn.LONGER])
    assert text == "Name\tLonger by\na\t+5.0 s"


class Noted:
    """A view that notes what it is to compare with."""

    def __init__(self) -> None:
        self.told: list[BaselineRun | None] = []

    def compare(self, earlier: BaselineRun | None) -> None:
        self.told.append(earlier)


def made(appearance: Appearance, run: RunFacts, at: list[float]) -> tuple[Compared, ComparedStrip, Noted]:
    strip, view = ComparedStrip(appearance), Noted()
    compared = Compared(lambda: run, lambda: at[0], strip, strip)
    compared.add(view)
    return compared, strip, view


def test_the_line_keeps_up_with_time_and_with_the_end(appearance: Appearance) -> None:
    stream, at = now(), [AT]
    compared, strip, _ = made(appearance, stream.run, at)
    compared.compare(then())
    assert "done by now 2 → 1" in strip.said
    at[0] = BEGAN + 45.0
    compared.on_changes(Changes(run_id="r2", tasks=frozenset({1})))
    assert "done by now 2 → 1" in strip.said, "what one task does is left until the second is over"
    compared.on_changes(Changes(run_id="r2", second=True))
    assert "done by now 3 → 1" in strip.said
    stream.say(ev.TaskCompleted, BEGAN + 50.0, task_id="b", attempt=1)
    stream.say(ev.RunEnded, BEGAN + 50.0, state=RunState.COMPLETED)
    compared.on_changes(Changes(run_id="r2", run=True))
    assert strip.said.startswith("0:10 faster than “then”")


def test_its_button_ends_it_and_what_comes_too_late_is_dropped(appearance: Appearance) -> None:
    compared, strip, view = made(appearance, now().run, [AT])
    earlier = then()
    compared.compare(earlier)
    assert not strip.isHidden()
    strip.off.click()
    assert view.told == [earlier, None]
    assert strip.isHidden()
    compared.close()
    compared.compare(earlier)
    assert compared.earlier is None
    assert view.told == [earlier, None]

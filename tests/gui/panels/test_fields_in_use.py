"""A field in use is left alone, whatever happens meanwhile; what its value has become is said below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from tests.gui.panels.queues import QueueBench, waiting
from tests.gui.panels.test_inspector import InspectorBench

from starloom.constellation.edits import UpdateTask
from starloom.scheduling import commands as c
from starloom_gui.gateway.event_log import EventLog, author_of
from starloom_gui.panels.field_news import in_line
from starloom_gui.viewmodel.limit_lines import LimitPart

if TYPE_CHECKING:
    from starloom_gui.widgets.value_editor import Value

Key = Qt.Key
EVENTS = 100
"""In ten seconds: one each tenth."""
FIELDS = ("priority", "device", "timeout", "retry", "command")


def happening(bench: InspectorBench, turns: int = 1) -> None:
    """Let something happen that concerns the field's task but not its value, and have everybody told of it."""
    for _ in range(turns):
        bench.driver.advance(0.1)
        bench.told()


def begun(bench: InspectorBench, name: str) -> Value:
    bench.inspector.activateWindow()
    assert QTest.qWaitForWindowActive(bench.inspector)
    value: Value = bench.inspector.fields.value(name)
    value.setFocus()
    assert value.hasFocus()
    return value


@pytest.mark.parametrize("name", FIELDS)
def test_ten_seconds_of_events_change_neither_what_is_typed_nor_what_is_selected(app, appearance, name):
    bench = InspectorBench(appearance, app, "coverage")
    value = begun(bench, name)
    before = value.text()
    value.selectAll()
    happening(bench, EVENTS // 2)
    assert value.selectedText() == before, "what was selected is to be typed over"
    typed = ""
    for character in "exit 3":
        QTest.keyClicks(value, character)
        typed += character
        happening(bench, EVENTS // 12)
        assert value.text() == typed
    value.setCursorPosition(2)
    happening(bench)
    assert value.cursorPosition() == 2
    assert value.isUndoAvailable(), "what was typed can still be taken back in the field"
    assert bench.asks.sent == []


def overtaken(bench: InspectorBench, typed: str = "7s") -> Value:
    """A field somebody is typing in whose value an agent has changed."""
    value = begun(bench, "timeout")
    value.selectAll()
    QTest.keyClicks(value, typed)
    bench.driver.edit(UpdateTask("coverage", timeout=40), origin="lab-2")
    bench.told()
    return value


def test_what_the_value_has_become_is_said_below_with_who_and_when(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    log = EventLog()
    bench.inspector.fields._news.author = lambda task, name: author_of(log, task, name)
    told = len(bench.driver.events)
    value = overtaken(bench)
    assert bench.inspector.fields.told("timeout") == "Set to 40s, just now", "nobody can say who"
    for event in bench.driver.events[told:]:
        log.add(event)
    bench.driver.edit(UpdateTask("coverage", timeout=50), origin="lab-2")
    log.add(bench.driver.events[-1])
    bench.told()
    assert value.text() == "7s"
    assert bench.inspector.fields.told("timeout") == "lab-2 set 50s, just now"
    bench.driver.advance(3)
    bench.told()
    assert bench.inspector.fields.told("timeout") == "lab-2 set 50s, 3 s ago"


def test_enter_overwrites_it_and_says_so(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    bench.inspector.fields._news.author = lambda *_: "lab-2"
    value = overtaken(bench)
    QTest.keyClick(value, Key.Key_Return)
    assert bench.run.graph.tasks[bench.number("coverage")].timeout == 7
    assert bench.inspector.fields.told("timeout") == "40s of lab-2 was overwritten."
    bench.told()
    assert value.text() == "7s"
    value.clearFocus()
    assert bench.inspector.fields.told("timeout") == "40s of lab-2 was overwritten."
    bench.driver.edit(UpdateTask("coverage", timeout=40))  # as undoing it does
    bench.told()
    assert (value.text(), bench.inspector.fields.told("timeout")) == ("40s", "")


@pytest.mark.parametrize("how", ["escape", "button"])
def test_escape_and_the_button_take_it(app, appearance, how):
    bench = InspectorBench(appearance, app, "coverage")
    value = overtaken(bench)
    if how == "escape":
        QTest.keyClick(value, Key.Key_Escape)
    else:
        bench.buttons(bench.inspector.fields)["Take it"].click()
    assert (value.text(), bench.inspector.fields.told("timeout"), bench.asks.sent) == ("40s", "", [])
    assert value.hasFocus()


def test_leaving_it_neither_overwrites_nor_forgets_what_was_typed(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    value = overtaken(bench)
    bench.inspector.fields.value("command").setFocus()
    bench.told()
    assert (value.text(), bench.asks.sent) == ("7s", [])
    assert "40s" in bench.inspector.fields.told("timeout")


def test_a_field_that_only_has_the_focus_shows_what_is_new_as_it_is_left(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    value = begun(bench, "timeout")
    bench.driver.edit(UpdateTask("coverage", timeout=40), origin="lab-2")
    bench.told()
    assert value.text() == "2m"
    assert "40s" in bench.inspector.fields.told("timeout")
    bench.inspector.fields.value("command").setFocus()
    assert (value.text(), bench.inspector.fields.told("timeout"), bench.asks.sent) == ("40s", "", [])


def test_if_the_task_starts_what_was_typed_stays_and_can_be_copied(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    value = begun(bench, "command")
    value.selectAll()
    QTest.keyClicks(value, "gcovr --json")
    bench.driver.do(c.SetLimits(groups={"licences": 2}))
    assert bench.driver.status("coverage") == "running"
    bench.told()
    assert (value.text(), value.isReadOnly()) == ("gcovr --json", True)
    assert bench.inspector.fields.told("command") == "Not while it runs. What you typed was not set."
    bench.buttons(bench.inspector.fields)["Copy"].click()
    assert QGuiApplication.clipboard().text() == "gcovr --json"
    QTest.keyClick(value, Key.Key_Return)
    assert bench.asks.sent == []
    QTest.keyClick(value, Key.Key_Escape)
    assert value.text() == "gcovr --xml -o cov.xml"


def test_a_field_that_comes_waits_until_nobody_types(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    value = begun(bench, "command")
    value.selectAll()
    QTest.keyClicks(value, "one")
    bench.driver.edit(UpdateTask("coverage", requires={"gpu"}), origin="lab-2")
    bench.told()
    assert bench.inspector.fields.value("command") is value
    assert value.text() == "one"
    QTest.keyClick(value, Key.Key_Escape)
    value.clearFocus()
    bench.told()
    assert bench.inspector.fields.value("requires").text() == "gpu"


# ---- numbers


def limit(app, appearance):
    bench = QueueBench(waiting(), appearance, app)
    bench.pane.activateWindow()
    assert QTest.qWaitForWindowActive(bench.pane)
    row = bench.pane.limits.row(LimitPart.RUNNING, "")
    row.field.line.setFocus()
    assert row.field.line.hasFocus()
    return bench, row


def test_events_change_neither_a_number_that_is_typed_nor_what_is_selected_of_it(app, appearance):
    bench, row = limit(app, appearance)
    row.field.is_live = False  # what is typed is meant after a rest, which is not what this is about
    row.field.line.selectAll()
    for _ in range(EVENTS):
        bench.driver.advance(0.1)
        bench.told()
    assert row.field.line.selectedText() == "2"
    QTest.keyClicks(row.field.line, "12")
    for _ in range(EVENTS):
        bench.driver.advance(0.1)
        bench.told()
    assert row.field.line.text() == "12"


def test_what_a_limit_has_become_is_said_below_and_only_enter_overwrites_it(app, appearance):
    bench, row = limit(app, appearance)
    bench.driver.do(c.SetLimits(max_concurrency=6))
    bench.told()
    assert row.field.line.text() == "2"
    assert row.beside.words.text() == "Set to 6 meanwhile"
    assert row.height_at(400) > 36
    row.beside.button.click()
    assert (row.field.line.text(), row.beside.isHidden()) == ("6", True)
    row.field.line.selectAll()
    QTest.keyClicks(row.field.line, "9")
    bench.driver.do(c.SetLimits(max_concurrency=7))
    bench.told()
    row.field.finish()  # as after a rest
    assert bench.asks.sent == []
    QTest.keyClick(row.field.line, Key.Key_Return)
    assert bench.asks.sent == [c.SetLimits(max_concurrency=9)]


def test_of_a_long_value_that_somebody_else_has_set_the_part_that_differs_is_told() -> None:
    long = "make " + " ".join(f"part-{at}" for at in range(40))
    assert in_line(f"{long}; echo bob", f"{long}; echo me") == "…rt-39; echo bob"
    assert in_line("make bob", "make me") == "make bob"
    assert in_line("a\nb\tc") == "a · b = c"

"""A task that failed: its fields are changed where they stand, and Enter changes them and runs it again as one act."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.panels.test_inspector import Stage

from starloom.scheduling import commands as c
from starloom.scheduling.state.codes import FAILED, PENDING, RUNNING

Key = Qt.Key


@pytest.fixture
def stage(app, appearance) -> Stage:
    """`coverage` has failed for good, and is selected; `fuzz` is done."""
    made = Stage(appearance, app, "coverage")
    made.driver.end("fuzz")
    for _ in range(3):
        made.driver.fail("coverage")
        made.driver.advance(30)
    made.told()
    assert made.run.status[made.number("coverage")] == FAILED
    made.inspector.activateWindow()
    assert QTest.qWaitForWindowActive(made.inspector)
    return made


def write(stage: Stage, name: str, words: str):
    value = stage.inspector.fields.value(name)
    value.setFocus()
    value.selectAll()
    QTest.keyClicks(value, words)
    return value


def test_its_fields_can_be_changed_and_say_what_enter_does(stage):
    fields = stage.inspector.fields
    value = fields.value("command")
    assert not value.isReadOnly()
    assert fields.aside.text() == "Enter: change and retry"
    assert "Enter changes it and runs the task again." in value.toolTip()
    assert fields.again.isVisible()
    assert not fields.again.isEnabled()
    assert "Type another value first." in fields.again.toolTip()
    write(stage, "command", "make fuzz")
    assert fields.again.isEnabled()
    assert "cannot be undone" in fields.again.toolTip()


@pytest.mark.parametrize("how", ["enter", "button"])
def test_enter_or_the_button_changes_it_and_runs_it_again_as_one_command(stage, how):
    value = write(stage, "command", "make 'all of it'")
    assert stage.asks.sent == []
    if how == "enter":
        QTest.keyClick(value, Key.Key_Return)
    else:
        stage.inspector.fields.again.click()
    (sent,) = stage.asks.sent
    assert isinstance(sent, c.RetryTasks)
    number = stage.number("coverage")
    assert stage.run.graph.tasks[number].command == ("make", "all of it")
    assert stage.run.status[number] in {PENDING, RUNNING}
    stage.told()
    assert value.text() == "make 'all of it'"
    assert not stage.inspector.fields.again.isVisible()


def test_leaving_the_field_sends_nothing_and_forgets_nothing(stage):
    value = write(stage, "command", "make fuzz")
    stage.inspector.fields.value("timeout").setFocus()
    stage.told()
    assert stage.asks.sent == []
    assert value.text() == "make fuzz"
    assert stage.run.status[stage.number("coverage")] == FAILED


def test_what_was_typed_is_there_again_when_the_task_is_looked_at_again(stage):
    write(stage, "command", "make fuzz")
    stage.select("fuzz")
    assert "command" not in stage.inspector.fields._values
    stage.select("coverage")
    assert stage.asks.sent == []
    value = stage.inspector.fields.value("command")
    assert value.text() == "make fuzz"
    assert stage.inspector.fields.again.isEnabled()
    value.setFocus()
    QTest.keyClick(value, Key.Key_Return)
    assert stage.run.graph.tasks[stage.number("coverage")].command == ("make", "fuzz")
    stage.select("fuzz")
    stage.select("coverage")
    assert not stage.inspector.fields.value("command").is_edited


def test_several_fields_are_changed_together(stage):
    write(stage, "command", "make fuzz")
    write(stage, "timeout", "9s")
    write(stage, "device", "build-1")
    value = write(stage, "priority", "80")
    QTest.keyClick(value, Key.Key_Return)
    (sent,) = stage.asks.sent
    task = stage.run.graph.tasks[stage.number("coverage")]
    assert isinstance(sent, c.RetryTasks)
    assert (task.command, task.timeout, task.device) == (("make", "fuzz"), 9, "build-1")
    assert stage.run.priority[stage.number("coverage")] == 80


def test_what_is_wrong_stands_under_its_field_and_nothing_is_done(stage):
    write(stage, "timeout", "9s")
    value = write(stage, "command", "make 'fuzz")
    QTest.keyClick(value, Key.Key_Return)
    assert "No closing quotation" in stage.inspector.fields.reason("command")
    assert stage.asks.sent == []
    write(stage, "timeout", "soon")
    value = write(stage, "command", "make fuzz")
    QTest.keyClick(value, Key.Key_Return)
    assert "soon" in stage.inspector.fields.reason("timeout") + stage.inspector.fields.reason("command")
    assert stage.asks.sent == []
    assert stage.run.status[stage.number("coverage")] == FAILED


def test_enter_without_a_new_value_runs_nothing(stage):
    value = stage.inspector.fields.value("command")
    value.setFocus()
    QTest.keyClick(value, Key.Key_Return)
    assert stage.asks.sent == []


def test_escape_takes_the_old_value_back(stage):
    value = write(stage, "command", "make fuzz")
    QTest.keyClick(value, Key.Key_Escape)
    assert not value.is_edited
    assert not stage.inspector.fields.again.isEnabled()
    stage.select("fuzz")
    stage.select("coverage")
    assert not stage.inspector.fields.value("command").is_edited


def test_a_run_that_ended_with_the_failure_goes_on(stage):
    assert stage.run.state.has_ended
    value = write(stage, "command", "make fuzz")
    QTest.keyClick(value, Key.Key_Return)
    assert stage.run.status[stage.number("coverage")] in {PENDING, RUNNING}


def test_in_the_past_nothing_can_be_changed(stage):
    stage.inspector.fields.fixed = lambda: "Not in the past"
    stage.told()
    assert stage.inspector.fields.value("command").isReadOnly()
    assert not stage.inspector.fields.again.isVisible()
    assert stage.inspector.fields.aside.text() == "Not in the past"


def test_one_that_is_done_says_that_it_is_rerun_instead(app, appearance):
    stage = Stage(appearance, app, "fuzz")
    stage.driver.end("fuzz")
    stage.told()
    assert stage.inspector.fields.value("timeout").isReadOnly()
    assert stage.inspector.fields.aside.text() == "Not after its end; rerun it"

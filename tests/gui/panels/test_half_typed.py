"""What a run that goes on would execute is sent by Enter only: half a command is not, wherever the keyboard goes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.panels.test_fields_in_use import begun
from tests.gui.panels.test_inspector import Stage

Key = Qt.Key


def command_of(stage):
    return stage.run.graph.tasks[stage.number("coverage")].command


def test_a_half_typed_command_is_not_sent_by_leaving_its_field_and_stays_until_enter(app, appearance):
    stage = Stage(appearance, app, "coverage")
    before = command_of(stage)
    value = begun(stage, "command")
    value.selectAll()
    QTest.keyClicks(value, "rm -rf ./ol")
    stage.inspector.fields.value("priority").setFocus()
    stage.told()
    assert (value.text(), stage.asks.sent, command_of(stage)) == ("rm -rf ./ol", [], before)
    assert "Enter: change" in stage.texts(value), "that it was not sent is to be seen"
    stage.select("fuzz")
    stage.select("coverage")
    value = stage.inspector.fields.value("command")
    assert (value.text(), stage.asks.sent) == ("rm -rf ./ol", [])
    value.setFocus()
    QTest.keyClicks(value, "d")
    QTest.keyClick(value, Key.Key_Return)
    assert command_of(stage) == ("rm", "-rf", "./old")
    stage.told()
    stage.select("fuzz")
    stage.select("coverage")
    assert stage.inspector.fields.value("command").text() == "rm -rf ./old"


def test_escape_takes_a_half_typed_command_back(app, appearance):
    stage = Stage(appearance, app, "coverage")
    value = begun(stage, "command")
    before = value.text()
    QTest.keyClicks(value, "x")
    stage.inspector.fields.value("priority").setFocus()
    value.setFocus()
    QTest.keyClick(value, Key.Key_Escape)
    stage.select("fuzz")
    stage.select("coverage")
    assert (stage.inspector.fields.value("command").text(), stage.asks.sent) == (before, [])


def test_what_is_no_work_is_sent_by_leaving_its_field_as_ever(app, appearance):
    stage = Stage(appearance, app, "coverage")
    value = begun(stage, "timeout")
    value.selectAll()
    QTest.keyClicks(value, "7s")
    stage.inspector.fields.value("command").setFocus()
    assert stage.run.graph.tasks[stage.number("coverage")].timeout == 7

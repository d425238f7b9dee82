"""What a run that goes on would execute is sent by Enter only: half a command is not, wherever the keyboard goes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.panels.test_fields_in_use import begun
from tests.gui.panels.test_inspector import InspectorBench

Key = Qt.Key


def command_of(bench):
    return bench.run.graph.tasks[bench.number("coverage")].command


def test_a_half_typed_command_is_not_sent_by_leaving_its_field_and_stays_until_enter(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    before = command_of(bench)
    value = begun(bench, "command")
    value.selectAll()
    QTest.keyClicks(value, "rm -rf ./ol")
    bench.inspector.fields.value("priority").setFocus()
    bench.told()
    assert (value.text(), bench.asks.sent, command_of(bench)) == ("rm -rf ./ol", [], before)
    assert "Enter: change" in bench.texts(value), "that it was not sent is to be seen"
    bench.select("fuzz")
    bench.select("coverage")
    fields = bench.inspector.fields
    value = fields.value("command")
    assert (value.text(), bench.asks.sent) == ("rm -rf ./ol", [])
    assert fields.told("command") == "Not set yet: Enter sets it, Esc takes it back"
    value.setFocus()
    QTest.keyClicks(value, "d")
    QTest.keyClick(value, Key.Key_Return)
    assert command_of(bench) == ("rm", "-rf", "./old")
    bench.told()
    bench.select("fuzz")
    bench.select("coverage")
    assert bench.inspector.fields.value("command").text() == "rm -rf ./old"


def test_what_was_typed_and_is_not_set_is_set_by_a_button_below_it(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    value = begun(bench, "command")
    value.selectAll()
    QTest.keyClicks(value, "true")
    bench.select("fuzz")
    bench.select("coverage")
    button = bench.inspector.fields.field_rows["command"].beside.set_it
    assert button.isVisibleTo(bench.inspector)
    assert button.text() == "Set it"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    bench.told()
    assert command_of(bench) == ("true",)
    assert bench.inspector.fields.told("command") == ""


def test_escape_takes_a_half_typed_command_back(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    value = begun(bench, "command")
    before = value.text()
    QTest.keyClicks(value, "x")
    bench.inspector.fields.value("priority").setFocus()
    value.setFocus()
    QTest.keyClick(value, Key.Key_Escape)
    bench.select("fuzz")
    bench.select("coverage")
    assert (bench.inspector.fields.value("command").text(), bench.asks.sent) == (before, [])


def test_what_is_no_work_is_sent_by_leaving_its_field_as_ever(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    value = begun(bench, "timeout")
    value.selectAll()
    QTest.keyClicks(value, "7s")
    bench.inspector.fields.value("command").setFocus()
    assert bench.run.graph.tasks[bench.number("coverage")].timeout == 7

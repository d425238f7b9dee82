"""A task that failed: its fields are changed where they stand, and Enter changes them and runs it again as one act."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.panels.test_inspector import InspectorBench
from tests.gui.panels.test_task_form import TRIES, FormBench

from starloom.scheduling import commands as c
from starloom.scheduling.state.codes import FAILED, PENDING, RUNNING

Key = Qt.Key


@pytest.fixture
def bench(app, appearance) -> InspectorBench:
    """`coverage` has failed for good, and is selected; `fuzz` is done."""
    made = InspectorBench(appearance, app, "coverage")
    made.driver.end("fuzz")
    for _ in range(3):
        made.driver.fail("coverage")
        made.driver.advance(30)
    made.told()
    assert made.run.status[made.number("coverage")] == FAILED
    made.inspector.activateWindow()
    assert QTest.qWaitForWindowActive(made.inspector)
    return made


def write(bench: InspectorBench, name: str, words: str):
    value = bench.inspector.fields.value(name)
    value.setFocus()
    value.selectAll()
    QTest.keyClicks(value, words)
    return value


def test_its_fields_can_be_changed_and_say_what_enter_does(bench):
    fields = bench.inspector.fields
    value = fields.value("command")
    assert not value.isReadOnly()
    assert fields.aside.text() == "Enter: change and retry"
    assert "Enter changes it and retries." in value.toolTip()
    assert fields.again.isVisible()
    assert not fields.again.isEnabled()
    assert "Type another value first." in fields.again.toolTip()
    write(bench, "command", "make fuzz")
    assert fields.again.isEnabled()
    assert "cannot be undone" in fields.again.toolTip()


@pytest.mark.parametrize("how", ["enter", "button"])
def test_enter_or_the_button_changes_it_and_runs_it_again_as_one_command(bench, how):
    value = write(bench, "command", "make 'all of it'")
    assert bench.asks.sent == []
    if how == "enter":
        QTest.keyClick(value, Key.Key_Return)
    else:
        bench.inspector.fields.again.click()
    (sent,) = bench.asks.sent
    assert isinstance(sent, c.RetryTasks)
    number = bench.number("coverage")
    assert bench.run.graph.tasks[number].command == ("make", "all of it")
    assert bench.run.status[number] in {PENDING, RUNNING}
    bench.told()
    assert value.text() == "make 'all of it'"
    assert not bench.inspector.fields.again.isVisible()


def test_leaving_the_field_sends_nothing_and_forgets_nothing(bench):
    value = write(bench, "command", "make fuzz")
    bench.inspector.fields.value("timeout").setFocus()
    bench.told()
    assert bench.asks.sent == []
    assert value.text() == "make fuzz"
    assert bench.run.status[bench.number("coverage")] == FAILED


def test_what_was_typed_is_there_again_when_the_task_is_looked_at_again(bench):
    write(bench, "command", "make fuzz")
    bench.select("fuzz")
    assert "command" not in bench.inspector.fields._rows
    bench.select("coverage")
    assert bench.asks.sent == []
    value = bench.inspector.fields.value("command")
    assert value.text() == "make fuzz"
    assert bench.inspector.fields.again.isEnabled()
    value.setFocus()
    QTest.keyClick(value, Key.Key_Return)
    assert bench.run.graph.tasks[bench.number("coverage")].command == ("make", "fuzz")
    bench.select("fuzz")
    bench.select("coverage")
    assert not bench.inspector.fields.value("command").is_edited


def test_several_fields_are_changed_together(bench):
    write(bench, "command", "make fuzz")
    write(bench, "timeout", "9s")
    write(bench, "device", "build-1")
    value = write(bench, "priority", "80")
    QTest.keyClick(value, Key.Key_Return)
    (sent,) = bench.asks.sent
    task = bench.run.graph.tasks[bench.number("coverage")]
    assert isinstance(sent, c.RetryTasks)
    assert (task.command, task.timeout, task.device) == (("make", "fuzz"), 9, "build-1")
    assert bench.run.priority[bench.number("coverage")] == 80


def test_what_is_wrong_stands_under_its_field_and_nothing_is_done(bench):
    write(bench, "timeout", "9s")
    value = write(bench, "command", "make 'fuzz")
    QTest.keyClick(value, Key.Key_Return)
    assert "No closing quotation" in bench.inspector.fields.reason("command")
    assert bench.asks.sent == []
    write(bench, "timeout", "soon")
    value = write(bench, "command", "make fuzz")
    QTest.keyClick(value, Key.Key_Return)
    assert "soon" in bench.inspector.fields.reason("timeout") + bench.inspector.fields.reason("command")
    assert bench.asks.sent == []
    assert bench.run.status[bench.number("coverage")] == FAILED


def test_enter_without_a_new_value_runs_nothing(bench):
    value = bench.inspector.fields.value("command")
    value.setFocus()
    QTest.keyClick(value, Key.Key_Return)
    assert bench.asks.sent == []


def test_escape_takes_the_old_value_back(bench):
    value = write(bench, "command", "make fuzz")
    QTest.keyClick(value, Key.Key_Escape)
    assert not value.is_edited
    assert not bench.inspector.fields.again.isEnabled()
    bench.select("fuzz")
    bench.select("coverage")
    assert not bench.inspector.fields.value("command").is_edited


def test_a_run_that_ended_with_the_failure_goes_on(bench):
    assert bench.run.state.has_ended
    value = write(bench, "command", "make fuzz")
    QTest.keyClick(value, Key.Key_Return)
    assert bench.run.status[bench.number("coverage")] in {PENDING, RUNNING}


def test_in_the_past_nothing_can_be_changed(bench):
    bench.inspector.fields.fixed = lambda _: "Not in the past"
    bench.told()
    assert bench.inspector.fields.value("command").isReadOnly()
    assert not bench.inspector.fields.again.isVisible()
    assert bench.inspector.fields.aside.text() == "Not in the past"


def test_one_that_is_done_says_that_it_is_rerun_instead(app, appearance):
    bench = InspectorBench(appearance, app, "fuzz")
    bench.driver.end("fuzz")
    bench.told()
    assert bench.inspector.fields.value("timeout").isReadOnly()
    assert bench.inspector.fields.aside.text() == "Not after its end; rerun it"


def test_of_a_script_ctrl_enter_is_said_to_change_it_and_it_does_in_every_field(app, appearance):
    bench = FormBench("shell", appearance)
    bench.driver.end("first")
    bench.driver.fail("t")
    bench.told()
    fields = bench.inspector.fields
    assert fields.aside.text() == "Ctrl+Enter: change and retry"
    assert "Enter" not in fields.again.toolTip()
    timeout = fields.value("timeout")
    timeout.setFocus()
    QTest.keyClicks(timeout, "7m")
    assert fields.again.isEnabled()
    assert "Enter" not in fields.again.toolTip()
    QTest.keyClick(timeout, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert bench.task.timeout == 420
    assert isinstance(bench.asks.sent[-1], c.RetryTasks)


@pytest.mark.parametrize("keys", ["said", "ctrl"])
@pytest.mark.parametrize("name", sorted(TRIES.keys() - {"kind", "bypass.value"}))
def test_the_key_that_is_said_below_a_field_sets_it_and_retries(app, appearance, name, keys):
    bench = FormBench(name, appearance)
    bench.driver.end("first")
    while not bench.view.has_ended:
        bench.driver.fail("t") if bench.view.gate is None else bench.driver.do(
            c.AnswerGate(run_id="r", task_id="t", approve=False)
        )
    bench.told()
    fields, before = bench.inspector.fields, bench.text(name)
    editor = fields.value(name)
    (editor.focusProxy() or editor).setFocus()
    editor.write(TRIES[name].text)
    row = fields.field_rows[name]
    row.draft.remind()
    assert f"{row.draft.key} sets it and retries" in fields.told(name)
    has_ctrl = keys == "ctrl" or row.draft.key.startswith("Ctrl")
    press(app, Key.Key_Return, Qt.KeyboardModifier.ControlModifier if has_ctrl else Qt.KeyboardModifier.NoModifier)
    assert [type(one) for one in bench.asks.sent] == [c.RetryTasks]
    assert bench.text(name) != before


def press(app, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
    """Press a key as a person does: the shortcuts are asked first."""
    QTest.keyClick(app.focusWidget(), key, modifiers)

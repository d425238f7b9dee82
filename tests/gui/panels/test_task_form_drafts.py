"""What is typed into the form of a task: when it is sent, in how much room, and what becomes of it meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.panels.test_task_form import FormBench

from starloom_gui.panels.template_names import template_names
from starloom_gui.viewmodel.task_specs import FormPart

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.script_dialog import ScriptDialog


def opened_larger(bench: FormBench, name: str) -> ScriptDialog:
    """The dialog that Ctrl+E opens in a field."""
    editor = bench.inspector.fields.value(name)
    editor.setFocus()
    QTest.keyClick(getattr(editor, "area", editor), Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    dialog = bench.inspector.larger.dialog
    assert dialog is not None
    return dialog


def test_several_tasks_are_changed_in_one_step_in_tables_too(app: QApplication, appearance: Appearance) -> None:
    bench = FormBench("", appearance)
    assert bench.change("env", "A\t1") == ""
    bench.select("t", "u")
    editor = bench.inspector.fields.value("env")
    assert editor.text() == ""
    assert editor._note.text() == "several values"
    sent = len(bench.asks.sent)
    editor.write("B\t2")
    editor.entered.emit()
    assert len(bench.asks.sent) == sent + 1
    assert [dict(bench.run.graph.task(id).env) for id in ("t", "u")] == [{"B": "2"}] * 2


def test_a_script_is_sent_by_control_enter_and_by_leaving_it_where_nothing_runs_it(
    app: QApplication, appearance: Appearance
) -> None:
    bench = FormBench("", appearance)
    editor = bench.inspector.fields.value("description")
    editor.setFocus()
    QTest.keyClicks(editor.area, "First")
    QTest.keyClick(editor.area, Qt.Key.Key_Return)
    QTest.keyClicks(editor.area, "second")
    assert bench.asks.sent == []
    QTest.keyClick(editor.area, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert bench.task.description == "First\nsecond"
    bench.told()
    QTest.keyClicks(editor.area, "!")
    bench.inspector.fields.value("timeout").setFocus()
    assert bench.task.description == "First\nsecond!"


def test_control_e_edits_a_text_in_more_room_and_what_is_kept_is_sent(
    app: QApplication, appearance: Appearance
) -> None:
    bench = FormBench("shell", appearance)
    dialog = opened_larger(bench, "shell")
    dialog.area.setPlainText("set -eu\nmake")
    QTest.keyClick(dialog.area, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert bench.task.shell == "set -eu\nmake"
    assert bench.inspector.larger.dialog is None


def test_a_line_that_gets_a_second_one_stands_in_an_editor_for_several(
    app: QApplication, appearance: Appearance
) -> None:
    bench = FormBench("gate", appearance)
    dialog = opened_larger(bench, "gate")
    dialog.area.setPlainText("Go on?\nReally?")
    dialog.do()
    assert bench.task.gate is not None
    assert bench.task.gate.message == "Go on?\nReally?"
    bench.inspector.fields.value("description").setFocus()
    bench.told()
    assert bench.inspector.fields.value("gate").text() == "Go on?\nReally?"


def test_what_others_change_while_a_table_is_typed_in_is_said_and_not_written_over(
    app: QApplication, appearance: Appearance
) -> None:
    bench = FormBench("", appearance)
    editor = bench.inspector.fields.value("env")
    editor.table.setFocus()
    editor.write("A\t1")
    assert bench.change("env", "B\t2") == ""
    bench.told()
    assert editor.text() == "A\t1"
    assert bench.inspector.fields.told("env") == "Set to B = 2, just now"
    bench.inspector.fields._rows["env"].beside.button.click()
    assert (editor.text(), bench.inspector.fields.told("env")) == ("B\t2", "")


def test_what_was_typed_and_not_sent_is_there_again_though_its_part_was_folded(
    app: QApplication, appearance: Appearance
) -> None:
    bench = FormBench("", appearance)
    shown = bench.inspector.fields
    shown.value("command").write("make half")
    assert shown._rows["command"].draft.waits
    bench.select("u")
    shown.parts[FormPart.WHAT].head.click()
    bench.select("t")
    assert shown.parts[FormPart.WHAT].is_open
    assert shown.value("command").text() == "make half"
    assert bench.asks.sent == []


def test_a_script_that_goes_on_running_waits_for_control_enter_and_says_so(
    app: QApplication, appearance: Appearance
) -> None:
    bench = FormBench("shell", appearance)
    editor = bench.inspector.fields.value("shell")
    editor.setFocus()
    QTest.keyClicks(editor.area, "rm -rf ./ol")
    bench.inspector.fields.value("timeout").setFocus()
    assert bench.asks.sent == []
    assert editor._note.text() == "Ctrl+Enter: change"
    editor.setFocus()
    QTest.keyClick(editor.area, Qt.Key.Key_Escape)
    assert editor.text() == "make"


def test_names_of_parents_with_their_values_are_offered_in_a_prompt(app: QApplication, appearance: Appearance) -> None:
    bench = FormBench("prompt", appearance)
    names = bench.inspector.fields._templates("prompt")
    assert [(one.name, one.about) for one in names][:2] == [("first.value", "no value yet"), ("first.output", "")]
    bench.driver.end("first", value={"lines": 0.9})
    (value, *_) = template_names(bench.view, "prompt")
    assert (value.name, value.about) == ("first.value", "lines 0.9")
    bench = FormBench("shell")
    assert bench.change("env", "LAB\t1") == ""
    assert [one.name for one in template_names(bench.view, "shell")][:2] == ["LAB", "STARLOOM_TASK_ID"]

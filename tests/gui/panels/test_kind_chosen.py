"""Another kind of work, chosen in the form of a task: the other fields follow at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.panels.test_task_form import FormBench

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance

KINDS = ("command", "shell", "python", "call", "prompt", "simulate", "gate")


def chosen(bench: FormBench, kind: str) -> None:
    """Choose a kind by keys, and have everybody told, while the box of the kinds keeps the keyboard."""
    box = bench.inspector.fields.value("kind").box
    box.setFocus()
    assert box.hasFocus()
    wanted = box.findData(kind)
    while box.currentIndex() != wanted:
        QTest.keyClick(box, Qt.Key.Key_Down if box.currentIndex() < wanted else Qt.Key.Key_Up)
        bench.told()
        assert box.hasFocus()


@pytest.mark.parametrize("old", KINDS)
@pytest.mark.parametrize("new", KINDS)
def test_the_other_fields_follow_although_the_kind_has_the_keyboard(
    app: QApplication, appearance: Appearance, old: str, new: str
) -> None:
    if old == new:
        return
    bench = FormBench(old, appearance)
    fields = bench.inspector.fields
    assert fields.value(old).isVisible()
    chosen(bench, new)
    assert bench.task.action == new
    assert [name for name in KINDS if name in fields.field_rows] == [new]
    assert fields.value("kind").text() == new
    assert fields.value(new).text() == bench.text(new)
    assert ("timeout" in fields.field_rows) is (new != "gate"), "a gate has no attempts"


def test_tab_goes_on_in_the_new_field_and_what_is_typed_there_is_the_work(
    app: QApplication, appearance: Appearance
) -> None:
    bench = FormBench("shell", appearance)
    chosen(bench, "gate")
    QTest.keyClick(bench.inspector.fields.value("kind").box, Qt.Key.Key_Tab)
    editor = bench.inspector.fields.value("gate")
    assert editor.hasFocus()
    editor.selectAll()
    QTest.keyClicks(editor, "Ship it?")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert bench.task.gate is not None
    assert bench.task.gate.message == "Ship it?"
    assert bench.inspector.fields.reason("gate") == ""


def test_what_the_new_kind_cannot_keep_is_told_until_it_is_back(app: QApplication, appearance: Appearance) -> None:
    bench = FormBench("", appearance)
    assert bench.change("command", "measure t1 3") == ""
    bench.told()
    chosen(bench, "shell")
    assert bench.inspector.fields.told("kind") == "", "the shell text says the same"
    box = bench.inspector.fields.value("kind").box
    box.setCurrentIndex(box.findData("gate"))
    box.activated.emit(box.currentIndex())
    told = "Replaced: measure t1 3 (Undo brings it back)"
    assert bench.inspector.fields.told("kind") == told
    bench.told()
    assert bench.inspector.fields.told("kind") == told
    assert bench.change("kind", "command") == ""
    bench.told()
    assert (bench.inspector.fields.told("kind"), box.hasFocus()) == ("", True)
    assert bench.inspector.fields.value("kind").text() == "command", "the box only has the keyboard"


def test_what_was_typed_and_not_sent_stays_where_it_still_means_something(
    app: QApplication, appearance: Appearance
) -> None:
    bench = FormBench("", appearance)
    fields = bench.inspector.fields
    fields.value("name").write("half a na")
    chosen(bench, "gate")
    assert fields.value("name").text() == "half a na"
    assert "gate" in fields.field_rows
    assert "command" not in fields.field_rows


def test_a_work_field_in_use_is_left_alone_while_others_choose_the_kind(
    app: QApplication, appearance: Appearance
) -> None:
    bench = FormBench("", appearance)
    fields = bench.inspector.fields
    editor = fields.value("command")
    editor.setFocus()
    QTest.keyClick(editor, Qt.Key.Key_End)
    QTest.keyClicks(editor, " all")
    assert bench.change("kind", "gate") == ""
    bench.told()
    assert (editor.hasFocus(), editor.text()) == (True, "make all")
    assert fields.value("kind").text() == "gate"
    assert fields.value("gate").text() == "Go on?"
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    bench.inspector.fields.value("gate").setFocus()
    bench.told()
    assert "command" not in fields.field_rows


def test_a_text_that_was_not_sent_is_given_up_with_the_kind_it_was_for(
    app: QApplication, appearance: Appearance
) -> None:
    bench = FormBench("", appearance)
    fields = bench.inspector.fields
    fields.value("command").write("make al")
    chosen(bench, "gate")
    assert "command" not in fields.field_rows
    assert fields.drafts.all == ()


def test_an_ended_switch_shows_its_value_at_once(app: QApplication, appearance: Appearance) -> None:
    bench = FormBench("", appearance)
    fields = bench.inspector.fields
    switch = fields.value("bypass")
    switch.box.setFocus()
    QTest.keyClick(switch.box, Qt.Key.Key_Space)
    bench.told()
    assert bench.task.bypass is True
    assert "bypass.value" in fields.field_rows
    assert switch.box.hasFocus()

"""Editors of values: what is typed, chosen or pasted is handed on as text, and what is put there is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

from starloom_gui.widgets.cell_table import CellTable
from starloom_gui.widgets.choice_field import ChoiceField, SwitchField
from starloom_gui.widgets.dialog import SHADOW
from starloom_gui.widgets.script_dialog import ScriptDialog
from starloom_gui.widgets.script_editor import FEWEST_LINES, MOST_LINES, ScriptEditor
from starloom_gui.widgets.table_editors import list_editor, table_editor
from starloom_gui.widgets.template_completer import TemplateName

if TYPE_CHECKING:
    from starloom_gui.widgets.typed_editor import TypedEditor

Key = Qt.Key
NO_MODIFIER, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


class EditorBench:
    """An editor in a window with a line behind it, and what it tells."""

    def __init__(self, editor: TypedEditor) -> None:
        self.editor, self.told = editor, list[str]()
        self.window = QWidget()
        column = QVBoxLayout(self.window)
        self.behind = QLineEdit()
        column.addWidget(editor)
        column.addWidget(self.behind)
        for name in ("edited", "entered", "escaped", "left"):
            getattr(editor, name).connect(lambda name=name: self.told.append(name))
        self.window.resize(280, 200)
        self.window.show()
        self.window.activateWindow()
        assert QTest.qWaitForWindowActive(self.window)

    def keys(self, *keys: Key | str, modifier: Qt.KeyboardModifier = NO_MODIFIER) -> None:
        for key in [one for each in keys for one in (each if isinstance(each, str) else [each])]:
            target = QApplication.activePopupWidget() or QApplication.focusWidget()
            assert target is not None
            QTest.keyClick(target, key, modifier)  # type: ignore[arg-type]  # a letter is a key, too
            QApplication.processEvents()  # a cell ends after its key


# ---- tables


def table_bench(words: str = "") -> EditorBench:
    editor = table_editor(("Name", "Value"), lambda: [TemplateName("build.value", "7")])
    bench = EditorBench(editor)
    assert isinstance(editor.table, CellTable)
    editor.put(words)
    editor.table.setFocus()
    editor.table.setCurrentCell(0, 0)
    return bench


def test_what_is_put_is_not_told_and_reads_back(app, appearance):
    bench = table_bench("a\t1\nb\ttwo")
    assert (bench.editor.text(), bench.told) == ("a\t1\nb\ttwo", [])
    bench.editor.put("")
    assert bench.editor.text() == ""


def test_tab_goes_to_the_next_cell_and_enter_to_the_next_row(app, appearance):
    bench = table_bench()
    bench.keys("PORT", Key.Key_Tab, "7021", Key.Key_Return)
    assert bench.editor.text() == "PORT\t7021"
    assert bench.told == ["edited", "edited", "entered"]
    table = bench.editor.table
    assert (table.currentRow(), table.currentColumn()) == (1, 0), "the row that adds one"
    bench.keys("HOST", Key.Key_Return, "lab", Key.Key_Return)
    assert bench.editor.text() == "PORT\t7021\nHOST\tlab", "a new name gets its value first"


def test_tab_behind_the_last_row_leaves_the_table(app, appearance):
    bench = table_bench("a\t1")
    bench.keys(Key.Key_Tab)
    bench.keys(Key.Key_Tab)
    bench.keys(Key.Key_Tab)
    assert bench.behind.hasFocus()
    assert bench.told == ["left"]


def test_delete_removes_the_row_and_never_the_one_that_adds(app, appearance):
    bench = table_bench("a\t1\nb\t2")
    bench.keys(Key.Key_Delete)
    assert (bench.editor.text(), bench.told) == ("b\t2", ["edited", "entered"])
    bench.editor.table.setCurrentCell(1, 0)
    bench.keys(Key.Key_Delete)
    assert bench.editor.text() == "b\t2"


@pytest.mark.parametrize("is_typing", [False, True])
def test_lines_that_are_pasted_become_rows(app, appearance, is_typing):
    bench = table_bench("a\t1\nb\t2")
    QGuiApplication.clipboard().setText("export B=3\nb=9\nc=x=y\n")
    bench.editor.table.setCurrentCell(2, 0)
    if is_typing:
        bench.keys(Key.Key_Return)
    bench.keys(Key.Key_V, modifier=CONTROL)
    assert bench.editor.text() == "a\t1\nb\t9\nB\t3\nc\tx=y"
    assert bench.told[-2:] == ["edited", "entered"]


def test_leaving_the_cell_that_is_typed_in_keeps_what_was_typed(app, appearance):
    bench = table_bench("a\t1")
    bench.editor.table.setCurrentCell(0, 1)
    bench.keys("42")
    assert bench.editor.is_active()
    bench.behind.setFocus()
    assert (bench.editor.text(), bench.told[-1]) == ("a\t42", "left")


def test_a_locked_table_says_why_and_has_no_row_to_add_one(app, appearance):
    bench = table_bench("a\t1")
    bench.editor.lock("Not while it runs")
    bench.keys("x", Key.Key_Delete)
    assert (bench.editor.text(), bench.editor.table.rowCount()) == ("a\t1", 1)
    assert bench.editor.toolTip() == "Not while it runs"


def test_names_are_offered_in_a_cell(app, appearance):
    bench = table_bench("a\t1")
    bench.editor.table.setCurrentCell(0, 1)
    bench.keys("${bu")
    line = QApplication.focusWidget()
    assert line.offers.is_open
    bench.keys(Key.Key_Return)
    assert line.text() == "${build.value}"
    bench.keys(Key.Key_Return)
    assert bench.editor.text() == "a\t${build.value}"


def test_a_list_has_one_entry_a_row(app, appearance):
    bench = EditorBench(list_editor())
    bench.editor.put("one")
    bench.editor.table.setFocus()
    bench.editor.table.setCurrentCell(1, 0)
    bench.keys("two words", Key.Key_Return)
    assert bench.editor.text() == "one\ntwo words"


# ---- scripts


def script_bench(words: str = "") -> EditorBench:
    bench = EditorBench(ScriptEditor(known=lambda: [TemplateName("unit.value", "0.9"), TemplateName("unit.output")]))
    bench.editor.put(words)
    bench.editor.setFocus()
    return bench


def test_a_script_has_three_to_twelve_lines_in_sight(app, appearance):
    bench = script_bench("one")
    heights = []
    for lines in (1, FEWEST_LINES, 7, MOST_LINES, 40):
        bench.editor.put("\n".join("x" * lines))
        app.processEvents()
        heights.append(bench.editor.area.height())
    assert heights[0] == heights[1] < heights[2] < heights[3] == heights[4]


def test_enter_makes_a_line_and_control_enter_ends_the_typing(app, appearance):
    bench = script_bench()
    bench.keys("a", Key.Key_Return, "b")
    assert "entered" not in bench.told
    bench.keys(Key.Key_Return, modifier=CONTROL)
    assert (bench.editor.text(), bench.told[-1]) == ("a\nb", "entered")
    bench.keys(Key.Key_Escape)
    assert bench.told[-1] == "escaped"


def test_names_are_offered_with_what_is_known_of_them(app, appearance):
    bench = script_bench()
    bench.keys("echo ${")
    offers = bench.editor.area.offers
    assert offers.is_open
    assert [offers.list.model().index(at, 0).data() for at in range(2)] == ["unit.value   0.9", "unit.output"]
    bench.keys("out", Key.Key_Return)
    assert bench.editor.text() == "echo ${unit.output}"
    assert bench.editor.is_active()


def test_what_stands_for_itself_is_offered_nothing(app, appearance):
    bench = script_bench()
    bench.keys("echo $${")
    assert not bench.editor.area.offers.is_open


# ---- more room


def dialog(appearance, words: str = "one") -> tuple[ScriptDialog, list[str]]:
    kept = list[str]()
    made = ScriptDialog(appearance, "Script of a", words)
    made.kept.connect(kept.append)
    made.open()
    made.activateWindow()
    assert QTest.qWaitForWindowActive(made)
    return made, kept


def test_control_enter_keeps_what_was_typed_in_more_room(app, appearance):
    made, kept = dialog(appearance)
    QTest.keyClicks(made.area, "two ")
    QTest.keyClick(made.area, Key.Key_Return, CONTROL)
    assert (kept, made.isVisible()) == (["two one"], False)


def test_more_room_is_720_by_480(app, appearance):
    made, _ = dialog(appearance)
    app.processEvents()
    assert (made.width() - 2 * SHADOW, abs(made.height() - 2 * SHADOW - 480) <= 12) == (720, True), made.height()


def test_escape_closes_what_is_unchanged_and_asks_before_it_gives_anything_up(app, appearance):
    made, kept = dialog(appearance)
    QTest.keyClick(made.area, Key.Key_Escape)
    assert not made.isVisible()
    made, kept = dialog(appearance)
    QTest.keyClicks(made.area, "x")
    QTest.keyClick(made.area, Key.Key_Escape)
    assert made.isVisible()
    assert (made.reason, made.typed.discard.isVisible()) == ("What you typed is not kept yet.", True)
    QTest.keyClick(made, Key.Key_Escape)
    assert (made.isVisible(), made.typed.discard.isVisible()) == (True, False), "it goes on"
    QTest.keyClick(made.area, Key.Key_Escape)
    made.typed.discard.click()
    assert (made.isVisible(), kept) == (False, [])


# ---- few values


def test_a_choice_hands_on_the_value_of_the_word_and_stays_as_it_is_under_a_wheel(app, appearance):
    bench = EditorBench(ChoiceField((("all", "All parents"), ("any", "Any parent"))))
    bench.editor.put("any")
    assert (bench.editor.text(), bench.editor.box.currentText(), bench.told) == ("any", "Any parent", [])
    bench.editor.box.setFocus()
    bench.keys(Key.Key_Up)
    assert (bench.editor.text(), bench.told) == ("all", ["edited", "entered"])
    bench.editor.put("")
    assert bench.editor.text() == ""


def test_a_switch_is_on_off_or_says_nothing_of_several(app, appearance):
    bench = EditorBench(SwitchField("Parents' results"))
    bench.editor.put("")
    assert bench.editor.text() == ""
    bench.editor.box.click()
    assert (bench.editor.text(), bench.told) == ("true", ["edited", "entered"])
    bench.editor.lock("Not while it runs")
    bench.editor.box.click()
    assert bench.editor.text() == "true"

"""JSON values are edited as a tree of names, kinds and values, and nobody has to write JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from tests.gui.text.test_cell_text import JSON, TEXTS
from tests.gui.widgets.test_typed_editors import CONTROL, EditorBench

from starloom_gui.text.cell_text import cell_of_json, json_of_cell, rows_of, text_of_cell
from starloom_gui.text.value_nodes import ValueKind, as_kind, faults_of, node_of, nodes_of_rows, rows_of_nodes, value_of
from starloom_gui.theme.palette import colour
from starloom_gui.widgets.table_editors import value_editor, values_editor
from starloom_gui.widgets.template_completer import TemplateName
from starloom_gui.widgets.value_rows import KIND, NAME, VALUE, ValueRow

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance

Key = Qt.Key
ALT = Qt.KeyboardModifier.AltModifier
NESTED = 'n\t5\nboard\t{"rev": 2, "tests": ["a", "b"], "old": null, "on": true}'


class TreeBench(EditorBench):
    """A tree of values in a window."""

    def __init__(self, words: str, appearance: Appearance) -> None:
        super().__init__(values_editor(lambda: [TemplateName("build.value", "7")]))
        self.editor.apply_theme(appearance.palette)
        self.editor.put(words)
        self.tree = self.editor.table  # type: ignore[attr-defined]  # it is an editor of values
        self.tree.setFocus()

    def rows(self) -> list[ValueRow]:
        return list(self.tree.rows.in_sight())

    def go(self, row: int, column: int = NAME) -> ValueRow:
        found = self.rows()[row]
        self.tree.setCurrentItem(found, column)
        return found

    def value(self) -> dict[str, Any]:
        return {text_of_cell(name): json_of_cell(cell) for name, cell in rows_of(self.editor.text(), 2)}

    def cells(self) -> list[tuple[str, str, str]]:
        return [(row.text(NAME), row.text(KIND), row.text(VALUE)) for row in self.rows() if row.node is not None]


# ---- values as nodes


@settings(max_examples=25)
@given(JSON)
def test_a_value_reads_back_equal_from_its_node(value: object) -> None:
    assert value_of(node_of(value)) == value
    assert type(value_of(node_of(value))) is type(value)


@settings(max_examples=25)
@given(st.dictionaries(TEXTS, JSON))
def test_rows_of_values_read_back_equal_and_have_no_faults(values: dict[str, object]) -> None:
    nodes = node_of(values).parts
    lines = rows_of_nodes(nodes)
    assert [(one.name, value_of(one)) for one in nodes_of_rows(lines)] == list(values.items())
    assert rows_of_nodes(nodes_of_rows(lines)) == lines
    assert not list(faults_of(nodes, are_named=True))


@settings(max_examples=25)
@given(JSON, st.sampled_from(ValueKind))
def test_a_value_of_any_kind_becomes_one_of_every_other(value: object, kind: ValueKind) -> None:
    made = as_kind(node_of(value), kind)
    assert made.kind is kind
    if not any(faults_of([made], are_named=False)):
        assert json_of_cell(cell_of_json(value_of(made))) == value_of(made)


def test_another_kind_keeps_what_it_can_hold() -> None:
    def turned(value: object, kind: ValueKind) -> object:
        return value_of(as_kind(node_of(value), kind))

    assert turned([1, "a"], ValueKind.MAP) == {"1": 1, "2": "a"}
    assert turned({"a": 1, "b": None}, ValueKind.LIST) == [1, None]
    assert turned({"a": [1]}, ValueKind.TEXT) == '{"a": [1]}'
    assert turned('{"a": [1]}', ValueKind.MAP) == {"a": [1]}
    assert (turned("5", ValueKind.NUMBER), turned(5, ValueKind.TEXT)) == (5, "5")
    assert (turned("one", ValueKind.LIST), turned(None, ValueKind.LIST)) == (["one"], [])
    assert (turned("yes", ValueKind.SWITCH), turned(0, ValueKind.SWITCH)) == (True, False)


# ---- the tree


def test_a_list_or_map_opens_as_rows_and_never_stands_there_as_json(app: QApplication, appearance: Appearance) -> None:
    bench = TreeBench(NESTED, appearance)
    assert bench.cells() == [("n", "Number", "5"), ("board", "Map", "4 value(s)")]
    bench.go(1, VALUE)
    bench.keys(Key.Key_Return)
    assert bench.cells()[2:] == [
        ("rev", "Number", "2"),
        ("tests", "List", "2 value(s)"),
        ("old", "Nothing", ""),
        ("on", "Yes/no", "yes"),
    ]
    bench.go(3)
    bench.keys(Key.Key_Right)
    assert bench.cells()[4:6] == [("1", "Text", "a"), ("2", "Text", "b")]
    assert (bench.editor.text(), bench.told) == (NESTED, [])
    bench.editor.put(NESTED.replace("5", "6", 1))
    assert len(bench.cells()) == 8, "what is open stays open when another value comes"


def test_a_value_deep_inside_is_typed_and_what_is_typed_anew_says_its_own_kind(
    app: QApplication, appearance: Appearance
) -> None:
    bench = TreeBench('a\t{"b": [1]}', appearance)
    bench.go(0).setExpanded(True)
    bench.go(1).setExpanded(True)
    bench.go(3)
    bench.keys("two", Key.Key_Return)
    assert bench.value() == {"a": {"b": [1, "two"]}}
    assert bench.told == ["edited", "entered"]
    bench.keys("true", Key.Key_Return, '{{"c": 0}'[1:], Key.Key_Return)
    assert bench.value() == {"a": {"b": [1, "two", True, {"c": 0}]}}


def test_keys_add_a_named_value_as_in_any_table(app: QApplication, appearance: Appearance) -> None:
    bench = TreeBench("", appearance)
    bench.go(0)
    bench.keys("PORT", Key.Key_Tab, "7021", Key.Key_Return)
    bench.keys("HOST", Key.Key_Return, "lab", Key.Key_Return)
    assert bench.value() == {"PORT": 7021, "HOST": "lab"}
    assert bench.told == ["edited", "edited", "entered", "edited", "edited", "entered"]
    bench.go(2)
    bench.keys(Key.Key_Tab)
    assert bench.behind.hasFocus(), "an unused last row leads out of the tree"


def test_a_kind_is_chosen_by_keys_and_a_text_stays_one_whatever_is_typed(
    app: QApplication, appearance: Appearance
) -> None:
    bench = TreeBench("a\t5", appearance)
    bench.go(0, KIND)
    bench.keys(Key.Key_Space)
    assert [one.text() for one in bench.tree.menu.actions()][:6] == [
        "Text",
        "Number",
        "Yes/no",
        "Nothing",
        "List",
        "Map",
    ]
    bench.keys(Key.Key_Down, Key.Key_Return)
    assert bench.value() == {"a": "5"}
    bench.go(0, VALUE)
    bench.keys("true", Key.Key_Return)
    assert bench.value() == {"a": "true"}
    bench.tree.rows.choose_kind(bench.rows()[0], ValueKind.SWITCH)
    bench.go(0, VALUE)
    bench.keys(Key.Key_Space)
    assert bench.value() == {"a": False}


def test_values_are_moved_and_removed_by_keys_each_in_one_step(app: QApplication, appearance: Appearance) -> None:
    bench = TreeBench('a\t["x", {"y": 1}, "z"]', appearance)
    bench.go(0).setExpanded(True)
    bench.go(2)
    bench.keys(Key.Key_Up, modifier=ALT)
    assert bench.value() == {"a": [{"y": 1}, "x", "z"]}
    assert [row[0] for row in bench.cells()] == ["a", "1", "2", "3"]
    bench.keys(Key.Key_Up, modifier=ALT)
    assert bench.told == ["edited", "entered"], "it is the first one"
    bench.keys(Key.Key_Delete)
    assert bench.value() == {"a": ["x", "z"]}
    assert bench.cells()[0][2] == "2 value(s)"
    assert bench.told == ["edited", "entered"] * 2
    bench.go(3)
    bench.keys(Key.Key_Delete)
    assert bench.value() == {"a": ["x", "z"]}, "the row that adds one stays"


def test_pasted_lines_become_rows_of_the_map_around(app: QApplication, appearance: Appearance) -> None:
    bench = TreeBench('a\t{"b": 1}', appearance)
    QGuiApplication.clipboard().setText("b=9\nc=x=y\n")
    bench.go(0).setExpanded(True)
    bench.go(1)
    bench.keys(Key.Key_V, modifier=CONTROL)
    assert bench.value() == {"a": {"b": 9, "c": "x=y"}}
    assert bench.told == ["edited", "entered"]


def test_names_of_results_are_offered_in_a_value(app: QApplication, appearance: Appearance) -> None:
    bench = TreeBench("a\ttext", appearance)
    bench.go(0, VALUE)
    bench.keys("${bu", Key.Key_Return, Key.Key_Return)
    assert bench.value() == {"a": "${build.value}"}


@pytest.mark.parametrize(
    ("typed", "sentence", "label", "mended"),
    [
        ((0, VALUE, "7o"), "“7o” is no number.", "Make it a text", {"a": "7o", "b": {"c": 1}}),
        ((1, NAME, "a"), "The name “a” stands there twice.", "Remove its row", {"a": 5}),
        ((2, NAME, ""), "A value has no name.", "Remove its row", {"a": 5, "b": {}}),
    ],
)
def test_what_is_no_value_is_outlined_itself_told_and_mended(
    app: QApplication, appearance: Appearance, typed: tuple[int, int, str], sentence: str, label: str, mended: object
) -> None:
    bench = TreeBench('a\t5\nb\t{"c": 1}', appearance)
    bench.go(1).setExpanded(True)
    row, column, words = typed
    bench.tree.rows.type_in(bench.rows()[row], column, words)
    bench.rows()[1].setExpanded(False)
    fault = bench.editor.fault()
    assert fault is not None
    assert fault.words.startswith(sentence), fault.words
    assert fault.remedy.label == label
    bench.editor.set_wrong(True)
    bench.editor.outline_part(lambda _: True, fault.words)
    wrong = bench.rows()[row]
    outlined = [at for at in range(3) if bench.tree.is_wrong(bench.tree.indexFromItem(wrong, at))]
    assert outlined == [column], "its own cell, unfolded"
    fault.remedy.call()
    assert (bench.editor.fault(), bench.value()) == (None, mended)


def test_a_locked_tree_can_be_looked_into_and_not_changed(app: QApplication, appearance: Appearance) -> None:
    bench = TreeBench(NESTED, appearance)
    bench.editor.lock("Not while it runs")
    bench.go(1, VALUE)
    bench.keys(Key.Key_Return)
    assert len(bench.rows()) == 6, "nothing to add one with"
    bench.keys("x", Key.Key_Delete, Key.Key_Space)
    bench.go(1, KIND)
    bench.keys(Key.Key_Space)
    assert (bench.editor.text(), bench.tree.menu) == (NESTED, None)


def test_one_value_may_be_nothing_and_stays_in_its_row(app: QApplication, appearance: Appearance) -> None:
    bench = EditorBench(value_editor())
    bench.editor.apply_theme(appearance.palette)
    tree = bench.editor.table  # type: ignore[attr-defined]  # it is an editor of a value
    tree.setFocus()
    tree.setCurrentItem(tree.topLevelItem(0), VALUE)
    assert bench.editor.text() == ""
    bench.keys("0.5", Key.Key_Return, Key.Key_Delete)
    assert bench.editor.text() == "0.5"
    row = tree.topLevelItem(0)
    tree.rows.choose_kind(row, ValueKind.MAP)
    assert bench.editor.text() == '{"1": 0.5}'
    tree.rows.choose_kind(row, ValueKind.NOTHING)
    assert bench.editor.text() == ""
    for words in ("", '""', '"5"', '[1, {"a": null}]'):
        bench.editor.put(words)
        assert bench.editor.text() == words


def test_the_menu_of_a_row_opens_where_its_kind_is_clicked(app: QApplication, appearance: Appearance) -> None:
    bench = TreeBench("a\t5", appearance)
    place = bench.tree.visualItemRect(bench.rows()[0])
    place.setLeft(bench.tree.columnViewportPosition(KIND))
    QTest.mouseClick(bench.tree.viewport(), Qt.MouseButton.LeftButton, pos=place.topLeft())
    menu = bench.tree.menu
    assert menu.isVisible()
    assert not any(one.isEnabled() for one in menu.actions() if one.text().startswith("Move"))
    next(one for one in menu.actions() if one.text() == "Remove").trigger()
    menu.close()
    assert bench.editor.text() == ""


def test_the_line_below_a_row_is_as_wide_as_the_tree_and_the_edge_has_none(
    appearance: Appearance, app: QApplication
) -> None:
    bench = TreeBench("n\t5\nm\t6", appearance)
    bench.editor.resize(300, 200)
    app.processEvents()
    tree = bench.tree
    image, line = tree.viewport().grab().toImage(), colour(appearance.palette.border).rgb()
    first, last = (tree.visualItemRect(row) for row in (bench.rows()[0], bench.rows()[-1]))
    whole, before_name = range(tree.viewport().width()), range(20)
    assert {image.pixel(x, first.bottom()) for x in whole} == {line}
    assert line not in {image.pixel(x, last.bottom()) for x in before_name}

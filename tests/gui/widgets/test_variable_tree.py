"""An environment variable is a text or a secret, which is chosen: nobody has to know how a plan file writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from tests.gui.text.test_cell_text import TEXTS
from tests.gui.widgets.test_typed_editors import CONTROL, EditorBench

from starloom.model.secret import SOURCES
from starloom_gui.text.value_nodes import VARIABLES, ValueKind, ValueNode, as_kind, nodes_of_rows, rows_of_nodes
from starloom_gui.widgets.table_editors import variables_editor
from starloom_gui.widgets.value_rows import KIND, NAME, VALUE, ValueRow

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance

Key = Qt.Key
SECRETS = st.builds(
    lambda source, name: ValueNode(ValueKind.SECRET, text=f"{source}:{name}"), st.sampled_from(SOURCES), TEXTS
)


class VariablesBench(EditorBench):
    """The variables of a task in a window."""

    def __init__(self, words: str, appearance: Appearance) -> None:
        super().__init__(variables_editor())
        self.editor.apply_theme(appearance.palette)
        self.editor.put(words)
        self.tree = self.editor.table  # type: ignore[attr-defined]  # it is an editor of values
        self.tree.setFocus()

    def go(self, row: int, column: int) -> ValueRow:
        found: ValueRow = list(self.tree.rows.in_sight())[row]
        self.tree.setCurrentItem(found, column)
        return found

    def cells(self) -> list[tuple[str, str, str]]:
        rows = self.tree.rows.in_sight()
        return [(row.text(NAME), row.text(KIND), row.text(VALUE)) for row in rows if row.node is not None]

    def kinds(self) -> list[QAction]:
        """The kinds that the menu of the current row offers, opened by its key."""
        self.keys(Key.Key_Space)
        entries: list[QAction] = self.tree.menu.actions()
        return entries[: 1 + len(SOURCES)]


@settings(max_examples=25)
@given(st.dictionaries(TEXTS, SECRETS | st.builds(lambda text: ValueNode(text=text), TEXTS)))
def test_texts_and_secrets_read_back_equal(given: dict[str, ValueNode]) -> None:
    for name, node in given.items():
        node.name = name
    nodes = nodes_of_rows(rows_of_nodes(given.values(), VARIABLES), VARIABLES)
    assert [(one.name, one.kind, one.text) for one in nodes] == [
        (name, one.kind, one.text) for name, one in given.items() if not one.is_blank
    ]


def test_a_text_that_becomes_a_secret_and_a_text_again_is_the_one_it_was() -> None:
    secret = as_kind(ValueNode(text="LAB"), ValueKind.SECRET)
    assert (secret.kind, secret.text) == (ValueKind.SECRET, "keyring:LAB")
    assert as_kind(secret, ValueKind.TEXT).text == "LAB"


def test_a_new_value_is_a_text_whatever_it_looks_like(app: QApplication, appearance: Appearance) -> None:
    bench = VariablesBench("", appearance)
    bench.go(0, NAME)
    bench.keys("PORT", Key.Key_Tab, "7021", Key.Key_Return, "ON", Key.Key_Tab, "true", Key.Key_Return)
    assert bench.cells() == [("PORT", "Text", "7021"), ("ON", "Text", "true")]
    assert bench.editor.text() == "PORT\t7021\nON\ttrue"


def test_a_secret_is_chosen_by_where_it_is_kept_and_named_in_the_same_breath(
    app: QApplication, appearance: Appearance
) -> None:
    bench = VariablesBench("TOKEN", appearance)
    bench.go(0, KIND)
    kinds = bench.kinds()
    assert [one.text() for one in kinds] == [
        "Text",
        "Secret in the keyring",
        "Secret in an environment variable",
        "Secret in a file",
    ]
    assert [one.isChecked() for one in kinds] == [True, False, False, False]
    bench.keys(*[Key.Key_Down] * 3, Key.Key_Return)
    assert "entered" not in bench.told, "it has no name yet"
    bench.keys("LAB_TOKEN", Key.Key_Return)
    assert bench.cells() == [("TOKEN", "Secret", "env:LAB_TOKEN")]
    assert (bench.editor.text(), bench.told[-1]) == ("TOKEN\t{secret: env:LAB_TOKEN}", "entered")


def test_another_source_keeps_the_name_and_another_name_the_source(app: QApplication, appearance: Appearance) -> None:
    bench = VariablesBench("TOKEN\t{secret: env:LAB}", appearance)
    bench.go(0, KIND)
    assert [one.isChecked() for one in bench.kinds()] == [False, False, True, False]
    bench.keys(*[Key.Key_Down] * 4, Key.Key_Return)
    assert (bench.editor.text(), bench.told) == ("TOKEN\t{secret: file:LAB}", ["edited", "entered"])
    bench.go(0, VALUE)
    bench.keys("/etc/token", Key.Key_Return)
    assert bench.editor.text() == "TOKEN\t{secret: file:/etc/token}"
    bench.go(0, VALUE)
    bench.keys("keyring:other", Key.Key_Return)
    assert bench.editor.text() == "TOKEN\t{secret: keyring:other}"
    bench.go(0, KIND)
    bench.kinds()[0].trigger()
    assert bench.editor.text() == "TOKEN\tother"


def test_what_a_plan_file_writes_is_read_where_it_is_typed_or_pasted(app: QApplication, appearance: Appearance) -> None:
    bench = VariablesBench("OLD\ttext", appearance)
    bench.go(1, NAME)
    bench.keys("A", Key.Key_Tab, "{secret: env:X}", Key.Key_Return)
    QGuiApplication.clipboard().setText("B={secret: file:/t}\nOLD=5\n")
    bench.go(0, NAME)
    bench.keys(Key.Key_V, modifier=CONTROL)
    assert bench.cells() == [("OLD", "Text", "5"), ("A", "Secret", "env:X"), ("B", "Secret", "file:/t")]


def test_what_names_no_secret_is_outlined_told_without_being_repeated_and_mended(
    app: QApplication, appearance: Appearance
) -> None:
    bench = VariablesBench("A\tb\nTOKEN\t{secret: env:X}", appearance)
    row = bench.go(1, VALUE)
    bench.tree.rows.type_in(row, VALUE, "vault:hunter2")
    fault = bench.editor.fault()
    assert fault is not None
    assert fault.words.startswith("This names no secret. Write keyring:NAME, env:NAME or file:PATH")
    assert "hunter2" not in fault.words
    bench.editor.set_wrong(True)
    bench.editor.outline_part(lambda _: True, fault.words)
    wrong = [at for at in range(3) if bench.tree.is_wrong(bench.tree.indexFromItem(row, at))]
    assert wrong == [VALUE]
    fault.remedy.call()
    assert (bench.editor.fault(), bench.editor.text()) == (None, "A\tb\nTOKEN\tvault:hunter2")

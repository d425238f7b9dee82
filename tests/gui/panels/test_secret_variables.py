"""The form of a task makes a variable a secret, refuses one without a name, and what is saved reads back equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.driver import edge, task
from tests.gui.panels.test_task_form import FormBench

from starloom.formats.files import parse_plan
from starloom.formats.native_writer import write_plan
from starloom.model.plan import Plan
from starloom.model.secret import Secret
from starloom_gui.text.value_nodes import ValueKind
from starloom_gui.widgets.value_rows import VALUE

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance


def test_a_secret_of_the_environment_is_chosen_refused_without_a_name_and_saved(
    app: QApplication, appearance: Appearance
) -> None:
    bench = FormBench("env", appearance)
    assert bench.change("env", "A\tb\nTOKEN\t") == ""
    bench.told()
    editor, fields, sent = bench.inspector.fields.value("env"), bench.inspector.fields, len(bench.asks.sent)
    rows = editor.table.rows
    row = next(rows.of(rows.root.parts[1]))
    rows.choose_source(row, "keyring")
    rows.type_in(row, VALUE, "elsewhere:lab")
    rows.ended.emit()
    assert fields.reason("env").startswith("This names no secret. Write keyring:NAME")
    assert fields.reason("env").endswith("Nothing was changed.")
    assert len(bench.asks.sent) == sent
    rows.type_in(row, VALUE, "keyring:lab")
    rows.ended.emit()
    assert (fields.reason("env"), len(bench.asks.sent)) == ("", sent + 1), "one step"
    assert bench.task.env == {"A": "b", "TOKEN": Secret("keyring:lab")}
    saved = write_plan(Plan(tasks=[task("first"), bench.task], dependencies=[edge("first", "t")]), "yaml")
    assert parse_plan(saved, format="yaml").tasks[1] == bench.task
    bench.told()
    rows.choose_kind(next(rows.of(rows.root.parts[1])), ValueKind.TEXT)
    assert bench.task.env == {"A": "b", "TOKEN": "lab"}

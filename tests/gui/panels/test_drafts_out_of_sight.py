"""What is typed for a task and not set, while others change it and another task is shown: told, not overwritten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gui.panels.test_inspector import InspectorBench

from starloom.constellation.edits import UpdateTask

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance


def typed(bench: InspectorBench, words: str) -> None:
    """Type a command for `coverage`, and set nothing."""
    editor = bench.inspector.fields.value("shell")
    editor.write(words)
    assert bench.inspector.fields.field_rows["shell"].draft.is_edited


def set_by_others(bench: InspectorBench, words: str) -> None:
    bench.driver.edit(UpdateTask("coverage", shell=words))
    bench.told()


def test_what_others_set_while_another_task_was_shown_is_told_and_not_overwritten_unasked(
    app: QApplication, appearance: Appearance
) -> None:
    bench = InspectorBench(appearance, app, "coverage")
    fields = bench.inspector.fields
    set_by_others(bench, "echo first")
    typed(bench, "echo mine")
    bench.select("fuzz")
    set_by_others(bench, "echo theirs")
    bench.select("coverage")
    row = fields.field_rows["shell"]
    assert row.draft.text == "echo mine"
    assert fields.told("shell") == "Set to echo theirs", "and nothing of when, as nobody saw it"
    bench.select("fuzz")
    bench.select("coverage")
    assert fields.told("shell") == "Set to echo theirs", "also the next time"
    assert not bench.asks.sent
    row = fields.field_rows["shell"]
    row.draft.enter()
    task = bench.run.graph.tasks[bench.number("coverage")]
    assert task is not None
    assert task.shell == "echo mine"
    bench.told()
    assert fields.told("shell") == "echo theirs was overwritten."


def test_without_a_change_by_others_it_is_as_it_was(app: QApplication, appearance: Appearance) -> None:
    bench = InspectorBench(appearance, app, "coverage")
    fields = bench.inspector.fields
    set_by_others(bench, "echo first")
    typed(bench, "echo mine")
    bench.select("fuzz")
    bench.select("coverage")
    assert fields.told("shell").startswith("Not set yet")
    set_by_others(bench, "echo second")
    assert fields.told("shell") == "Set to echo second, just now"


def test_what_others_have_set_to_the_very_same_is_no_draft_any_more(app: QApplication, appearance: Appearance) -> None:
    bench = InspectorBench(appearance, app, "coverage")
    set_by_others(bench, "echo first")
    typed(bench, "echo mine")
    bench.select("fuzz")
    set_by_others(bench, "echo mine")
    bench.select("coverage")
    assert bench.inspector.fields.told("shell") == ""
    assert not bench.inspector.fields.drafts.all


def test_the_button_that_sets_what_was_typed_stays_one_when_others_set_the_field(
    app: QApplication, appearance: Appearance
) -> None:
    bench = InspectorBench(appearance, app, "coverage")
    set_by_others(bench, "echo first")
    typed(bench, "echo mine")
    bench.select("fuzz")
    bench.select("coverage")
    app.processEvents()
    beside = bench.inspector.fields.field_rows["shell"].beside
    assert (beside.button.isVisible(), beside.set_it.isVisible()) == (False, True)
    place = beside.set_it.mapTo(bench.inspector, beside.set_it.rect().center())
    set_by_others(bench, "echo theirs")
    app.processEvents()
    assert (beside.button.isVisible(), beside.set_it.isVisible()) == (True, True)
    assert beside.set_it.geometry().right() >= beside.button.geometry().right()
    assert abs(beside.set_it.mapTo(bench.inspector, beside.set_it.rect().center()).x() - place.x()) <= 1
    beside.set_it.click()
    task = bench.run.graph.tasks[bench.number("coverage")]
    assert task is not None
    assert task.shell == "echo mine"

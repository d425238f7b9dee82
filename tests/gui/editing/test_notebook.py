"""The notes of a plan are part of it; those of a run are whoever's looks at it. Both are steps of undo."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tests.driver import plan
from tests.gui.documents.plans import loaded
from tests.gui.editing.run_editor_bench import RunEditorBench

from starloom.model.note import Note
from starloom_gui.diff.plan_difference import carried, difference, plan_of
from starloom_gui.documents.open_documents import OpenDocuments
from starloom_gui.editing.notebook import PlanNotebook, RunNotebook
from starloom_gui.editing.plan_editor import PlanEditor
from starloom_gui.text.field_words import value_words

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

ONE, TWO = Note(text="one", task="a"), Note(text="two", x=5)
NOTED = replace(plan(["a", "b"], ["a>b"]), notes=(ONE,))


def test_notes_of_a_plan_are_edits_of_it_that_can_be_taken_back(app: QApplication) -> None:
    documents = OpenDocuments()
    key = documents.put_loaded(loaded(NOTED, Path("/plans/p.yaml"))).key
    editor = PlanEditor(documents, key)
    book, heard = PlanNotebook(editor), []
    book.changed.connect(lambda: heard.append(book.notes))
    assert book.notes == (ONE,)
    book.write((ONE, TWO), "Add note")
    document = documents.document(key)
    assert document is not None
    assert document.plan.notes == (ONE, TWO)
    assert document.plan.index is NOTED.index or document.plan.index.ids == NOTED.index.ids
    assert document.is_dirty
    assert editor.undo_offer().label == "Add note"
    editor.undo()
    document = documents.document(key)
    assert document is not None
    assert (document.plan.notes, document.is_dirty) == ((ONE,), False)
    editor.redo()
    assert heard == [(ONE, TWO), (ONE,), (ONE, TWO)]


def test_steps_of_one_move_are_one(app: QApplication) -> None:
    documents = OpenDocuments()
    editor = PlanEditor(documents, documents.put_loaded(loaded(NOTED, Path("/plans/p.yaml"))).key)
    book = PlanNotebook(editor)
    for x in (16, 32, 48):
        book.write((replace(ONE, x=x),), "Move note", "nudge note 0")
    assert len(editor.history.entries) == 1
    editor.undo()
    assert book.notes == (ONE,)


def test_notes_on_a_run_are_no_edit_of_it_and_go_into_the_plan_that_is_made_of_it() -> None:
    bench = RunEditorBench()
    book = RunNotebook(bench.editor)
    before = bench.graph()
    book.write((TWO,), "Add note")
    assert bench.graph() == before
    assert not bench.engine.sent
    assert plan_of(bench.run(), notes=book.notes).notes == (TWO,)
    assert plan_of(bench.run()).notes == ()
    bench.editor.undo()
    assert not book.notes
    bench.editor.redo()
    assert list(book.notes) == [TWO]


def test_a_runs_notes_are_carried_to_its_plan_unless_that_has_others_by_now() -> None:
    after = replace(NOTED, notes=(ONE, TWO))
    changes = difference(NOTED, after)
    assert [change.name for change in changes.fields] == ["notes"]
    assert value_words("notes", after.notes) == "one · two"
    assert carried(changes, replace(NOTED, description="other")).notes == (ONE, TWO)

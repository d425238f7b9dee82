"""What views do by themselves among the steps of undo: in order with edits, and without making anything dirty."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.driver import plan, task
from tests.gui.documents.plans import loaded
from tests.gui.editing.run_editor_bench import RunEditorBench

from starloom.constellation.edits import AddTask
from starloom_gui.documents.open_documents import OpenDocuments
from starloom_gui.editing.base import Mode, Rearranged, Step
from starloom_gui.editing.history import HistoryEntry, UndoHistory
from starloom_gui.editing.plan_editor import PlanEditor

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.editing.run_editor import RunEditor


@dataclass
class Shelf:
    """A view of which only one number can be seen: where something stands."""

    at: int = 0
    told: list[int] = field(default_factory=list)

    def move(self, editor: PlanEditor | RunEditor, to: int, merges: str = "") -> None:
        back, self.at = self._back_to(self.at), to
        editor.note(f"Move to {to}", back, merges)

    def _back_to(self, place: int) -> Rearranged:
        def carry_out() -> Rearranged:
            way = self._back_to(self.at)
            self.at = place
            self.told.append(place)
            return way

        return Rearranged(carry_out)


def plan_editor() -> tuple[OpenDocuments, PlanEditor]:
    documents = OpenDocuments()
    key = documents.put_loaded(loaded(plan(["a", "b"], ["a>b"]), Path("/plans/p.yaml"))).key
    return documents, PlanEditor(documents, key)


def add(editor: PlanEditor, id: str) -> None:
    editor.do(Step(label=f"Add {id}", edits=(AddTask(task(id)),)))


def ids(editor: PlanEditor | RunEditor) -> list[str]:
    facts = editor.facts()
    assert facts is not None
    return [one.id for _, one in facts.graph.present()]


def test_light_entries_leave_clean_what_is_clean() -> None:
    history: UndoHistory[str] = UndoHistory()
    seen = []
    history.push(HistoryEntry(label="light", back="", is_light=True))
    seen.append(history.is_clean)
    history.push(HistoryEntry(label="edit", back=""))
    seen.append(history.is_clean)
    history.undone("")
    seen.append(history.is_clean)
    assert seen == [True, False, True]
    history.push(HistoryEntry(label="other light", back="", is_light=True))
    assert history.is_clean
    assert history.entries[-1].label == "other light"


def test_what_was_saved_after_a_light_entry_is_clean_again_though_that_was_taken_back() -> None:
    history: UndoHistory[str] = UndoHistory()
    history.push(HistoryEntry(label="light", back="", is_light=True))
    history.mark_clean()
    history.undone("")
    history.push(HistoryEntry(label="edit", back=""))
    assert not history.is_clean
    history.undone("")
    assert history.is_clean


def test_in_a_plan_it_is_a_step_in_its_place_and_the_document_stays_clean(app: QApplication) -> None:
    documents, editor = plan_editor()
    shelf = Shelf()
    shelf.move(editor, 1)
    document = documents.document(editor.key)
    assert document is not None
    assert not document.is_dirty
    add(editor, "c")
    shelf.move(editor, 2)
    assert editor.undo_offer().label == "Move to 2"
    editor.undo()
    assert (shelf.at, ids(editor)) == (1, ["a", "b", "c"])
    editor.undo()
    assert ids(editor) == ["a", "b"]
    document = documents.document(editor.key)
    assert document is not None
    assert not document.is_dirty, "the plan is the saved one again, wherever its nodes stand"
    editor.undo()
    assert shelf.at == 0
    for _ in range(3):
        editor.redo()
    assert (shelf.at, ids(editor)) == (2, ["a", "b", "c"])


def test_what_merges_is_taken_back_at_once(app: QApplication) -> None:
    _, editor = plan_editor()
    shelf = Shelf()
    for place in (1, 2, 3):
        shelf.move(editor, place, merges="nudge")
    editor.undo()
    assert (shelf.at, editor.history.index) == (0, 0)
    editor.redo()
    assert shelf.at == 3


def test_in_a_run_it_is_taken_back_in_order_with_edits_and_the_engine_is_not_asked() -> None:
    bench, shelf = RunEditorBench(), Shelf()
    bench.add("x")
    shelf.move(bench.editor, 1)
    sent = len(bench.engine.sent)
    bench.editor.undo()
    assert (shelf.at, len(bench.engine.sent)) == (0, sent)
    bench.editor.redo()
    assert (shelf.at, len(bench.engine.sent)) == (1, sent)
    bench.editor.undo()
    bench.undo()
    assert "x" not in ids(bench.editor)


def test_going_back_in_the_list_takes_back_both_kinds() -> None:
    bench, shelf = RunEditorBench(), Shelf()
    shelf.move(bench.editor, 1)
    bench.add("x")
    shelf.move(bench.editor, 2)
    bench.editor.go_to(0)
    bench.settle()
    assert (shelf.at, bench.editor.history.index) == (0, 0)
    assert "x" not in ids(bench.editor)
    bench.editor.go_to(3)
    bench.settle()
    assert (shelf.at, bench.editor.history.index) == (2, 3)
    assert "x" in ids(bench.editor)


def test_among_staged_steps_the_last_thing_done_is_taken_back_first() -> None:
    bench, shelf = RunEditorBench(Mode.STAGED), Shelf()
    bench.add("x")
    shelf.move(bench.editor, 1)
    bench.add("y")
    shelf.move(bench.editor, 2)
    assert taken_back(bench.editor) == ["Move to 2", "Add y", "Move to 1", "Add x"]
    assert shelf.at == 0
    assert not bench.editor.steps
    again = []
    while offer := bench.editor.redo_offer().label:
        again.append(offer)
        bench.editor.redo()
    assert again == ["Add x", "Move to 1", "Add y", "Move to 2"]
    assert (shelf.at, len(bench.editor.steps)) == (2, 2)


def taken_back(editor: RunEditor) -> list[str]:
    """Take everything back, and say in which order."""
    undone = []
    while offer := editor.undo_offer().label:
        undone.append(offer)
        editor.undo()
    return undone


def test_what_is_moved_while_an_undo_is_under_way_comes_after_it() -> None:
    bench, shelf = RunEditorBench(), Shelf()
    bench.add("x")
    bench.editor.undo()
    shelf.move(bench.editor, 1)
    bench.settle()
    assert "x" not in ids(bench.editor)
    assert [entry.label for entry in bench.editor.history.entries] == ["Move to 1"]
    assert taken_back(bench.editor) == ["Move to 1"]
    assert shelf.at == 0


def test_what_is_moved_while_a_redo_is_under_way_comes_after_it() -> None:
    bench, shelf = RunEditorBench(), Shelf()
    bench.add("x")
    bench.undo()
    bench.editor.redo()
    shelf.move(bench.editor, 1)
    bench.settle()
    assert "x" in ids(bench.editor)
    assert [entry.label for entry in bench.editor.history.entries] == ["Add x", "Move to 1"]
    assert bench.editor.history.index == 2


def test_a_nudge_does_not_merge_with_one_before_something_was_staged() -> None:
    bench, shelf = RunEditorBench(Mode.STAGED), Shelf()
    shelf.move(bench.editor, 1, merges="nudge")
    bench.add("x")
    shelf.move(bench.editor, 2, merges="nudge")
    assert taken_back(bench.editor) == ["Move to 2", "Add x", "Move to 1"]


def test_what_was_taken_back_is_not_done_again_once_something_is_staged() -> None:
    bench, shelf = RunEditorBench(), Shelf()
    shelf.move(bench.editor, 1)
    bench.editor.undo()
    assert bench.editor.redo_offer().label == "Move to 1"
    bench.editor.set_mode(Mode.STAGED)
    bench.add("x")
    assert not bench.editor.redo_offer().label, "it came before what is staged, and would come after it"
    bench.editor.undo()
    assert "x" not in ids(bench.editor)

"""The desk is the truth about tabs: what is open, in front and dirty. It never touches a run or a file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tests.gui.documents.plans import loaded, small, written

from starloom_gui.documents.document import Document, RunTab, Stamp

if TYPE_CHECKING:
    from starloom_gui.documents.open_documents import OpenDocuments

FILE = Path("/plans/firmware.wf.json")


class Heard:
    def __init__(self, desk: OpenDocuments) -> None:
        self.changes = 0
        self.fronts: list[object] = []
        desk.changed.connect(self._count)
        desk.turned.connect(self.fronts.append)

    def _count(self) -> None:
        self.changes += 1


def test_a_file_becomes_a_clean_document_in_front(desk: OpenDocuments):
    heard = Heard(desk)
    document = desk.put_loaded(loaded(small(), FILE))
    assert (document.title, document.path, document.is_dirty) == ("firmware", FILE, False)
    assert desk.front is document
    assert heard.fronts == [document]


def test_the_same_file_stays_one_document_with_one_key(desk: OpenDocuments):
    first = desk.put_loaded(loaded(small(), FILE))
    desk.change(first.key, small("x"))
    desk.put_plan(small("y"))
    again = desk.put_loaded(loaded(small("z"), FILE))
    assert again.key == first.key
    assert not again.is_dirty
    assert len(desk.documents) == 2
    assert desk.front == again


def test_plans_of_one_name_are_told_apart_by_their_folders(desk: OpenDocuments):
    titles = [desk.put_loaded(loaded(small(), Path(at) / "firmware.yaml")).title for at in ("/lab", "/office")]
    assert titles == ["firmware", "firmware (office)"]


def test_a_run_has_a_tab_of_its_own_with_the_plan_as_it_was_and_is_never_dirty(desk: OpenDocuments):
    document = desk.put_loaded(loaded(small(), FILE))
    run = desk.put_run("r-1", document)
    other = desk.put_run("r-2", document)
    assert (run.title, other.title) == (small().name, f"{small().name} · 2")
    desk.change(document.key, small("changed"))
    assert run.snapshot == small()
    assert desk.item(run.key) is run
    assert desk.put_run("r-1") is run
    assert desk.front is run
    assert not hasattr(run, "is_dirty")


def test_a_run_finds_its_plan_again_after_that_was_closed_and_opened(desk: OpenDocuments):
    run = desk.put_run("r", desk.put_loaded(loaded(small(), FILE)))
    desk.close(run.document)
    assert desk.document_of(run) is None
    again = desk.put_loaded(loaded(small(), FILE))
    assert desk.document_of(run) is again


def test_closing_the_front_tab_turns_to_its_right_neighbour_else_to_the_left_one(desk: OpenDocuments):
    a, b, c = (desk.put_plan(small(name)) for name in "abc")
    desk.turn_to(b.key)
    desk.close(b.key)
    assert desk.front == c
    desk.close(c.key)
    assert desk.front == a
    desk.close(a.key)
    assert [*desk, desk.front] == [None]


def test_closing_another_tab_leaves_the_front_alone(desk: OpenDocuments):
    a, b = desk.put_plan(small("a")), desk.put_plan(small("b"))
    desk.close(a.key)
    assert desk.front == b
    desk.close("nothing of this name")
    assert list(desk) == [b]


def test_a_change_makes_a_document_dirty_until_just_that_is_saved(desk: OpenDocuments):
    key = desk.put_loaded(loaded(small(), FILE)).key
    desk.change(key, small())
    assert [each.is_dirty for each in desk.documents] == [False], "an equal plan is no change"
    desk.change(key, small("x"))
    writing = desk.documents[0].plan
    desk.change(key, small("y"))
    desk.note_saved(key, writing, FILE, "yaml", Stamp(1, 2))
    assert desk.documents[0].is_dirty, "it was changed while it was written"
    desk.note_saved(key, desk.documents[0].plan, FILE, "yaml", Stamp(3, 4))
    (document,) = desk.documents
    assert (document.is_dirty, document.stamp) == (False, Stamp(3, 4))


def test_a_change_back_to_what_the_file_says_leaves_nothing_to_save(desk: OpenDocuments):
    document = desk.put_loaded(loaded(small(), FILE))
    desk.change(document.key, small("x"), reason="Add x")
    assert [(each.is_dirty, each.reason) for each in desk.documents] == [(True, "Add x")]
    desk.change(document.key, small())
    assert not desk.documents[0].is_dirty
    desk.note_stamp(document.key, Stamp(9, 9))
    desk.change(document.key, small("x"))
    desk.change(document.key, small())
    assert desk.documents[0].is_dirty, "the file says something else by now"


def test_new_plans_are_empty_in_front_and_told_apart(desk: OpenDocuments):
    made = [desk.put_new() for _ in range(3)]
    assert [each.title for each in made] == ["New plan", "New plan 2", "New plan 3"]
    assert desk.front == made[-1]
    assert not any(each.is_dirty or each.plan.tasks or each.path for each in desk.documents)
    desk.close(made[1].key)
    assert desk.put_new().title == "New plan 2"


def test_saving_over_the_file_of_another_document_closes_that_one(desk: OpenDocuments):
    other = desk.put_loaded(loaded(small(), FILE))
    mine = desk.put_plan(small("mine"))
    desk.turn_to(other.key)
    desk.note_saved(mine.key, mine.plan, FILE, "wfformat", None)
    (left,) = desk.documents
    assert (left.key, left.title, left.path, left.is_dirty) == (mine.key, "firmware", FILE, False)
    assert desk.front == left


def test_whoever_keeps_what_is_open_has_a_dirty_document_and_is_not_asked_again(desk: OpenDocuments):
    document = desk.put_loaded(loaded(small(), FILE))
    desk.note_stamp(document.key, Stamp(9, 9))
    assert desk.front == replace(document, stamp=Stamp(9, 9), is_dirty=True)


def test_turning_to_what_is_in_front_tells_nobody(desk: OpenDocuments):
    document = desk.put_plan(small())
    heard = Heard(desk)
    desk.turn_to(document.key)
    desk.turn_to("nothing of this name")
    assert not heard.changes
    assert not heard.fronts


def test_a_desk_tells_documents_and_runs_apart_in_order(desk: OpenDocuments, tmp_path: Path):
    document = desk.put_loaded(loaded(small(), written(small(), tmp_path / "p.yaml")))
    run = desk.put_run("r", document)
    assert [type(item) for item in desk] == [Document, RunTab]
    assert desk.documents == (document,)
    assert desk.runs == (run,)
    assert desk.document(run.key) is None

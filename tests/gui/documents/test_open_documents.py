"""`OpenDocuments` is the truth about tabs: what is open, in front and dirty. It never touches a run or a file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.gui.documents.plans import loaded, small, written

from starloom_gui.documents.document import Document, RunTab, Stamp
from starloom_gui.documents.open_documents import OpenDocuments
from starloom_gui.documents.run_names import RunNames
from starloom_gui.documents.unsaved import UnsavedPlans
from starloom_gui.settings import Settings

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

FILE = Path("/plans/firmware.wf.json")


@pytest.fixture
def documents(app: QApplication) -> OpenDocuments:
    return OpenDocuments()


class Heard:
    def __init__(self, documents: OpenDocuments) -> None:
        self.changes = 0
        self.fronts: list[object] = []
        documents.changed.connect(self._count)
        documents.turned.connect(self.fronts.append)

    def _count(self) -> None:
        self.changes += 1


def test_a_file_becomes_a_clean_document_in_front(documents: OpenDocuments):
    heard = Heard(documents)
    document = documents.put_loaded(loaded(small(), FILE))
    assert (document.title, document.path, document.is_dirty) == ("firmware", FILE, False)
    assert documents.front is document
    assert heard.fronts == [document]


def test_the_same_file_stays_one_document_with_one_key(documents: OpenDocuments):
    first = documents.put_loaded(loaded(small(), FILE))
    documents.change(first.key, small("x"))
    documents.put_plan(small("y"))
    again = documents.put_loaded(loaded(small("z"), FILE))
    assert again.key == first.key
    assert not again.is_dirty
    assert len(documents.documents) == 2
    assert documents.front == again


def test_a_run_is_tied_to_its_plan_again_in_a_later_session(app: QApplication, tmp_path: Path):
    settings = Settings(tmp_path / "console.ini")
    before = OpenDocuments(names=RunNames(settings))
    drawn, opened = before.put_new(), before.put_loaded(loaded(small(), FILE))
    for run_id, document in (("of drawn", drawn), ("of opened", opened)):
        before.put_run(run_id, document)
    store = UnsavedPlans(tmp_path / "unsaved")
    store.keep(drawn, 1.0)
    store.close()
    (lost,) = UnsavedPlans(tmp_path / "unsaved").found().plans
    after = OpenDocuments(names=RunNames(settings))
    of_drawn, of_opened, foreign = (after.put_run(run_id) for run_id in ("of drawn", "of opened", "foreign"))
    another = after.put_new()
    assert another.title == drawn.title
    assert after.document_of(of_drawn) is after.document_of(of_opened) is None
    back, again = after.put_back(lost), after.put_loaded(loaded(small(), FILE))
    assert after.document_of(of_drawn) is back
    assert after.document_of(of_opened) is again
    assert after.document_of(foreign) is None


def test_a_run_follows_its_plan_to_the_file_that_gets_it(app: QApplication, tmp_path: Path):
    settings = Settings(tmp_path / "console.ini")
    before = OpenDocuments(names=RunNames(settings))
    drawn = before.put_new()
    for run_id in ("open", "closed"):
        before.put_run(run_id, drawn)
    before.close("run closed")
    before.note_saved(drawn.key, drawn.plan, FILE, "yaml", None)
    assert before.document_of(before.put_run("open")) is before.document_of(before.put_run("closed")) is before.at(FILE)
    after = OpenDocuments(names=RunNames(settings))
    runs, again = [after.put_run(run_id) for run_id in ("open", "closed")], after.put_loaded(loaded(small(), FILE))
    assert [after.document_of(run) for run in runs] == [again, again]


def test_runs_of_one_name_are_called_alike_in_all_consoles_whoever_opens_which_first(tmp_path: Path):
    ids = ["20261201-142658-p-9028", "20261201-142752-p-0327"]
    settings = [Settings(tmp_path / "console.ini") for _ in range(2)]
    ada, bob = (OpenDocuments(names=RunNames(each, lambda _name: ids)) for each in settings)
    assert ada.put_run(ids[1], None, "p").title == "p · 2"
    assert [bob.put_run(run_id, None, "p").title for run_id in ids] == ["p", "p · 2"]
    assert ada.put_run(ids[0], None, "p").title == "p"
    elsewhere = OpenDocuments(names=RunNames(Settings(tmp_path / "other.ini"), lambda _name: ids))
    assert [elsewhere.put_run(run_id, None, "p").title for run_id in reversed(ids)] == ["p · 2", "p"]


def test_a_run_that_another_console_has_named_keeps_that_name(tmp_path: Path):
    ada, bob = (OpenDocuments(names=RunNames(Settings(tmp_path / "console.ini"))) for _ in range(2))
    assert ada.put_run("one", None, "p").title == "p"
    assert bob.put_run("one", None, "p").title == "p"
    assert bob.put_run("two", None, "p").title == "p · 2"
    assert ada.put_run("two", None, "p").title == "p · 2"


def test_plans_of_one_name_are_told_apart_by_their_folders(documents: OpenDocuments):
    titles = [documents.put_loaded(loaded(small(), Path(at) / "firmware.yaml")).title for at in ("/lab", "/office")]
    assert titles == ["firmware", "firmware (office)"]


def test_a_run_has_a_tab_of_its_own_with_the_plan_as_it_was_and_is_never_dirty(documents: OpenDocuments):
    document = documents.put_loaded(loaded(small(), FILE))
    run = documents.put_run("r-1", document)
    other = documents.put_run("r-2", document)
    assert (run.title, other.title) == (small().name, f"{small().name} · 2")
    documents.change(document.key, small("changed"))
    assert run.snapshot == small()
    assert documents.item(run.key) is run
    assert documents.put_run("r-1") is run
    assert documents.front is run
    assert not hasattr(run, "is_dirty")


def test_a_run_finds_its_plan_again_after_that_was_closed_and_opened(documents: OpenDocuments):
    run = documents.put_run("r", documents.put_loaded(loaded(small(), FILE)))
    documents.close(run.document)
    assert documents.document_of(run) is None
    again = documents.put_loaded(loaded(small(), FILE))
    assert documents.document_of(run) is again


def test_closing_the_front_tab_turns_to_its_right_neighbour_else_to_the_left_one(documents: OpenDocuments):
    a, b, c = (documents.put_plan(small(name)) for name in "abc")
    documents.turn_to(b.key)
    documents.close(b.key)
    assert documents.front == c
    documents.close(c.key)
    assert documents.front == a
    documents.close(a.key)
    assert [*documents, documents.front] == [None]


def test_closing_another_tab_leaves_the_front_alone(documents: OpenDocuments):
    a, b = documents.put_plan(small("a")), documents.put_plan(small("b"))
    documents.close(a.key)
    assert documents.front == b
    documents.close("nothing of this name")
    assert list(documents) == [b]


def test_of_several_that_are_closed_at_once_none_comes_to_the_front_in_between(documents: OpenDocuments):
    keys = [documents.put_plan(small()).key for _ in range(5)]
    documents.turn_to(keys[2])
    seen: list[str] = []
    documents.changed.connect(lambda: seen.append(documents.front.key if documents.front is not None else ""))
    documents.close(keys[3], keys[2], keys[1], "unknown")
    assert seen == [keys[4]]
    documents.close(keys[4])
    assert seen[-1] == keys[0]
    documents.close(keys[0])
    assert seen[-1] == ""
    documents.close(keys[0])
    assert len(seen) == 3, "nothing was closed"


def test_a_change_makes_a_document_dirty_until_just_that_is_saved(documents: OpenDocuments):
    key = documents.put_loaded(loaded(small(), FILE)).key
    documents.change(key, small())
    assert [each.is_dirty for each in documents.documents] == [False], "an equal plan is no change"
    documents.change(key, small("x"))
    writing = documents.documents[0].plan
    documents.change(key, small("y"))
    documents.note_saved(key, writing, FILE, "yaml", Stamp(1, 2))
    assert documents.documents[0].is_dirty, "it was changed while it was written"
    documents.note_saved(key, documents.documents[0].plan, FILE, "yaml", Stamp(3, 4))
    (document,) = documents.documents
    assert (document.is_dirty, document.stamp) == (False, Stamp(3, 4))


def test_a_change_back_to_what_the_file_says_leaves_nothing_to_save(documents: OpenDocuments):
    document = documents.put_loaded(loaded(small(), FILE))
    documents.change(document.key, small("x"), reason="Add x")
    assert [(each.is_dirty, each.reason) for each in documents.documents] == [(True, "Add x")]
    documents.change(document.key, small())
    assert not documents.documents[0].is_dirty
    documents.note_stamp(document.key, Stamp(9, 9))
    documents.change(document.key, small("x"))
    documents.change(document.key, small())
    assert documents.documents[0].is_dirty, "the file says something else by now"


def test_new_plans_are_empty_in_front_and_told_apart(documents: OpenDocuments):
    made = [documents.put_new() for _ in range(3)]
    assert [each.title for each in made] == ["New plan", "New plan 2", "New plan 3"]
    assert documents.front == made[-1]
    assert not any(each.is_dirty or each.plan.tasks or each.path for each in documents.documents)
    documents.close(made[1].key)
    assert documents.put_new().title == "New plan 2"


def test_saving_over_the_file_of_another_document_leaves_that_one_open_without_a_file(documents: OpenDocuments):
    other = documents.put_loaded(loaded(small(), FILE))
    documents.change(other.key, small("precious"))
    mine = documents.put_plan(small("mine"))
    documents.note_saved(mine.key, mine.plan, FILE, "wfformat", None)
    left, saved = documents.documents
    assert (saved.key, saved.path, saved.is_dirty) == (mine.key, FILE, False)
    assert (left.key, left.path, left.is_dirty, left.plan) == (other.key, None, True, small("precious"))
    assert left.title != saved.title
    assert left.persistent_id != saved.persistent_id
    documents.change(left.key, small())
    assert documents.documents[0].is_dirty, "no file has it"


def test_whoever_keeps_what_is_open_has_a_dirty_document_and_is_not_asked_again(documents: OpenDocuments):
    document = documents.put_loaded(loaded(small(), FILE))
    documents.note_stamp(document.key, Stamp(9, 9))
    assert documents.front == replace(document, stamp=Stamp(9, 9), is_dirty=True)


def test_turning_to_what_is_in_front_tells_nobody(documents: OpenDocuments):
    document = documents.put_plan(small())
    heard = Heard(documents)
    documents.turn_to(document.key)
    documents.turn_to("nothing of this name")
    assert not heard.changes
    assert not heard.fronts


def test_open_documents_tell_documents_and_runs_apart_in_order(documents: OpenDocuments, tmp_path: Path):
    document = documents.put_loaded(loaded(small(), written(small(), tmp_path / "p.yaml")))
    run = documents.put_run("r", document)
    assert [type(item) for item in documents] == [Document, RunTab]
    assert documents.documents == (document,)
    assert documents.runs == (run,)
    assert documents.document(run.key) is None

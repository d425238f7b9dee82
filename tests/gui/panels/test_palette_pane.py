"""The palette: what it offers, how it is searched, and how a task gets from it into a graph by pointer and by keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QDrag
from PySide6.QtTest import QTest
from tests.driver import task
from tests.gui.editing.engine_by_hand import EditorByHand, build, links, number

from starloom.constellation.edits import RemoveTask
from starloom.model.task import ACTIONS
from starloom_gui.editing.adding import Planter
from starloom_gui.editing.clipboard import TEMPLATE_TYPE, snippet_in
from starloom_gui.editing.template_files import TemplateShelf
from starloom_gui.editing.templates import FreeIds, kinds, ready_made, task_of
from starloom_gui.panels.palette import PalettePane
from starloom_gui.theme.appearance import Theme
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance


class Bench:
    """A palette beside a graph."""

    def __init__(self, app: QApplication, appearance: Appearance, folder: Path) -> None:
        self.app, self.folder = app, folder
        self.editor: EditorByHand = build()
        self.selection = Selection()
        self.planter = Planter(self.editor, self.selection)
        self.shelf = TemplateShelf(folder)
        self.pane = PalettePane(self.shelf, appearance)
        self.failed: list[str] = []
        self.pane.failed.connect(lambda what, why: self.failed.append(f"{what}: {why}"))
        self.pane.resize(240, 500)
        self.pane.show()
        self.pane.set_planter(self.planter)

    def select(self, *ids: str) -> None:
        self.selection.select_all(number(self.editor.facts(), one) for one in ids)

    @property
    def titles(self) -> list[str]:
        model = self.pane.list.model()
        return [model.index(row, 0).data() for row in range(model.rowCount())]

    @property
    def where(self) -> str:
        return self.pane._where.text()

    def key(self, key: Qt.Key) -> None:
        QTest.keyClick(self.app.focusWidget() or self.pane.search, key)


@pytest.fixture
def bench(app: QApplication, appearance: Appearance, tmp_path: Path) -> Bench:
    return Bench(app, appearance, tmp_path / "templates")


# ---- what is offered


def test_every_kind_of_work_has_a_template_and_each_makes_a_task() -> None:
    assert {one.make().action for one in kinds()} == set(ACTIONS)
    every = [*kinds(), *ready_made()]
    assert len({one.name for one in every}) == len({one.title for one in every}) == len(every)
    for one in every:
        assert task_of(one, {one.make().id}).id == f"{one.make().id}-2"


def test_ids_are_free_and_never_given_twice() -> None:
    ids = FreeIds({"a", "a-2", "b-7"})
    assert [ids.free(one) for one in ("a", "a", "b-7", "c", "c", "a-2")] == ["a-3", "a-4", "b-2", "c", "c-2", "a-5"]
    assert len(FreeIds({"x" * 500}).free("x" * 500)) <= 500


def test_it_has_the_kinds_the_templates_and_ones_own(bench: Bench) -> None:
    bench.shelf.save(task("soak", name="Soak a board"))
    assert bench.titles[0] == "Kinds of tasks"
    assert bench.titles[-2:] == ["My templates", "Soak a board"]
    assert "Milestone" in bench.titles


def test_searching_shows_what_has_all_the_words_and_headings_only_where_needed(bench: Bench) -> None:
    QTest.keyClicks(bench.pane.search, "RETRIES comm")
    assert bench.titles == ["Templates", "Command with retries"]
    bench.key(Qt.Key.Key_Escape)
    assert "Simulated" in bench.titles
    QTest.keyClicks(bench.pane.search, "nothing is called that")
    assert bench.titles == []
    assert bench.pane._none.isVisible()


# ---- by keys


def test_return_in_the_search_adds_the_first_that_was_found_to_the_ground(bench: Bench) -> None:
    assert bench.where == "Return adds it without dependencies."
    QTest.keyClicks(bench.pane.search, "milestone")
    QTest.keyClick(bench.pane.search, Qt.Key.Key_Return)
    facts = bench.editor.facts()
    assert "milestone" in facts.graph.place
    assert bench.selection.now.numbers == {number(facts, "milestone")}


def test_return_in_the_list_adds_after_the_current_task(bench: Bench) -> None:
    bench.select("compile")
    assert bench.where == "Return adds it after Compile it."
    QTest.keyClick(bench.pane.search, Qt.Key.Key_Down)
    QTest.keyClick(bench.pane.list, Qt.Key.Key_Down)
    assert bench.pane.list.current is not None
    assert bench.pane.list.current.name == "shell"
    QTest.keyClick(bench.pane.list, Qt.Key.Key_Return)
    assert "compile>shell" in links(bench.editor.facts())
    QTest.keyClick(bench.pane.list, Qt.Key.Key_Return)
    assert "shell>shell-2" in links(bench.editor.facts()), "what was added is the current one: keys go on from it"


def test_headings_are_passed_over_by_keys(bench: Bench) -> None:
    QTest.keyClick(bench.pane.search, Qt.Key.Key_Down)
    names = []
    for _ in range(len(kinds()) + 1):
        assert bench.pane.list.current is not None
        names.append(bench.pane.list.current.name)
        QTest.keyClick(bench.pane.list, Qt.Key.Key_Down)
    assert names[-1] == ready_made()[0].name


def test_with_both_ends_of_a_dependency_selected_it_goes_between(bench: Bench) -> None:
    bench.select("test", "compile")
    assert bench.where == "Return adds it between Compile it and test."
    QTest.keyClick(bench.pane.search, Qt.Key.Key_Return)
    assert {"compile>command>condition", "command>test"} <= links(bench.editor.facts())


def test_what_is_gone_is_not_what_it_would_come_after(bench: Bench) -> None:
    bench.select("docs")
    assert bench.where == "Return adds it after docs."
    bench.editor.driver.edit(RemoveTask("docs"))
    bench.editor.changed.emit()
    assert bench.where == "Return adds it without dependencies."
    assert not bench.pane.keep.isEnabled()


def test_a_pane_turned_to_another_graph_leaves_the_first_alone(bench: Bench) -> None:
    other, selection = build(), Selection()
    planter = Planter(other, selection)
    bench.pane.set_planter(planter)
    bench.select("compile")
    assert bench.where == "Return adds it without dependencies."
    QTest.keyClick(bench.pane.search, Qt.Key.Key_Return)
    assert "command" in other.facts().graph.place
    assert "command" not in bench.editor.facts().graph.place


def test_without_a_graph_nothing_is_added_and_that_is_said(bench: Bench) -> None:
    bench.pane.set_planter(None)
    assert bench.where == "Open a plan or a run to add tasks to it."
    QTest.keyClick(bench.pane.search, Qt.Key.Key_Return)
    assert bench.failed == ["Nothing was added: Open a plan or a run first."]
    assert bench.editor.steps == []


def test_the_menu_offers_the_ground_too(bench: Bench) -> None:
    bench.select("compile")
    bench.pane.list.setCurrentIndex(bench.pane._rows.first())
    menu = bench.pane.open_menu(QPoint(10, 10))
    entries = {action.text(): action for action in menu.actions()}
    assert list(entries) == ["Add after Compile it", "Add without dependencies"]
    entries["Add without dependencies"].trigger()
    assert not any("command" in one for one in links(bench.editor.facts()))
    assert "command" in bench.editor.facts().graph.place
    menu.close()


# ---- by pointer


def test_a_double_click_adds(bench: Bench) -> None:
    index = bench.pane._rows.find("simulated")
    at = bench.pane.list.visualRect(index).center()
    for press in (QTest.mouseClick, QTest.mouseDClick):
        press(bench.pane.list.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert "simulated" in bench.editor.facts().graph.place


def test_a_drag_begins_with_the_mouse_and_carries_one_task(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Offscreen a drag ends at once, so what it would carry is looked at when it begins."""
    carried: list[str] = []

    def begin(drag: QDrag, *_: object) -> Qt.DropAction:
        assert drag.mimeData().formats() == [TEMPLATE_TYPE]
        carried.append(snippet_in(drag.mimeData()).tasks[0].id)
        return Qt.DropAction.IgnoreAction

    monkeypatch.setattr(QDrag, "exec", begin)
    port, index = bench.pane.list.viewport(), bench.pane._rows.find("python")
    at = bench.pane.list.visualRect(index).center()
    QTest.mousePress(port, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    QTest.mouseMove(port, at + QPoint(5, 5))
    QTest.mouseMove(port, at + QPoint(60, 60))
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at + QPoint(60, 60))
    assert carried == ["python"]


# ---- one's own


def test_the_selected_task_is_kept_as_a_template_and_made_again(bench: Bench) -> None:
    assert not bench.pane.keep.isEnabled()
    bench.select("compile")
    assert bench.pane.keep.isEnabled()
    QTest.mouseClick(bench.pane.keep, Qt.MouseButton.LeftButton)
    assert bench.titles[-1] == "Compile it"
    again = TemplateShelf(bench.folder)
    assert again.own[0].make() == bench.editor.facts().graph.task("compile")
    assert bench.pane.list.current == again.own[0]
    QTest.keyClick(bench.pane.list, Qt.Key.Key_Return)
    assert "compile>compile-2" in links(bench.editor.facts())


def test_a_template_is_deleted_from_its_menu(bench: Bench) -> None:
    name = bench.shelf.save(task("soak"))
    bench.pane.list.setCurrentIndex(bench.pane._rows.find(name))
    menu = bench.pane.open_menu(QPoint(10, 10))
    menu.actions()[-1].trigger()
    assert bench.shelf.own == ()
    assert list(bench.folder.iterdir()) == []
    menu.close()


def test_two_templates_of_one_title_are_two_files(bench: Bench) -> None:
    names = {bench.shelf.save(task("a", name="Über / alles")) for _ in range(2)}
    assert len(names) == len(bench.shelf.own) == 2


GARBAGE = {
    "empty.json": b"",
    "half.json": b'{"starloom_edits": 1, "tasks": [',
    "two.json": b'{"starloom_edits": 1, "tasks": [{"id": "a", "call": "x"}, {"id": "b", "call": "x"}]}',
    "noise.json": b"\xff\x00\xfe",
    "large.json": b" " * 1_000_001,
}


def test_garbage_in_the_folder_is_passed_over_with_a_sentence_each_and_left_alone(bench: Bench) -> None:
    bench.shelf.save(task("good"))
    for name, data in GARBAGE.items():
        (bench.folder / name).write_bytes(data)
    (bench.folder / "folder.json").mkdir()
    (bench.folder / "notes.txt").write_text("not mine")
    bench.shelf.read()
    assert [one.title for one in bench.shelf.own] == ["good"]
    assert [one.partition(":")[0] for one in bench.shelf.problems] == sorted(GARBAGE)
    assert all(one.endswith(".") for one in bench.shelf.problems)
    assert bench.pane._problems.isVisible()
    assert "large.json: it is larger than 1 MB." in bench.pane._problems.toolTip()
    assert {name: (bench.folder / name).read_bytes() for name in GARBAGE} == GARBAGE


def test_a_folder_that_cannot_be_made_is_said_so(bench: Bench) -> None:
    bench.folder.write_text("a file is in the way")
    bench.select("docs")
    bench.pane.keep_selected()
    assert bench.failed[0].startswith("The template was not kept: ")
    assert bench.shelf.own == ()


# ---- how it looks


def test_a_pane_made_anew_looks_the_same(
    bench: Bench, app: QApplication, appearance: Appearance, tmp_path: Path
) -> None:
    bench.select("compile")
    app.processEvents()
    other = Bench(app, appearance, tmp_path / "templates")
    other.select("compile")
    app.processEvents()
    before = bench.pane.list.viewport().grab().toImage()
    assert before == other.pane.list.viewport().grab().toImage()
    appearance.choose(Theme.LIGHT)
    app.processEvents()
    assert bench.pane.list.viewport().grab().toImage() != before


def test_a_hidden_pane_does_nothing_until_it_is_seen(bench: Bench, app: QApplication) -> None:
    bench.pane.hide()
    bench.select("compile")
    assert bench.where == "Return adds it without dependencies."
    bench.pane.show()
    assert bench.where == "Return adds it after Compile it."
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_a_template_that_is_kept_has_the_icon_of_its_kind(bench):
    for template in kinds():
        name = bench.shelf.save(template.make())
        assert next(own.icon for own in bench.shelf.own if own.name == name) is template.icon, template.name

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


class Stage:
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
def stage(app: QApplication, appearance: Appearance, tmp_path: Path) -> Stage:
    return Stage(app, appearance, tmp_path / "templates")


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


def test_it_has_the_kinds_the_templates_and_ones_own(stage: Stage) -> None:
    stage.shelf.save(task("soak", name="Soak a board"))
    assert stage.titles[0] == "Kinds of tasks"
    assert stage.titles[-2:] == ["My templates", "Soak a board"]
    assert "Milestone" in stage.titles


def test_searching_shows_what_has_all_the_words_and_headings_only_where_needed(stage: Stage) -> None:
    QTest.keyClicks(stage.pane.search, "RETRIES comm")
    assert stage.titles == ["Templates", "Command with retries"]
    stage.key(Qt.Key.Key_Escape)
    assert "Simulated" in stage.titles
    QTest.keyClicks(stage.pane.search, "nothing is called that")
    assert stage.titles == []
    assert stage.pane._none.isVisible()


# ---- by keys


def test_return_in_the_search_adds_the_first_that_was_found_to_the_ground(stage: Stage) -> None:
    assert stage.where == "Return adds it without dependencies."
    QTest.keyClicks(stage.pane.search, "milestone")
    QTest.keyClick(stage.pane.search, Qt.Key.Key_Return)
    facts = stage.editor.facts()
    assert "milestone" in facts.graph.place
    assert stage.selection.now.numbers == {number(facts, "milestone")}


def test_return_in_the_list_adds_after_the_current_task(stage: Stage) -> None:
    stage.select("compile")
    assert stage.where == "Return adds it after Compile it."
    QTest.keyClick(stage.pane.search, Qt.Key.Key_Down)
    QTest.keyClick(stage.pane.list, Qt.Key.Key_Down)
    assert stage.pane.list.current is not None
    assert stage.pane.list.current.name == "shell"
    QTest.keyClick(stage.pane.list, Qt.Key.Key_Return)
    assert "compile>shell" in links(stage.editor.facts())
    QTest.keyClick(stage.pane.list, Qt.Key.Key_Return)
    assert "shell>shell-2" in links(stage.editor.facts()), "what was added is the current one: keys go on from it"


def test_headings_are_passed_over_by_keys(stage: Stage) -> None:
    QTest.keyClick(stage.pane.search, Qt.Key.Key_Down)
    names = []
    for _ in range(len(kinds()) + 1):
        assert stage.pane.list.current is not None
        names.append(stage.pane.list.current.name)
        QTest.keyClick(stage.pane.list, Qt.Key.Key_Down)
    assert names[-1] == ready_made()[0].name


def test_with_both_ends_of_a_dependency_selected_it_goes_between(stage: Stage) -> None:
    stage.select("test", "compile")
    assert stage.where == "Return adds it between Compile it and test."
    QTest.keyClick(stage.pane.search, Qt.Key.Key_Return)
    assert {"compile>command>condition", "command>test"} <= links(stage.editor.facts())


def test_what_is_gone_is_not_what_it_would_come_after(stage: Stage) -> None:
    stage.select("docs")
    assert stage.where == "Return adds it after docs."
    stage.editor.driver.edit(RemoveTask("docs"))
    stage.editor.changed.emit()
    assert stage.where == "Return adds it without dependencies."
    assert not stage.pane.keep.isEnabled()


def test_a_pane_turned_to_another_graph_leaves_the_first_alone(stage: Stage) -> None:
    other, selection = build(), Selection()
    planter = Planter(other, selection)
    stage.pane.set_planter(planter)
    stage.select("compile")
    assert stage.where == "Return adds it without dependencies."
    QTest.keyClick(stage.pane.search, Qt.Key.Key_Return)
    assert "command" in other.facts().graph.place
    assert "command" not in stage.editor.facts().graph.place


def test_without_a_graph_nothing_is_added_and_that_is_said(stage: Stage) -> None:
    stage.pane.set_planter(None)
    assert stage.where == "Open a plan or a run to add tasks to it."
    QTest.keyClick(stage.pane.search, Qt.Key.Key_Return)
    assert stage.failed == ["Nothing was added: Open a plan or a run first."]
    assert stage.editor.steps == []


def test_the_menu_offers_the_ground_too(stage: Stage) -> None:
    stage.select("compile")
    stage.pane.list.setCurrentIndex(stage.pane._rows.first())
    menu = stage.pane.open_menu(QPoint(10, 10))
    entries = {action.text(): action for action in menu.actions()}
    assert list(entries) == ["Add after Compile it", "Add without dependencies"]
    entries["Add without dependencies"].trigger()
    assert not any("command" in one for one in links(stage.editor.facts()))
    assert "command" in stage.editor.facts().graph.place
    menu.close()


# ---- by pointer


def test_a_double_click_adds(stage: Stage) -> None:
    index = stage.pane._rows.find("simulated")
    at = stage.pane.list.visualRect(index).center()
    for press in (QTest.mouseClick, QTest.mouseDClick):
        press(stage.pane.list.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert "simulated" in stage.editor.facts().graph.place


def test_a_drag_begins_with_the_mouse_and_carries_one_task(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Offscreen a drag ends at once, so what it would carry is looked at when it begins."""
    carried: list[str] = []

    def begin(drag: QDrag, *_: object) -> Qt.DropAction:
        assert drag.mimeData().formats() == [TEMPLATE_TYPE]
        carried.append(snippet_in(drag.mimeData()).tasks[0].id)
        return Qt.DropAction.IgnoreAction

    monkeypatch.setattr(QDrag, "exec", begin)
    port, index = stage.pane.list.viewport(), stage.pane._rows.find("python")
    at = stage.pane.list.visualRect(index).center()
    QTest.mousePress(port, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    QTest.mouseMove(port, at + QPoint(5, 5))
    QTest.mouseMove(port, at + QPoint(60, 60))
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at + QPoint(60, 60))
    assert carried == ["python"]


# ---- one's own


def test_the_selected_task_is_kept_as_a_template_and_made_again(stage: Stage) -> None:
    assert not stage.pane.keep.isEnabled()
    stage.select("compile")
    assert stage.pane.keep.isEnabled()
    QTest.mouseClick(stage.pane.keep, Qt.MouseButton.LeftButton)
    assert stage.titles[-1] == "Compile it"
    again = TemplateShelf(stage.folder)
    assert again.own[0].make() == stage.editor.facts().graph.task("compile")
    assert stage.pane.list.current == again.own[0]
    QTest.keyClick(stage.pane.list, Qt.Key.Key_Return)
    assert "compile>compile-2" in links(stage.editor.facts())


def test_a_template_is_deleted_from_its_menu(stage: Stage) -> None:
    name = stage.shelf.save(task("soak"))
    stage.pane.list.setCurrentIndex(stage.pane._rows.find(name))
    menu = stage.pane.open_menu(QPoint(10, 10))
    menu.actions()[-1].trigger()
    assert stage.shelf.own == ()
    assert list(stage.folder.iterdir()) == []
    menu.close()


def test_two_templates_of_one_title_are_two_files(stage: Stage) -> None:
    names = {stage.shelf.save(task("a", name="Über / alles")) for _ in range(2)}
    assert len(names) == len(stage.shelf.own) == 2


GARBAGE = {
    "empty.json": b"",
    "half.json": b'{"starloom_edits": 1, "tasks": [',
    "two.json": b'{"starloom_edits": 1, "tasks": [{"id": "a", "call": "x"}, {"id": "b", "call": "x"}]}',
    "noise.json": b"\xff\x00\xfe",
    "large.json": b" " * 1_000_001,
}


def test_garbage_in_the_folder_is_passed_over_with_a_sentence_each_and_left_alone(stage: Stage) -> None:
    stage.shelf.save(task("good"))
    for name, data in GARBAGE.items():
        (stage.folder / name).write_bytes(data)
    (stage.folder / "folder.json").mkdir()
    (stage.folder / "notes.txt").write_text("not mine")
    stage.shelf.read()
    assert [one.title for one in stage.shelf.own] == ["good"]
    assert [one.partition(":")[0] for one in stage.shelf.problems] == sorted(GARBAGE)
    assert all(one.endswith(".") for one in stage.shelf.problems)
    assert stage.pane._problems.isVisible()
    assert "large.json: it is larger than 1 MB." in stage.pane._problems.toolTip()
    assert {name: (stage.folder / name).read_bytes() for name in GARBAGE} == GARBAGE


def test_a_folder_that_cannot_be_made_is_said_so(stage: Stage) -> None:
    stage.folder.write_text("a file is in the way")
    stage.select("docs")
    stage.pane.keep_selected()
    assert stage.failed[0].startswith("The template was not kept: ")
    assert stage.shelf.own == ()


# ---- how it looks


def test_a_pane_made_anew_looks_the_same(
    stage: Stage, app: QApplication, appearance: Appearance, tmp_path: Path
) -> None:
    stage.select("compile")
    app.processEvents()
    other = Stage(app, appearance, tmp_path / "templates")
    other.select("compile")
    app.processEvents()
    before = stage.pane.list.viewport().grab().toImage()
    assert before == other.pane.list.viewport().grab().toImage()
    appearance.choose(Theme.LIGHT)
    app.processEvents()
    assert stage.pane.list.viewport().grab().toImage() != before


def test_a_hidden_pane_does_nothing_until_it_is_seen(stage: Stage, app: QApplication) -> None:
    stage.pane.hide()
    stage.select("compile")
    assert stage.where == "Return adds it without dependencies."
    stage.pane.show()
    assert stage.where == "Return adds it after Compile it."
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_a_template_that_is_kept_has_the_icon_of_its_kind(stage):
    for template in kinds():
        name = stage.shelf.save(template.make())
        assert next(own.icon for own in stage.shelf.own if own.name == name) is template.icon, template.name

"""The outline pane: rows to read and hear, groups that stay open, and the one selection of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from tests.driver import Driver, edge, plan, task
from tests.gui.gateway.driven_bridge import DrivenBridge

from starloom.constellation.edits import AddTask, RemoveTask
from starloom.model.plan import Plan
from starloom.scheduling import commands as c
from starloom.scheduling.state.codes import COMPLETED, FAILED, RUNNING, WAITING
from starloom_gui.gateway.changes import Changes
from starloom_gui.models.outline import Outline
from starloom_gui.panels import outline_tree
from starloom_gui.panels.outline import OutlinePanel
from starloom_gui.panels.task_marks import shares
from starloom_gui.theme.appearance import Theme
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.viewmodel.selection import Selected

SPOKEN = Qt.ItemDataRole.AccessibleTextRole


def of(group: str, *names: str) -> list[Any]:
    return [task(name, metadata={"group": group}) for name in names]


class Shown:
    """An outline of a run of two groups and a task by itself, and what it tells."""

    def __init__(self, appearance: Appearance, app: QApplication, *tasks: Any, edges: Any = ()) -> None:
        self.app, self.driver = app, Driver(slots=2)
        made = tasks or (*of("Build", "a", "b", "c"), *of("Tests", "d", "e"), task("alone"))
        self.driver.create(Plan(tasks=made, dependencies=tuple(edges)))
        self.bridge = DrivenBridge(self.driver)
        list(self.bridge.news())
        self.model = Outline(lambda: self.bridge.facts("r"), lambda: self.driver.now)
        self.selection = Selection()
        self.seen: list[Selected] = []
        self.selection.changed.connect(self.seen.append)
        self.panel = OutlinePanel(self.model, appearance, self.selection)
        self.tree = self.panel.tree
        self.panel.resize(240, 250)
        self.panel.show()
        app.processEvents()

    def tell(self) -> None:
        for changes in self.bridge.news():
            self.panel.on_changes(changes)
        self.app.processEvents()

    def row(self, number: int) -> Any:
        return self.model.index_of(number)

    def click(self, index: Any, *keys: Qt.KeyboardModifier) -> None:
        modifiers = Qt.KeyboardModifier.NoModifier
        for key in keys:
            modifiers |= key
        at = QPoint(60, self.tree.visualRect(index).center().y())
        QTest.mouseClick(self.tree.viewport(), Qt.MouseButton.LeftButton, modifiers, at)

    def selected(self) -> set[Any]:
        return {index.data() for index in self.tree.selecting.selectedRows()}

    def picture(self) -> QImage:
        self.tree.clearFocus()  # only one window can have it
        return self.panel.grab().toImage()


@pytest.fixture
def shown(appearance: Appearance, app: QApplication) -> Shown:
    return Shown(appearance, app)


def test_groups_are_closed_at_first_and_stay_open_when_everything_is_new(shown):
    assert not shown.tree.isExpanded(shown.model.index(0, 0))
    shown.panel.set_opened("Tests")
    assert shown.tree.isExpanded(shown.model.index(1, 0))
    shown.driver.edit(RemoveTask("c"), AddTask(of("Lab", "f")[0]))
    shown.tell()
    assert [group.name for group in shown.model.groups] == ["Build", "Tests", "", "Lab"]
    assert [shown.tree.isExpanded(shown.model.index(row, 0)) for row in range(4)] == [False, True, False, False]


def test_in_a_small_plan_groups_that_are_only_alike_in_name_are_open_until_they_are_closed(appearance, app):
    one = Shown(appearance, app, *(task(f"cut{n}") for n in range(3)), *of("Build", "a", "b"), task("alone"))
    assert [one.tree.isExpanded(one.model.index(row, 0)) for row in range(2)] == [True, False]
    one.tree.collapse(one.model.index(0, 0))
    one.driver.edit(RemoveTask("alone"), AddTask(task("fold1")), AddTask(task("fold2")))
    one.tell()
    assert [group.name for group in one.model.groups] == ["cut", "Build", "fold"]
    assert [one.tree.isExpanded(one.model.index(row, 0)) for row in range(3)] == [False, False, True]


def test_rows_are_laid_out_when_they_can_be_seen_and_not_for_each_font_before(appearance, app):
    shown = Shown(appearance, app)
    shown.panel.hide()
    shown.tree.doItemsLayout()
    assert shown.tree._is_layout_due
    shown.panel.show()
    app.processEvents()
    assert not shown.tree._is_layout_due
    assert shown.tree.visualRect(shown.model.index(2, 0)).isValid()
    shown.panel.close()


def test_in_a_larger_plan_all_groups_are_closed_at_first(appearance, app):
    one = Shown(appearance, app, *(task(f"cut{n}") for n in range(31)))
    assert not one.tree.isExpanded(one.model.index(0, 0))


def test_a_group_opened_before_it_is_there_is_open_when_it_comes(shown):
    shown.panel.set_opened("Lab")
    shown.driver.edit(AddTask(of("Lab", "f")[0]))
    shown.tell()
    assert shown.tree.isExpanded(shown.model.index(3, 0))


def test_a_click_selects_for_all_views_and_a_group_stands_for_its_tasks(shown):
    shown.panel.set_opened("Build")
    shown.click(shown.row(1))
    assert shown.selection.now.numbers == {1}
    shown.click(shown.model.index(1, 0))
    assert shown.selection.now.numbers == {3, 4}
    shown.click(shown.row(0), Qt.KeyboardModifier.ControlModifier)
    assert shown.selection.now.numbers == {0, 3, 4}
    assert shown.selection.now.current == 0
    shown.click(shown.row(2), Qt.KeyboardModifier.ShiftModifier)
    assert shown.selection.now.numbers >= {0, 1, 2}


def test_a_task_taken_out_of_a_selected_group_leaves_the_others_selected(shown):
    shown.panel.set_opened("Build")
    shown.click(shown.model.index(0, 0))
    assert shown.selected() == {"Build", "a", "b", "c"}
    shown.click(shown.row(1), Qt.KeyboardModifier.ControlModifier)
    assert shown.selection.now.numbers == {0, 2}
    assert shown.selected() == {"a", "c"}


def test_what_is_selected_elsewhere_is_shown_without_being_told_back(shown):
    shown.selection.select(4)
    assert shown.seen == [shown.selection.now]
    assert shown.selected() == {"e"}
    assert shown.tree.currentIndex() == shown.row(4)
    assert shown.tree.isExpanded(shown.model.index(1, 0)), "what is current can be seen"
    shown.selection.select_all([0, 1, 2])
    assert shown.selected() == {"Build", "a", "b", "c"}
    assert len(shown.seen) == 2


def test_rows_that_are_new_do_not_change_what_is_selected(shown):
    shown.selection.select_all([1, 3], 3)
    before = shown.selection.now
    shown.seen.clear()
    shown.driver.edit(RemoveTask("c"))
    shown.tell()
    assert not shown.seen
    assert shown.selection.now == before
    assert shown.selected() == {"b", "d"}
    assert shown.tree.currentIndex().data() == "d"


def test_nothing_scrolls_when_everything_is_new(appearance, app):
    one = Shown(appearance, app, *of("Build", *(f"t{n}" for n in range(60))), *of("Tests", "x", "y"))
    one.panel.set_opened("Build")
    app.processEvents()
    one.selection.select(2)
    one.tree.verticalScrollBar().setValue(300)
    one.driver.edit(RemoveTask("y"))
    one.tell()
    assert one.tree.verticalScrollBar().value() == 300
    assert one.selected() == {"t2"}


def test_return_opens_groups_and_asks_for_the_inspector_of_tasks(shown):
    asked: list[str] = []
    shown.panel.activated.connect(asked.append)
    shown.tree.setCurrentIndex(shown.model.index(0, 0))
    QTest.keyClick(shown.tree, Qt.Key.Key_Return)
    assert shown.tree.isExpanded(shown.model.index(0, 0))
    QTest.keyClick(shown.tree, Qt.Key.Key_Down)
    assert shown.selection.now.numbers == {0}
    QTest.keyClick(shown.tree, Qt.Key.Key_Return)
    assert asked == ["a"]
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Left):  # to the group, and close it
        QTest.keyClick(shown.tree, key)
    assert not shown.tree.isExpanded(shown.model.index(0, 0))


def test_a_double_click_opens_a_group_once(shown):
    at = QPoint(60, 11)
    QTest.mouseClick(shown.tree.viewport(), Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseDClick(shown.tree.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert shown.tree.isExpanded(shown.model.index(0, 0))


def test_the_menu_is_asked_for_by_mouse_and_by_key(shown):
    asked: list[QPoint] = []
    shown.panel.menu_asked.connect(asked.append)
    shown.selection.select(5)
    for reason in (QContextMenuEvent.Reason.Mouse, QContextMenuEvent.Reason.Keyboard):
        at = QPoint(40, 11)
        shown.app.sendEvent(shown.tree.viewport(), QContextMenuEvent(reason, at, QPoint(700, 500)))
    assert asked[0] == QPoint(700, 500)
    assert asked[1] == shown.tree.viewport().mapToGlobal(shown.tree.visualRect(shown.row(5)).bottomLeft())


def test_a_screen_reader_hears_all_that_the_canvas_shows_of_a_task(appearance, app):
    names = ("a", "b", "c", "d", "e")
    tasks = [*map(task, names), task("end", name="the end", priority=80), task("other")]
    one = Shown(appearance, app, *tasks, edges=[edge(name, "end") for name in names])
    one.driver.advance(42)
    one.driver.ask(c.HoldTasks, "end")
    one.driver.fail("b")
    one.driver.end("a")
    said = {number: one.row(number).data(SPOKEN) for number in (0, 1, 2, 6)}
    assert said[0] == "a, done on d in 0:42, needed by 1 task(s)"
    assert said[1] == "b, failed on d: exit 1, needed by 1 task(s)"
    assert said[2] == "c, running on d for 0:00, needed by 1 task(s)"
    assert said[6] == "other, ready, in line · 0:42"
    assert one.row(5).data(SPOKEN) == "the end, skipped, b failed, held, priority 80 high"


def test_a_task_that_waits_says_for_whom(appearance, app):
    names = ("a", "b", "c", "d")
    one = Shown(appearance, app, *map(task, names), task("end"), edges=[edge(name, "end") for name in names])
    assert one.row(4).data(SPOKEN) == "end, waits for a, b, c and 1 more"
    one.driver.end("a")
    assert one.row(4).data(SPOKEN) == "end, waits for b, c, d"


def test_a_group_says_how_its_tasks_stand_and_the_tree_can_be_read_aloud(shown):
    shown.driver.end("a")
    assert shown.model.index(0, 0).data(SPOKEN) == "Group Build, 3 task(s): 2 running, 1 done"
    tree = QAccessible.queryAccessibleInterface(shown.tree)
    assert tree.text(QAccessible.Text.Name) == "Outline"
    heard = [tree.child(at).text(QAccessible.Text.Name) for at in range(tree.childCount())]
    assert [shown.model.index(row, 0).data(SPOKEN) in heard for row in range(3)] == [True] * 3


def test_a_row_is_painted_anew_when_its_task_has_changed_and_when_a_second_passes(shown):
    shown.panel.set_opened("Build")
    shown.app.processEvents()
    told: list[tuple[str, int]] = []
    shown.model.dataChanged.connect(lambda top, bottom: told.append((top.data(), bottom.row() - top.row() + 1)))
    before = shown.picture()
    shown.driver.advance(5)
    shown.panel.on_changes(Changes(run_id="r", second=True))
    assert told == [("a", 3), ("Build", 3)]
    later = shown.picture()
    assert later != before
    told.clear()
    shown.driver.end("a")
    shown.tell()
    assert ("a", 3) in told
    assert shown.picture() != later


def test_only_what_is_in_sight_is_told_to_the_view(appearance, app):
    one = Shown(appearance, app, *of("Build", *(f"t{n}" for n in range(60))))
    one.panel.set_opened("Build")
    app.processEvents()
    told: list[tuple[int, int]] = []
    one.model.dataChanged.connect(lambda top, bottom: told.append((top.row(), bottom.row())))
    one.panel.on_changes(Changes(run_id="r", second=True))
    (first, last), top = told
    assert first == 0
    assert 5 < last < 15
    assert top == (0, 0)
    told.clear()
    one.panel.on_changes(Changes(run_id="r", tasks=frozenset({59})))
    assert told == [(0, 0)], "the group's bar alone"


def test_thrown_away_and_made_anew_it_looks_the_same_in_both_themes(shown, appearance, app):
    shown.panel.set_opened("Build")
    shown.driver.end("a")
    shown.driver.fail("b")
    shown.driver.ask(c.HoldTasks, "e")
    shown.tell()
    shown.selection.select(2)
    app.processEvents()
    fresh = OutlinePanel(
        Outline(lambda: shown.bridge.facts("r"), lambda: shown.driver.now), appearance, shown.selection
    )
    fresh.set_opened("Build")
    fresh.resize(shown.panel.size())
    fresh.show()
    seen = []
    for theme in (Theme.DARK, Theme.LIGHT):
        appearance.choose(theme)
        app.processEvents()
        fresh.tree.clearFocus()
        assert fresh.grab().toImage() == shown.picture()
        seen.append(shown.picture())
    assert seen[0] != seen[1]


def test_names_without_room_lose_what_all_of_them_begin_with_as_nodes_do(appearance, app, monkeypatch):
    cut: list[str] = []
    usual = outline_tree.elided
    monkeypatch.setattr(outline_tree, "elided", lambda text, *how: cut.append(text) or usual(text, *how))
    begin = "nightly build of the firmware"
    shown = Shown(appearance, app, task("a", name=f"{begin} on linux"), task("b", name=f"{begin} on mac"))
    shown.picture()
    assert {"linux", "mac"} <= set(cut)
    assert not any(text.startswith(begin) for text in cut)
    assert shown.model.index(0, 0).data() == f"{begin} on linux", "it is found, and read, whole"


def test_without_tasks_a_sentence_and_one_button_take_its_place(appearance, app):
    panel = OutlinePanel(Outline(lambda: None, lambda: 0.0), appearance, Selection())
    asked = []
    panel.open_requested.connect(lambda: asked.append(True))
    panel.show()
    (button,) = [one for one in panel.findChildren(QPushButton) if one.isVisible()]
    button.click()
    assert asked == [True]
    assert not panel.tree.isVisible()


def test_hidden_it_is_not_touched_and_shown_again_it_knows_what_is_selected(shown):
    shown.panel.hide()
    shown.selection.select(0)
    assert not shown.selected()
    shown.panel.show()
    assert shown.selected() == {"a"}


def test_the_parts_of_a_bar_fill_it_and_none_is_too_small_to_be_seen():
    parts = shares([0, 0, 1, 997, 1, 0, 1], 100)
    assert [code for code, _, _ in parts] == [COMPLETED, RUNNING, FAILED, 6]
    assert min(wide for _, _, wide in parts) >= 3
    assert parts[-1][1] + parts[-1][2] == pytest.approx(100)
    assert shares([4, 0, 0, 0, 0, 0, 0], 100) == [(WAITING, 0.0, 100.0)]


def test_a_group_of_many_is_selected_elsewhere_in_thousands_of_pieces_and_shows_it(appearance, app):
    driver = Driver(slots=None, checked=False)
    driver.create(plan([task(f"task{n}") for n in range(6_000)]), start=False)
    run, selection = driver.run(), Selection()
    panel = OutlinePanel(Outline(lambda: run, lambda: 0.0), appearance, selection)
    panel.set_opened("task")
    panel.show()
    selection.select_all(range(0, 6_000, 2))
    tree = panel.tree
    assert not tree.selecting.selectedRows(), "Qt would need minutes for so many pieces"
    index = panel._outline.index_of(4)
    assert tree.selecting.is_selected(index)
    assert not tree.selecting.is_selected(panel._outline.index_of(5))
    at = QPoint(60, tree.visualRect(index).center().y())
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, at)
    assert 4 not in selection.now.numbers
    assert len(selection.now.numbers) == 2_999
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, at)
    assert len(selection.now.numbers) == 3_000
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert selection.now.numbers == {4}


def test_where_there_is_little_room_the_bar_of_a_group_gives_way_to_its_name(
    appearance: Appearance, app: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = Shown(appearance, app, *of("mBackground", "a", "b"))
    rooms: dict[str, float] = {}
    monkeypatch.setattr(shown.tree, "_paint_name", lambda _painter, box, name: rooms.update({name: box.width()}))
    shown.panel.resize(200, 250)
    shown.picture()
    assert rooms["mBackground"] >= shown.tree.fontMetrics().horizontalAdvance("mBackground")

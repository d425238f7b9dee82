"""A menu is about what is under the pointer, says so in its title, and acts on nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from tests.driver import plan
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import front
from tests.waiting import until

from starloom.model.note import Note
from starloom_gui.canvas.ports import edge_between

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.canvas.view import CanvasView
    from starloom_gui.composition.console import Console

RIGHT = Qt.MouseButton.RightButton
PLAIN = Qt.KeyboardModifier.NoModifier


class Pointer:
    """The pointer over the canvas of the plan a → b → c in front."""

    def __init__(self, console: Console) -> None:
        self.console, self.document_view = console, front(console)

    @property
    def canvas(self) -> CanvasView:
        return self.document_view.canvas

    @property
    def facts(self) -> RunFacts:
        facts = self.document_view.source.editor.facts()
        assert facts is not None
        return facts

    @property
    def links(self) -> set[tuple[str, str]]:
        return {(each.parent, each.child) for each in self.facts.graph.dependencies()}

    def node(self, id: str) -> QPoint:
        picture = self.canvas.graph.picture
        assert picture is not None
        row = picture.row(self.facts.graph.place[id])
        assert row is not None
        return self.canvas.graph.node_rect(row).center().toPoint()

    def edge(self, parent: str, child: str) -> QPoint:
        picture, place = self.canvas.graph.picture, self.facts.graph.place
        assert picture is not None
        edge = edge_between(picture, place[parent], place[child])
        assert edge is not None
        points = picture.layout.routes.of(edge)
        return self.canvas.mapFromScene(QPointF(*(points[0] * 0.5 + points[-1] * 0.5).tolist()))

    def ground(self) -> QPoint:
        view = self.canvas
        for y in range(110, view.viewport().height() - 110, 10):  # where a whole node is in sight
            at = QPoint(view.viewport().width() // 2, y)
            if view.hit_tester.row_at(at) is None and view.hit_tester.edge_at(at) is None and view.notes.at(at) is None:
                return at
        raise AssertionError("nothing is empty")

    def menu_at(self, at: QPoint) -> QMenu:
        """What the right button opens there; as Qt does it, the press first."""
        port = self.canvas.viewport()
        QTest.mousePress(port, RIGHT, PLAIN, at)
        QApplication.sendEvent(port, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, port.mapToGlobal(at)))
        QTest.mouseRelease(port, RIGHT, PLAIN, at)
        return self._open()

    def menu_by_key(self) -> QMenu:
        middle = self.canvas.rect().center()
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, middle, self.canvas.mapToGlobal(middle))
        QApplication.sendEvent(self.canvas, event)
        return self._open()

    def _open(self) -> QMenu:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        return menu


def names(menu: QMenu) -> list[str]:
    return [each.text().partition("\t")[0] for each in menu.actions() if not each.isSeparator()]


def entry(menu: QMenu, name: str) -> Any:
    return next(each for each in menu.actions() if each.text().partition("\t")[0] == name)


def over(desktop: Desktop, doing: Callable[[Pointer], Awaitable[None]]) -> None:
    """Do something over a plan of three tasks in a row and one alone."""

    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(plan(["a", "b", "c", "alone"], ["a>b", "b>c"]))
            await at_rest(console)
            await doing(Pointer(console))
            while (popup := QApplication.activePopupWidget()) is not None:
                popup.close()

    desktop.run(main)


def test_on_a_dependency_remove_removes_it_and_never_the_selected_task(desktop: Desktop) -> None:
    async def doing(pointer: Pointer) -> None:
        pointer.document_view.selection.select(pointer.facts.graph.place["alone"])
        menu = pointer.menu_at(pointer.edge("b", "c"))
        assert menu.title() == "b → c"
        assert menu.actions()[0].text() == "b → c"
        assert pointer.document_view.selection.now.numbers == frozenset()
        assert pointer.canvas.overlay.chosen_edge == (pointer.facts.graph.place["b"], pointer.facts.graph.place["c"])
        entry(menu, "Remove").trigger()
        assert pointer.links == {("a", "b")}
        assert "alone" in pointer.facts.graph.place

    over(desktop, doing)


def test_on_empty_canvas_nothing_acts_on_the_selected_tasks_and_a_task_is_added_there(desktop: Desktop) -> None:
    async def doing(pointer: Pointer) -> None:
        pointer.document_view.selection.select(pointer.facts.graph.place["alone"])
        at = pointer.ground()
        menu = pointer.menu_at(at)
        assert menu.title() == "Graph"
        assert names(menu)[0] == "Add task"
        of_tasks = {"Remove", "Cut tasks", "Copy tasks", "Duplicate", "Rename", "Retry", "Cancel", "Skip", "Hold"}
        assert of_tasks.isdisjoint(names(menu))
        kinds = entry(menu, "Add task").menu()
        entry(kinds, "Shell").trigger()
        menu.close()
        verbs = pointer.canvas.gestures.verbs
        assert verbs is not None
        field = verbs.drafting.field
        assert field is not None
        QTest.keyClicks(field.name, "new one")
        QTest.keyClick(field.name, Qt.Key.Key_Return)
        assert "new-one" in pointer.facts.graph.place
        await until(lambda: pointer.canvas.graph.picture is not None and len(pointer.canvas.graph.picture) == 5)
        await until(lambda: (pointer.node("new-one") - at).manhattanLength() <= 3)

    over(desktop, doing)


def test_a_submenu_of_kinds_can_be_opened_again(desktop: Desktop) -> None:
    async def doing(pointer: Pointer) -> None:
        kinds = entry(pointer.menu_at(pointer.ground()), "Add task").menu()
        for _ in range(2):
            kinds.popup(QPoint(10, 10))
            kinds.hide()
            QApplication.sendPostedEvents()
        assert "Command" in names(kinds)

    over(desktop, doing)


def test_on_a_node_it_is_about_that_task_and_on_one_of_several_about_all_of_them(desktop: Desktop) -> None:
    async def doing(pointer: Pointer) -> None:
        place = pointer.facts.graph.place
        pointer.document_view.selection.select(place["alone"])
        menu = pointer.menu_at(pointer.node("b"))
        assert menu.title() == "b"
        assert pointer.document_view.selection.now.numbers == {place["b"]}
        assert names(menu)[0] == "Add task after it"
        menu.close()
        pointer.document_view.selection.select_all([place["a"], place["b"]], place["a"])
        menu = pointer.menu_at(pointer.node("b"))
        assert menu.title() == "2 task(s)"
        entry(menu, "Remove").trigger()
        assert set(pointer.facts.graph.place) == {"c", "alone"}

    over(desktop, doing)


def test_on_a_note_it_is_about_the_note(desktop: Desktop) -> None:
    async def doing(pointer: Pointer) -> None:
        book = pointer.document_view.edit_wiring.notebook
        at = pointer.canvas.pan_zoom.scene_at(pointer.ground())
        book.write((Note(text="Read me\nfirst", x=at.x(), y=at.y()),), "Add note")
        await at_rest(pointer.console)
        pointer.document_view.selection.select(pointer.facts.graph.place["alone"])
        box = pointer.canvas.notes.rect_of(pointer.canvas.notes.item.boxes[0])
        menu = pointer.menu_at(box.center().toPoint())
        assert menu.title() == "Note “Read me”"
        assert names(menu) == ["Edit note", "Remove note"]
        assert pointer.document_view.selection.now.numbers == frozenset()
        entry(menu, "Remove note").trigger()
        assert book.notes == ()
        assert "alone" in pointer.facts.graph.place

    over(desktop, doing)


def test_on_a_group_it_is_about_the_group(desktop: Desktop) -> None:
    async def doing(pointer: Pointer) -> None:
        place, verbs = pointer.facts.graph.place, pointer.canvas.gestures.verbs
        assert verbs is not None
        pointer.document_view.selection.select_all([place["a"], place["b"]], place["a"])
        verbs._grouped(frozenset({place["a"], place["b"]}), "First")
        await until(lambda: bool(pointer.canvas.frames.item.frames))
        pointer.document_view.selection.clear()
        box = pointer.canvas.viewportTransform().mapRect(pointer.canvas.frames.item.frames[0].box)
        menu = pointer.menu_at(QPoint(round(box.left()), round(box.center().y())))
        assert menu.title() == "Group First, 2 task(s)"
        assert pointer.document_view.selection.now.numbers == {place["a"], place["b"]}
        assert names(menu)[0] == "Fold"
        entry(menu, "Fold").trigger()
        menu.close()
        await until(lambda: pointer.canvas.folding.is_folded(place["a"]) and bool(pointer.canvas.graph.picture.tallies))  # type: ignore[union-attr]
        menu = pointer.menu_at(pointer.node("a"))
        assert (menu.title(), names(menu)[0]) == ("Group First, 2 task(s)", "Unfold")

    over(desktop, doing)


@pytest.mark.parametrize("what", ["task", "dependency", "nothing"])
def test_the_menu_key_opens_the_menu_of_what_is_selected(desktop: Desktop, what: str) -> None:
    async def doing(pointer: Pointer) -> None:
        place = pointer.facts.graph.place
        if what == "task":
            pointer.document_view.selection.select(place["b"])
        elif what == "dependency":
            pointer.canvas.overlay.choose_edge((place["a"], place["b"]))
        menu = pointer.menu_by_key()
        assert menu.title() == {"task": "b", "dependency": "a → b", "nothing": "Graph"}[what]

    over(desktop, doing)


def test_the_menu_of_rows_says_whose_it_is(desktop: Desktop) -> None:
    async def doing(pointer: Pointer) -> None:
        pointer.document_view.selection.select(pointer.facts.graph.place["c"])
        pointer.document_view.pane("tasks").menu_asked.emit(QPoint(20, 20))  # type: ignore[attr-defined]
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        assert menu.title() == "c"

    over(desktop, doing)

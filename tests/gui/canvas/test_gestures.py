"""Editing the graph with the pointer: each gesture previews, is one step, and leaves no trace when it is given up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from tests.gui.canvas.editing import LEFT, NONE, Bench
from tests.gui.canvas.looking import painted, row_in, shown_in
from tests.gui.pressing import press

from starloom.model.status import DependencyKind
from starloom.scheduling.commands import CancelTasks
from starloom_gui.canvas.arranging import LayoutOptions
from starloom_gui.canvas.motion import ViewPosition
from starloom_gui.canvas.render_model import NodeMark
from starloom_gui.editing.base import Mode
from starloom_gui.viewmodel.keys import Scope

if TYPE_CHECKING:
    from starloom_gui.canvas.kinds_menu import TaskKindsMenu
    from starloom_gui.canvas.view import CanvasView

SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier


# ---- connecting


def test_a_drag_from_a_port_connects_and_shows_before_where_it_may_lead(bench: Bench) -> None:
    bench.press(bench.port("b", outgoing=True))
    bench.move(bench.middle("f"))
    assert bench.editor.steps == []
    assert bench.dimmed() == {"a", "c"}
    assert bench.view.overlay.note == "Add dependency b → f"
    assert bench.view.overlay.painter.preview.target == bench.number("f")
    bench.release(bench.middle("f"))
    assert bench.editor.labels == ["Add dependency b → f"]
    assert ("b", "f") in bench.edges()
    assert bench.dimmed() == set()
    assert bench.view.overlay.painter.preview.is_empty


def test_a_drag_from_the_other_port_connects_the_other_way(bench: Bench) -> None:
    bench.drag(bench.port("f", outgoing=False), bench.middle("a"))
    assert bench.editor.labels == ["Add dependency a → f"]


@pytest.mark.parametrize("zoom", [0.26, 0.42, 0.46, 0.75, 1.0, 1.6, 2.5])
@pytest.mark.parametrize("away", [QPoint(-7, 0), QPoint(-6, -5), QPoint(-6, 5)])
def test_let_go_of_beside_a_port_it_connects_at_every_zoom(bench: Bench, zoom: float, away: QPoint) -> None:
    bench.view.pan_zoom.look(ViewPosition(zoom, bench.view.pan_zoom.place.x, bench.view.pan_zoom.place.y), at_once=True)
    end = bench.port("e", outgoing=False) + away
    bench.press(bench.port("b", outgoing=True))
    bench.move(end)
    assert bench.view.overlay.note == "Add dependency b → e"
    bench.release(end)
    assert bench.editor.labels == ["Add dependency b → e"]
    assert bench.verbs.menu is None


def test_the_nearest_of_several_ports_is_meant_and_further_away_is_nothing(bench: Bench) -> None:
    bench.press(bench.port("e", outgoing=False) - QPoint(0, 0))
    bench.move(bench.port("f", outgoing=True) + QPoint(9, 0))
    assert bench.view.overlay.note == "Add dependency f → e"
    bench.move(bench.port("f", outgoing=True) + QPoint(12, 0))
    assert bench.view.overlay.note == ""
    bench.key(Qt.Key.Key_Escape)


@pytest.mark.parametrize(
    ("begin", "end", "reason"),
    [
        ("c", "b", "This would close the cycle c → b → c."),
        ("d", "a", "a is running."),
        ("b", "c", "c depends on b already."),
    ],
)
def test_where_it_cannot_lead_says_why_and_nothing_comes_of_it(bench: Bench, begin: str, end: str, reason: str) -> None:
    bench.press(bench.port(begin, outgoing=True))
    bench.move(bench.middle(end))
    assert bench.view.overlay.note == reason
    assert end in bench.dimmed()
    assert bench.view.overlay.painter.preview.line is not None
    assert not bench.view.overlay.painter.preview.line.sure
    bench.release(bench.middle(end))
    assert (bench.editor.steps, bench.dimmed()) == ([], set())
    assert bench.view.overlay.note == reason, "it stays for a while after the release, below the task"


def test_a_task_that_has_started_takes_no_more_parents_and_says_so_at_once(bench: Bench) -> None:
    bench.press(bench.port("a", outgoing=False))
    bench.move(bench.middle("f"))
    assert bench.view.overlay.note == "a is running."
    bench.release(QPoint(5, 5))
    assert bench.view.gestures.verbs is not None
    assert bench.view.gestures.verbs.menu is None
    assert bench.editor.steps == []


def test_escape_and_another_button_give_a_drag_up_without_a_trace(bench: Bench) -> None:
    before = painted(bench.view)
    for give_up in (lambda: bench.key(Qt.Key.Key_Escape), lambda: bench.press_other(QPoint(5, 5))):
        bench.press(bench.port("b", outgoing=True))
        bench.move(bench.middle("f"))
        give_up()
        bench.release(bench.middle("f"))
        bench.view.graph.item.shown.hovered = None
        assert painted(bench.view) == before
        assert bench.view.overlay.painter.preview.is_empty
    assert bench.editor.steps == []


def test_a_press_on_a_port_that_goes_nowhere_selects_the_task(bench: Bench) -> None:
    QTest.mouseClick(bench.view.viewport(), LEFT, NONE, bench.port("b", outgoing=True) - QPoint(4, 0))
    assert bench.chosen() == {"b"}


def test_the_port_under_the_pointer_stands_out_also_beside_its_node(bench: Bench) -> None:
    QTest.mouseMove(bench.view.viewport(), bench.port("b", outgoing=True) + QPoint(6, 0))
    port = bench.view.overlay.painter.preview.port
    assert port is not None
    assert (port.number, port.outgoing) == (bench.number("b"), True)
    QTest.mouseMove(bench.view.viewport(), QPoint(5, 5))
    assert bench.view.overlay.painter.preview.port is None


def test_the_port_of_a_drag_does_not_stand_out_when_that_has_ended_elsewhere(bench: Bench) -> None:
    QTest.mouseMove(bench.view.viewport(), bench.port("b", outgoing=True))
    assert bench.view.overlay.painter.preview.port is not None
    bench.press(bench.port("b", outgoing=True))
    bench.move(bench.middle("f"))
    bench.release(bench.middle("f"))
    assert bench.view.overlay.painter.preview.port is None


def menu_of(bench: Bench) -> TaskKindsMenu:
    assert bench.view.gestures.verbs is not None
    menu = bench.view.gestures.verbs.menu
    assert menu is not None
    return menu


@pytest.mark.parametrize(("outgoing", "edge"), [(True, ("c", "command")), (False, ("command", "f"))])
def test_let_go_of_in_the_void_it_asks_for_a_new_task(bench: Bench, outgoing: bool, edge: tuple[str, str]) -> None:
    place = bench.view.pan_zoom.scene_at(QPoint(450, 480))
    bench.drag(bench.port("c" if outgoing else "f", outgoing=outgoing), QPoint(450, 480))
    menu = menu_of(bench)
    assert menu.title() == ("New task after c" if outgoing else "New task before f")
    next(action for action in menu.actions() if action.text() == "Command").trigger()
    menu.close()
    assert bench.editor.steps == []
    QTest.keyClick(bench.draft().name, Qt.Key.Key_Return)
    assert edge in bench.edges()
    assert len(bench.editor.steps) == 1
    assert bench.chosen() == {"command"}
    pinned = bench.view.layout_controller.arrangement.pinned
    assert pinned == {bench.number("command"): (place.x(), place.y())}, "it stays where it was let go of"


def test_a_run_that_was_cancelled_offers_no_new_task(bench: Bench) -> None:
    bench.editor.facts().cancel_requested = True
    bench.drag(bench.port("c", outgoing=True), QPoint(450, 480))
    assert bench.view.overlay.note == "The run was cancelled; nothing can be added to it."


def test_what_was_asked_for_is_shown_until_it_is_there(bench: Bench) -> None:
    bench.editor.changed.disconnect(bench.redraw)
    bench.editor.waits = True
    bench.drag(bench.port("b", outgoing=True), bench.middle("f"))
    line = bench.view.overlay.painter.preview.line
    assert line is not None
    assert line.sure
    bench.editor.answer()
    assert bench.view.overlay.painter.preview.line is not None
    bench.redraw()
    assert bench.view.overlay.painter.preview.is_empty
    assert ("b", "f") in bench.edges()


def test_what_was_asked_for_goes_when_it_is_refused(bench: Bench) -> None:
    bench.editor.waits = True
    bench.drag(bench.port("e", outgoing=False) - QPoint(16, 0), bench.middle("f"))
    assert bench.view.overlay.painter.preview.loose is not None
    bench.editor.changed.disconnect(bench.redraw)
    bench.editor.driver.do(CancelTasks(run_id="r", task_ids=("f",)))
    bench.editor.answer()
    assert bench.editor.refusals
    assert bench.view.overlay.painter.preview.is_empty


# ---- dependencies that are there


def test_the_end_of_a_dependency_is_dragged_to_another_task(bench: Bench) -> None:
    bench.press(bench.port("e", outgoing=False) - QPoint(16, 0))
    bench.move(bench.middle("f"))
    assert bench.view.overlay.painter.preview.loose == (bench.number("d"), bench.number("e"))
    bench.release(bench.middle("f"))
    assert bench.editor.labels == ["Move dependency d → e to d → f"]
    assert ("d", "e") not in bench.edges()


def test_the_beginning_of_a_dependency_is_dragged_and_back_where_it_was_is_nothing(bench: Bench) -> None:
    begin = bench.port("d", outgoing=True) + QPoint(16, 0)
    bench.drag(begin, bench.middle("d"))
    assert bench.editor.steps == []
    bench.drag(begin, bench.middle("f"))
    assert bench.editor.labels == ["Move dependency d → e to f → e"]


def test_the_end_of_a_selected_dependency_is_taken_even_at_the_port(bench: Bench) -> None:
    QTest.mouseClick(bench.view.viewport(), LEFT, NONE, bench.on_edge("d", "e"))
    bench.drag(bench.port("e", outgoing=False), bench.middle("f"))
    assert bench.editor.labels == ["Move dependency d → e to d → f"]


def test_a_click_selects_a_dependency_whose_kind_is_changed_in_place(bench: Bench) -> None:
    bench.select("f")
    QTest.mouseClick(bench.view.viewport(), LEFT, NONE, bench.on_edge("b", "c"))
    assert bench.view.overlay.chosen_edge == (bench.number("b"), bench.number("c"))
    assert bench.chosen() == set()
    card = bench.card
    assert card.isVisible()
    QTest.mouseClick(card._kinds.buttons[DependencyKind.FAILURE], LEFT)
    assert bench.editor.labels == ["Make b → c run on failure"]
    card._kinds.buttons[DependencyKind.CONDITION].click()
    assert len(bench.editor.steps) == 1
    QTest.keyClicks(card.condition, "value.score >")
    QTest.keyClick(card.condition, Qt.Key.Key_Return)
    assert len(bench.editor.steps) == 1
    assert card.problem
    QTest.keyClicks(card.condition, " 0.5")
    assert card.problem == ""
    QTest.keyClick(card.condition, Qt.Key.Key_Return)
    assert bench.editor.labels[-1] == "Let b → c depend on value.score > 0.5"
    QTest.keyClick(card, Qt.Key.Key_Escape)
    assert not card.isVisible()
    assert bench.view.overlay.chosen_edge is None


def test_a_dependency_of_what_has_started_is_shown_but_not_changed(bench: Bench) -> None:
    bench.editor.driver.end("a")
    bench.redraw()
    QTest.mouseClick(bench.view.viewport(), LEFT, NONE, bench.on_edge("a", "b"))
    assert not any(button.isEnabled() for button in bench.card._kinds.buttons.values())
    assert bench.card.problem == "b is running."
    bench.key(Qt.Key.Key_Delete)
    assert bench.view.overlay.note == "b is running."
    assert bench.editor.steps == []


def test_the_button_of_the_card_removes_the_dependency(bench: Bench) -> None:
    QTest.mouseClick(bench.view.viewport(), LEFT, NONE, bench.on_edge("b", "c"))
    bench.card._remove.click()
    assert bench.editor.labels == ["Remove dependency b → c"]
    assert not bench.card.isVisible()


# ---- marking and moving


def test_shift_and_a_drag_over_the_ground_select_what_it_touches(bench: Bench) -> None:
    box = bench.view.graph.node_rect(row_in(bench.view, bench.number("d"))).united(
        bench.view.graph.node_rect(row_in(bench.view, bench.number("e")))
    )
    begin, end = box.topLeft().toPoint() - QPoint(6, 6), box.bottomRight().toPoint() + QPoint(6, 6)
    bench.press(begin, SHIFT)
    bench.move(end)
    assert set(bench.view.overlay.painter.preview.marked) == {bench.number("d"), bench.number("e")}
    assert bench.chosen() == set()
    bench.key(Qt.Key.Key_Escape)
    bench.release(end)
    assert bench.chosen() == set()
    bench.drag(begin, end, SHIFT)
    assert bench.chosen() == {"d", "e"}
    assert bench.view.overlay.painter.preview.is_empty


def test_control_and_shift_add_what_is_touched(bench: Bench) -> None:
    bench.select("f")
    box = bench.view.graph.node_rect(row_in(bench.view, bench.number("d")))
    bench.drag(box.topLeft().toPoint() - QPoint(6, 6), box.center().toPoint(), SHIFT | CONTROL)
    assert bench.chosen() == {"f", "d"}


def position(bench: Bench, id: str) -> list[float]:
    position: list[float] = shown_in(bench.view).layout.positions[row_in(bench.view, bench.number(id))].tolist()
    return position


def test_a_dragged_node_stays_where_it_is_put_and_the_plan_is_not_edited(bench: Bench) -> None:
    before, other = position(bench, "f"), position(bench, "e")
    begin = bench.middle("f")
    bench.press(begin)
    bench.move(begin + QPoint(100, 60))
    assert position(bench, "f") == before
    assert bench.dimmed() == {"f"}
    bench.release(begin + QPoint(100, 60))
    assert position(bench, "f") == pytest.approx(
        [before[0] + 100 / bench.view.pan_zoom.zoom, before[1] + 60 / bench.view.pan_zoom.zoom]
    )
    assert position(bench, "e") == other
    assert (bench.editor.steps, bench.dimmed(), bench.view.overlay.painter.preview.moved) == ([], set(), {})
    bench.select("b")
    bench.key(Qt.Key.Key_Delete)
    assert position(bench, "f") == pytest.approx(
        [before[0] + 100 / bench.view.pan_zoom.zoom, before[1] + 60 / bench.view.pan_zoom.zoom]
    )


def test_all_selected_nodes_are_dragged_together_and_a_click_selects_the_one(bench: Bench) -> None:
    bench.select("d", "e")
    before = [position(bench, id) for id in "de"]
    bench.drag(bench.middle("e"), bench.middle("e") + QPoint(0, 70))
    after = [position(bench, id) for id in "de"]
    assert [y for _, y in after] == pytest.approx([y + 70 / bench.view.pan_zoom.zoom for _, y in before])
    assert bench.chosen() == {"d", "e"}
    QTest.mouseClick(bench.view.viewport(), LEFT, NONE, bench.middle("e"))
    assert bench.chosen() == {"e"}


def test_a_moved_node_is_seen_where_it_was_put_before_the_layout_has_it_there(bench: Bench) -> None:
    bench.view.layout_controller.arrangement_changed.disconnect(bench.redraw)
    begin = bench.middle("f")
    bench.drag(begin, begin + QPoint(80, 0))
    assert dict(bench.view.overlay.painter.preview.moved) == {
        bench.number("f"): pytest.approx((80 / bench.view.pan_zoom.zoom, 0))
    }
    assert bench.dimmed() == {"f"}
    bench.redraw()
    assert bench.view.overlay.painter.preview.is_empty
    assert bench.dimmed() == set()


def test_escape_leaves_dragged_nodes_where_they_were(bench: Bench) -> None:
    before = position(bench, "f")
    bench.press(bench.middle("f"))
    bench.move(bench.middle("f") + QPoint(50, 50))
    bench.key(Qt.Key.Key_Escape)
    bench.release(bench.middle("f") + QPoint(50, 50))
    assert position(bench, "f") == before
    assert bench.view.layout_controller.arrangement == LayoutOptions()


# ---- while the run goes on


def test_a_drag_goes_on_while_the_graph_changes_under_it(bench: Bench) -> None:
    bench.press(bench.port("b", outgoing=True))
    bench.move(bench.middle("f"))
    driver = bench.editor.driver
    driver.end("a")
    bench.redraw()
    assert bench.view.overlay.note == "Add dependency b → f"
    assert bench.dimmed() == {"a", "c"}
    bench.release(bench.middle("f"))
    assert ("b", "f") in bench.edges()


def test_what_has_become_illegal_during_the_drag_is_refused_by_the_editor(bench: Bench) -> None:
    bench.press(bench.port("e", outgoing=True))
    bench.move(bench.middle("c"))
    while bench.editor.driver.ordered:
        bench.editor.driver.end_all()
    bench.release(bench.middle("c"))
    assert bench.editor.steps == []
    assert bench.editor.refusals


def test_while_edits_are_staged_nodes_show_what_may_still_be_changed(bench: Bench) -> None:
    picture = shown_in(bench.view)
    assert not picture.lock.any()
    bench.editor.set_mode(Mode.STAGED)
    picture = shown_in(bench.view)
    assert picture.lock[row_in(bench.view, bench.number("a"))] == NodeMark.LOCK_FULL
    assert int((picture.lock != NodeMark.NONE).sum()) == 1
    bench.editor.driver.end("a")
    bench.view.tasks_changed([bench.number("b")])
    assert picture.lock[row_in(bench.view, bench.number("b"))] == NodeMark.LOCK_FULL


def test_without_an_editor_nothing_can_be_edited_and_nodes_can_be_moved(view: CanvasView) -> None:
    number = shown_in(view).facts.graph.place["lint"]
    at = view.graph.node_rect(row_in(view, number)).center().toPoint()
    QTest.mouseClick(view.viewport(), LEFT, NONE, at)
    for command in ("connect", "remove", "rename", "next_edge", "insert"):
        press(view, Scope.GRAPH, command)
    assert view.overlay.painter.preview.is_empty
    QTest.keyClick(view, Qt.Key.Key_Down, ALT)
    assert list(view.layout_controller.arrangement.pinned) == [number]

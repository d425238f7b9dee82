"""Folded groups in the view: keys, pointer, search, filter, colours and turning go on working."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.driver import Driver, task
from tests.gui.canvas.looking import again, count_of, painted, row_in, shown_in
from tests.gui.canvas.runs import arranged, group_name, number_of, pose
from tests.gui.pressing import press

from starloom.layout import Direction
from starloom.model.plan import Plan
from starloom.scheduling.state import codes
from starloom_gui.canvas.arranging import UNFOLDED, LayoutOptions
from starloom_gui.canvas.colouring import ColourBy
from starloom_gui.canvas.matching import EVERYTHING, Filter
from starloom_gui.theme.palette import LIGHT
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.keys import Scope

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.canvas.menu_target import MenuTarget
    from starloom_gui.canvas.view import CanvasView

ALL = frozenset({"Build", "Tests", "Lab", "Triage"})
LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier


def follow(view: CanvasView) -> None:
    """Give the view a picture whenever it wants another one, as the console does beside the loop."""

    def show(wanted: LayoutOptions) -> None:
        picture = shown_in(view)
        view.show_picture(arranged(picture.facts, wanted, picture.layout))

    view.layout_controller.arrangement_changed.connect(show)


@pytest.fixture
def folding(view: CanvasView) -> CanvasView:
    """A canvas that gets every picture it wants at once."""
    follow(view)
    return view


def members(facts: RunFacts, name: str) -> set[int]:
    return {number_of(facts, id) for id in facts.graph.place if group_name(id) == name}


def lead(view: CanvasView, name: str) -> int:
    return min(members(shown_in(view).facts, name))


def middle_of(view: CanvasView, name: str) -> QPoint:
    return view.graph.node_rect(row_in(view, lead(view, name))).center().toPoint()


# ---- folding and unfolding


def test_minus_folds_the_group_of_the_selected_task_and_plus_unfolds_it(folding: CanvasView) -> None:
    facts = shown_in(folding).facts
    number = number_of(facts, "soak_lab-b")
    folding._selection.select(number)
    QTest.keyClick(folding, Qt.Key.Key_Minus)
    assert folding.layout_controller.arrangement.folded == {"Lab"}
    assert folding.folding.is_folded(number)
    assert folding._selection.now.numbers == {number}
    QTest.keyClick(folding, Qt.Key.Key_Plus)
    assert folding.layout_controller.arrangement == UNFOLDED
    assert not folding.folding.is_folded(number)
    assert folding.viewport().rect().contains(folding.graph.node_rect(row_in(folding, number)).toRect())


def test_plus_and_minus_zoom_where_there_is_nothing_to_fold_and_with_control_always(folding: CanvasView) -> None:
    folding._selection.select(number_of(shown_in(folding).facts, "gate"))
    before = folding.pan_zoom.zoom
    QTest.keyClick(folding, Qt.Key.Key_Minus)
    assert folding.pan_zoom.zoom < before
    folding._selection.select(number_of(shown_in(folding).facts, "soak_lab-b"))
    QTest.keyClick(folding, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(folding, Qt.Key.Key_Minus, Qt.KeyboardModifier.ControlModifier)
    assert folding.layout_controller.arrangement == UNFOLDED


def test_a_double_click_on_a_group_unfolds_it(folding: CanvasView) -> None:
    asked: list[MenuTarget] = []
    folding.activated.connect(asked.append)
    folding.folding.fold(["Build", "Lab"])
    QTest.mouseDClick(folding.viewport(), LEFT, NONE, middle_of(folding, "Lab"))
    assert folding.layout_controller.arrangement.folded == {"Build"}
    assert asked == []


def test_all_of_a_group_can_be_clicked_though_it_is_larger_than_a_task(folding: CanvasView) -> None:
    folding.folding.fold(["Lab"])
    folding.graph.focus_task(lead(folding, "Lab"))
    folding.pan_zoom.zoom_by(1 / folding.pan_zoom.zoom)
    middle = middle_of(folding, "Lab")
    for inside in (QPoint(101, 0), QPoint(0, 34), QPoint(-101, -34)):
        folding._selection.clear()
        QTest.mouseClick(folding.viewport(), LEFT, NONE, middle + inside)
        assert folding._selection.now.numbers == members(shown_in(folding).facts, "Lab")
    QTest.mouseClick(folding.viewport(), LEFT, NONE, middle + QPoint(0, 39))
    assert not folding._selection.now.numbers


def test_a_group_shows_how_much_of_it_has_each_status(folding: CanvasView) -> None:
    folding.folding.fold(["Lab"])
    folding.graph.focus_task(lead(folding, "Lab"))
    folding.pan_zoom.zoom_by(1 / folding.pan_zoom.zoom)
    box = folding.graph.node_rect(row_in(folding, lead(folding, "Lab"))).toRect()
    inks = [LIGHT.status[code].shape for code in (codes.COMPLETED, codes.RUNNING, codes.PENDING)]
    done, running, ready = (count_of(painted(folding).copy(box), ink) for ink in inks)  # 1, 2 and 1 of 7
    assert 1.5 < running / done < 2.5
    assert 0.7 < ready / done < 1.3


def test_all_groups_fold_and_unfold_at_once(folding: CanvasView) -> None:
    folding.folding.fold_all()
    assert set(folding.folding.group_names) >= ALL
    assert folding.layout_controller.arrangement.folded >= ALL
    assert all(folding.folding.is_folded(number) for name in ALL for number in members(shown_in(folding).facts, name))
    folding.folding.unfold_all()
    assert folding.layout_controller.arrangement == UNFOLDED


def test_a_click_on_a_group_selects_all_its_tasks_and_control_takes_them_out(folding: CanvasView) -> None:
    facts = shown_in(folding).facts
    folding.folding.fold(["Lab"])
    QTest.mouseClick(folding.viewport(), LEFT, NONE, middle_of(folding, "Lab"))
    assert folding._selection.now.numbers == members(facts, "Lab")
    assert folding.graph.item.shown.selected == {row_in(folding, lead(folding, "Lab"))}
    QTest.mouseClick(folding.viewport(), LEFT, Qt.KeyboardModifier.ControlModifier, middle_of(folding, "Lab"))
    assert not folding._selection.now.numbers


def test_keys_walk_over_groups(folding: CanvasView) -> None:
    facts = shown_in(folding).facts
    folding.folding.fold_all()
    folding._selection.select(number_of(facts, "sources"))
    seen = []
    for _ in range(4):
        QTest.keyClick(folding, Qt.Key.Key_Right)
        seen.append(folding.marks.description_of(row_in(folding, folding._selection.now.current)).split(",")[0])
    assert "Group Build" in seen
    QTest.keyClick(folding, Qt.Key.Key_End)
    assert folding._selection.now.current in {number_of(facts, id) for id in ("release", "report", "notify", "docs")}


def test_the_menu_of_a_group_is_about_all_its_tasks_and_names_it(folding: CanvasView) -> None:
    asked: list[MenuTarget] = []
    folding.menu_asked.connect(asked.append)
    folding.activated.connect(asked.append)
    folding.folding.fold(["Lab"])
    folding._selection.select(number_of(shown_in(folding).facts, "soak_lab-b"))
    at = middle_of(folding, "Lab")
    QTest.mouseClick(folding.viewport(), Qt.MouseButton.RightButton, NONE, at)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, folding.viewport().mapToGlobal(at))
    QApplication.sendEvent(folding.viewport(), event)
    QTest.keyClick(folding, Qt.Key.Key_Return)
    assert folding._selection.now.numbers == members(shown_in(folding).facts, "Lab")
    assert [(each.number, each.group) for each in asked] == [(lead(folding, "Lab"), "Lab")] * 2


def test_finding_a_task_inside_a_group_unfolds_it(folding: CanvasView) -> None:
    facts = shown_in(folding).facts
    folding.folding.fold_all()
    found = [facts.graph.ids[folding.search.find_task("lab-c") or 0] for _ in range(2)]
    assert sorted(found) == ["flash_lab-c", "soak_lab-c"]
    assert "Lab" not in folding.layout_controller.arrangement.folded
    assert "Build" in folding.layout_controller.arrangement.folded
    number = number_of(facts, found[1])
    assert folding.viewport().rect().contains(folding.graph.node_rect(row_in(folding, number)).toRect())


def test_a_filter_means_a_group_if_it_means_one_of_its_tasks(folding: CanvasView) -> None:
    folding.folding.fold_all()
    folding.highlights.set_filter(Filter(statuses=frozenset({StatusForm.FAILED})))
    bright = [int(number) for number in shown_in(folding).numbers[~folding.graph.item.shown.dim]]
    assert bright == [lead(folding, "Build")]
    folding.highlights.set_filter(Filter(statuses=frozenset({StatusForm.CANCELLED})))  # none is loudest in a group
    bright = [int(number) for number in shown_in(folding).numbers[~folding.graph.item.shown.dim]]
    assert bright == [lead(folding, "Triage")]
    folding.highlights.set_filter(Filter(groups=frozenset({"Triage"})))
    bright = [int(number) for number in shown_in(folding).numbers[~folding.graph.item.shown.dim]]
    assert bright == [lead(folding, "Triage")]
    folding.highlights.set_filter(EVERYTHING)
    assert not folding.graph.item.shown.dim.any()


def test_a_change_inside_a_group_moves_nothing_and_is_seen(folding: CanvasView) -> None:
    folding.folding.fold_all()
    facts, before = shown_in(folding).facts, painted(folding)
    standing = folding.pan_zoom.place, shown_in(folding).layout.positions.tobytes()
    pose(facts, "soak_lab-c", codes.FAILED)
    folding.tasks_changed([number_of(facts, "soak_lab-c")])
    now = painted(folding)
    assert (folding.pan_zoom.place, shown_in(folding).layout.positions.tobytes()) == standing
    assert now != before
    box = folding.graph.node_rect(row_in(folding, lead(folding, "Lab"))).toRect()
    assert count_of(now.copy(box), LIGHT.status[codes.FAILED].shape) > count_of(
        before.copy(box), LIGHT.status[codes.FAILED].shape
    )


@pytest.mark.parametrize("scale", [0.1, 0.3, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_groups_are_painted_the_same_by_an_item_that_knows_nothing(
    folding: CanvasView, scale: float, ratio: float
) -> None:
    folding.folding.fold_all()
    folding.graph.focus_task(lead(folding, "Lab"))
    folding.pan_zoom.zoom_by(scale / folding.pan_zoom.zoom)
    first = painted(folding, ratio)
    assert count_of(first, "#FF00FF") == 0
    if ratio == 1.0:
        assert first == again(folding)


def test_a_card_tells_what_is_in_a_group(folding: CanvasView) -> None:
    folding.folding.fold(["Build"])
    QTest.mouseMove(folding.viewport(), middle_of(folding, "Build"))
    folding.hover.show_card()
    name, state, rest = folding.controls.card.texts
    assert (name, "11" in state) == ("Build", True)
    assert rest.splitlines() == ["10 Done", "1 Failed"]


# ---- turning


def test_turning_the_graph_keeps_what_stood_in_the_middle_there(folding: CanvasView) -> None:
    folding.pan_zoom.zoom_by(2)
    number = number_of(shown_in(folding).facts, "link_m4")
    folding.graph.focus_task(number)
    before = folding.pan_zoom.place
    press(folding, Scope.GRAPH, "turn")
    picture = shown_in(folding)
    assert picture.layout.direction is Direction.DOWN
    assert folding.pan_zoom.zoom == before.scale
    assert (
        np.hypot(
            folding.pan_zoom.place.x - picture.layout.position(number)[0],
            folding.pan_zoom.place.y - picture.layout.position(number)[1],
        )
        < 2
    )
    folding.layout_controller.turn()
    assert shown_in(folding).layout.direction is Direction.RIGHT


def test_a_key_brings_the_current_task_to_the_middle(view: CanvasView) -> None:
    number = number_of(shown_in(view).facts, "report")
    view._selection.select(number)
    press(view, Scope.GRAPH, "focus")
    box = view.graph.node_rect(row_in(view, number))
    assert (box.center().toPoint() - view.viewport().rect().center()).manhattanLength() <= 3


def test_a_run_without_tasks_is_no_reason_to_stumble(folding: CanvasView) -> None:
    facts = Driver(checked=False).create(Plan(name="empty"))
    folding.show_run(arranged(facts, UNFOLDED))
    assert folding.controls.empty.isVisible()
    assert folding.folding.group_names == ()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Minus, Qt.Key.Key_Plus, Qt.Key.Key_T, Qt.Key.Key_0):
        QTest.keyClick(folding, key)
    for name in ("turn", "focus"):
        press(folding, Scope.GRAPH, name)
    folding.folding.fold_all()
    folding.highlights.set_colour_by(ColourBy.DEVICE)
    assert folding.search.find_task("gate") is None
    assert count_of(painted(folding), "#FF00FF") == 0


def test_the_key_that_folds_groups_says_why_it_does_nothing_where_there_are_none(folding: CanvasView) -> None:
    facts = Driver(checked=False).create(Plan(name="few", tasks=(task("alone"), task("other"))))
    folding.show_run(arranged(facts, UNFOLDED))
    press(folding, Scope.GRAPH, "fold_groups")
    assert folding.overlay.note == "No two tasks of this graph are in a group."


def test_the_key_that_folds_groups_folds_them_and_says_nothing(folding: CanvasView) -> None:
    press(folding, Scope.GRAPH, "fold_groups")
    assert folding.layout_controller.arrangement.folded == ALL
    assert not folding.overlay.note

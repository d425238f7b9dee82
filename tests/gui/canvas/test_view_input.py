"""The canvas by keys and by pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.gui.canvas.looking import row_in, shown_in
from tests.gui.canvas.runs import number_of, picture_of

from starloom.layout import Direction
from starloom.scheduling.state import codes
from starloom_gui.canvas.hit_test import edge_at

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from starloom_gui.canvas.menu_target import MenuTarget
    from starloom_gui.canvas.view import CanvasView

CONTROL = Qt.KeyboardModifier.ControlModifier
NONE = Qt.KeyboardModifier.NoModifier
LEFT = Qt.MouseButton.LeftButton


def current(view: CanvasView) -> str:
    number = view._selection.now.current
    assert number is not None
    return shown_in(view).facts.graph.ids[number]


def chosen(view: CanvasView) -> set[str]:
    return {shown_in(view).facts.graph.ids[number] for number in view._selection.now.numbers}


def press(view: CanvasView, *keys: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> str:
    for key in keys:
        QTest.keyClick(view, key, modifiers)
    return current(view)


def middle_of(view: CanvasView, id: str) -> QPoint:
    return view.graph.node_rect(row_in(view, number_of(shown_in(view).facts, id))).center().toPoint()


# ---- keys


def test_right_and_left_follow_dependencies(view: CanvasView) -> None:
    view._selection.select(number_of(shown_in(view).facts, "style_rules"))
    assert press(view, Qt.Key.Key_Right) == "lint"
    assert press(view, Qt.Key.Key_Right) == "docs"
    assert press(view, Qt.Key.Key_Right) == "docs"
    assert press(view, Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Left) == "style_rules"
    assert chosen(view) == {"style_rules"}


def test_up_and_down_go_through_all_of_a_rank_in_its_order(view: CanvasView) -> None:
    view._selection.select(number_of(shown_in(view).facts, "sources"))
    names = [current(view)]
    names += [press(view, Qt.Key.Key_Down) for _ in range(3)]
    assert names == ["sources", "toolchain", "style_rules", "style_rules"]
    assert press(view, Qt.Key.Key_Up, Qt.Key.Key_Up) == "sources"


def test_home_and_end_go_to_the_first_and_the_last_task_whether_dependencies_lead_there_or_not(
    view: CanvasView,
) -> None:
    view._selection.select(number_of(shown_in(view).facts, "lint"))
    assert press(view, Qt.Key.Key_End) == "notify"
    assert press(view, Qt.Key.Key_Home) == "sources", "of which lint does not need anything"


def test_the_first_key_begins_at_the_first_node(view: CanvasView) -> None:
    assert press(view, Qt.Key.Key_Right) == "sources"


def test_end_goes_to_the_last_task_where_none_is_the_current_one(view: CanvasView) -> None:
    assert press(view, Qt.Key.Key_End) == "notify"


def test_control_walks_without_selecting_and_control_space_adds(view: CanvasView) -> None:
    view._selection.select(number_of(shown_in(view).facts, "style_rules"))
    press(view, Qt.Key.Key_Right, modifiers=CONTROL)
    assert (current(view), chosen(view)) == ("lint", {"style_rules"})
    press(view, Qt.Key.Key_Space, modifiers=CONTROL)
    assert chosen(view) == {"style_rules", "lint"}
    press(view, Qt.Key.Key_Escape)
    assert (current(view), chosen(view)) == ("lint", set())


def test_every_node_is_reached_by_keys(view: CanvasView) -> None:
    picture, seen, waiting = shown_in(view), set(), ["sources"]
    while waiting:
        start = waiting.pop()
        seen.add(start)
        for key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right):
            view._selection.select(number_of(picture.facts, start))
            found = press(view, key)
            if found not in seen:
                seen.add(found)
                waiting.append(found)
    assert seen == set(picture.facts.graph.place)


def test_the_current_node_is_brought_into_sight_and_nothing_moves_if_it_is(view: CanvasView) -> None:
    view._selection.select(number_of(shown_in(view).facts, "link_m4"))
    before = view.pan_zoom.place
    press(view, Qt.Key.Key_Right)
    assert view.pan_zoom.place == before
    view.pan_zoom.zoom_by(4)
    view.graph.focus_task(number_of(shown_in(view).facts, "style_rules"))
    view._selection.select(number_of(shown_in(view).facts, "style_rules"))
    press(view, Qt.Key.Key_Right, Qt.Key.Key_Right)
    assert view.viewport().rect().contains(view.graph.node_rect(row_in(view, view._selection.now.current)).toRect())


def test_enter_and_a_double_click_activate(view: CanvasView) -> None:
    asked: list[MenuTarget] = []
    view.activated.connect(asked.append)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert asked == []
    view._selection.select(number_of(shown_in(view).facts, "gate"))
    QTest.keyClick(view, Qt.Key.Key_Return)
    QTest.mouseDClick(view.viewport(), LEFT, NONE, middle_of(view, "lint"))
    assert [each.number for each in asked] == [number_of(shown_in(view).facts, id) for id in ("gate", "lint")]


def test_plus_minus_and_nought_zoom_and_fit(view: CanvasView) -> None:
    fitted = view.pan_zoom.place
    QTest.keyClick(view, Qt.Key.Key_Plus)
    assert view.pan_zoom.zoom > fitted.scale
    QTest.keyClick(view, Qt.Key.Key_Minus)
    assert view.pan_zoom.zoom == pytest.approx(fitted.scale)
    QTest.keyClick(view, Qt.Key.Key_Minus)
    QTest.keyClick(view, Qt.Key.Key_0)
    assert view.pan_zoom.zoom == pytest.approx(fitted.scale)


def test_the_menu_key_asks_for_the_current_node_and_the_pointer_for_what_it_is_on(view: CanvasView) -> None:
    asked: list[MenuTarget] = []
    view.menu_asked.connect(asked.append)
    number = number_of(shown_in(view).facts, "gate")
    view._selection.select(number)
    for reason, at in (
        (QContextMenuEvent.Reason.Keyboard, QPoint(0, 0)),
        (QContextMenuEvent.Reason.Mouse, middle_of(view, "lint")),
        (QContextMenuEvent.Reason.Mouse, QPoint(5, 5)),
    ):
        QApplication.sendEvent(view.viewport(), QContextMenuEvent(reason, at, view.viewport().mapToGlobal(at)))
    assert [each.number for each in asked] == [number, number_of(shown_in(view).facts, "lint"), None]
    away = asked[0].at - view.viewport().mapToGlobal(middle_of(view, "gate"))
    assert away.manhattanLength() <= 2


def test_a_screen_reader_is_told_the_current_node(view: CanvasView) -> None:
    view._selection.select(number_of(shown_in(view).facts, "compile_ble"))
    assert view.accessibleName() == "Graph"
    assert view.accessibleDescription() == "compile ble, Failed, exit 2"


# ---- pointer


@pytest.mark.parametrize("adding", [CONTROL, Qt.KeyboardModifier.ShiftModifier])
def test_a_click_selects_and_a_click_on_the_ground_clears(view: CanvasView, adding: Qt.KeyboardModifier) -> None:
    QTest.mouseClick(view.viewport(), LEFT, NONE, middle_of(view, "gate"))
    assert chosen(view) == {"gate"}
    QTest.mouseClick(view.viewport(), LEFT, adding, middle_of(view, "lint"))
    assert chosen(view) == {"gate", "lint"}
    QTest.mouseClick(view.viewport(), LEFT, adding, middle_of(view, "gate"))
    assert chosen(view) == {"lint"}
    QTest.mouseClick(view.viewport(), Qt.MouseButton.RightButton, NONE, middle_of(view, "lint"))
    assert chosen(view) == {"lint"}
    QTest.mouseClick(view.viewport(), LEFT, NONE, QPoint(5, 5))
    assert chosen(view) == set()


def test_dragging_the_ground_pans_and_selects_nothing(view: CanvasView) -> None:
    QTest.mouseClick(view.viewport(), LEFT, NONE, middle_of(view, "gate"))
    before = view.pan_zoom.place
    QTest.mousePress(view.viewport(), LEFT, NONE, QPoint(5, 5))
    QTest.mouseMove(view.viewport(), QPoint(65, 35))
    QTest.mouseRelease(view.viewport(), LEFT, NONE, QPoint(65, 35))
    assert (before.x - view.pan_zoom.place.x) * view.pan_zoom.zoom == pytest.approx(60, abs=1)
    assert (before.y - view.pan_zoom.place.y) * view.pan_zoom.zoom == pytest.approx(30, abs=1)
    assert chosen(view) == {"gate"}


def test_escape_takes_a_drag_back(view: CanvasView) -> None:
    before = view.pan_zoom.place
    QTest.mousePress(view.viewport(), LEFT, NONE, QPoint(5, 5))
    QTest.mouseMove(view.viewport(), QPoint(105, 85))
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert view.pan_zoom.place == before
    QTest.mouseMove(view.viewport(), QPoint(205, 185))
    assert view.pan_zoom.place == before


@pytest.mark.parametrize(
    ("pixels", "angle", "modifiers", "zooms"),
    [
        (QPoint(), QPoint(0, 120), NONE, True),
        (QPoint(3, -8), QPoint(0, -60), NONE, False),
        (QPoint(), QPoint(0, 120), Qt.KeyboardModifier.ShiftModifier, False),
        (QPoint(0, 8), QPoint(0, 60), CONTROL, True),
    ],
)
def test_a_wheel_zooms_and_a_touchpad_pans(
    view: CanvasView, pixels: QPoint, angle: QPoint, modifiers: Qt.KeyboardModifier, zooms: bool
) -> None:
    before = view.pan_zoom.place
    at = QPointF(400, 200)
    phase = Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(at, view.mapToGlobal(at), pixels, angle, Qt.MouseButton.NoButton, modifiers, phase, False)
    QApplication.sendEvent(view.viewport(), event)
    assert (view.pan_zoom.zoom != before.scale) is zooms
    assert view.pan_zoom.place != before


def test_a_card_tells_of_what_the_pointer_rests_on_and_goes_with_it(view: CanvasView, qtbot: QtBot) -> None:
    QTest.mouseMove(view.viewport(), middle_of(view, "compile_ble"))
    assert view.graph.item.shown.hovered is not None
    qtbot.waitUntil(view.controls.card.isVisible)
    name, state, rest = view.controls.card.texts
    assert (name, state) == ("compile ble", "Failed · exit 2")
    assert "It exited with 1." in rest
    assert view.controls.card.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    QTest.mouseMove(view.viewport(), QPoint(5, 5))
    assert not view.controls.card.isVisible()
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert view.graph.item.shown.hovered is None


def test_a_card_tells_the_condition_of_a_dependency(view: CanvasView) -> None:
    picture = shown_in(view)
    parent, child = (picture.row(number_of(picture.facts, id)) for id in ("gate", "release"))
    edge = [tuple(pair) for pair in picture.edges.tolist()].index((parent, child))
    x, y = picture.layout.routes.of(edge)[0].tolist()
    assert edge_at(picture, x + 4, y, 8.0) is not None
    view.hover._pointer = view.mapFromScene(x + 12, y)
    view.hover.show_card()
    assert view.controls.card.isVisible()
    assert "→" in view.controls.card.texts[0]


# ---- search


def test_search_goes_round_in_the_order_of_ranks(view: CanvasView) -> None:
    facts = shown_in(view).facts
    found = [facts.graph.ids[view.search.find_task("lab-c") or 0] for _ in range(3)]
    assert found == ["flash_lab-c", "soak_lab-c", "flash_lab-c"]
    assert view.search.find_task("lab-c", forward=False) == number_of(facts, "soak_lab-c")
    assert chosen(view) == {"soak_lab-c"}
    assert view.search.find_task("no such task") is None
    assert chosen(view) == {"soak_lab-c"}


def test_what_is_found_is_brought_into_sight(view: CanvasView) -> None:
    view.pan_zoom.zoom_by(5)
    number = view.search.find_task("release")
    assert view.viewport().rect().contains(view.graph.node_rect(row_in(view, number)).toRect())
    assert shown_in(view).status[row_in(view, number)] == codes.WAITING


def test_keys_and_pointer_work_where_dependencies_point_down(view: CanvasView) -> None:
    facts = shown_in(view).facts
    view.show_run(picture_of(facts, direction=Direction.DOWN))
    view._selection.select(number_of(facts, "lint"))
    assert press(view, Qt.Key.Key_Right) == "docs"
    assert press(view, Qt.Key.Key_Left, Qt.Key.Key_Left) == "style_rules"
    names = {press(view, Qt.Key.Key_Up) for _ in range(3)} | {press(view, Qt.Key.Key_Down) for _ in range(3)}
    assert names == {"sources", "toolchain", "style_rules"}
    QTest.mouseClick(view.viewport(), LEFT, NONE, middle_of(view, "gate"))
    assert chosen(view) == {"gate"}

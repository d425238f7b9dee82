"""A click on a badge shows what the badge is about; a drag that begins there moves the node, as from anywhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from tests.gui.canvas.looking import painted, row_in, shown_in
from tests.gui.canvas.runs import number_of
from tests.unit.scheduling.decide.test_asking import MAY_I, alone, answer, ask

from starloom_gui.canvas.badges import Badge, BadgeAct, act_of, badge_of
from starloom_gui.viewmodel.stage import Stage

if TYPE_CHECKING:
    from starloom_gui.canvas.view import CanvasView

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
GATED = "style_rules"


def gated(view: CanvasView, badge: int = Badge.GATE) -> tuple[int, QPoint]:
    """The number of a task that has this badge now, and where that is in the viewport."""
    number = number_of(shown_in(view).facts, GATED)
    row = row_in(view, number)
    shown_in(view).badge[row] = badge
    view.graph.update()
    return number, view.graph.node_rect(row).topRight().toPoint() + QPoint(-3, -1)


@pytest.fixture
def shown(view: CanvasView) -> list[tuple[int, BadgeAct]]:
    """What clicks on badges have asked for."""
    found: list[tuple[int, BadgeAct]] = []
    view.badge_clicked.connect(lambda number, act: found.append((number, act)))
    return found


def test_a_click_on_it_selects_the_task_and_shows_its_question(
    view: CanvasView, shown: list[tuple[int, BadgeAct]]
) -> None:
    number, spot = gated(view)
    ground = painted(view).pixel(spot + QPoint(40, -6))
    for by in (QPoint(-6, 0), QPoint(6, 0), QPoint(0, -6)):
        assert painted(view).pixel(spot + by) != ground, "it is painted where it is clicked"
    QTest.mouseClick(view.viewport(), LEFT, NONE, spot + QPoint(0, -5))
    assert shown == [(number, BadgeAct.QUESTION)], "above its node, too"
    assert view._selection.now.numbers == {number}
    QTest.mouseClick(view.viewport(), LEFT, NONE, spot)
    assert len(shown) == 2, "of a selected node likewise"
    QTest.mouseDClick(view.viewport(), LEFT, NONE, spot)
    assert view.gestures.verbs is None or view.gestures.verbs.field is None, "a second click renames nothing"


def test_a_drag_that_begins_on_it_moves_the_node(view: CanvasView, shown: list[tuple[int, BadgeAct]]) -> None:
    number, spot = gated(view)
    before = view.layout_controller.place_of(number)
    port = view.viewport()
    QTest.mousePress(port, LEFT, NONE, spot)
    QTest.mouseMove(port, spot + QPoint(30, 20))
    QTest.mouseMove(port, spot + QPoint(60, 40))
    QTest.mouseRelease(port, LEFT, NONE, spot + QPoint(60, 40))
    assert view.layout_controller.place_of(number) != before
    assert shown == []


def test_the_pointer_is_a_hand_over_it_and_its_card_says_what_a_click_does(view: CanvasView) -> None:
    _, spot = gated(view)
    port, middle = view.viewport(), spot + QPoint(-60, 25)
    QTest.mouseMove(port, spot)
    assert port.cursor().shape() is Qt.CursorShape.PointingHandCursor
    view.hover.show_card()
    assert view.controls.card.texts[2].startswith("Click: answer it in “Waits for you” (Alt+A)")
    QTest.mouseMove(port, middle)
    assert port.cursor().shape() is Qt.CursorShape.ArrowCursor
    view.hover.show_card()
    assert "Click" not in view.controls.card.texts[2]


def test_a_badge_that_says_all_there_is_shows_nothing(view: CanvasView, shown: list[tuple[int, BadgeAct]]) -> None:
    _, spot = gated(view, Badge.HELD)
    QTest.mouseClick(view.viewport(), LEFT, NONE, spot)
    QTest.mouseMove(view.viewport(), spot)
    assert shown == []
    assert view.viewport().cursor().shape() is Qt.CursorShape.ArrowCursor


@pytest.mark.parametrize(
    ("badge", "stage", "act"),
    [
        (Badge.GATE, Stage.NONE, BadgeAct.QUESTION),
        (Badge.FENCE, Stage.NONE, BadgeAct.WAITING),
        (Badge.RETRY, Stage.NONE, BadgeAct.OUTPUT),
        (Badge.QUIET, Stage.NONE, BadgeAct.OUTPUT),
        (Badge.HELD, Stage.CHANGED, BadgeAct.CHANGES),
        (Badge.NONE, Stage.NONE, None),
        (Badge.BREAKPOINT, Stage.NONE, None),
    ],
)
def test_each_badge_shows_what_it_is_about(badge: Badge, stage: Stage, act: BadgeAct | None) -> None:
    assert act_of(badge, stage) is act


def test_an_attempt_that_asks_has_the_badge_of_a_gate_until_it_is_answered() -> None:
    driver = alone()
    number = driver.run().graph.place["a"]
    assert badge_of(driver.run(), number, is_fenced=False, is_quiet=False) is Badge.NONE
    ask(driver, MAY_I)
    assert badge_of(driver.run(), number, is_fenced=False, is_quiet=True) is Badge.GATE
    answer(driver, option="once")
    assert badge_of(driver.run(), number, is_fenced=False, is_quiet=False) is Badge.NONE

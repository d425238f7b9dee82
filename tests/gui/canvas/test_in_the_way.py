"""What lies over a graph stays out of its way, however small the canvas is, and the middle stays in the middle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from tests.gui.canvas.looking import row_in, shown_in

from starloom_gui.canvas.control_strip import EDGE
from starloom_gui.canvas.motion import ViewPosition

if TYPE_CHECKING:
    from tests.gui.canvas.editing import Bench

    from starloom_gui.canvas.view import CanvasView


def test_the_middle_of_the_canvas_stays_there_when_the_window_changes(view: CanvasView) -> None:
    view.pan_zoom.scroll_by(0, 0)  # the user has moved it, if only by nothing: it is not fitted again
    before = view.pan_zoom.place
    for width, height in ((700, 500), (701, 503), (640, 411), (1200, 800), (900, 333)):
        view.resize(width, height)
        now = view.pan_zoom.place
        assert abs(now.x - before.x) * view.pan_zoom.zoom <= 1.5, (width, height)
        assert abs(now.y - before.y) * view.pan_zoom.zoom <= 1.5, (width, height)


def whole(view: CanvasView) -> bool:
    """Whether every node is in sight, and above what lies over the lower border."""
    picture = shown_in(view)
    room = QRectF(view.viewport().rect()).adjusted(-1, -1, 1, 1)
    corner = [view.controls.zoom_box.geometry(), view.controls.legend.geometry(), view.controls.minimap.geometry()]
    over = [
        QRectF(one)
        for one, part in zip(corner, (view.controls.zoom_box, view.controls.legend, view.controls.minimap), strict=True)
        if part.isVisible()
    ]
    boxes = [view.graph.node_rect(row) for row in range(len(picture)) if picture.present[row]]
    return all(room.contains(box) for box in boxes) and not any(one.intersects(box) for one in over for box in boxes)


SIZES = ((904, 498), (820, 430), (760, 400), (700, 360), (690, 470), (1000, 330), (904, 498), (1300, 800))


def test_a_fitted_view_is_fitted_again_when_the_window_changes_until_it_is_moved(bench: Bench) -> None:
    view = bench.view
    view.resize(420, 260)
    view.pan_zoom.fit_all()
    small = view.pan_zoom.zoom
    view.resize(1300, 800)
    assert view.pan_zoom.zoom > small, "a window that was made larger shows it larger"
    large = view.pan_zoom.place
    view.pan_zoom.fit_all()
    assert view.pan_zoom.place == large, "as if it had been fitted there"
    view.resize(420, 260)
    assert view.pan_zoom.zoom == pytest.approx(small)
    view.pan_zoom.scroll_by(3, 0)
    view.resize(1300, 800)
    assert view.pan_zoom.zoom == pytest.approx(small), "the user has moved it"


def test_a_node_in_sight_is_not_scrolled_to(bench: Bench) -> None:
    view, number = bench.view, 5
    view.resize(900, 500)
    view.pan_zoom.fit_all()
    box = view.graph.node_rect(row_in(view, number))
    view.pan_zoom.scroll_by(round(box.right()) - view.viewport().width() + 3, 0)
    before = view.pan_zoom.place
    view.graph.reveal_task(number)
    assert view.pan_zoom.place == before, "all of it is there"
    view.pan_zoom.scroll_by(-10, 0)
    view.graph.reveal_task(number)
    assert view.graph.node_rect(row_in(view, number)).right() <= view.viewport().width()


def test_what_is_wholly_in_sight_stays_so_when_the_window_changes(bench: Bench) -> None:
    """No node slips behind what lies over the canvas; the scale comes back with the room."""
    view = bench.view
    view.resize(904, 498)
    view.pan_zoom.fit_all()
    view.pan_zoom.scroll_by(-12, 30)  # the user has looked elsewhere since, and still sees all of it
    before = view.pan_zoom.zoom
    for size in SIZES:
        view.resize(*size)
        assert whole(view), size
        assert view.pan_zoom.zoom <= before + 1e-9, size
    assert view.pan_zoom.zoom == pytest.approx(before)


def test_from_afar_all_of_it_stays_in_sight_however_small_it_gets(bench: Bench) -> None:
    view = bench.view
    view.resize(600, 300)
    view.pan_zoom.fit_all()
    view.pan_zoom.zoom_by(0.3 / view.pan_zoom.zoom)
    assert view.pan_zoom.zoom == pytest.approx(0.3)
    view.resize(160, 160)
    assert view.pan_zoom.is_whole(view.viewport().size())
    view.resize(600, 300)
    assert view.pan_zoom.zoom == pytest.approx(0.3)


def test_what_the_user_has_come_near_to_is_not_left_when_the_window_changes(view: CanvasView) -> None:
    view.pan_zoom.look(ViewPosition(1.5, view.pan_zoom.place.x, view.pan_zoom.place.y), at_once=True)
    for width, height in ((500, 400), (1200, 800)):
        view.resize(width, height)
        assert view.pan_zoom.zoom == 1.5


def test_the_overview_covers_no_node_while_the_whole_graph_is_in_sight(bench: Bench) -> None:
    view = bench.view
    view.resize(900, 500)
    view.pan_zoom.fit_all()
    assert view.controls.minimap.isVisible()
    begin, corner = bench.middle("f"), view.controls.minimap.geometry().center() - QPoint(60, 0)
    bench.drag(begin, corner)
    for row in range(6):
        assert QRectF(view.viewport().rect()).contains(view.graph.node_rect(row)), "all of it is in sight"
    assert not view.controls.minimap.isVisible()
    bench.drag(corner, begin)
    assert view.controls.minimap.isVisible()


def test_the_overview_covers_no_node_while_most_of_the_graph_is_in_sight(bench: Bench) -> None:
    view = bench.view
    view.resize(900, 500)
    view.pan_zoom.fit_all()
    assert view.controls.minimap.isVisible()
    boxes = [view.graph.node_rect(row) for row in range(6)]
    last = max(boxes, key=lambda box: box.right())
    way = QRectF(view.controls.minimap.geometry()).topLeft() + QPointF(20, 20) - last.bottomRight()
    view.pan_zoom.scroll_by(-round(way.x()), -round(way.y()))
    assert not view.pan_zoom.is_whole(view.viewport().size())
    assert view.pan_zoom.share_in_sight > 0.5
    assert not view.controls.minimap.isVisible()


def test_the_overview_goes_where_it_would_cover_more_than_a_tenth(view: CanvasView) -> None:
    view.resize(1000, 700)
    assert view.controls.minimap.isVisible()
    view.resize(420, 300)
    assert not view.controls.minimap.isVisible()
    view.resize(1000, 700)
    assert view.controls.minimap.isVisible()


def test_the_overview_goes_where_a_selected_node_lies_below_it(view: CanvasView) -> None:
    view.resize(1000, 700)
    picture = shown_in(view)
    number = int(picture.numbers[0])
    box = view.graph.node_rect(row_in(view, number))
    corner = QRectF(view.controls.minimap.geometry()).center() - box.center()
    view.pan_zoom.scroll_by(-round(corner.x()), -round(corner.y()))
    assert view.controls.minimap.isVisible()
    view._selection.select(number)
    assert not view.controls.minimap.isVisible()
    view._selection.clear()
    assert view.controls.minimap.isVisible()


def test_zoom_and_legend_lie_below_the_graph_and_on_no_node(view: CanvasView) -> None:
    view.resize(1000, 700)
    picture = shown_in(view)
    corner = QPointF(view.controls.zoom_box.geometry().center())
    way = corner - view.graph.node_rect(row_in(view, int(picture.numbers[0]))).center()
    view.pan_zoom.scroll_by(-round(way.x()), -round(way.y()))
    for part in (view.controls.zoom_box, view.controls.legend):
        assert part.isVisible()
        assert part.y() >= view.viewport().geometry().bottom(), "the graph ends above"
    assert not view.controls.legend.is_folded


def test_the_legend_folds_where_it_has_no_room_and_still_tells(view: CanvasView) -> None:
    view.resize(1000, 700)
    full = view.controls.legend.width()
    view.resize(240, 700)
    assert view.controls.legend.is_folded
    assert view.controls.legend.isVisible()
    assert "success" in view.controls.legend.toolTip()
    view.resize(1000, 700)
    assert view.controls.legend.toolTip() == "", "it is unfolded again"
    assert view.controls.legend.width() == full
    assert view.controls.legend.geometry().left() >= EDGE


@pytest.mark.parametrize("size", [(904, 540), (660, 540), (720, 540)], ids=["1440 wide", "1100", "1000"])
def test_in_windows_of_usual_sizes_nothing_covers_a_node_at_first_sight_or_one_that_is_selected(
    view: CanvasView, size: tuple[int, int]
) -> None:
    """The sizes are those of the canvas in windows that are so wide."""
    view.resize(*size)
    view.pan_zoom.look_first()
    picture, minimap, legend = shown_in(view), view.controls.minimap, view.controls.legend
    for row in range(len(picture)):
        view._selection.select(int(picture.numbers[row]))
        view.graph.reveal_task(int(picture.numbers[row]))
        assert not (minimap.isVisible() and view.graph.node_rect(row).intersects(QRectF(minimap.geometry()))), row
    assert legend.y() >= view.viewport().geometry().bottom()
    assert legend.geometry().right() <= view.width() - EDGE


def test_without_room_for_badges_the_legend_explains_lines_and_tells_the_rest_in_its_tip(view: CanvasView) -> None:
    view.resize(1000, 700)
    full = view.controls.legend.width()
    view.resize(view.controls.legend.x() + full, 700)
    assert not view.controls.legend.is_folded
    assert 0 < view.controls.legend.width() < full
    assert view.controls.legend.toolTip().endswith("held, retries")


def test_nothing_is_told_over_a_card_or_a_field_somebody_types_in(bench: Bench) -> None:
    view = bench.view
    bench.select("b")
    at = view.graph.node_rect(row_in(view, bench.number("c"))).center()
    view.hover._pointer = at.toPoint()
    card = view.controls.card
    view.hover.show_card()
    assert not card.isHidden()
    card.hide()
    bench.command("next_edge", Qt.Key.Key_Return)
    assert bench.card.isVisible()
    view.hover.show_card()
    assert card.isHidden()
    QTest.keyClick(bench.card.condition, Qt.Key.Key_Escape)
    bench.select("c")
    bench.key(Qt.Key.Key_F2)
    view.hover.show_card()
    assert card.isHidden()


def test_the_overview_moves_the_view_from_where_it_is_held_and_stays_until_it_is_let_go(view: CanvasView) -> None:
    view.resize(1000, 700)
    number = int(shown_in(view).numbers[0])
    box = view.graph.node_rect(row_in(view, number))
    overview = view.controls.minimap
    beside = QRectF(overview.geometry()).center() - QPointF(0, 260) - box.center()
    view.pan_zoom.scroll_by(-round(beside.x()), -round(beside.y()))
    view._selection.select(number)
    assert overview.isVisible()
    before, middle = view.pan_zoom.place, overview._to_map(*view.pan_zoom.seen.center().toTuple())
    held = middle.toPoint() + QPoint(6, -4)
    QTest.mousePress(overview, Qt.MouseButton.LeftButton, pos=held)
    assert view.pan_zoom.place == pytest.approx(before, abs=2), "it is held where it is"
    up = round(260 * overview._scale() / view.pan_zoom.zoom)
    QTest.mouseMove(overview, held - QPoint(0, up))
    moved = view.pan_zoom.place
    assert moved.y < before.y - 200
    assert QRectF(overview.geometry()).intersects(view.graph.node_rect(row_in(view, number)))
    assert overview.isVisible(), "it does not go while it is held"
    QTest.mouseRelease(overview, Qt.MouseButton.LeftButton, pos=held - QPoint(0, up))
    assert not overview.isVisible()
    assert view.pan_zoom.place == moved

"""A state change moves nothing; zoom, scroll and selection never change by themselves; what the user moved stays."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget
from tests.driver import task
from tests.gui.canvas.looking import again, count_of, painted, row_in, shown_in
from tests.gui.canvas.runs import firmware, number_of, path_of, picture_of, pose

from starloom.layout import LayoutGraph, layout
from starloom.model.dependency import Dependency
from starloom.scheduling.state import codes
from starloom_gui.canvas.camera import Camera, Level
from starloom_gui.canvas.matching import EVERYTHING, Filter
from starloom_gui.canvas.motion import ViewPosition
from starloom_gui.canvas.render_model import GraphRenderModel
from starloom_gui.theme.appearance import Theme
from starloom_gui.theme.icons import Icon
from starloom_gui.theme.metrics import CANVAS_FOOT, MINIMAP
from starloom_gui.theme.palette import DARK, LIGHT
from starloom_gui.theme.status_form import StatusForm

if TYPE_CHECKING:
    from PySide6.QtGui import QPixmap
    from pytestqt.qtbot import QtBot

    from starloom_gui.canvas.view import CanvasView
    from starloom_gui.theme.appearance import Appearance


def standing(view: CanvasView) -> tuple[object, ...]:
    """Everything that only the user may change."""
    picture = shown_in(view)
    return view.pan_zoom.place, view.pan_zoom.seen, view.graph.item.shown.selected, picture.layout.positions.tobytes()


def change_something(view: CanvasView, draw: random.Random) -> None:
    picture = shown_in(view)
    facts = picture.facts
    some = draw.sample(list(facts.graph.place), 5)
    for id in some:
        pose(facts, id, draw.randrange(codes.REMOVED), device_of="local", priority=draw.randrange(101))
    facts.held.symmetric_difference_update({number_of(facts, some[0])})
    view.tasks_changed(number_of(facts, id) for id in some)


def test_a_change_of_state_moves_nothing_whatever_it_is(view: CanvasView) -> None:
    view._selection.select(number_of(shown_in(view).facts, "coverage"))
    before, draw = standing(view), random.Random(1)
    for step in range(60):
        change_something(view, draw)
        view.tick()
        if step % 20 == 0:
            painted(view)
        assert standing(view) == before


def test_the_view_is_rebuilt_from_the_facts_alone(view: CanvasView) -> None:
    draw = random.Random(2)
    for _ in range(40):
        change_something(view, draw)
        painted(view)
    picture = shown_in(view)
    twin = GraphRenderModel(picture.facts, picture.layout)
    twin.set_critical_path(path_of(picture.facts))
    assert all((a == b).all() for a, b in zip(picture.arrays(), twin.arrays(), strict=True))
    view.tick()  # what was painted over is made anew
    assert painted(view) == again(view)


@pytest.mark.parametrize("scale", [0.1, 0.3, 0.8])
def test_painting_a_part_gives_what_painting_everything_gives(view: CanvasView, scale: float) -> None:
    view.controls.zoom_box.hide()
    view.controls.legend.hide()
    view.controls.minimap.hide()
    view.pan_zoom.zoom_by(scale / view.pan_zoom.zoom)
    view.grab()
    facts = shown_in(view).facts
    pose(facts, "notify", codes.RUNNING, device_of="local", started_at=490.0)
    view.tasks_changed([number_of(facts, "notify")])
    parts = view.grab()
    view.viewport().update()
    assert parts.toImage() == view.grab().toImage()


def test_a_picture_after_an_edit_leaves_the_view_where_it_is(view: CanvasView) -> None:
    facts, before = shown_in(view).facts, view.pan_zoom.place
    old = shown_in(view).layout
    number = facts.graph.add_task(task("new"))
    facts.graph.add_edge(number_of(facts, "lint"), number, Dependency(parent="lint", child="new"))
    for name in ("status", "priority"):
        getattr(facts, name).append(0)
    for name, value in (("unmet", 1), ("device_of", None), ("results", None), ("ready_at", 0.0), ("tries", 0)):
        getattr(facts, name).append(value)
    fresh = layout(LayoutGraph.of(facts.graph), previous=old)
    view.show_picture(GraphRenderModel(facts, fresh))
    assert view.pan_zoom.place == before
    assert shown_in(view).row(number) is not None
    kept = [fresh.position(n) == old.position(n) for n in old.graph.numbers.tolist() if fresh.ranks[fresh.row(n)] != 2]
    assert all(kept)


def test_nodes_the_user_moved_stay(view: CanvasView) -> None:
    facts = shown_in(view).facts
    number = number_of(facts, "docs")
    placed = layout(LayoutGraph.of(facts.graph), previous=shown_in(view).layout, pinned={number: (900.0, -300.0)})
    view.show_picture(GraphRenderModel(facts, placed))
    draw = random.Random(3)
    for _ in range(10):
        change_something(view, draw)
    assert shown_in(view).layout.position(number) == (900.0, -300.0)


def test_the_first_look_shows_everything_but_stays_readable(view: CanvasView) -> None:
    assert view.pan_zoom.zoom >= 0.45
    assert view.pan_zoom.level is Level.FULL
    assert not view.controls.empty.isVisible()
    left, top, right, bottom = shown_in(view).layout.bounds()
    assert view.pan_zoom.seen.contains(QRectF(left, top, right - left, bottom - top))
    view.resize(300, 200)
    view.show_run(shown_in(view))
    assert view.pan_zoom.zoom == pytest.approx(0.45)
    assert view.pan_zoom.seen.left() < left < view.pan_zoom.seen.right()


def test_fit_leaves_room_at_top_and_bottom(view: CanvasView) -> None:
    view.pan_zoom.zoom_by(3)
    view.pan_zoom.fit_all()
    _, top, right, bottom = shown_in(view).layout.bounds()
    assert (top - view.pan_zoom.seen.top()) * view.pan_zoom.zoom >= 55
    assert (view.pan_zoom.seen.bottom() - bottom) * view.pan_zoom.zoom + CANVAS_FOOT >= 47
    assert (view.pan_zoom.seen.right() - right) * view.pan_zoom.zoom == pytest.approx(20, abs=1)


def test_what_is_under_the_pointer_stays_there_while_zooming(view: CanvasView) -> None:
    at = QPointF(300, 200)
    for factor in (1.2, 1.2, 0.5, 3.0):
        before = view.pan_zoom.scene_at(at)
        view.pan_zoom.zoom_by(factor, at)
        after = view.pan_zoom.scene_at(at)
        assert abs(before.x() - after.x()) * view.pan_zoom.zoom <= 1
        assert abs(before.y() - after.y()) * view.pan_zoom.zoom <= 1


def test_a_run_without_tasks_and_no_run_at_all_are_empty_canvases(view: CanvasView) -> None:
    view.show_picture(None)
    assert count_of(painted(view), LIGHT.canvas) == 904 * (498 - CANVAS_FOOT)
    assert not view.controls.minimap.isVisible()
    assert not view.controls.empty.isVisible(), "whether there are tasks is not known before they are laid out"
    assert not view.controls.empty.button.isVisible(), "nothing can be added here"
    view.tasks_changed([1])
    view.pan_zoom.fit_all()
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert view.search.find_task("x") is None


# ---- painting


def test_nothing_is_painted_while_nothing_happens(
    view: CanvasView, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    paints: list[Camera] = []
    paint = view.graph.item.ground.pixmap

    def counted(picture: GraphRenderModel, camera: Camera, *rest: Any) -> QPixmap:
        paints.append(camera)
        return paint(picture, camera, *rest)

    monkeypatch.setattr(view.graph.item.ground, "pixmap", counted)
    view.viewport().update()
    qtbot.waitUntil(lambda: bool(paints))
    QApplication.processEvents()
    paints.clear()
    view.tasks_changed(shown_in(view).numbers.tolist())
    QApplication.processEvents()
    assert paints == []
    view.tick()
    qtbot.waitUntil(lambda: bool(paints))


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("scale", [0.1, 0.3, 0.476, 1.0])
def test_it_paints_all_of_the_viewport_at_every_ratio(view: CanvasView, ratio: float, scale: float) -> None:
    view.pan_zoom.zoom_by(scale / view.pan_zoom.zoom)
    image = painted(view, ratio)
    assert image.size() == QSize(round(904 * ratio), round((498 - CANVAS_FOOT) * ratio))
    assert count_of(image, "#FF00FF") == 0
    if scale < 1:
        assert count_of(image, LIGHT.status[codes.FAILED].shape) > 20 * ratio


def test_a_ratio_of_two_is_twice_as_fine_and_not_enlarged(view: CanvasView) -> None:
    small, large = painted(view, 1.0), painted(view, 2.0)
    enlarged = small.scaled(large.size())
    enlarged.setDevicePixelRatio(2.0)
    assert large != enlarged
    ink = LIGHT.status[codes.FAILED].shape
    assert count_of(large, ink) == pytest.approx(4 * count_of(small, ink), rel=0.35)


def test_another_theme_is_painted_at_once_and_nothing_of_the_old_one_is_left(
    view: CanvasView, appearance: Appearance
) -> None:
    before = painted(view)
    appearance.choose(Theme.DARK)
    dark = painted(view)
    assert count_of(dark, DARK.canvas) > 100_000
    assert count_of(dark, LIGHT.canvas) == count_of(dark, LIGHT.panel) == 0
    appearance.choose(Theme.LIGHT)
    assert painted(view) == before


def test_failed_nodes_are_seen_from_afar(view: CanvasView) -> None:
    view.pan_zoom.zoom_by(0.05 / view.pan_zoom.zoom)
    row = row_in(view, number_of(shown_in(view).facts, "compile_ble"))
    box = view.graph.node_rect(row)
    assert box.width() < 14
    around = QRect(0, 0, 14, 14)
    around.moveCenter(box.center().toPoint())
    assert count_of(painted(view).copy(around), LIGHT.status[codes.FAILED].shape) > 80


def test_a_ring_is_drawn_around_what_is_selected_and_a_dashed_one_around_the_current(view: CanvasView) -> None:
    number = number_of(shown_in(view).facts, "gate")
    bare = painted(view)
    view._selection.select(number)
    solid = painted(view)
    view._selection.clear()
    view.graph.item.shown.focused = True
    dashed = painted(view)
    ring = view.graph.node_rect(row_in(view, number), 6).toRect()
    inks = [count_of(image.copy(ring), LIGHT.text) for image in (bare, dashed, solid)]
    assert inks[0] < inks[1] < inks[2]


def test_a_status_fades_for_a_moment_and_not_at_all_where_motion_is_reduced(view: CanvasView, qtbot: QtBot) -> None:
    facts = shown_in(view).facts
    number = number_of(facts, "report")
    pose(facts, "report", codes.RUNNING, device_of="local", started_at=1.0)
    view.tasks_changed([number])
    assert view.graph.item.shown.fading == {}
    view.graph.reduced_motion = False
    pose(facts, "report", codes.FAILED)
    view.tasks_changed([number])
    assert view.graph.item.shown.fading[row_in(view, number)][0] == codes.RUNNING
    fading = painted(view)
    qtbot.waitUntil(lambda: not view.graph.item.shown.fading)
    assert painted(view) != fading


def test_the_view_glides_when_it_is_asked_to_and_stops_when_the_user_does_something(
    view: CanvasView, qtbot: QtBot
) -> None:
    view.pan_zoom.reduced_motion = False
    target = ViewPosition(1.0, 0.0, 0.0)
    view.pan_zoom.look(target)
    assert view.pan_zoom._glide.is_moving
    qtbot.waitUntil(lambda: not view.pan_zoom._glide.is_moving)
    assert view.pan_zoom.zoom == 1.0
    view.pan_zoom.look(ViewPosition(0.5, 500.0, 0.0))
    view.pan_zoom.scroll_by(1, 0)
    assert not view.pan_zoom._glide.is_moving


# ---- filter and critical path


def test_what_a_filter_does_not_mean_recedes_and_comes_back(view: CanvasView) -> None:
    before = painted(view)
    view.highlights.set_filter(Filter(statuses=frozenset({StatusForm.RUNNING})))
    dim = view.graph.item.shown.dim
    assert int((~dim).sum()) == 5
    assert painted(view) != before
    facts = shown_in(view).facts
    pose(facts, "gate", codes.RUNNING, device_of="local")
    view.tasks_changed([number_of(facts, "gate")])
    assert int((~view.graph.item.shown.dim).sum()) == 6
    pose(facts, "gate", codes.WAITING)
    view.tasks_changed([number_of(facts, "gate")])
    view.highlights.set_filter(EVERYTHING)
    assert painted(view) == before


def test_the_critical_path_can_be_switched_off_and_on(view: CanvasView) -> None:
    with_path = painted(view)
    view.highlights.show_critical_path(False)
    assert not shown_in(view).critical.any()
    assert painted(view) != with_path
    view.highlights.show_critical_path(True)
    assert int(shown_in(view).critical.sum()) == 7
    assert painted(view) == with_path


# ---- what lies over it


def test_the_overlays_keep_their_corners(view: CanvasView) -> None:
    view.resize(1000, 700)
    assert view.controls.minimap.geometry() == QRect(
        QPoint(1000 - 12 - 160, 700 - CANVAS_FOOT - 12 - 100), QSize(*MINIMAP)
    )
    assert (view.controls.zoom_box.x(), view.controls.zoom_box.geometry().bottom()) == (12, 700 - 5)
    assert not view.controls.legend.geometry().intersects(view.controls.minimap.geometry())


def test_the_legend_explains_what_there_is_and_counts_from_afar(view: CanvasView) -> None:
    near = view.controls.legend.accessibleName()
    assert near == "success, always, failure, condition, critical path, held, retries"
    picture = shown_in(view)
    view.tasks_changed(picture.set_quiet({int(picture.numbers[(picture.status == codes.RUNNING).argmax()]): 5.0}))
    assert view.controls.legend.accessibleName() == f"{near}, no output"
    view.pan_zoom.zoom_by(0.1 / view.pan_zoom.zoom)
    assert "dependencies longer than one screen are hidden" in view.controls.legend.accessibleName()
    view.pan_zoom.zoom_by(5)
    view.highlights.show_critical_path(False)
    assert "critical path" not in view.controls.legend.accessibleName()


def test_the_zoom_is_told(view: CanvasView) -> None:
    view.controls.zoom_box._buttons[Icon.ZOOM_IN].click()
    assert view.controls.zoom_box.text == f"{view.pan_zoom.zoom * 100:.0f} %"


def test_the_minimap_leads_elsewhere_and_shows_statuses(view: CanvasView, qtbot: QtBot) -> None:
    view.pan_zoom.zoom_by(2)
    before = view.pan_zoom.place
    QTest.mouseClick(view.controls.minimap, Qt.MouseButton.LeftButton, pos=QPoint(20, 50))
    assert view.pan_zoom.place.x < before.x
    assert view.pan_zoom.place.scale == before.scale
    ink, facts = LIGHT.status[codes.FAILED].shape, shown_in(view).facts
    before_failing = count_of(view.controls.minimap.grab().toImage(), ink)
    assert before_failing > 10
    pose(facts, "gate", codes.FAILED)
    view.tasks_changed([number_of(facts, "gate")])
    qtbot.waitUntil(lambda: count_of(view.controls.minimap.grab().toImage(), ink) > before_failing)


def test_the_numbers_of_a_layout_need_not_be_without_gaps(view: CanvasView) -> None:
    facts = firmware()
    facts.graph.remove_task(number_of(facts, "docs"))
    facts.status[12] = codes.REMOVED
    picture = picture_of(facts)
    assert len(picture) == len(facts.graph)
    view.show_picture(picture)
    assert picture.row(12) is None
    assert picture.row(len(picture)) == len(picture) - 1
    assert count_of(painted(view), "#FF00FF") == 0


def test_the_middle_stays_where_another_view_was_in_front_while_there_was_less_room(
    view: CanvasView, app: QApplication
) -> None:
    """As while a run is in front whose past is looked at, and a bar stands above it."""
    view.pan_zoom.zoom_by(1.5)
    stack = QStackedWidget()
    stack.addWidget(view)
    stack.addWidget(QWidget())
    stack.resize(900, 600)
    stack.show()
    app.processEvents()
    place = view.pan_zoom.place
    for _ in range(3):
        stack.setCurrentIndex(1)
        stack.resize(900, 566)
        app.processEvents()
        stack.setCurrentIndex(0)
        app.processEvents()
        stack.resize(900, 600)
        app.processEvents()
    assert (view.pan_zoom.place.x, view.pan_zoom.place.y) == pytest.approx((place.x, place.y), abs=1.0)
    stack.removeWidget(view)
    view.setParent(None)
    stack.close()
    stack.deleteLater()


def test_a_graph_that_fills_the_viewport_is_first_seen_to_its_borders(view: CanvasView) -> None:
    bounds = view.graph.bounds
    view.resize(904, round(bounds.height() * 0.45) + CANVAS_FOOT + 30)
    view.pan_zoom.look_first()
    assert view.pan_zoom.zoom == pytest.approx(0.45)
    assert view.pan_zoom.is_whole(view.viewport().size())

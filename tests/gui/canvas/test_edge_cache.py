"""What a change does not paint: the ground with the edges stays as it is, and so does what is out of sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF
from tests.gui.canvas.looking import again, painted, shown_in
from tests.gui.canvas.runs import number_of, path_of, pose

from starloom.scheduling.state import codes
from starloom_gui.canvas import edge_cache as ground_module
from starloom_gui.canvas.motion import ViewPosition
from starloom_gui.canvas.nodes import MARGIN

if TYPE_CHECKING:
    import pytest

    from starloom_gui.canvas.view import CanvasView


def test_a_start_leaves_the_ground_and_a_completion_only_paints_over_it(view: CanvasView) -> None:
    painted(view)
    ground, facts = view.graph.item.ground, shown_in(view).facts
    made = ground.paints
    pose(facts, "gate", codes.RUNNING, device_of="local", started_at=499.0)
    view.tasks_changed([number_of(facts, "gate")])
    painted(view)
    assert (ground.paints, ground.patched) == (made, False)
    pose(facts, "gate", codes.COMPLETED, ended_at=500.0)
    view.tasks_changed([number_of(facts, "gate")])
    painted(view)
    assert (ground.paints, ground.patched) == (made, True)
    view.tick()
    painted(view)
    assert (ground.paints, ground.patched) == (made + 1, False)


def test_where_edges_are_many_the_ground_is_made_anew_once_it_is_quiet(
    view: CanvasView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ground_module, "MOST_GAPS", 3)
    view.graph.item.ground.renew()
    painted(view)
    ground, facts = view.graph.item.ground, shown_in(view).facts
    made = ground.paints
    pose(facts, "gate", codes.COMPLETED, device_of="local", started_at=499.0, ended_at=500.0)
    view.tasks_changed([number_of(facts, "gate")])
    painted(view)
    view.tick()
    painted(view)
    assert (ground.paints, ground.patched) == (made, True), "the next one may come at once"
    view.tick()
    painted(view)
    assert (ground.paints, ground.patched) == (made + 1, False)
    assert painted(view) == again(view)


def test_a_path_that_changes_out_of_sight_leaves_the_ground_as_it_is(view: CanvasView) -> None:
    path = path_of(shown_in(view).facts)
    first = shown_in(view).row(path[0])
    assert first is not None
    view.pan_zoom.look(ViewPosition(2.0, *shown_in(view).layout.positions[first].tolist()))
    painted(view)
    made = view.graph.item.ground.paints
    view.highlights.set_critical_path(path[:-1])
    assert painted(view) == again(view)
    assert view.graph.item.ground.paints == made
    view.highlights.set_critical_path(path[1:])
    assert painted(view) == again(view)
    assert view.graph.item.ground.paints == made + 1
    view.highlights.set_critical_path(path[1:])
    view.pan_zoom.fit_all()
    assert painted(view) == again(view)


def test_a_dragged_view_shows_what_a_new_one_shows(view: CanvasView) -> None:
    painted(view)
    made = view.graph.item.ground.paints
    for dx, dy in ((40, 0), (-13, 25), (0, -60), (7, 7)):
        view.pan_zoom.scroll_by(dx, dy)
        assert painted(view) == again(view)
    assert view.graph.item.ground.paints == made


def test_only_what_is_in_sight_of_a_change_is_painted(view: CanvasView) -> None:
    picture, port = shown_in(view), view.viewport().rect()
    rows, (x, y) = range(len(picture)), picture.layout.positions.mean(axis=0).tolist()
    for place in (view.pan_zoom.place, ViewPosition(1.0, x, y), ViewPosition(2.0, x, y)):
        view.pan_zoom.look(place)
        seen = [row for row in rows if view.graph.node_rect(row, MARGIN).intersects(QRectF(port))]
        beyond = [row for row in rows if row not in seen]
        assert view.graph._around(picture, beyond, MARGIN) is None, (
            "those left and those right of it have all of it between them"
        )
        for some in (seen, seen[:2]):
            wanted = QRect()
            for row in some:
                wanted |= view.graph.node_rect(row, MARGIN).toAlignedRect()
            assert view.graph._around(picture, [*some, *beyond], MARGIN) == wanted & port
    assert seen
    assert beyond

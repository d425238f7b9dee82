"""Dragged nodes stop in line with others and at equal gaps, unless a key is held; and guides show why."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from tests.gui.canvas.editing import let_go
from tests.gui.canvas.looking import shown_in

from starloom_gui.canvas.snapping import SNAP, Snapper

if TYPE_CHECKING:
    from tests.gui.canvas.editing import Bench

    from starloom_gui.canvas.snapping import Segment

CONTROL = Qt.KeyboardModifier.ControlModifier
SIZE = (100.0, 40.0)


def among(*middles: tuple[float, float], size: tuple[float, float] = SIZE) -> Snapper:
    """A box around 0, 0 among boxes with these middles."""
    box = (-size[0] / 2, -size[1] / 2, size[0] / 2, size[1] / 2)
    return Snapper(np.array(middles).reshape(-1, 2), np.tile(SIZE, (len(middles), 1)), box)


def test_a_middle_near_another_one_comes_to_it_and_the_line_joins_both_boxes() -> None:
    found = among((300.0, 200.0)).at((296.0, 20.0), 6.0)
    assert found.offset == (300.0, 20.0)
    assert found.lines == ((300.0, 0.0, 300.0, 220.0),)
    assert not found.gaps


def test_both_ways_at_once() -> None:
    found = among((300.0, 500.0), (900.0, 200.0)).at((304.0, 197.0), 6.0)
    assert found.offset == (300.0, 200.0)
    assert len(found.lines) == 2


def test_sides_come_to_sides_where_boxes_are_of_different_size() -> None:
    wide = among((300.0, 200.0), size=(208.0, 72.0))
    assert wide.at((351.0, 0.0), 6.0).offset[0] == 250.0 + 104.0, "its left side on the other left side"
    assert wide.at((247.0, 0.0), 6.0).offset[0] == 350.0 - 104.0, "its right side on the other right side"
    [line] = wide.at((351.0, 0.0), 6.0).lines
    assert (line[0], line[2]) == (250.0, 250.0)


def test_out_of_reach_it_is_where_the_pointer_is() -> None:
    found = among((300.0, 200.0)).at((290.0, 20.0), 6.0)
    assert found.offset == (290.0, 20.0)
    assert not found.lines
    assert among().at((5.0, 5.0), 6.0).offset == (5.0, 5.0)


def gaps_of(segments: tuple[Segment, ...]) -> list[float]:
    return [abs(x2 - x1) + abs(y2 - y1) for x1, y1, x2, y2 in segments]


def test_between_two_it_stops_in_the_middle_of_the_room() -> None:
    found = among((0.0, 0.0), (413.0, 5.0)).at((203.0, 12.0), 6.0)
    assert found.offset[0] == 206.5
    assert gaps_of(found.gaps) == [106.5, 106.5]


def test_behind_and_before_two_it_stops_where_the_gap_is_the_same() -> None:
    two = among((0.0, 0.0), (160.0, 5.0))
    assert two.at((323.0, 12.0), 6.0).offset[0] == 320.0
    assert gaps_of(two.at((323.0, 12.0), 6.0).gaps) == [60.0, 60.0]
    assert two.at((-157.0, 12.0), 6.0).offset[0] == -160.0
    below = among((0.0, 0.0), (5.0, 70.0)).at((12.0, 143.0), 4.0)
    assert below.offset[1] == 140.0
    assert gaps_of(below.gaps) == [30.0, 30.0]


def test_boxes_of_another_row_make_no_gap() -> None:
    assert not among((0.0, 300.0), (160.0, 300.0)).at((323.0, 12.0), 2.0).gaps


def test_the_nearest_line_of_ten_thousand_is_the_one_that_looking_at_all_finds() -> None:
    chance = random.Random(7)
    middles = np.array([(chance.uniform(-9e4, 9e4), chance.uniform(-9e4, 9e4)) for _ in range(10_000)])
    snapper = Snapper(middles, np.tile(SIZE, (len(middles), 1)), (-50.0, -20.0, 50.0, 20.0))
    for _ in range(50):
        x, y = chance.uniform(-9e4, 9e4), chance.uniform(-9e4, 9e4)
        found = snapper.at((x, y), 3.0)
        best = min((*(middles[:, 0] - x), *(middles[:, 0] + 100 - x), *(middles[:, 0] - 100 - x)), key=abs)
        assert abs(found.offset[0] - x) <= 3.0
        if abs(best) <= 3.0:
            assert abs(found.offset[0] - x) <= abs(best) + 1e-6


# ---- on a canvas


def place(bench: Bench, id: str) -> tuple[float, float]:
    x, y = shown_in(bench.view).layout.position(bench.number(id))
    return x, y


def near(bench: Bench, id: str, under: str) -> QPoint:
    """Where `id` has to be let go to be a few pixels beside the middle of another one, a good way below it."""
    zoom = bench.view.pan_zoom.zoom
    (x, _y), (to, _) = place(bench, id), place(bench, under)
    return bench.middle(id) + QPoint(round((to - x) * zoom) + 3, round(120 * zoom))


def test_a_dragged_node_stops_under_another_one_and_a_line_says_so(bench: Bench) -> None:
    bench.view.layout_controller.wants_snap = True
    goal = near(bench, "f", "e")
    bench.press(bench.middle("f"))
    bench.move(goal)
    preview = bench.view.overlay.painter.preview
    assert any(x1 == x2 == place(bench, "e")[0] for x1, _, x2, _ in preview.lines)
    bench.release(goal)
    assert place(bench, "f")[0] == place(bench, "e")[0]
    assert not bench.view.overlay.painter.preview.lines


def test_without_the_verb_it_is_where_it_was_let_go(bench: Bench) -> None:
    goal = near(bench, "f", "e")
    bench.drag(bench.middle("f"), goal)
    assert 0 < abs(place(bench, "f")[0] - place(bench, "e")[0]) * bench.view.pan_zoom.zoom < SNAP


def test_control_holds_it_off_as_long_as_it_is_held(bench: Bench) -> None:
    bench.view.layout_controller.wants_snap = True
    goal = near(bench, "f", "e")
    bench.press(bench.middle("f"))
    bench.move(goal)
    assert bench.view.overlay.painter.preview.lines
    QTest.keyPress(bench.view, Qt.Key.Key_Control)
    assert not bench.view.overlay.painter.preview.lines, "it has not let go though the pointer rests"
    QTest.keyRelease(bench.view, Qt.Key.Key_Control)
    assert bench.view.overlay.painter.preview.lines
    QTest.keyPress(bench.view, Qt.Key.Key_Control)
    QTest.mouseRelease(bench.view.viewport(), Qt.MouseButton.LeftButton, CONTROL, goal)
    QTest.keyRelease(bench.view, Qt.Key.Key_Control)
    let_go(bench.view)
    assert place(bench, "f")[0] != place(bench, "e")[0]


def test_a_drag_that_is_given_up_leaves_no_line(bench: Bench) -> None:
    bench.view.layout_controller.wants_snap = True
    before = place(bench, "f")
    bench.press(bench.middle("f"))
    bench.move(near(bench, "f", "e"))
    bench.key(Qt.Key.Key_Escape)
    assert bench.view.overlay.painter.preview.is_empty
    assert place(bench, "f") == before


def test_several_nodes_are_drawn_to_lines_as_one_box_and_not_to_each_other(bench: Bench) -> None:
    bench.view.layout_controller.wants_snap = True
    bench.select("d", "e")
    (dx, dy), (ex, ey) = place(bench, "d"), place(bench, "e")
    goal = bench.middle("d") + QPoint(2, round(150 * bench.view.pan_zoom.zoom))
    bench.drag(bench.middle("d"), goal)
    assert place(bench, "d")[0] == dx, "its left side was in line with that of others"
    (now_x, now_y), (e_x, e_y) = place(bench, "d"), place(bench, "e")
    assert (e_x - now_x, e_y - now_y) == (ex - dx, ey - dy)

"""Lining nodes up and having them at equal distances: where they stand then, and how that is taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from tests.gui.canvas.looking import shown_in

from starloom.layout import Direction
from starloom_gui.text.words import tasks
from starloom_gui.viewmodel.aligning import Align, label, least, lie_over_each_other, offsets

if TYPE_CHECKING:
    from tests.gui.canvas.editing import Bench

    from starloom_gui.editing.base import Rearranged

ALT, SHIFT = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier
MIDDLES = np.array([[0.0, 0.0], [300.0, 90.0], [110.0, 40.0]])
SIZES = np.array([[100.0, 40.0], [200.0, 60.0], [100.0, 40.0]])


def after(how: Align) -> tuple[list[float], list[float]]:
    """The left sides or upper sides, and the right or lower ones, of the three boxes."""
    axis = 0 if how in {Align.LEFT, Align.CENTRE, Align.RIGHT, Align.ACROSS} else 1
    found = offsets(MIDDLES, SIZES, how)
    assert not found[:, 1 - axis].any(), "it moves nodes to the side they are not aligned on"
    middles = (MIDDLES + found)[:, axis]
    return (middles - SIZES[:, axis] / 2).tolist(), (middles + SIZES[:, axis] / 2).tolist()


def test_sides_are_lined_up_with_the_outermost_one() -> None:
    assert after(Align.LEFT)[0] == [-50.0] * 3
    assert after(Align.RIGHT)[1] == [400.0] * 3
    assert after(Align.TOP)[0] == [-20.0] * 3
    assert after(Align.BOTTOM)[1] == [120.0] * 3


def test_middles_are_lined_up_with_the_middle_of_all() -> None:
    for how, middle in ((Align.CENTRE, 175.0), (Align.MIDDLE, 50.0)):
        begin, end = after(how)
        assert [(one + other) / 2 for one, other in zip(begin, end, strict=True)] == [middle] * 3


def test_distributed_nodes_have_equal_gaps_and_the_outermost_stay() -> None:
    begin, end = after(Align.ACROSS)
    assert (begin[0], end[1]) == (-50.0, 400.0)
    assert begin[2] - end[0] == begin[1] - end[2] == 25.0
    begin, end = after(Align.DOWN)
    assert (begin[0], end[1]) == (-20.0, 120.0)
    assert begin[2] - end[0] == begin[1] - end[2] == 0.0


def test_nodes_on_one_spot_keep_their_order_and_nothing_is_divided_by_zero() -> None:
    same = np.zeros((3, 2))
    assert offsets(same, SIZES, Align.LEFT)[:, 1].tolist() == [0.0] * 3
    assert np.isfinite(offsets(same, SIZES, Align.ACROSS)).all()
    assert not offsets(same[:1], SIZES[:1], Align.ACROSS).any()


@pytest.mark.parametrize("how", Align)
def test_every_way_has_a_label_with_the_tasks_in_it(how: Align) -> None:
    assert "4 tasks" in label(how, "4 tasks")
    assert least(how) == (3 if how in {Align.ACROSS, Align.DOWN} else 2)


def test_boxes_that_cover_each_other_are_found_whatever_their_order() -> None:
    lined_up = np.array([[0.0, 0.0], [0.0, 200.0], [0.0, 60.0]])
    assert not lie_over_each_other(lined_up, SIZES, Align.CENTRE)
    assert lie_over_each_other(lined_up - [[0.0, 0.0], [0.0, 100.0], [0.0, 0.0]], SIZES, Align.CENTRE)
    assert not lie_over_each_other(lined_up[:0], SIZES[:0], Align.LEFT)


# ---- on a canvas


def places(bench: Bench) -> dict[str, tuple[float, float]]:
    layout = shown_in(bench.view).layout
    return {id: (x, y) for id, (x, y) in zip(layout.graph.ids, layout.positions.tolist(), strict=True)}


def last(bench: Bench) -> tuple[str, Rearranged]:
    name, back, _ = bench.editor.noted[-1]
    return name, back


def test_alt_shift_and_arrows_line_the_selected_nodes_up_as_one_step(bench: Bench) -> None:
    before = places(bench)
    bench.select("b", "d", "f")
    bench.key(Qt.Key.Key_Left, modifiers=ALT | SHIFT)
    now = places(bench)
    line = min(before[id][0] for id in "bdf")
    assert [now[id][0] for id in "bdf"] == [line] * 3
    assert [now[id][1] for id in "bdf"] == [before[id][1] for id in "bdf"]
    assert [name for name, _, _ in bench.editor.noted] == [f"Align {tasks(3)} left"]
    assert bench.editor.steps == [], "it is no edit"


def test_aligning_is_taken_back_and_done_again_to_where_everything_stood(bench: Bench) -> None:
    before = places(bench)
    bench.select("a", "b")
    bench.key(Qt.Key.Key_Left, modifiers=ALT | SHIFT)  # b stands on a now
    done = places(bench)
    assert done != before
    again = last(bench)[1].carry_out()
    assert places(bench) == before
    assert not bench.view.layout_controller.arrangement.pinned
    back = again.carry_out()
    assert places(bench) == done
    back.carry_out()
    assert places(bench) == before


def test_what_gave_way_to_a_dragged_node_comes_back_when_that_is_taken_back(bench: Bench) -> None:
    before = places(bench)
    bench.drag(bench.middle("f"), bench.middle("d") + QPoint(2, 2))
    assert places(bench)["d"] != before["d"], "nothing had to give way, so nothing is shown here"
    name, back = last(bench)
    assert name == "Move f"
    back.carry_out()
    assert places(bench) == before
    assert not bench.view.layout_controller.arrangement.pinned


def test_steps_of_the_arrow_keys_are_one_step_while_the_same_nodes_are_moved(bench: Bench) -> None:
    bench.select("b", "c")
    bench.key(Qt.Key.Key_Right, Qt.Key.Key_Right, modifiers=ALT)
    bench.select("b")
    bench.key(Qt.Key.Key_Right, modifiers=ALT)
    assert [name for name, _, _ in bench.editor.noted] == [f"Move {tasks(2)}"] * 2 + ["Move b"]
    first, second, third = (merges for _, _, merges in bench.editor.noted)
    assert first == second != third


def direction(bench: Bench) -> Direction:
    return bench.view.layout_controller.arrangement.direction


def test_turning_the_graph_can_be_taken_back_with_all_that_was_put_somewhere(bench: Bench) -> None:
    bench.select("f")
    bench.key(Qt.Key.Key_Down, modifiers=ALT)
    before, pinned = places(bench), dict(bench.view.layout_controller.arrangement.pinned)
    bench.command("turn")
    assert direction(bench) is Direction.DOWN
    name, back = last(bench)
    assert name == "Let dependencies point down"
    back.carry_out()
    assert direction(bench) is Direction.RIGHT
    assert dict(bench.view.layout_controller.arrangement.pinned) == pinned
    assert places(bench) == before


def test_one_task_cannot_be_aligned_and_two_cannot_be_distributed_and_it_is_said(bench: Bench) -> None:
    lining = bench.view.gestures.alignment
    bench.select("b")
    bench.key(Qt.Key.Key_Up, modifiers=ALT | SHIFT)
    assert bench.view.overlay.note == "It takes two selected tasks or more to align them."
    bench.select("b", "c")
    assert lining.can(Align.TOP).ok
    lining.do(Align.DOWN)
    assert bench.view.overlay.note == "It takes three selected tasks or more to distribute them."
    assert not bench.editor.noted


def test_tasks_of_one_row_lie_over_each_other_in_one_column_and_it_is_said(bench: Bench) -> None:
    bench.select("a", "b", "c")
    bench.key(Qt.Key.Key_Left, modifiers=ALT | SHIFT)
    assert bench.view.overlay.note == "Some of these tasks lie over each other now."
    assert len(bench.editor.noted) == 1


def test_what_is_aligned_already_makes_no_step_and_says_so(bench: Bench) -> None:
    bench.select("b", "f")
    bench.key(Qt.Key.Key_Right, modifiers=ALT | SHIFT)
    bench.key(Qt.Key.Key_Right, modifiers=ALT | SHIFT)
    assert len(bench.editor.noted) == 1
    assert bench.view.overlay.note == "These tasks stand like that already."


def test_a_way_that_is_not_possible_begins_nothing_else(bench: Bench) -> None:
    bench.select("a")
    for key in (Qt.Key.Key_K, Qt.Key.Key_F4):
        bench.key(key, modifiers=ALT | Qt.KeyboardModifier.ShiftModifier)
    assert bench.view.gestures._keys is None
    assert bench.view.overlay.chosen_edge is None

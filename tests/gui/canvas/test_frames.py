"""Groups on a canvas: tasks are put into one by name, framed, dragged as one, folded as ever, and taken out again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from tests.gui.canvas.looking import shown_in

from starloom.constellation.edits import UpdateTask
from starloom_gui.canvas.frames import has_name, label_box
from starloom_gui.editing import steps
from starloom_gui.text.words import tasks

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF
    from tests.gui.canvas.editing import Bench

    from starloom_gui.canvas.frames import GroupFrame


def put(bench: Bench, name: str, *ids: str) -> None:
    """Put tasks into a group as users do."""
    bench.select(*ids)
    bench.verbs.group()
    field = bench.verbs.field
    assert field is not None, bench.view.overlay.note
    QTest.keyClicks(field, name)
    QTest.keyClick(field, Qt.Key.Key_Return)


def framed(bench: Bench) -> dict[str, set[str]]:
    ids = bench.editor.facts().graph.ids
    return {frame.name: {ids[number] for number in frame.numbers} for frame in bench.view.frames.item.frames}


def box(bench: Bench, frame: GroupFrame) -> QRectF:
    return bench.view.viewportTransform().mapRect(frame.box)


def on_name(bench: Bench) -> QPoint:
    """A place on the name of the only frame."""
    [frame] = bench.view.frames.item.frames
    return label_box(frame, box(bench, frame)).center().toPoint()


def places(bench: Bench) -> dict[str, tuple[float, float]]:
    layout = shown_in(bench.view).layout
    return {id: (x, y) for id, (x, y) in zip(layout.graph.ids, layout.positions.tolist(), strict=True)}


def test_selected_tasks_are_put_into_a_group_as_one_step_and_framed(bench: Bench) -> None:
    put(bench, "  the   lab ", "b", "e")
    assert bench.editor.labels == [f"Put {tasks(2)} into group the lab"]
    assert framed(bench) == {"the lab": {"b", "e"}}
    [frame] = bench.view.frames.item.frames
    for id in ("b", "e"):
        assert frame.box.contains(*places(bench)[id])
    assert bench.view.folding.group_names == ("the lab",), "the outline and folding know the same group"


def test_a_task_joins_a_group_that_is_there_and_keeps_its_other_metadata(bench: Bench) -> None:
    bench.editor.driver.edit(UpdateTask("f", metadata={"owner": "me"}))
    put(bench, "lab", "d", "e")
    put(bench, "lab", "f")
    assert framed(bench) == {"lab": {"d", "e", "f"}}
    assert bench.editor.facts().graph.task("f").metadata == {"owner": "me", "group": "lab"}


def test_tasks_are_taken_out_of_their_groups_and_only_those_that_were_put_into_one(bench: Bench) -> None:
    put(bench, "lab", "b", "e")
    bench.select("b", "f")
    bench.verbs.ungroup()
    assert bench.editor.labels[-1] == "Take b out of its group"
    assert bench.editor.facts().graph.task("b").metadata == {}
    assert framed(bench) == {}, "one task needs no frame"
    bench.select("f")
    assert bench.verbs.can_ungroup().reason == "None of the selected tasks was put into a group."
    bench.verbs.ungroup()
    assert "put into a group" in bench.view.overlay.note


def test_what_cannot_be_changed_cannot_be_grouped_and_it_is_said(bench: Bench) -> None:
    bench.select("a")
    assert bench.verbs.can_group().reason == "a is running."
    bench.verbs.group()
    assert bench.verbs.field is None
    assert bench.view.overlay.note == "a is running."
    bench.view._selection.clear()
    assert not bench.verbs.can_group().ok
    assert not bench.verbs.can_ungroup().ok


def test_a_name_of_nothing_and_escape_group_nothing(bench: Bench) -> None:
    put(bench, "  ", "b", "e")
    bench.verbs.group()
    field = bench.verbs.field
    assert field is not None
    QTest.keyClicks(field, "lab")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert bench.editor.steps == []


def test_a_frame_is_dragged_by_its_name_with_all_its_tasks(bench: Bench) -> None:
    put(bench, "lab", "b", "e")
    before, zoom = places(bench), bench.view.pan_zoom.zoom
    at = on_name(bench)
    goal = at + QPoint(0, 90)
    bench.drag(at, goal)
    now = places(bench)
    for id in ("b", "e"):
        assert now[id][0] == before[id][0]
        assert abs(now[id][1] - before[id][1] - 90 / zoom) < 1
    assert bench.editor.noted[-1][0] == f"Move {tasks(2)}"
    assert bench.chosen() == {"b", "e"}
    [frame] = bench.view.frames.item.frames
    assert frame.box.contains(*now["b"]), "the frame stayed behind"


def test_a_click_on_its_border_selects_the_group_and_moves_nothing(bench: Bench) -> None:
    put(bench, "lab", "b", "e")
    bench.view._selection.clear()
    [frame] = bench.view.frames.item.frames
    corner = box(bench, frame).topLeft().toPoint()
    assert bench.view.frames.at(corner) is frame
    QTest.mouseClick(bench.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, corner)
    assert bench.chosen() == {"b", "e"}
    assert not bench.editor.noted
    assert bench.view.frames.at(bench.middle("b")) is None, "a node is a node, also in a frame"


def test_a_folded_group_has_no_frame_and_unfolded_it_has_one_again(bench: Bench) -> None:
    put(bench, "lab", "b", "e")
    bench.view.folding.fold(["lab"])
    assert framed(bench) == {}
    bench.view.folding.unfold(["lab"])
    assert framed(bench) == {"lab": {"b", "e"}}


def test_tasks_that_only_have_similar_names_are_in_no_frame(bench: Bench) -> None:
    for id, name in (("b", "unit 1"), ("e", "unit 2")):
        bench.editor.do(steps.rename(bench.editor.facts(), bench.number(id), name))
    assert bench.view.folding.group_names == ("unit",)
    assert framed(bench) == {}


def test_a_group_with_another_task_between_has_no_frame_until_that_is_gone(bench: Bench) -> None:
    put(bench, "lab", "b", "c", "d")
    assert framed(bench) == {}, "a and e stand in the corners of what would be its frame"
    bench.select("a", "e")
    bench.key(*[Qt.Key.Key_Down] * 40, modifiers=Qt.KeyboardModifier.AltModifier)
    assert framed(bench) == {"lab": {"b", "c", "d"}}


def test_a_name_lies_over_no_other_node(bench: Bench) -> None:
    put(bench, "lab", "d", "e")
    [frame] = bench.view.frames.item.frames
    assert has_name(frame, 19 / frame.above)
    assert not has_name(frame, 17 / frame.above), "it would lie over a and b, which stand above"
    bench.select("a", "b")
    bench.key(*[Qt.Key.Key_Up] * 20, modifiers=Qt.KeyboardModifier.AltModifier)
    [frame] = bench.view.frames.item.frames
    assert has_name(frame, 0.5)
    assert not has_name(frame, 0.1)


def test_from_afar_a_frame_is_seen_but_cannot_be_taken_hold_of(bench: Bench) -> None:
    put(bench, "lab", "b", "e")
    bench.view.pan_zoom.zoom_by(0.1 / bench.view.pan_zoom.zoom)
    [frame] = bench.view.frames.item.frames
    assert bench.view.frames.at(box(bench, frame).topLeft().toPoint()) is None

"""What nodes say stays what is so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import Driver, plan
from tests.gui.canvas.looking import again, painted, row_in, shown_in
from tests.gui.canvas.runs import arranged, number_of, picture_of, pose

from starloom.scheduling import commands as c
from starloom.scheduling.state import codes
from starloom.scheduling.stimuli import LateEndNoticed
from starloom_gui.canvas.arranging import UNFOLDED, LayoutOptions

if TYPE_CHECKING:
    from PySide6.QtGui import QStaticText

    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.canvas.view import CanvasView


def test_a_node_that_was_skipped_says_what_became_of_its_cause(view: CanvasView):
    facts = shown_in(view).facts
    cause, number = number_of(facts, "gate"), number_of(facts, "unit_ble")
    view.pan_zoom.zoom_by(1.0 / view.pan_zoom.zoom)
    view.graph.reveal_task(number)
    pose(facts, "gate", codes.SKIPPED)
    pose(facts, "unit_ble", codes.SKIPPED, skipped_because=cause)
    view.tasks_changed([cause, number])
    painted(view)
    pose(facts, "gate", codes.COMPLETED)
    view.tasks_changed([cause, number])
    assert painted(view) == again(view)


def words_drawn(view: CanvasView, scale: float) -> set[str]:
    """What the canvas has written at a scale."""
    view.pan_zoom.zoom_by(scale / view.pan_zoom.zoom)
    painted(view)
    return {text.text() for text, _ in view.graph.item.nodes.labels._texts.values()}


def line_of(view: CanvasView, number: int) -> str:
    """The second line that is painted on a task's node."""
    labels, said = view.graph.item.nodes.labels, dict[int, str]()
    line = labels._line

    def noted(picture: GraphRenderModel, about: int, *more: Any) -> QStaticText:
        text = line(picture, about, *more)
        said[about] = text.text()
        return text

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(labels, "_line", noted)
        painted(view)
    return said[number]


def test_a_node_says_what_belongs_to_the_form_it_is_painted_in(view: CanvasView) -> None:
    facts = shown_in(view).facts
    number = number_of(facts, "report")
    view.pan_zoom.zoom_by(1.0 / view.pan_zoom.zoom)
    view.graph.reveal_task(number)
    pose(facts, "report", codes.RUNNING, device_of="local", started_at=1.0)
    view.tasks_changed([number])
    running = line_of(view, number)
    pose(facts, "report", codes.FAILED)
    assert line_of(view, number) == running, "the canvas has not heard of it"
    view.graph.reduced_motion = False
    view.tasks_changed([number])
    row = row_in(view, number)
    view.graph._fades.stop()
    view.graph.item.shown.fading = {row: (codes.RUNNING, 0.9)}
    assert line_of(view, number) == running, "so is most that is seen of its form"
    view.graph.item.shown.fading = {row: (codes.RUNNING, 0.4)}
    assert line_of(view, number) != running


def test_a_node_of_a_task_that_was_cancelled_out_of_reach_says_once_it_has_ended(view: CanvasView) -> None:
    driver = Driver()
    driver.create(plan(["a"]))
    driver.ask(c.CancelTasks, "a")
    driver.end("a", lost=True)
    view.show_run(picture_of(driver.run()))
    view.pan_zoom.zoom_by(1.0 / view.pan_zoom.zoom)
    view.graph.reveal_task(0)
    assert line_of(view, 0).startswith("may still run")
    driver.turn(LateEndNoticed("r", "a", 1, "d", None, 4.0))
    view.tasks_changed([0])
    before = painted(view)
    assert line_of(view, 0).startswith("ended on")
    assert before == again(view)


@pytest.fixture
def workflow(view: CanvasView) -> CanvasView:
    """Tasks that are all called after their workflow."""
    names = [f"NF_CORE.RNA.{name}" for name in ("ALIGN", "SORT", "COUNT_READS", "MULTI")]
    facts = Driver(checked=False).create(plan(names, [f"{names[0]}>{name}" for name in names[1:]]))
    view.show_run(arranged(facts, UNFOLDED))
    return view


def test_a_name_without_room_leaves_out_what_all_names_begin_with(workflow: CanvasView) -> None:
    near = words_drawn(workflow, 2.0)
    assert "NF_CORE.RNA.ALIGN" in near, "there is room for all of it"
    far = words_drawn(workflow, 0.5)
    assert {"ALIGN", "SORT", "MULTI"} <= far
    assert not any("NF_CORE" in text for text in far)


def test_a_folded_group_gives_its_name_the_room_of_the_count_that_the_line_below_says(view: CanvasView) -> None:
    names = [f"{word}_{n}" for word in ("recalibrate_bases", "sort") for n in range(40)]
    facts = Driver(checked=False).create(plan(names, [f"sort_{n}>recalibrate_bases_{n}" for n in range(40)]))
    view.show_run(arranged(facts, LayoutOptions(folded=frozenset({"recalibrate_bases", "sort"}))))
    assert {"recalibrate_bases", "sort", "40"} <= words_drawn(view, 1.0)
    far = words_drawn(view, 0.5)
    (cut,) = (text for text in far if "…" in text)
    metrics = view.graph.item.nodes.labels._metrics[0]
    assert metrics.horizontalAdvance(cut) > 0.7 * 208 * 0.5
    for number in range(3):
        facts.status[number] = codes.FAILED
    view.tasks_changed(range(3))
    assert "40" in words_drawn(view, 0.5), "the line below says what failed"

"""A large graph is folded when it is first shown, so that it can be read; a small or a placed one is not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QToolButton
from tests.driver import plan, task
from tests.gui.composition.test_console import front
from tests.gui.pressing import press
from tests.montage import montage
from tests.traces import TRACES, needs_traces
from tests.waiting import POLL, until

from starloom.constellation.edits import AddTask
from starloom.formats import load_plan
from starloom_gui.canvas.camera import FULL_FROM
from starloom_gui.canvas.folding_choice import MOST_NODES, FoldBy
from starloom_gui.editing.base import Step
from starloom_gui.editing.plan_editor import PlanEditor
from starloom_gui.text.words import fill, tasks
from starloom_gui.viewmodel.keys import Scope

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop

    from starloom.model.plan import Plan
    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.canvas.view import CanvasView
    from starloom_gui.composition.console import Console

WINDOWS = ((1440, 900), (1100, 700), (1000, 640))


def nodes(view: CanvasView) -> int:
    picture = view.graph.picture
    return len(picture) if picture is not None else 0


def shown(view: CanvasView) -> GraphRenderModel:
    picture = view.graph.picture
    assert picture is not None
    return picture


def filled(view: CanvasView) -> float:
    """How much of the longer side of the canvas the graph takes, of what is in sight of it."""
    seen = view.graph.bounds & view.pan_zoom.seen
    return max(seen.width() / view.pan_zoom.seen.width(), seen.height() / view.pan_zoom.seen.height())


async def opened(console: Console, made: Plan) -> CanvasView:
    """The canvas of a plan that was opened, once it is drawn."""
    console.documents.put_plan(made)
    document_view = front(console)
    canvas = document_view.canvas
    await until(lambda: document_view.drawing.is_up_to_date and canvas.graph.picture is not None, every=POLL)
    return canvas


@needs_traces
@pytest.mark.parametrize("size", WINDOWS, ids="{0[0]}x{0[1]}".format)
def test_each_recorded_workflow_can_be_read_when_it_is_first_shown(desktop: Desktop, size: tuple[int, int]) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.window.resize(*size)
            for path in TRACES:
                view = await opened(console, load_plan(path))
                assert nodes(view) <= MOST_NODES, path.name
                assert view.pan_zoom.zoom >= FULL_FROM, path.name
                assert filled(view) >= 0.6, path.name

    desktop.run(main)


def test_a_large_graph_is_folded_says_so_and_is_shown_otherwise_by_one_click_or_key(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            view = await opened(console, montage(400))
            box = view.controls.fold_box
            assert (nodes(view), box.text, box.way) == (8, fill("%1 in 8 nodes", tasks(400)), FoldBy.GROUP)
            assert view.pan_zoom.zoom >= FULL_FROM
            assert filled(view) >= 0.6
            assert not console.actions["undo"].isEnabled(), "nobody has done anything"
            buttons = {button.text(): button for button in box.findChildren(QToolButton)}
            buttons["Tasks"].click()
            await until(lambda: nodes(view) == 400, every=POLL)
            assert (box.text, box.way) == (tasks(400), FoldBy.NOTHING)
            buttons["Levels"].click()
            await until(lambda: nodes(view) == 8, every=POLL)
            assert (view.folding.by, box.way) == (FoldBy.LEVEL, FoldBy.LEVEL)
            press(view, Scope.GRAPH, "unfold_all")
            await until(lambda: nodes(view) == 400, every=POLL)
            press(view, Scope.GRAPH, "fold_levels")
            await until(lambda: view.folding.by is FoldBy.LEVEL and nodes(view) == 8, every=POLL)
            press(view, Scope.GRAPH, "fold_groups")
            await until(lambda: box.way is FoldBy.GROUP, every=POLL)
            assert not console.actions["undo"].isEnabled()

    desktop.run(main)


def test_a_small_graph_is_shown_as_it_is(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            view = await opened(console, plan([f"t{number}" for number in range(MOST_NODES)]))
            assert nodes(view) == MOST_NODES
            assert view.controls.fold_box.isHidden()

    desktop.run(main)


def test_a_graph_that_was_placed_by_hand_stays_as_it_was_drawn(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            names = [f"t{number}" for number in range(100)]
            placed = {name: (220 * (n % 10), 90 * (n // 10)) for n, name in enumerate(names)}
            made = replace(plan(names), layout=placed)
            view = await opened(console, made)
            assert nodes(view) == 100
            press(view, Scope.GRAPH, "fold_levels")
            await until(lambda: nodes(view) < 100, every=POLL)
            editor = front(console).source.editor
            assert isinstance(editor, PlanEditor)
            assert editor.plan.layout == placed, "folding puts nothing elsewhere"
            press(view, Scope.GRAPH, "unfold_all")
            await until(lambda: nodes(view) == 100, every=POLL)
            assert shown(view).layout.position(11) == pytest.approx(placed["t11"])
            assert editor.plan.layout == placed

    desktop.run(main)


def test_what_is_shown_is_not_folded_again_when_the_graph_grows(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            view = await opened(console, plan([f"job{number}" for number in range(50)]))
            editor = front(console).source.editor
            editor.do(Step(label="More", edits=tuple(AddTask(task(f"more{number}")) for number in range(50))))
            await until(lambda: nodes(view) == 100, every=POLL)
            assert view.controls.fold_box.way is FoldBy.NOTHING
            view.folding.fold_by_levels()
            await until(lambda: view.folding.by is FoldBy.LEVEL, every=POLL)
            few = nodes(view)
            editor.do(Step(label="Late", edits=tuple(AddTask(task(f"late{number}")) for number in range(5))))
            await until(lambda: nodes(view) == few + 5, every=POLL)

    desktop.run(main)


def test_a_group_of_a_large_graph_unfolds_and_folds_again(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            view = await opened(console, montage(400))
            document_view = front(console)
            facts = document_view.reader.facts()
            assert facts is not None
            number, before = facts.graph.place["mProject_ID0000003"], view.graph.bounds
            document_view.selection.select(number)
            press(view, Scope.GRAPH, "unfold")
            await until(lambda: nodes(view) > 8 and not view.folding.is_folded(number), every=POLL)
            assert view.pan_zoom.seen.contains(QPointF(*shown(view).layout.position(number)))
            assert view.graph.bounds.height() < 75 * 80, "not one column of all of them"
            press(view, Scope.GRAPH, "fold")
            await until(lambda: nodes(view) == 8, every=POLL)
            assert view.graph.bounds == before, "nothing is left of the room they took"

    desktop.run(main)


def test_all_of_a_graph_that_was_unfolded_is_in_sight_when_it_is_fitted(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            view = await opened(console, montage(5_000))
            view.folding.unfold_all()
            await until(lambda: nodes(view) == 5_000, every=POLL)
            assert view.graph.bounds.height() * 0.005 > view.viewport().height(), "or this shows nothing"
            console.actions["fit"].trigger()
            assert view.pan_zoom.seen.contains(view.graph.bounds)
            assert view.controls.zoom_box.text not in ("0 %", "0.0 %")
            view.pan_zoom.zoom_out()
            assert view.pan_zoom.seen.contains(view.graph.bounds), "and not less of it"

    desktop.run(main)

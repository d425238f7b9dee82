"""Staged edits on the canvas: what would come, go or change is seen, and nothing old moves away for good."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent
from tests.driver import edge, task
from tests.gui.editing.foreseeing import Foresight, lab
from tests.gui.editing.run_editor_bench import RunEditorBench
from tests.gui.event_loop.loops import run_on
from tests.waiting import until

from starloom.constellation.edits import (
    AddDependency,
    AddTask,
    RemoveDependency,
    RemoveTask,
    UpdateDependency,
    UpdateTask,
)
from starloom_gui.canvas.view import CanvasView
from starloom_gui.canvas.words import line_of
from starloom_gui.editing.base import Mode
from starloom_gui.event_loop import QtEventLoop
from starloom_gui.theme.appearance import Appearance, Theme
from starloom_gui.viewmodel.selection import Selection
from starloom_gui.viewmodel.stage import Stage
from starloom_gui.workspace.drawing import CanvasOverlays, GraphDrawing

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import numpy.typing as npt
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QApplication

    from starloom_gui.canvas.render_model import GraphRenderModel


class Canvas:
    """A canvas that shows a run with what is staged."""

    def __init__(self, app: QApplication, bench: RunEditorBench | None = None, theme: Theme = Theme.DARK) -> None:
        self.app, self.bench = app, bench or RunEditorBench(Mode.STAGED)
        look = Appearance(app, theme, reduced_motion=True)
        self.view = CanvasView(look, Selection(), lambda: self.bench.driver.now)
        self.view.resize(900, 500)
        self.view.show()
        self.drawing = GraphDrawing(self.view, self.bench.run, None, CanvasOverlays(self.bench.editor))

    async def drawn(self) -> GraphRenderModel:
        """The picture, once everything that was asked for has been drawn."""
        await until(lambda: self.drawing._task is None)
        assert self.view.graph.picture is not None
        return self.view.graph.picture

    async def begin(self) -> GraphRenderModel:
        self.drawing.draw()
        return await self.drawn()

    def tell(self) -> None:
        for changes in self.bench.bridge.news():
            self.drawing.on_changes(changes)

    def image(self) -> QImage:
        return self.view.grab().toImage()


@asynccontextmanager
async def canvas(app: QApplication, bench: RunEditorBench | None = None) -> AsyncIterator[Canvas]:
    made = Canvas(app, bench)
    yield made
    made.drawing.close()
    made.bench.editor.close()
    made.view.close()
    made.view.deleteLater()
    await asyncio.sleep(0)
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def positions(picture: GraphRenderModel) -> dict[int, tuple[float, float]]:
    return {
        number: (x, y)
        for number, (x, y) in zip(picture.numbers.tolist(), picture.layout.positions.tolist(), strict=True)
    }


def staged_edges(picture: GraphRenderModel) -> dict[tuple[str, str], Stage]:
    ids = picture.layout.graph.ids
    rows: npt.NDArray[np.intp] = np.flatnonzero(picture.edge_stage)
    ends = picture.edges[rows].tolist()
    return {
        (ids[parent], ids[child]): Stage(int(stage))
        for (parent, child), stage in zip(ends, picture.edge_stage[rows].tolist(), strict=True)
    }


def staged_nodes(picture: GraphRenderModel) -> dict[str, Stage]:
    ids = picture.layout.graph.ids
    return {ids[row]: Stage(int(picture.stage[row])) for row in np.flatnonzero(picture.stage).tolist()}


def test_what_would_come_and_go_is_drawn_and_old_nodes_stay_where_they_are(app: QApplication) -> None:
    async def main() -> None:
        async with canvas(app) as shown:
            before = positions(await shown.begin())
            shown.bench.do(
                AddTask(task("x")), AddDependency(edge("b", "x")), RemoveTask("c"), UpdateTask("e", timeout=5)
            )
            picture = await shown.drawn()
            assert staged_nodes(picture) == {"x": Stage.ADDED, "c": Stage.REMOVED, "e": Stage.CHANGED}
            assert staged_edges(picture) == {("b", "x"): Stage.ADDED, ("b", "c"): Stage.REMOVED}
            after = positions(picture)
            assert {number: after[number] for number in before} == before

    run_on(QtEventLoop, main)


def test_discarding_brings_back_the_very_picture_there_was(app: QApplication) -> None:
    async def main() -> None:
        async with canvas(app) as shown:
            picture = await shown.begin()
            before, image = picture.arrays(), shown.image()
            shown.bench.do(AddTask(task("x")), AddDependency(edge("a", "x")), AddDependency(edge("x", "b")))
            assert len(await shown.drawn()) == len(picture) + 1
            assert shown.image() != image
            shown.bench.editor.staging.discard()
            after = (await shown.drawn()).arrays()
            assert all(np.array_equal(one, other) for one, other in zip(before, after, strict=True))
            assert shown.image() == image

    run_on(QtEventLoop, main)


def test_what_is_committed_stays_where_its_ghost_stood(app: QApplication) -> None:
    async def main() -> None:
        async with canvas(app) as shown:
            await shown.begin()
            shown.bench.do(AddTask(task("x")), AddDependency(edge("b", "x")))
            before = positions(await shown.drawn())
            shown.bench.editor.staging.commit()
            shown.bench.engine.answer()
            shown.tell()
            picture = await shown.drawn()
            assert positions(picture) == before
            assert not picture.stage.any()
            assert picture.facts is shown.bench.run()

    run_on(QtEventLoop, main)


def test_marks_are_seen_before_there_is_a_layout(app: QApplication) -> None:
    async def main() -> None:
        async with canvas(app) as shown:
            picture = await shown.begin()
            shown.bench.do(RemoveTask("c"))
            assert shown.view.graph.picture is picture, "nothing was laid out yet"
            assert staged_nodes(picture) == {"c": Stage.REMOVED}
            await shown.drawn()

    run_on(QtEventLoop, main)


def test_a_ghost_follows_what_becomes_of_the_run(app: QApplication) -> None:
    async def main() -> None:
        async with canvas(app) as shown:
            await shown.begin()
            shown.bench.do(AddTask(task("x")), AddDependency(edge("c", "x")))
            picture = await shown.drawn()
            shown.bench.driver.end("a")
            shown.tell()
            assert shown.view.graph.picture is picture
            place, run = shown.bench.run().graph.place, shown.bench.run()
            for id in ("a", "b"):
                assert picture.status[picture.row(place[id])] == run.status[place[id]]

    run_on(QtEventLoop, main)


def test_a_dependency_turned_round_is_drawn_both_ways_at_once(app: QApplication) -> None:
    async def main() -> None:
        async with canvas(app) as shown:
            await shown.begin()
            shown.bench.do(RemoveDependency("b", "c"), AddDependency(edge("c", "b")))
            assert staged_edges(await shown.drawn()) == {("b", "c"): Stage.REMOVED, ("c", "b"): Stage.ADDED}

    run_on(QtEventLoop, main)


def test_a_ghost_says_how_long_it_will_take_if_that_is_known(app: QApplication) -> None:
    async def main() -> None:
        async with canvas(app) as shown:
            await shown.begin()
            shown.bench.do(
                AddTask(task("x", estimate=156)),
                AddDependency(edge("b", "x")),
                AddTask(task("y")),
                UpdateTask("e", timeout=5),
            )
            picture = await shown.drawn()
            place = picture.facts.graph.place
            said = {
                id: (line_of(picture, place[id], 0.0), line_of(picture, place[id], 0.0, short=True)) for id in "xye"
            }
            assert said["x"] == ("about 2:36", "2:36")
            assert "about" not in "".join((*said["y"], *said["e"]))
            row = picture.row(place["x"])
            assert row is not None
            assert shown.view.marks.description_of(row) == "x, Waiting, about 2:36"
            shown.bench.editor.staging.commit()
            shown.bench.settle()
            picture = await shown.drawn()
            assert line_of(picture, place["x"], 0.0).startswith("0 of 1")

    run_on(QtEventLoop, main)


def test_what_is_foreseen_of_a_ghost_is_said_rather_than_what_it_declares(app: QApplication) -> None:
    async def main() -> None:
        driver = lab()
        driver.add_device("fast", slots=1, speed=2.0)
        foresight = Foresight(driver)
        foresight.gate.clear()
        async with canvas(app, RunEditorBench(Mode.STAGED, foresight, driver)) as shown:
            await shown.begin()
            shown.bench.do(AddTask(task("x", simulate={"duration": 60}, device="fast")))
            picture = await shown.drawn()
            number = picture.facts.graph.place["x"]
            assert line_of(picture, number, 0.0) == "about 1:00"
            foresight.gate.set()
            await until(lambda: shown.bench.editor.staging.effect is not None)
            assert shown.view.graph.picture is picture
            assert line_of(picture, number, 0.0) == "about 0:30"

    run_on(QtEventLoop, main)


def test_another_kind_of_dependency_is_a_change(app: QApplication) -> None:
    async def main() -> None:
        async with canvas(app) as shown:
            await shown.begin()
            shown.bench.do(UpdateDependency(edge("b", "c", "always")))
            assert staged_edges(await shown.drawn()) == {("b", "c"): Stage.CHANGED}

    run_on(QtEventLoop, main)


@pytest.mark.parametrize("zoom", [0.3, 0.5, 1.0])
def test_every_kind_of_ghost_is_seen_at_every_scale(app: QApplication, zoom: float) -> None:
    async def main() -> None:
        async with canvas(app) as shown:
            await shown.begin()
            edits = {
                "added": (AddTask(task("x")), AddDependency(edge("b", "x"))),
                "removed": (RemoveTask("c"),),
                "changed": (UpdateTask("e", timeout=5),),
                "edge": (UpdateDependency(edge("b", "c", "always")),),
            }
            shown.view.pan_zoom.zoom_by(zoom / shown.view.pan_zoom.zoom)
            plain = shown.image()
            for what, some in edits.items():
                shown.bench.do(*some)
                await shown.drawn()
                assert shown.image() != plain, what
                shown.bench.editor.staging.discard()
                await shown.drawn()

    run_on(QtEventLoop, main)


def test_a_drawing_asked_for_in_the_moment_the_last_one_ends_is_made(app: QApplication) -> None:
    async def main() -> None:
        async with canvas(app) as shown:
            shown.drawing.draw()
            await until(lambda: shown.view.graph.picture is not None)
            shown.bench.do(AddTask(task("x")))
            assert "x" in (await shown.drawn()).layout.graph.ids

    run_on(QtEventLoop, main)


def test_the_end_of_a_task_that_no_edit_is_about_does_not_make_everything_anew(app: QApplication) -> None:
    bench = RunEditorBench(Mode.STAGED)
    bench.do(UpdateTask("e", timeout=5))
    preview = bench.editor.staging._preview
    assert preview is not None
    made: list[object] = []
    make = preview.make

    def noted(run: Any) -> None:
        made.append(run)
        make(run)

    preview.make = noted  # type: ignore[method-assign]
    bench.driver.end("a")
    bench.tell()
    assert not made
    bench.driver.end("d")
    bench.tell()
    assert bench.editor.staging.problems

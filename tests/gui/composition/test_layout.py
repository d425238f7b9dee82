"""A drawing stays: in a plan's file, in its run, in a run opened from History, and in one that came in a bundle."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from tests.driver import edge, task
from tests.gui.canvas.editing import let_go
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_arranging import places
from tests.gui.composition.test_console import LONG, front, small, started
from tests.gui.documents.plans import loaded, written
from tests.gui.engines import orchestrator_of
from tests.unit.journal.test_bundle import packed
from tests.waiting import until

from starloom.formats import load_plan
from starloom.journal.layout_file import read_layout
from starloom.journal.names import LAYOUT
from starloom.journal.records import records
from starloom.layout import Direction
from starloom.model.note import Note
from starloom_gui.dialogs.changes import APPLY, ChangesDialog
from starloom_gui.documents.document import Document, RunTab

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from starloom_gui.composition.console import Console

Places = dict[str, tuple[float, float]]


def rounded(given: Mapping[str, tuple[float, float]]) -> dict[str, tuple[int, int]]:
    return {id: (round(x), round(y)) for id, (x, y) in given.items()}


async def move(console: Console, id: str, dx: float, dy: float) -> Places:
    """Move a node, as a drag does; returns where everything stands then."""
    canvas, before = front(console).canvas, places(console)
    facts = front(console).reader.facts()
    assert facts is not None
    canvas.layout_controller.move_tasks({facts.graph.place[id]: (dx, dy)})
    there = (before[id][0] + dx, before[id][1] + dy)
    await until(lambda: places(console)[id] == pytest.approx(there))
    await until(lambda: front(console).drawing.is_up_to_date)
    return places(console)


def document(console: Console) -> Document:
    found = console.documents.front
    assert isinstance(found, Document)
    return found


async def drawn(console: Console) -> Places:
    await at_rest(console)
    await until(lambda: front(console).drawing.is_up_to_date)
    return places(console)


def folder_of(console: Console, tab: RunTab) -> Path:
    found = orchestrator_of(console).pump.journal.folder(tab.run_id)
    assert found is not None
    return found


def test_nodes_that_were_placed_stand_there_in_the_file_in_the_run_and_when_the_file_is_opened_again(
    desktop: Desktop, tmp_path: Path
) -> None:
    path = written(small(seconds=LONG), tmp_path / "small.yaml")

    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_loaded(loaded(load_plan(path), path))
            await drawn(console)
            assert not document(console).is_dirty
            await move(console, "b", 30, 210)
            stand = await move(console, "a", -55, 120)
            assert document(console).is_dirty, "it is saved with the plan"
            assert document(console).plan.layout == rounded(stand)
            console.files.saving.save(document(console).key)
            await until(lambda: not document(console).is_dirty)
            assert load_plan(path).layout == rounded(stand)
            console.actions["start"].trigger()
            await until(lambda: isinstance(console.documents.front, RunTab))
            assert rounded(await drawn(console)) == rounded(stand)
        async with desktop.console() as console:
            console.documents.put_loaded(loaded(load_plan(path), path))
            assert rounded(await drawn(console)) == rounded(stand)
            assert not document(console).is_dirty, "looking at it changes nothing"

    desktop.run(main)


def test_moving_a_node_of_a_plan_is_taken_back_to_what_was_saved(desktop: Desktop, tmp_path: Path) -> None:
    path = written(small(), tmp_path / "small.yaml")

    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_loaded(loaded(load_plan(path), path))
            before = await drawn(console)
            tasks = document(console).plan.tasks
            after = await move(console, "b", 0, 210)
            await until(console.actions["undo"].isEnabled)
            console.actions["undo"].trigger()
            await until(lambda: places(console) == before)
            await until(lambda: not document(console).is_dirty)
            assert document(console).plan.layout == {}
            await until(console.actions["redo"].isEnabled)
            console.actions["redo"].trigger()
            await until(lambda: places(console) == after)
            await until(lambda: document(console).plan.layout == rounded(after))
            assert document(console).is_dirty
            assert document(console).plan.tasks == tasks

    desktop.run(main)


def test_an_edit_that_is_taken_back_after_a_node_was_moved_leaves_it_where_it_was_put(
    desktop: Desktop, tmp_path: Path
) -> None:
    path = written(small(), tmp_path / "small.yaml")

    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_loaded(loaded(load_plan(path), path))
            await drawn(console)
            after = await move(console, "b", 0, 210)
            view = front(console)
            view.selection.select(2)
            verbs = view.canvas.gestures.verbs
            assert verbs is not None
            verbs.remove()
            await until(lambda: "c" not in document(console).plan.layout)
            await until(console.actions["undo"].isEnabled)
            console.actions["undo"].trigger()
            await until(lambda: document(console).plan.layout.get("b") == rounded(after)["b"])
            await until(lambda: "c" in document(console).plan.layout)
            assert document(console).is_dirty
            assert rounded(await drawn(console))["a"] == rounded(after)["a"]

    desktop.run(main)


def test_what_is_moved_in_a_run_is_kept_with_it_and_shown_when_it_is_opened_from_history(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small())
            await until(lambda: orchestrator_of(console).run(tab.run_id).state.has_ended)
            await drawn(console)
            assert not (folder_of(console, tab) / LAYOUT).exists()
            stand = await move(console, "c", -100, 250)
            assert orchestrator_of(console).run(tab.run_id).revision == 0
            folder = folder_of(console, tab)
            console.documents.close(tab.key)
            assert read_layout(folder) == rounded(stand), "it is written at the end at the latest"
        async with desktop.console() as console:
            (run,) = records(folder.parent.parent)
            await console.recorded.shown(run)
            assert rounded(await drawn(console)) == rounded(stand)
            again = await move(console, "a", 10, -90)
        async with desktop.console() as console:
            await console.recorded.shown(run)
            assert rounded(await drawn(console)) == rounded(again)

    desktop.run(main)


def test_what_is_moved_in_a_run_is_written_while_it_goes_on(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            await drawn(console)
            stand = await move(console, "b", 0, 150)
            await until(lambda: (folder_of(console, tab) / LAYOUT).exists())
            assert read_layout(folder_of(console, tab)) == rounded(stand)

    desktop.run(main)


def test_a_bundle_brings_the_drawing_along(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small())
            await until(lambda: orchestrator_of(console).run(tab.run_id).state.has_ended)
            await drawn(console)
            stand = await move(console, "c", -100, 250)
            folder = folder_of(console, tab)
        bundle = packed(folder)
        folder.rename(tmp_path / "moved away")
        async with desktop.console() as console:
            console.files.opening.open_all([bundle])
            await console.files.opening.settled()
            await until(lambda: isinstance(console.documents.front, RunTab))
            assert rounded(await drawn(console)) == rounded(stand)

    desktop.run(main)


def test_a_run_gives_its_layout_to_a_plan_made_of_it_and_to_its_own(desktop: Desktop, tmp_path: Path) -> None:
    path = written(small(seconds=LONG), tmp_path / "small.yaml")

    async def main() -> None:
        async with desktop.console() as console:
            key = console.documents.put_loaded(loaded(load_plan(path), path)).key
            await drawn(console)
            console.actions["start"].trigger()
            await until(lambda: isinstance(console.documents.front, RunTab))
            run = console.documents.front
            assert isinstance(run, RunTab)
            await drawn(console)
            await until(lambda: not console.actions["apply_to_plan"].isEnabled())
            stand = await move(console, "b", 0, 150)
            await until(console.actions["apply_to_plan"].isEnabled)
            console.actions["save_run_as_plan"].trigger()
            await until(lambda: isinstance(console.documents.front, Document))
            assert document(console).plan.layout == rounded(stand)
            console.documents.turn_to(run.key)
            await drawn(console)
            console.actions["apply_to_plan"].trigger()
            await until(lambda: any(one.isVisible() for one in console.window.findChildren(ChangesDialog)))
            next(one for one in console.window.findChildren(ChangesDialog) if one.isVisible()).choices.choose(APPLY)
            await until(lambda: console.documents.front is not None and console.documents.front.key == key)
            assert document(console).plan.layout == rounded(stand)
            assert rounded(await drawn(console)) == rounded(stand)

    desktop.run(main)


def test_tidy_lays_out_anew_as_one_step_in_a_plan_and_in_a_run(desktop: Desktop) -> None:
    placed = {"a": (0, 0), "b": (-40, 300), "c": (500, -200)}

    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(small(seconds=LONG))
            fresh = await drawn(console)
            for is_run in (False, True):
                console.documents.put_plan(replace(small(seconds=LONG), layout=placed))
                if is_run:
                    console.actions["start"].trigger()
                    await until(lambda: isinstance(console.documents.front, RunTab))
                assert rounded(await drawn(console)) == placed
                await until(console.actions["tidy"].isEnabled)
                canvas = front(console).canvas
                console.window.activateWindow()
                await until(console.window.isActiveWindow)
                canvas.setFocus()
                for _ in range(8):
                    canvas.pan_zoom.zoom_in()
                QTest.keyClick(
                    canvas, Qt.Key.Key_Y, Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ShiftModifier
                )
                let_go(canvas)
                await until(lambda: places(console) == fresh)
                assert canvas.pan_zoom.seen.contains(canvas._bounds()), "all of it is looked at"
                assert front(console).source.layout.layout == {}
                await until(lambda: console.actions["undo"].text() == "Undo “Tidy”")
                console.actions["undo"].trigger()
                await until(lambda: rounded(places(console)) == placed)
                assert front(console).source.layout.layout == placed
                await until(console.actions["redo"].isEnabled)
                console.actions["redo"].trigger()
                await until(lambda: places(console) == fresh)

    desktop.run(main)


def test_a_drawing_that_points_down_does_so_when_it_is_opened_again(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(small())
            await drawn(console)
            canvas = front(console).canvas
            canvas.layout_controller.turn()
            await until(lambda: places(console)["a"][0] == places(console)["b"][0])
            stand = await move(console, "c", 40, 0)
            direction = canvas.layout_controller.arrangement.direction
            console.documents.put_plan(document(console).plan)
            assert rounded(await drawn(console)) == rounded(stand)
            assert front(console).canvas is not canvas
            assert front(console).canvas.layout_controller.arrangement.direction is direction

    desktop.run(main)


def test_a_layout_that_names_other_tasks_or_only_some_is_used_as_far_as_it_goes(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(replace(small(), layout={"b": (900, 700), "gone": (0, 0)}))
            was = document(console)
            stand = await drawn(console)
            assert rounded(stand)["b"] == (900, 700)
            assert document(console) is was

    desktop.run(main)


def test_a_note_covers_no_node_when_a_drawing_is_opened_and_its_plan_stays_as_it_is(desktop: Desktop) -> None:
    notes = (Note(text="over its own", x=-80, y=-10, task="a"), Note(text="over another", x=230, y=0, task="a"))

    async def main() -> None:
        async with desktop.console() as console:
            for placed in ({}, {"a": (0, 0), "b": (250, 10), "c": (300, 90)}):
                console.documents.put_plan(replace(small(), notes=notes, layout=placed))
                was = document(console)
                await drawn(console)
                picture, boxes = front(console).canvas.graph.picture, front(console).canvas.notes.item.boxes
                assert picture is not None
                assert len(boxes) == 2
                for (x, y), (width, height) in zip(picture.layout.positions, picture.layout.sizes, strict=True):
                    node = QRectF(x - width / 2, y - height / 2, width, height)
                    assert not any(node.intersects(box) for box in boxes)
                assert document(console) is was
                before = boxes[0].topLeft()
                await move(console, "a", 0, 400)
                assert front(console).canvas.notes.item.boxes[0].topLeft() - before == QPointF(0, 400)

    desktop.run(main)


def test_a_run_points_where_its_plan_does_with_the_same_groups_folded(desktop: Desktop) -> None:
    jobs = [task(id, simulate=LONG, metadata={"group": "jobs"}) for id in ("a", "b", "c")]
    wanted = replace(small(), tasks=(*jobs, task("d", simulate=LONG)), dependencies=(edge("c", "d"),))

    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(wanted)
            await drawn(console)
            plan_view = front(console)
            plan_view.canvas.layout_controller.turn()
            plan_view.canvas.folding.fold(["jobs"])
            await drawn(console)
            console.actions["start"].trigger()
            await until(lambda: isinstance(console.documents.front, RunTab))
            await drawn(console)
            arrangement = front(console).canvas.layout_controller.arrangement
            assert (arrangement.direction, arrangement.folded) == (Direction.DOWN, frozenset({"jobs"}))
            picture = front(console).canvas.graph.picture
            assert picture is not None
            assert len(picture) == 2, "the folded group and d"

    desktop.run(main)

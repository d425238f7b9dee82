"""The graph is fitted when it is first seen, and no bar that comes or goes moves it under the pointer."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front, small, started
from tests.gui.composition.test_time_travel import looking_back
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.constellation.edits import AddTask
from starloom.model.task import Gate
from starloom_gui.editing.base import Step
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from starloom.model.plan import Plan
    from starloom_gui.canvas.view import CanvasView
    from starloom_gui.composition.console import Console

SIZES = ((1440, 900), (1000, 640))


def row(length: int, *more: str) -> Plan:
    """So many simulated tasks in a row, and some beside them, each with a name of its own."""
    names = [f"t{number}" for number in range(length)]
    tasks = [*(task(name, simulate=LONG) for name in names), *(task(name, simulate=LONG) for name in more)]
    chained = [f"{one}>{other}" for one, other in pairwise(names)]
    return replace(plan(tasks, chained), name=f"row {length}", devices=small().devices)


def is_whole(canvas: CanvasView) -> bool:
    return canvas.pan_zoom.is_whole(canvas.viewport().size())


def on_screen(canvas: CanvasView) -> QPoint:
    """Where the first node is."""
    return canvas.viewport().mapToGlobal(canvas.graph.node_rect(0).center().toPoint())


# ---- when it is first seen


@pytest.mark.parametrize("size", SIZES, ids="{0[0]}x{0[1]}".format)
def test_the_graph_of_a_second_run_is_fitted_and_each_keeps_its_own_view(
    desktop: Desktop, size: tuple[int, int]
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.window.resize(*size)
            first = await started(console, row(3))
            await at_rest(console)
            canvas = front(console).canvas
            canvas.pan_zoom.zoom_by(2.5)
            canvas.pan_zoom.scroll_by(400, 300)
            place = canvas.pan_zoom.place
            await started(console, row(4, *(f"beside {number}" for number in range(7))))
            await at_rest(console)
            assert front(console).canvas is not canvas
            assert is_whole(front(console).canvas)
            console.documents.turn_to(first.key)
            await at_rest(console)
            assert front(console).canvas is canvas
            assert canvas.pan_zoom.place == place

    desktop.run(main)


def test_a_graph_that_was_drawn_behind_another_tab_is_fitted_when_it_is_raised(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            other = console.documents.put_plan(row(2))
            await at_rest(console)
            tab = await started(console, row(9))
            canvas = front(console).canvas
            assert canvas.graph.picture is None, "it is not drawn yet"
            console.documents.turn_to(other.key)
            await until(lambda: canvas.graph.picture is not None)
            console.window.resize(1100, 700)
            await at_rest(console)
            console.documents.turn_to(tab.key)
            await at_rest(console)
            place = canvas.pan_zoom.place
            canvas.pan_zoom.look_first()
            assert canvas.pan_zoom.place == place

    desktop.run(main)


def test_the_first_tasks_of_a_run_that_began_without_any_are_brought_into_sight(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = await orchestrator_of(console).start(
                replace(plan([]), devices=small().devices), paused=True, hold_open=True
            )
            console.documents.put_run(run.id)
            await at_rest(console)
            canvas = front(console).canvas
            await run.edit(*(AddTask(task(f"t{number}", simulate=LONG)) for number in range(50)))
            await until(lambda: canvas.graph.picture is not None and len(canvas.graph.picture) == 50)
            assert is_whole(canvas)

    desktop.run(main)


# ---- while bars come and go


def gated() -> Plan:
    return replace(
        plan([task("ask", gate=Gate(message="Ship it? " * 30)), task("ship", simulate=LONG)], ["ask>ship"]),
        name="gated",
        devices=small().devices,
    )


@pytest.mark.parametrize("size", SIZES, ids="{0[0]}x{0[1]}".format)
def test_no_bar_moves_the_graph_on_the_screen(desktop: Desktop, size: tuple[int, int]) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.window.resize(*size)
            await started(console, gated())
            await at_rest(console)
            view = front(console)
            before = on_screen(view.canvas)
            await until(lambda: console.notifications.notices.unseen == 1)  # the question of the gate
            assert on_screen(view.canvas) == before
            console.strip.show_trouble(ErrorMessage("Not done", "There is no room left. " * 20))
            await at_rest(console)
            assert console.strip.isVisible()
            assert on_screen(view.canvas) == before
            console.actions["staged"].trigger()
            view.source.editor.do(Step(label="More", edits=(AddTask(task("more")),)))
            await until(view.strip.isVisible)
            await at_rest(console)
            assert on_screen(view.canvas) == before
            view.strip.discard.click()
            await until(view.strip.isHidden)
            console.strip.dismiss()
            await looking_back(console)
            console.actions["to_begin"].trigger()
            await until(view.banner.isVisible)
            await at_rest(console)
            assert console.window.time_bar.isVisible()
            assert on_screen(view.canvas) == before
            console.actions["time_travel"].trigger()
            await at_rest(console)
            assert not console.window.time_bar.isVisible()
            assert on_screen(view.canvas) == before

    desktop.run(main)


def click(console: Console, at: QPoint) -> None:
    """Click at a place of the window."""
    found = console.window.childAt(at)
    assert found is not None
    place = found.mapFrom(console.window, at)
    QTest.mouseClick(found, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def test_a_click_meant_for_a_node_presses_no_button_of_a_bar_that_has_just_appeared_there(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.window.resize(1000, 640)
            await started(console, row(3))
            await at_rest(console)
            view = front(console)
            more = Step(label="More", edits=(AddTask(task("more")),))
            console.actions["staged"].trigger()
            view.source.editor.do(more)
            await until(view.strip.isVisible)
            at = view.strip.discard.mapTo(console.window, view.strip.discard.rect().center())
            view.strip.discard.click()
            await until(view.strip.isHidden)
            QCursor.setPos(console.window.mapToGlobal(at))
            view.source.editor.do(more)
            await until(view.strip.isVisible)
            click(console, at)
            await at_rest(console)
            assert view.strip.isVisible(), "nothing was discarded"

            def discards() -> bool:
                click(console, at)
                return view.strip.isHidden()

            await until(discards)

    desktop.run(main)

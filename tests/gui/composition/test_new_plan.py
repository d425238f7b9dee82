"""A new plan among runs: what is brought for drawing, and what is there again with the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_without_a_mouse import CTRL, begun, chain
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.model.task import Gate
from starloom_gui.shell.dock_sizes import OwnSizes
from starloom_gui.shell.perspectives import DockKey
from starloom_gui.timeline.corner import TimelineCorner

if TYPE_CHECKING:
    from starloom_gui.composition.console import Console


def docks(console: Console) -> dict[str, tuple[object, ...]]:
    return {
        key: (one.keys, one.front, one.isVisible(), one.size()) for key, one in console.window.workbench.docks.items()
    }


def test_a_new_plan_is_drawn_in_the_edit_perspective_and_the_run_has_the_docks_as_they_were(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            keyboard, _ = await begun(console, chain("a", "b"))
            bench = console.window.workbench
            bench.turn_to("events")
            bench.sizes.own = OwnSizes(inspector=333)
            bench.adapt()
            await until(lambda: bench.docks[DockKey.INSPECTOR].width() == 333)
            before = docks(console)
            await keyboard.choose(Qt.Key.Key_N, CTRL)
            assert bench.docks[DockKey.OUTLINE].front == "palette"
            await until(lambda: bench.docks[DockKey.BOTTOM].height() == 160)
            view = console.views.front
            assert view is not None
            assert view.canvas.hasFocus(), "the next key is for the plan"
            drawing = docks(console)
            run = console.documents.runs[0]
            new = console.documents.front
            assert new is not None
            console.documents.turn_to(run.key)
            await at_rest(console)
            await until(lambda: docks(console) == before)
            console.documents.turn_to(new.key)
            await at_rest(console)
            await until(lambda: docks(console) == drawing)
            console.actions["close_tab"].trigger()
            await until(lambda: docks(console) == before)

    desktop.run(main)


def test_a_console_that_is_closed_while_drawing_opens_with_the_docks_of_before(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            keyboard, _ = await begun(console, chain("a", "b"))
            console.window.workbench.turn_to("events")
            before = {key: one[:2] for key, one in docks(console).items()}
            await keyboard.choose(Qt.Key.Key_N, CTRL)
        async with desktop.console() as console:
            console.window.restore_layout()  # as a program that starts does
            console.documents.put_plan(chain("c"))
            await at_rest(console)
            await until(lambda: {key: one[:2] for key, one in docks(console).items()} == before)

    desktop.run(main)


def test_an_empty_plan_says_what_will_be_where_and_nothing_of_it_is_live(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.window.resize(1440, 900)
            console.actions["new"].trigger()
            await at_rest(console)
            docks, view = console.window.workbench.docks, console.views.front
            assert view is not None
            upper, lower = docks[DockKey.OUTLINE], docks[DockKey.DEVICES]
            await until(lambda: abs(upper.height() / (upper.height() + lower.height()) - 2 / 3) < 0.01)
            corner = view.views["timeline"].corner
            assert isinstance(corner, TimelineCorner)
            assert not corner.live.isEnabled()
            assert corner.live.toolTip().startswith("Nothing has run yet.")
            assert corner.live.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly
            inspector = view.views["inspector"].widget
            said = [one.text() for one in inspector.findChildren(QLabel) if one.isVisible()]
            assert "No tasks yet. What you select will be explained and edited here." in said
            asked: list[bool] = []
            view.canvas.controls.empty.add_asked.connect(lambda: asked.append(True))
            (add,) = [
                one for one in inspector.findChildren(QPushButton) if one.isVisible() and one.text() == "Add task…"
            ]
            add.click()
            assert asked, "it asks for the kind of the first task as the canvas does"

    desktop.run(main)


def test_the_timeline_of_a_plan_in_which_nothing_is_foreseen_offers_to_start_it(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(plan([task("ask", gate=Gate("Go on?"))]))
            await at_rest(console)
            view = console.views.front
            assert view is not None
            timeline = view.views["timeline"].widget
            (start,) = [one for one in timeline.viewport().findChildren(QToolButton) if one.isVisible()]
            assert (start.text(), start.isEnabled()) == (console.actions["start"].text(), True)
            start.click()
            await until(lambda: orchestrator_of(console).runs)
            await at_rest(console)

    desktop.run(main)

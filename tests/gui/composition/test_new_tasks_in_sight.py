"""Tasks that keys put into the graph, and those that the inspector leads to, are in sight wherever one was looking."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QApplication
from tests.driver import plan, task
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.test_agents import readied
from tests.gui.composition.test_console import front
from tests.waiting import until

from starloom.model.device import DeviceSpec
from starloom.model.task import Simulate
from starloom_gui.canvas.motion import ViewPosition
from starloom_gui.editing.adding import site_of

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop

    from starloom_gui.composition.console import Console


def is_in_sight(console: Console, name: str) -> bool:
    """Whether the whole node of a task can be seen."""
    document_view = front(console)
    facts, picture = document_view.reader.facts(), document_view.canvas.graph.picture
    if facts is None or picture is None or name not in facts.graph.place:
        return False
    row = picture.row(facts.graph.place[name])
    if row is None:
        return False
    (x, y), (wide, high) = picture.layout.positions[row].tolist(), picture.layout.sizes[row].tolist()
    return document_view.canvas.pan_zoom.seen.contains(QRectF(x - wide / 2, y - high / 2, wide, high))


def test_a_task_added_without_a_place_and_what_is_pasted_come_into_sight(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            names = [f"t{number}" for number in range(40)]
            console.documents.put_plan(plan([task(name) for name in names], [f"t{n}>t{n + 1}" for n in range(39)]))
            await at_rest(console)
            document_view = front(console)
            view = document_view.canvas
            view.pan_zoom.look(ViewPosition(1.0, view.pan_zoom.seen.left(), view.pan_zoom.seen.top()), at_once=True)
            facts = document_view.reader.facts()
            assert facts is not None
            assert not is_in_sight(console, "t39")
            document_view.selection.select_all([facts.graph.place["t39"]], facts.graph.place["t39"])
            document_view.edit_wiring.planter.add(task("late"), site_of(facts, document_view.selection))
            await until(lambda: is_in_sight(console, "late"))
            assert console.target().task_ids == ("late",)
            view.pan_zoom.look(
                ViewPosition(1.0, view.pan_zoom.seen.left() - 5000, view.pan_zoom.seen.top()), at_once=True
            )
            document_view.edit_wiring.actions[2].trigger()  # Duplicate
            await at_rest(console)
            (pasted,) = console.target().task_ids
            assert pasted != "late"
            await until(lambda: is_in_sight(console, pasted))
            assert QApplication.activeModalWidget() is None

    desktop.run(main)


def test_a_failed_task_that_the_inspector_leads_to_comes_into_sight(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            fails = Simulate(duration=0.01, outcome="failed")
            names = [f"t{number}" for number in range(40)]
            last = task("last", simulate=fails)
            wanted = plan([*(task(n) for n in names), last], [*(f"t{n}>t{n + 1}" for n in range(39)), "t39>last"])
            device = DeviceSpec(id="dev", kind="simulated", slots=2)
            run = await readied(console, replace(wanted, name="long", devices=(device,)))
            console.actions["start"].trigger()
            await until(lambda: run.state.has_ended)
            await at_rest(console)
            view = front(console)
            seen = view.canvas.pan_zoom.seen
            view.canvas.pan_zoom.look(ViewPosition(1.0, seen.left(), seen.top()), at_once=True)
            assert not is_in_sight(console, "last")
            failures = view.views["inspector"].widget.overview.failures
            await until(lambda: bool(failures.figures.shown))
            failures.figures.shown[0].click()
            await until(lambda: is_in_sight(console, "last"))
            assert console.target().task_ids == ("last",)

    desktop.run(main)

"""Why a task waits is said of it as it is, whatever is staged for it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel
from tests.driver import plan, task
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.test_console import LONG, front
from tests.gui.composition.test_without_a_mouse import begun
from tests.waiting import until

from starloom.constellation.edits import EditBatch, UpdateTask
from starloom.model.device import DeviceSpec
from starloom.scheduling.commands import EditConstellation

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop


def test_a_staged_move_does_not_change_whose_slots_are_taken(desktop: Desktop) -> None:
    devices = (DeviceSpec(id="x", kind="simulated", slots=1), DeviceSpec(id="y", kind="simulated", slots=2))
    tasks = [task("runs", simulate=LONG, device="x"), task("waits", simulate=1.0, device="x")]
    wanted = replace(plan(tasks), devices=devices)

    async def main() -> None:
        async with desktop.console() as console:
            _keyboard, run = await begun(console, wanted)
            await until(lambda: run.facts.running == 1)
            console.actions["staged"].trigger()
            batch = EditBatch(edits=(UpdateTask("waits", device="y"),))
            front(console).source.gateway.do(EditConstellation(run_id=run.id, batch=batch))
            front(console).selection.select(run.facts.graph.place["waits"])
            console.window.workbench.turn_to("inspector")
            await at_rest(console)
            why = front(console).pane("inspector").why  # type: ignore[attr-defined]
            await until(why.isVisible)
            words = " ".join(label.text() for label in why.findChildren(QLabel))
            assert "All slots of x are taken" in words
            assert "slots of y" not in words

    desktop.run(main)

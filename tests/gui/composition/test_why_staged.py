"""What is staged for a task: listed as it was typed, and no part of why it waits."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLabel
from tests.driver import plan, task
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.test_console import LONG, front, small
from tests.gui.composition.test_without_a_mouse import begun
from tests.waiting import until

from starloom.constellation.edits import EditBatch, UpdateTask
from starloom.model.device import DeviceSpec
from starloom.scheduling.commands import EditConstellation
from starloom_gui.panels.changes_rows import ChangeRow
from starloom_gui.viewmodel.task_fields import change

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


@pytest.mark.parametrize(
    ("name", "typed", "listed"),
    [
        ("estimate", "15s", "15s"),
        ("timeout", "90", "1m30s"),
        ("priority", "80", "80 high"),
        ("retry", "2", "3 attempt(s)"),
        ("retry.delay", "5s", "5s apart"),
        ("requires", "gpu, tpu", "gpu, tpu"),
        ("groups", "licences", "licences"),
        ("device", "d", "d"),
        ("cwd", "/tmp", "/tmp"),
        ("name", "Last", "Last"),
        ("join", "any", "any"),
    ],
)
def test_each_field_that_is_typed_while_edits_are_staged_is_listed(
    desktop: Desktop, name: str, typed: str, listed: str
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await begun(console, small(seconds=LONG))
            console.actions["staged"].trigger()
            console.window.workbench.turn_to("changes")
            await at_rest(console)
            view = front(console)
            run = view.source.editor.view()
            assert run is not None
            assert change(view.source.gateway, run.task(2), name, typed, 0) == ""
            await at_rest(console)
            pane = view.pane("changes")
            words = " ".join(one.accessibleName() for one in pane.findChildren(ChangeRow) if one.isVisible())
            assert listed in words

    desktop.run(main)

"""Undo in a console over a real engine: slots of a device are taken back, another attempt is said to last."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication
from tests.driver import plan, task
from tests.gui.composition.test_stopping import choose, possible, readied, steps
from tests.gui.composition.test_without_a_mouse import CTRL, LONG, Key
from tests.gui.documents.plans import shown
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.model.device import DeviceSpec
from starloom.model.status import TaskStatus
from starloom.scheduling import commands as c
from starloom_gui.dialogs.set_number import SlotsDialog

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop


def test_slots_that_were_set_are_a_step_of_undo(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            _, keyboard = await readied(console, steps("a", lasts=LONG))
            device = orchestrator_of(console).pump.scheduler.fleet.devices["d"]
            console.window_actions.controllers.choices.set_slots("d")
            dialog = await shown(console.window, SlotsDialog)
            dialog.field.line.selectAll()
            dialog.field.line.insert("7")
            dialog.default.click()
            await until(lambda: device.offered == 7)
            console.window.activateWindow()
            await until(console.window.isActiveWindow)
            await until(lambda: console.actions["undo"].text() == "Undo “Slots of d: 7”")
            await possible(console, "undo")
            keyboard.press(Key.Key_Z, CTRL)
            await until(lambda: device.offered == 4)

    desktop.run(main)


def test_another_attempt_is_in_the_history_and_undo_says_why_it_lasts(desktop: Desktop) -> None:
    failing = replace(
        plan([task("a", shell="exit 3")], []),
        name="by hand",
        devices=(DeviceSpec(id="d", kind="local", slots=1),),
    )

    async def main() -> None:
        async with desktop.console() as console:
            run, keyboard = await readied(console, failing)
            await keyboard.choose(Key.Key_F5)
            await until(lambda: run.task("a").status is TaskStatus.FAILED)
            await choose(console, keyboard, "a")
            console.gateway().do(c.RetryTasks(run_id=run.id, task_ids=("a",), fields={"shell": "true"}))
            await until(lambda: run.task("a").status is TaskStatus.COMPLETED)
            undo = console.actions["undo"]
            await until(lambda: undo.text() == "Undo “Change and retry a”")
            await until(lambda: "cannot be taken back: a new attempt has been asked for" in undo.toolTip())
            assert not undo.isEnabled()
            assert QApplication.activeModalWidget() is None

    desktop.run(main)

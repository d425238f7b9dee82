"""A group of devices is changed as one: by the dialog of any of its members."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.devices.kinds import make_device
from starloom.model.device import DeviceSpec
from starloom_gui.dialogs.add_device import AddDeviceDialog

if TYPE_CHECKING:
    from starloom_gui.composition.console import Console

pytest.importorskip("distributed")


async def dialog_of(console: Console, device_id: str) -> AddDeviceDialog:
    console.devices.change_requested.emit(device_id)
    await until(lambda: isinstance(QApplication.activeModalWidget(), AddDeviceDialog))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, AddDeviceDialog)
    return dialog


def test_a_cluster_is_changed_by_any_of_its_workers(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            fleet = orchestrator_of(console).fleet
            spec = DeviceSpec(id="farm", kind="dask", options={"workers": 2, "threads": 1})
            console.commands.add_device(console.window_actions.controllers.fleet.added(make_device(spec)))
            await console.commands.answered()
            console.documents.put_plan(plan([task("a", simulate=0.01)]))
            await until(lambda: len(fleet.devices) == 2 and all(one.connected for one in fleet.devices.values()))
            before = sorted(fleet.devices)
            dialog = await dialog_of(console, before[0])
            assert dialog.windowTitle() == "Change farm"
            dialog.kinds.form.editor("workers").show_value(1)
            dialog.default.click()
            await until(lambda: len(fleet.devices) == 1 and all(one.connected for one in fleet.devices.values()))
            await at_rest(console)
            (kept,) = fleet.specs
            assert kept == DeviceSpec(id="farm", kind="dask", options={"workers": 1, "threads": 1})
            told = console.strip.shown
            assert told is not None
            assert told.text == "farm was changed."

    desktop.run(main)

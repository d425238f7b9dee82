"""A group of devices is changed as one, by the dialog of any of its members, and is there when these are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.engines import orchestrator_of
from tests.integration.test_groups import Told
from tests.waiting import until

from starloom.devices.kinds import make_device
from starloom.devices.simulated import SimulatedDevice
from starloom.model.device import DeviceSpec
from starloom.scheduling.commands import RemoveDevice
from starloom_gui.dialogs.add_device import AddDeviceDialog
from starloom_gui.viewmodel.roles import ItemRole

if TYPE_CHECKING:
    from starloom_gui.composition.console import Console


async def dialog_of(console: Console, device_id: str) -> AddDeviceDialog:
    console.devices.change_requested.emit(device_id)
    await until(lambda: isinstance(QApplication.activeModalWidget(), AddDeviceDialog))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, AddDeviceDialog)
    return dialog


def test_a_cluster_is_changed_by_any_of_its_workers(desktop: Desktop) -> None:
    pytest.importorskip("distributed")

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


def test_a_group_of_which_nothing_is_there_has_a_card_and_can_be_removed(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            fleet, group = orchestrator_of(console).fleet, Told(SimulatedDevice("one"))
            await fleet.add(group)
            console.documents.put_plan(plan([task("a", simulate=0.01)]))
            cards = console.devices.cards.model()
            shown = lambda: [cards.index(row, 0).data(ItemRole.ID) for row in range(cards.rowCount())]  # noqa: E731
            await until(lambda: shown() == ["one"])
            group.leave("one")
            await until(lambda: shown() == ["g"])
            group.join(SimulatedDevice("two"))
            await until(lambda: shown() == ["two"])
            group.leave("two")
            await until(lambda: shown() == ["g"])
            console.commands.do(RemoveDevice(device_id="g"))
            await until(lambda: not shown())
            assert not fleet.has("g")
            await fleet.add(Told(SimulatedDevice("three")))
            await until(lambda: shown() == ["three"])

    desktop.run(main)


def test_a_device_that_is_refused_does_not_take_the_place_of_the_one_that_is_kept(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            fleet, files = orchestrator_of(console).fleet, console.window_actions.controllers.fleet
            good = DeviceSpec(id="farm", kind="dask", options={"address": "tcp://127.0.0.1:1"})
            files.keep(good)
            await fleet.add_all([make_device(good)])  # of which nothing is there
            choices = console.window_actions.controllers.choices
            choices._add(make_device(DeviceSpec(id="farm", kind="dask", options={"address": "tcp://127.0.0.1:2"})))
            await console.commands.answered()
            await at_rest(console)
            assert files.own["farm"] == good
            choices._add(make_device(DeviceSpec(id="lab", kind="simulated")))
            await console.commands.answered()
            await at_rest(console)
            assert set(files.own) == {"farm", "lab"}
            choices.add_device("farm")
            await until(lambda: isinstance(QApplication.activeModalWidget(), AddDeviceDialog))
            dialog = QApplication.activeModalWidget()
            assert isinstance(dialog, AddDeviceDialog)
            dialog.default.click()
            assert "There is a device farm already" in dialog.kinds.form.reason("id")
            dialog.reject()

    desktop.run(main)

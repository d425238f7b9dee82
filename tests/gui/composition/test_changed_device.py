"""A device is changed in its place: name, pins and steering stay, and so it is the next time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtWidgets import QApplication
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.devices.kinds import make_device
from starloom.errors import DeviceError
from starloom.formats import load_fleet
from starloom.model.device import DeviceSpec
from starloom.model.status import TaskStatus
from starloom.scheduling import commands as c
from starloom_gui.dialogs.add_device import AddDeviceDialog
from starloom_gui.documents.fleet_files import kept_path

if TYPE_CHECKING:
    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom_gui.composition.console import Console

LAB = DeviceSpec(id="lab", kind="simulated", slots=2, options={"seed": 7})


async def added(console: Console) -> None:
    """The user has added the device by the form."""
    console.commands.add_device(console.window_actions.controllers.fleet.added(make_device(LAB)))
    await console.commands.answered()
    await at_rest(console)


def facts(console: Console) -> DeviceFacts:
    return orchestrator_of(console).fleet.devices["lab"]


async def select(console: Console) -> None:
    if console.documents.front is None:  # without which the window shows no devices
        console.documents.put_plan(plan([task("a", simulate=0.01)]))
    cards = console.devices.cards
    await until(lambda: cards.model().rowCount())
    cards.setCurrentIndex(cards.model().index(0, 0))


async def asked(console: Console) -> AddDeviceDialog:
    """The dialog of the selected device, opened by its action."""
    await select(console)
    await until(console.actions["change_device"].isEnabled)
    console.actions["change_device"].trigger()
    await until(lambda: isinstance(QApplication.activeModalWidget(), AddDeviceDialog))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, AddDeviceDialog)
    return dialog


def test_a_changed_device_keeps_its_name_its_pins_and_that_it_is_drained(desktop: Desktop) -> None:
    wanted = plan([task("measure", simulate=0.01, device="lab", requires="tpu")])

    async def main() -> None:
        async with desktop.console() as console:
            await added(console)
            console.commands.do(c.DrainDevice(device_id="lab"))
            run = orchestrator_of(console).run(await console.starter.start(wanted, None, "Lab"))
            await at_rest(console)
            dialog = await asked(console)
            assert dialog.windowTitle() == "Change lab"
            form = dialog.kinds.form
            assert form.values() is not None
            assert (form.values() or {})["slots"] == 2
            assert not form.editor("id").isEnabled()
            form.editor("capabilities").show_value(frozenset({"tpu"}))
            form.editor("slots").show_value(3)
            dialog.default.click()
            await until(lambda: "lab" in orchestrator_of(console).fleet.devices and facts(console).capabilities)
            await at_rest(console)
            assert (facts(console).capabilities, facts(console).slots) == (frozenset({"tpu"}), 3)
            assert facts(console).draining
            console.commands.do(c.ResumeDevice(device_id="lab"))
            await until(lambda: run.task("measure").status is TaskStatus.COMPLETED)
            changed = replace(LAB, slots=3, capabilities=frozenset({"tpu"}))  # what no field shows stays, too
            await until(lambda: tuple(load_fleet(kept_path())[0]) == (changed,))  # which is written once it has joined
            told = console.strip.shown
            assert told is not None
            assert (told.text, told.remedy) == ("lab was changed.", "Change it back")
            assert told.act is not None
            told.act()
            await until(lambda: "lab" in orchestrator_of(console).fleet.devices and not facts(console).capabilities)
            await at_rest(console)
            ((kept,), _limits) = load_fleet(kept_path())
            assert kept == LAB

    desktop.run(main)


def test_what_runs_there_is_not_interrupted_and_what_was_typed_stays(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await added(console)
            dialog = await asked(console)
            run = orchestrator_of(console).run(
                await console.starter.start(plan([task("long", simulate=LONG)]), None, "Lab")
            )
            await until(lambda: run.facts.running == 1)
            form = dialog.kinds.form
            form.editor("slots").show_value(5)
            dialog.default.click()
            assert "still runs 1 task" in form.reason("id")
            assert "Nothing was changed." in form.reason("id")
            assert dialog.isVisible()
            assert (form.values() or {})["slots"] == 5
            await until(lambda: not console.actions["change_device"].isEnabled())
            assert "still runs 1 task" in console.actions["change_device"].toolTip()
            await run.cancel()
            await until(lambda: run.state.has_ended)
            dialog.default.click()
            await until(lambda: "lab" in orchestrator_of(console).fleet.devices and facts(console).slots == 5)
            await at_rest(console)

    desktop.run(main)


def test_what_others_have_set_while_the_dialog_was_open_stays(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await added(console)
            dialog = await asked(console)
            await orchestrator_of(console).fleet.command(c.SetSlots(device_id="lab", slots=1, origin="bob"))
            await at_rest(console)
            dialog.kinds.form.editor("capabilities").show_value(frozenset({"tpu"}))
            assert (dialog.kinds.form.values() or {})["slots"] == 2
            dialog.default.click()
            await until(lambda: "lab" in orchestrator_of(console).fleet.devices and facts(console).capabilities)
            await at_rest(console)
            assert facts(console).slots == 1

    desktop.run(main)


def test_a_device_that_another_console_has_added_to_a_server_can_be_changed(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.attached() as console:
            await orchestrator_of(console).fleet.add_all([make_device(LAB)], origin="carl")
            await until(lambda: "lab" in console.bridge.fleet.devices)
            await until(lambda: any(spec.id == "lab" for spec in console.engine.devices.specs))
            dialog = await asked(console)
            form = dialog.kinds.form
            assert (form.values() or {})["slots"] == 2
            form.fill({"slots": 5})
            dialog.default.click()
            await until(lambda: "lab" in orchestrator_of(console).fleet.devices and facts(console).slots == 5)
            await at_rest(console)

    desktop.run(main)


def test_a_device_that_a_program_has_made_is_said_not_to_be_known(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            made = make_device(LAB)
            made.spec = None
            await orchestrator_of(console).fleet.add(made)
            await at_rest(console)
            await select(console)
            action = console.actions["change_device"]
            await until(lambda: "Nothing here knows what lab was made from. Remove it" in action.toolTip())
            assert not action.isEnabled()
            console.devices.change_requested.emit("lab")
            assert console.strip.shown is not None
            assert console.strip.shown.what == "lab was not changed"

    desktop.run(main)


@pytest.mark.parametrize("slots", [0, 4])
def test_the_slots_an_operator_has_set_are_those_of_the_form(desktop: Desktop, slots: int) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await added(console)
            console.commands.do(c.SetSlots(device_id="lab", slots=slots))
            await at_rest(console)
            dialog = await asked(console)
            form = dialog.kinds.form
            assert (form.values() or {})["slots"] == (slots or 2)
            form.editor("capabilities").show_value(frozenset({"tpu"}))
            dialog.default.click()
            await until(lambda: "lab" in orchestrator_of(console).fleet.devices and facts(console).capabilities)
            await at_rest(console)
            assert facts(console).slots == slots

    desktop.run(main)


def test_where_the_other_one_cannot_join_the_old_one_is_brought_back_and_that_is_said(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await added(console)
            changes, devices = console.window_actions.controllers.fleet.changes, console.engine.devices
            add_all, refused = devices.add_all, list[str]()

            async def refuse_once(*given: Any, **more: Any) -> None:
                if not refused:
                    refused.append("once")
                    raise DeviceError("It has no room.")
                await add_all(*given, **more)

            monkeypatch.setattr(devices, "add_all", refuse_once)
            changes.change(LAB, replace(LAB, slots=9))
            await until(lambda: refused and "lab" in orchestrator_of(console).fleet.devices)
            await at_rest(console)
            assert facts(console).slots == 2
            assert console.strip.shown is not None
            assert (console.strip.shown.what, console.strip.shown.reason) == ("lab was not changed", "It has no room.")
            assert console.window_actions.controllers.fleet.own["lab"] == LAB

    desktop.run(main)

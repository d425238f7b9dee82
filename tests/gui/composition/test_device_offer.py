"""Saving a plan whose tasks need devices that it does not name offers to put these into it, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_staged_kept import press_button

from starloom.devices.kinds import make_device
from starloom.formats import load_plan
from starloom.model.device import DeviceSpec

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.composition.console import Console


async def saved(console: Console) -> None:
    """The plan in front is saved in its file."""
    console.actions["save"].trigger()
    await console.files.saving.settled()


def test_a_plan_whose_tasks_are_pinned_to_a_device_of_the_fleet_takes_it_along(
    desktop: Desktop, tmp_path: Path
) -> None:
    path = tmp_path / "drawn.yaml"

    async def main() -> None:
        async with desktop.console() as console:
            fleet = console.window_actions.controllers.fleet
            console.commands.add_device(fleet.added(make_device(DeviceSpec(id="dev2", kind="local", slots=3))))
            await console.commands.answered()
            drawn = console.documents.put_new()
            made = plan([task("a", shell="true", device="dev2")])
            console.documents.change(drawn.key, made, is_typed=True)
            assert await console.files.saving._write(drawn.key, path, None)
            shown = console.strip.shown
            assert shown is not None
            assert shown.reason == "1 task(s) can only run on dev2, which the plan does not name."
            press_button(console)
            await console.files.saving.settled()
            assert load_plan(path).devices == (DeviceSpec(id="dev2", kind="local", slots=3),)
            shown = console.strip.shown
            assert shown is not None
            assert shown.reason == "The plan names dev2 now; undo takes that back."
            await at_rest(console)
            console.actions["undo"].trigger()
            document = console.documents.document(drawn.key)
            assert document is not None
            assert (document.plan.devices, document.is_dirty) == ((), True)
            await saved(console)
            shown = console.strip.shown
            assert shown is not None
            assert shown.remedy == "Put into the plan", "it was taken out again"
            console.strip.dismiss()
            await saved(console)
            assert console.strip.shown is None, "who has not taken it is not asked at each save"

    desktop.run(main)


def test_of_a_plan_that_is_saved_behind_another_tab_nothing_is_said_there(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            fleet = console.window_actions.controllers.fleet
            console.commands.add_device(fleet.added(make_device(DeviceSpec(id="dev2", kind="local", slots=3))))
            await console.commands.answered()
            drawn = console.documents.put_new()
            console.documents.change(drawn.key, plan([task("a", shell="true", device="dev2")]), is_typed=True)
            console.documents.put_new()
            assert await console.files.saving._write(drawn.key, tmp_path / "drawn.yaml", None)
            assert console.strip.shown is None
            console.documents.turn_to(drawn.key)
            await saved(console)
            assert console.strip.shown is not None, "it is said the next time"

    desktop.run(main)

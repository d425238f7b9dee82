"""A device the user has removed stays away, also where an earlier run that named it goes on."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.driver import plan, task
from tests.gui.console.conftest import Desktop, at_rest
from tests.waiting import until

from starloom.devices.kinds import make_device
from starloom.journal.library import Library
from starloom.journal.records import records
from starloom.model.device import DeviceSpec
from starloom.orchestration.orchestrator import Orchestrator
from starloom.scheduling import commands as c
from starloom_gui.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.composition.console import Console

HERE, TWO = DeviceSpec(id="here"), DeviceSpec(id="two")


async def left_behind(folder: Path, *, is_running: bool) -> None:
    """A run on two devices as a program leaves it behind; something of it runs on the second one, or nothing at all."""
    made = replace(plan([task("a", command=["sleep", "60"], device="two")]), name="mix", devices=(HERE, TWO))
    with Library(folder / "alive") as library:
        engine = Orchestrator(journal=library)
        await engine.open()
        run = await engine.start(made, run_id="r", paused=not is_running)
        if is_running:
            await until(lambda: run.facts.running == 1)
        shutil.copytree(folder / "alive" / "runs", folder / "journal" / "runs")
        await engine.shutdown("now")


async def removed(console: Console) -> None:
    """The device was added, and is removed by the user."""
    await console.engine.fleet.add(make_device(TWO))
    console.commands.do(c.RemoveDevice(device_id="two"))
    await console.commands.answered()
    await at_rest(console)
    assert "two" not in console.engine.fleet.devices


@pytest.mark.parametrize("is_running", [False, True])
def test_what_goes_on_does_not_bring_back_what_the_user_removed(
    desktop: Desktop, tmp_path: Path, is_running: bool
) -> None:
    async def main() -> None:
        await left_behind(tmp_path, is_running=is_running)
        async with desktop.console() as console:
            await removed(console)
        async with desktop.console() as console:  # it is known in the next session, too
            (record,) = records(tmp_path / "journal")
            await console.starter.resume(record)
            devices = console.engine.fleet.devices
            assert "here" in devices
            if is_running:
                assert devices["two"].draining, "what may still run there is looked for, and nothing new begins"
            else:
                assert "two" not in devices
            told = console.strip.shown
            assert told is not None
            assert "goes on without two" in told.what
            assert ("drained" in told.reason) == is_running
            await console.engine.run("r").cancel()
            await at_rest(console)

    desktop.run(main)


def test_what_is_added_again_counts_as_removed_no_more(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await removed(console)
            assert Settings(desktop.store).removed_devices == {"two"}
            fleets = console.window_actions.controllers.fleet
            console.commands.add_device(fleets.added(make_device(TWO)))
            await console.commands.answered()
            assert Settings(desktop.store).removed_devices == frozenset()
            await fleets.settled()
            await at_rest(console)

    desktop.run(main)

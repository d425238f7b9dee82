"""A device the user has removed stays away, also where an earlier run that named it goes on."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom import events as ev
from starloom.devices.kinds import make_device
from starloom.devices.local import LocalDevice
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
    await orchestrator_of(console).fleet.add(make_device(TWO))
    console.commands.do(c.RemoveDevice(device_id="two"))
    await console.commands.answered()
    await at_rest(console)
    assert "two" not in orchestrator_of(console).fleet.devices


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
            devices = orchestrator_of(console).fleet.devices
            assert "here" in devices
            if is_running:
                assert devices["two"].draining, "what may still run there is looked for, and nothing new begins"
            else:
                assert "two" not in devices
            told = console.strip.shown
            assert told is not None
            assert "goes on without two" in told.what
            assert ("drained" in told.reason) == is_running
            await orchestrator_of(console).run("r").cancel()
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


def test_a_device_that_was_removed_is_told_and_can_be_added_again(desktop: Desktop) -> None:
    spec = DeviceSpec(id="far", kind="local", slots=3, capabilities=frozenset({"jtag"}))

    async def main() -> None:
        async with desktop.console() as console:
            fleet = console.window_actions.controllers.fleet
            console.commands.add_device(fleet.added(make_device(spec)))
            await console.commands.answered()
            console.commands.do(c.RemoveDevice(device_id="far"))
            await console.commands.answered()
            assert not console.bridge.fleet.devices
            told = console.strip.shown
            assert told is not None
            assert told.is_notice
            assert told.text == "far was removed from the fleet."
            assert told.remedy == "Add it again"
            assert told.act is not None
            told.act()
            await until(lambda: "far" in console.bridge.fleet.devices)
            await fleet.settled()
            joined = [event for _, event in console.bridge.log.since(0) if isinstance(event, ev.DeviceAdded)]
            assert [(one.device_id, one.origin) for one in joined] == [("far", "operator")] * 2
            again = console.bridge.fleet.devices["far"]
            assert (again.offered, "jtag" in again.capabilities) == (3, True)
            assert fleet.own == {"far": spec}, "it is there the next time, too"
            assert fleet.removed.ids == frozenset()
            assert console.strip.shown is None, "it is in the fleet again"

    desktop.run(main)


def test_a_device_that_is_added_again_is_drained_as_it_was_and_takes_no_task(desktop: Desktop) -> None:
    spec = DeviceSpec(id="far", kind="local")

    async def main() -> None:
        async with desktop.console() as console:
            engine, fleet = orchestrator_of(console), console.window_actions.controllers.fleet
            for one in (spec, DeviceSpec(id="here", kind="local")):
                console.commands.add_device(fleet.added(make_device(one)))
            await console.commands.answered()
            console.commands.do(c.SetSlots(device_id="far", slots=5))
            console.commands.do(c.DrainDevice(device_id="far"))
            await console.commands.answered()
            run = await engine.start(plan([task("waits", shell="true", device="far")]))
            console.commands.do(c.RemoveDevice(device_id="far"))
            await console.commands.answered()
            told = console.strip.shown
            assert told is not None
            assert told.act is not None
            told.act()
            await until(lambda: "far" in console.bridge.fleet.devices and console.bridge.fleet.devices["far"].connected)
            await fleet.settled()
            again = console.bridge.fleet.devices["far"]
            assert (again.draining, again.offered) == (True, 5)
            assert not run.task("waits").attempts
            console.commands.do(c.ResumeDevice(device_id="far"))
            await run.finished()
            await at_rest(console)

    desktop.run(main)


def test_a_device_that_a_program_made_is_told_without_a_way_back(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await orchestrator_of(console).fleet.add(LocalDevice("made"))
            console.commands.do(c.RemoveDevice(device_id="made"))
            await console.commands.answered()
            told = console.strip.shown
            assert told is not None
            assert (told.text, told.remedy) == ("made was removed from the fleet.", "")
            await orchestrator_of(console).fleet.add(LocalDevice("made"))  # as another client does
            await until(lambda: console.strip.shown is None)

    desktop.run(main)


def test_a_cluster_goes_with_its_last_worker_and_stays_away(desktop: Desktop) -> None:
    spec = DeviceSpec(id="dk", kind="dask", options={"workers": 2})

    async def main() -> None:
        async with desktop.console() as console:
            fleet = console.window_actions.controllers.fleet
            console.commands.add_device(fleet.added(make_device(spec)))
            await console.commands.answered()
            first, last = sorted(console.bridge.fleet.devices)
            console.commands.do(c.RemoveDevice(device_id=first))
            await console.commands.answered()
            told = console.strip.shown
            assert told is not None
            assert told.text == (
                f"{first} was removed from the fleet. It is back the next time with the rest of dk; "
                "drain it instead, or remove all of that."
            )
            assert told.remedy == "Remove all of dk"
            assert fleet.own == {"dk": spec}
            console.commands.do(c.RemoveDevice(device_id=last))
            await console.commands.answered()
            told = console.strip.shown
            assert told is not None
            assert told.text == f"{last} was removed from the fleet, and dk, which has no other."
            assert fleet.own == {}
            await fleet.settled()
        async with desktop.console() as console:
            fleet = console.window_actions.controllers.fleet
            await fleet.settled()
            await at_rest(console)
            assert not console.bridge.fleet.devices, "it is not back the next time"
            console.commands.add_device(fleet.added(make_device(spec)))
            await console.commands.answered()
            first, last = sorted(console.bridge.fleet.devices)
            console.commands.do(c.RemoveDevice(device_id=first))
            await console.commands.answered()
            assert console.strip.shown is not None
            assert console.strip.shown.act is not None
            console.strip.shown.act()
            await until(lambda: not console.bridge.fleet.devices)
            await fleet.settled()
            told = console.strip.shown
            assert told is not None
            assert (told.text, told.remedy) == ("dk was removed from the fleet.", "Add it again")
            assert fleet.own == {}

    desktop.run(main)

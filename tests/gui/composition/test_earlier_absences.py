"""Absences of devices before a window was attached, or before a run was taken up: its timeline shows them, too."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.device_sight import absences
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.devices.simulated import SimulatedDevice
from starloom.journal.library import Library
from starloom.journal.records import records
from starloom.model.task import Retry
from starloom.orchestration.orchestrator import Orchestrator
from starloom_gui.app import attached
from starloom_gui.attachment import Attachment
from starloom_gui.gateway.attaching import attached_engine
from starloom_gui.viewmodel.lane_bars import NEVER

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.model.plan import Plan

ENDLESS = 3600.0


def flaky() -> SimulatedDevice:
    """A device that is soon missed, and never suspended."""
    device = SimulatedDevice("lab", slots=2, heartbeat_interval=0.05)
    device.trip_after = 0
    return device


def made() -> Plan:
    steps = [task(name, simulate=ENDLESS, retry=Retry(attempts=9)) for name in ("a", "b")]
    return replace(plan(steps), name="flapping")


def is_connected(engine: Orchestrator) -> bool:
    return engine.fleet.devices["lab"].connected


async def away_for_a_moment(engine: Orchestrator, device: SimulatedDevice) -> None:
    """The device is lost, and is back."""
    await until(lambda: is_connected(engine))
    device.lose()
    await until(lambda: not is_connected(engine))
    device.restore()
    await until(lambda: is_connected(engine))


def test_a_window_that_is_attached_later_shows_when_devices_were_away_before(desktop: Desktop) -> None:
    async def main() -> None:
        device = flaky()
        async with desktop.attached() as first:
            there = orchestrator_of(first)
            await there.fleet.add(device)
            run = await there.start(made())
            await away_for_a_moment(there, device)
            device.lose()
            await until(lambda: not is_connected(there))
            await first.engine.caught_up()  # type: ignore[attr-defined]  # it is elsewhere
            first.documents.put_run(run.id)
            await at_rest(first)
            told = absences(first, "lab")
            assert len(told) == 2
            async with (
                attached_engine(Attachment("here")) as engine,
                attached(desktop.frame("here"), engine) as console,
            ):
                console.window.show()
                await until(lambda: absences(console, "lab") == told)
                assert told[-1].end == NEVER
                device.restore()
                await until(lambda: absences(console, "lab")[-1].end < NEVER)
                await away_for_a_moment(there, device)
                await until(lambda: len(absences(console, "lab")) == 3)
                assert absences(console, "lab")[:1] == told[:1]
                console.window.asks_before_closing = False
                console.window.close()
                await console.closed()

    desktop.run(main)


async def left_behind(folder: Path) -> tuple[float, float]:
    """A run whose device was away for a moment, as a program leaves it behind; from when to when after its start."""
    device = flaky()
    with Library(folder / "alive") as library:
        engine = Orchestrator(devices=[device], journal=library)
        await engine.open()
        run = await engine.start(made(), run_id="r")
        began = run.facts.run_started_at
        assert began is not None
        await until(lambda: run.facts.running == 2)
        lost = engine.pump.scheduler.now
        await away_for_a_moment(engine, device)
        back = engine.pump.scheduler.now
        await until(lambda: run.facts.running == 2)
        shutil.copytree(folder / "alive" / "runs", folder / "journal" / "runs")
        await engine.shutdown("now")
    return lost - began, back - began


def test_a_run_that_goes_on_shows_when_devices_were_away_while_an_earlier_program_ran_it(
    desktop: Desktop, tmp_path: Path
) -> None:
    async def main() -> None:
        lost, back = await left_behind(tmp_path)
        async with desktop.console() as console:
            device = flaky()
            await orchestrator_of(console).fleet.add(device)
            (record,) = records(tmp_path / "journal")
            await console.starter.resume(record)
            await at_rest(console)
            run = orchestrator_of(console).run("r")
            began = run.facts.run_started_at
            assert began is not None
            await until(lambda: absences(console, "lab"))
            assert lost <= absences(console, "lab")[0].start - began <= absences(console, "lab")[0].end - began <= back
            known = len(absences(console, "lab"))
            await away_for_a_moment(orchestrator_of(console), device)
            await until(lambda: len(absences(console, "lab")) == known + 1)
            await until(lambda: absences(console, "lab")[-1].end < NEVER)
            await run.cancel()
            await at_rest(console)

    desktop.run(main)

"""A device that is lost and found while a run goes on: its card, the timeline and the events say so."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.driver import plan, task
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.device_sight import absences, card, told
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.devices.simulated import SimulatedDevice
from starloom.model.task import Retry
from starloom.scheduling import commands as c
from starloom_gui.panels.device_figures import standing
from starloom_gui.viewmodel.lane_bars import NEVER

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop


def test_a_device_that_flaps_shows_on_card_timeline_and_in_events(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            device = SimulatedDevice("lab", slots=2, heartbeat_interval=0.05)
            device.trip_after = 3
            await orchestrator_of(console).fleet.add(device)
            steps = [task(name, simulate=3600.0, retry=Retry(attempts=9)) for name in ("a", "b")]
            run = await orchestrator_of(console).start(replace(plan(steps), name="flapping"))
            console.documents.put_run(run.id)
            await at_rest(console)
            await until(lambda: card(console).status == "busy")
            device.lose()
            await until(lambda: card(console).status == "disconnected")
            await at_rest(console)
            assert standing(card(console)).startswith(("Last heard", "Disconnected"))
            assert [one.end for one in absences(console, "lab")] == [NEVER]
            assert any("does not answer" in text for text in told(console, "lab"))

            device.restore()
            await until(lambda: card(console).status == "busy")
            await at_rest(console)
            assert len(absences(console, "lab")) == 1
            assert absences(console, "lab")[0].end < NEVER
            assert any(text == "lab is connected" for text in told(console, "lab")[-4:])

            for _ in range(2):  # twice more without a task that ended well, and it is suspended
                device.lose()
                await until(lambda: card(console).status in {"disconnected", "suspended"})
                device.restore()
                await until(lambda: card(console).status in {"busy", "suspended"})
            await at_rest(console)
            assert standing(card(console)).startswith("Suspended · ")
            assert "suspended" in absences(console, "lab")[-1].text
            assert absences(console, "lab")[-1].end == NEVER

            console.commands.do(c.TryDeviceAgain(device_id="lab"))
            await until(lambda: card(console).status == "busy")
            await at_rest(console)
            assert absences(console, "lab")[-1].end < NEVER
            assert "lab is tried again" in told(console, "lab")
            await console.commands.answered()

    desktop.run(main)

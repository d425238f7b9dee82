"""A plan is foreseen after a run of it has ended as it was before."""

from __future__ import annotations

import pytest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import front
from tests.waiting import until

from starloom.devices.kinds import make_device
from starloom.foresight.projection import Certainty
from starloom.model.device import DeviceSpec

pytestmark = pytest.mark.usefixtures("app")


def test_the_operators_own_simulated_device_counts_in_the_next_forecast_of_its_plan(desktop: Desktop) -> None:
    steps = [task("calibrate", shell="true", device="bench", estimate=1.0), task("fit", shell="true", estimate=1.0)]
    wanted = plan(steps, ["calibrate>fit"])

    async def main() -> None:
        async with desktop.console() as console:
            for spec in (DeviceSpec(id="local"), DeviceSpec(id="bench", kind="simulated")):
                console.commands.add_device(console.window_actions.controllers.fleet.added(make_device(spec)))
            await console.commands.answered()
            document = console.documents.put_plan(wanted)
            await at_rest(console)
            outlook = front(console).outlook
            await until(lambda: outlook.now.projection is not None)
            assert outlook.now.projection is not None
            assert outlook.now.projection.certainty is Certainty.EXPECTED
            run = await console.starter.start(wanted, document, "")
            await until(lambda: run.state.has_ended)
            await at_rest(console)
            console.documents.turn_to(document.key)
            await at_rest(console)
            foresee = front(console).source.foresee
            assert foresee is not None
            assert (await foresee()).certainty is Certainty.EXPECTED

    desktop.run(main)

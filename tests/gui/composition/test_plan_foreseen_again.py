"""A plan is foreseen after a run of it has ended as it was before."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import front
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.devices.kinds import make_device
from starloom.foresight.estimates import EstimateSource
from starloom.foresight.projection import Certainty
from starloom.model.device import DeviceSpec
from starloom_gui.gateway.forecast import SAMPLES

if TYPE_CHECKING:
    from starloom_gui.composition.console import Console

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
            run = orchestrator_of(console).run(await console.starter.start(wanted, document, ""))
            await until(lambda: run.state.has_ended)
            await at_rest(console)
            console.documents.turn_to(document.key)
            await at_rest(console)
            foresee = front(console).source.foresee
            assert foresee is not None
            assert (await foresee()).certainty is Certainty.EXPECTED

    desktop.run(main)


def test_how_uncertain_an_end_is_is_sampled_no_longer_than_a_look_ahead_may_take(desktop: Desktop) -> None:
    """Hundreds of samples of hundreds of tasks take seconds, and a look ahead that is slow is made seldom."""
    wanted = plan([task(f"t{number}", gate={"message": "Go?"}, estimate=60.0) for number in range(2)])

    async def main() -> None:
        async with desktop.console() as console:
            document = console.documents.put_plan(wanted)
            await at_rest(console)
            of_plan = front(console).source.foresee
            assert of_plan is not None
            assert (await of_plan()).samples == SAMPLES
            await console.starter.start(wanted, document, "")
            await at_rest(console)
            of_run = front(console).source.foresee
            assert of_run is not None
            assert (await of_run()).samples == SAMPLES

    desktop.run(main)


@pytest.mark.parametrize("is_later", [False, True], ids=["same program", "later program"])
def test_a_plan_that_ran_before_is_foreseen_by_how_long_its_tasks_took(desktop: Desktop, *, is_later: bool) -> None:
    wanted = replace(plan([task("a", shell="true"), task("b", shell="true")], ["a>b"]), name="nightly")

    async def certainty_of(console: Console) -> tuple[Certainty, set[EstimateSource]]:
        document = console.documents.put_plan(wanted)
        console.documents.turn_to(document.key)
        await at_rest(console)
        foresee = front(console).source.foresee
        assert foresee is not None
        found = await foresee()
        return found.certainty, {one.estimate.source for one in found.tasks.values()}

    async def main() -> None:
        async with desktop.console() as console:
            console.commands.add_device(make_device(DeviceSpec(id="local")))
            await console.commands.answered()
            assert await certainty_of(console) == (Certainty.UNKNOWN, {EstimateSource.NONE})
            run = orchestrator_of(console).run(
                await console.starter.start(wanted, console.documents.put_plan(wanted), "")
            )
            await until(lambda: run.state.has_ended)
            if not is_later:
                assert await certainty_of(console) == (Certainty.EXPECTED, {EstimateSource.NAME})
        if is_later:
            async with desktop.console() as console:
                assert await certainty_of(console) == (Certainty.EXPECTED, {EstimateSource.NAME})

    desktop.run(main)


def test_no_command_is_foreseen_on_an_agent_of_the_fleet(desktop: Desktop) -> None:
    steps = [task(name, shell="true", estimate=10.0) for name in "abc"]

    async def main() -> None:
        async with desktop.console() as console:
            engine = orchestrator_of(console)
            for spec in (
                DeviceSpec(id="here", slots=1),
                DeviceSpec(id="coder", kind="acp", options={"command": ["true"]}),
            ):
                await engine.fleet.add(make_device(spec))
            await at_rest(console)
            console.documents.put_plan(plan(steps))
            await at_rest(console)
            foresee = front(console).source.foresee
            assert foresee is not None
            assert (await foresee()).end == pytest.approx(30.0)

    desktop.run(main)

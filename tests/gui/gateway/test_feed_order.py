"""A feed that comes first is told before the others: they show what follows from it."""

from __future__ import annotations

import pytest
from tests.gui.gateway.frames import View, told
from tests.virtual_time import engine, run

from starloom.devices.simulated import SimulatedDevice
from starloom.testing import independent
from starloom_gui.gateway.bridge import Bridge
from starloom_gui.gateway.changes import FLEET, Changes
from starloom_gui.gateway.local_engine import LocalEngine

pytestmark = pytest.mark.usefixtures("app")


def test_a_feed_that_comes_first_is_told_of_everything_before_the_others_are():
    async def main():
        async with engine(SimulatedDevice("d", slots=2)) as orchestrator:
            bridge = Bridge(LocalEngine(orchestrator), budget=0.0)  # one view is told in each frame
            others = [View(bridge, "r", FLEET) for _ in range(3)]
            first = bridge.feed("r", FLEET, comes_first=True)
            heard: list[Changes] = []
            too_early: list[Changes] = []
            first.changed.connect(heard.append)

            def check(changes: Changes) -> None:
                if first.is_waiting or not heard:
                    too_early.append(changes)

            for other in others:
                other.feed.changed.connect(check)
            started = await orchestrator.start(independent(30, simulate=1), run_id="r")
            await started.finished()
            await told(orchestrator, bridge)
            assert all(other.seen for other in others)
            assert too_early == []
            bridge.close()

    run(main())

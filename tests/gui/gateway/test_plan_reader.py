"""What a plan's tab reads: the plan's own times count from its start, those of the runs beside it from theirs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tests.driver import Driver, plan
from tests.gui.gateway.driven_bridge import DrivenBridge

from starloom_gui.gateway.live_reader import LiveReader


def test_tasks_of_runs_have_waited_as_long_in_the_tab_of_a_plan_as_in_their_own() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a", "b"]))
    driver.advance(420.0)
    engine: Any = SimpleNamespace(scheduler=driver.scheduler)
    bridge: Any = DrivenBridge(driver)
    bridge.now = lambda: driver.now
    of_run = LiveReader(engine, bridge, "r")
    of_plan = of_run.of_plan(lambda: None)
    assert of_plan.now() == 0.0
    ((entry,), count) = of_run.in_line(10)
    assert (entry.waited, count) == (420.0, 1)
    assert of_plan.in_line(10) == of_run.in_line(10)

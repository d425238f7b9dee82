"""How many tasks may run at once, as the window tells it beside how many do."""

from __future__ import annotations

from tests.driver import Driver, plan, task

from starloom.scheduling import commands as c
from starloom_gui.workspace.load import most_now, most_of


def test_what_still_runs_on_a_device_that_takes_no_more_does_not_fill_the_slots_of_another() -> None:
    driver = Driver(slots=1, devices=("d", "e"))
    driver.create(plan([task("a", device="d"), task("b", device="e")]))
    fleet = driver.scheduler.fleet
    driver.end("b")
    driver.do(c.DrainDevice(device_id="d"))
    assert (fleet.running, most_of(fleet), most_now(fleet)) == (1, 1, 2)
    driver.do(c.SetLimits(max_concurrency=1))
    assert most_now(fleet) == 1
    driver.do(c.SetLimits(max_concurrency=None))
    driver.end("a")
    assert (fleet.running, most_now(fleet)) == (0, 1)
    driver.do(c.DrainDevice(device_id="e"))
    assert most_now(fleet) == 0

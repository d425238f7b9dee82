"""How many slots a device had, in the summary and the report of a run that ended while some were kept for others."""

from __future__ import annotations

from tests.driver import Driver, plan

from starloom.scheduling.read.summary import RunSummary
from starloom.scheduling.stimuli import TasksUnattended


def test_slots_that_are_kept_for_tasks_of_earlier_programs_are_slots_all_the_same() -> None:
    driver = Driver(slots=2)
    driver.turn(TasksUnattended("d", 1))
    run = driver.create(plan(["a"]))
    driver.advance(1.0)
    driver.end("a")
    (device,) = RunSummary(run, driver.now).devices
    assert (device.slots, device.utilization) == (2, 0.5)

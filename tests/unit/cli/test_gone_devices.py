"""The summary of a run in whose fleet a device is no more: nobody says that it had any number of slots."""

from __future__ import annotations

from tests.driver import Driver, plan

from starloom.cli.report import summary_lines
from starloom.scheduling import commands as c
from starloom.scheduling.read.summary import RunSummary


def test_a_device_that_has_left_is_said_to_have() -> None:
    driver = Driver(slots=1)
    run = driver.create(plan(["a", "b"]))
    driver.advance(2.0)
    driver.end("a")
    driver.end("b")
    (device,) = run.fleet.devices
    driver.do(c.RemoveDevice(device_id=device))
    text = "\n".join(line for line, _ in summary_lines(RunSummary(run, driver.now), run))
    assert f"{device}  gone from the fleet, busy for 2.00s" in text
    assert "any number of slots" not in text

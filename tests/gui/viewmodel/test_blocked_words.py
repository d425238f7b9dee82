"""Why a ready task does not start, in the few words that its node and its row in the queue have room for."""

from __future__ import annotations

import pytest
from tests.driver import RUN, Driver, plan
from tests.unit.scheduling.decide.test_reservations import reserve

from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import TaskView
from starloom.scheduling.read.why import why
from starloom_gui.models.queue_table import blocked_words
from starloom_gui.viewmodel.task_words import second_line

pytestmark = pytest.mark.usefixtures("app")


def told(driver: Driver) -> tuple[str, str]:
    """What the node of a task says, and what the queue."""
    reasons = why(driver.scheduler, driver.scheduler.runs[RUN], 0)
    return second_line(TaskView(driver.run(), 0), driver.now), blocked_words(reasons[0] if reasons else None)


def test_a_task_for_a_reserved_device_waits_for_the_reservation_and_not_for_a_device_that_is_away() -> None:
    driver = Driver()
    reserve(driver, {"device_id": "d"})
    driver.create(plan(["a"]))
    assert told(driver) == ("device reserved", "the end of a reservation")


def test_a_task_for_a_drained_device_says_so() -> None:
    driver = Driver()
    driver.do(c.DrainDevice(device_id="d"))
    driver.create(plan(["a"]))
    assert told(driver) == ("device drained", "d to take tasks")

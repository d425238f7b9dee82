"""Facts of a checkpoint that no run can have come to are refused."""

from __future__ import annotations

from math import inf, nan

import pytest
from tests.driver import Driver, plan

from starloom.journal.facts_check import check_numbers
from starloom.scheduling.state.attempts import LateEnd


@pytest.mark.parametrize("time", [nan, inf])
def test_times_that_no_clock_shows_are_refused_wherever_they_stand(time: float) -> None:
    driver = Driver()
    driver.create(plan("a"))
    check_numbers(driver.run())
    for change in (
        {"late_ends": {0: (LateEnd(1, 0, time),)}},
        {"heard_at": {0: {1: time}}},
        {"ordered_at": {0: {1: time}}},
        {"idle_s": time},
        {"started_at": [time]},
    ):
        run = driver.run().copy(driver.scheduler.fleet)
        for name, value in change.items():
            setattr(run, name, value)
        with pytest.raises(ValueError, match="none that a clock shows"):
            check_numbers(run)

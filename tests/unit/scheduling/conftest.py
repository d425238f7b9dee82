"""What several tests of the scheduler start from."""

from __future__ import annotations

import pytest
from tests.driver import Driver, plan, task


@pytest.fixture
def driver() -> Driver:
    """`a` runs on the only slot; `b` and, behind it, `c` wait; `x` is ready; `y` waits for `x`."""
    driver = Driver(slots=1)
    driver.create(plan([task("a", priority=90), "b", "c", "x", "y"], ["a>b", "b>c", "x>y"]))
    assert driver.statuses() == {
        "a": "running",
        "b": "waiting_dependency",
        "c": "waiting_dependency",
        "x": "pending",
        "y": "waiting_dependency",
    }
    return driver

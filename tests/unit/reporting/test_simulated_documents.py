"""Documents about tasks that a simulated device took: who reads them does not take these for tasks that have run."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from tests.driver import RUN, Driver, plan, task

from starloom.reporting import junit
from starloom.reporting.folding import build

if TYPE_CHECKING:
    from starloom.reporting.report import Report


@pytest.fixture
def driver() -> Driver:
    """A run whose two tasks have completed on the simulated device `d1`; that is meant of `wait` only."""
    made = Driver(devices=())
    made.add_device("d1", kind="simulated")
    made.create(plan([task("build", shell="make"), task("wait", simulate="3s")]))
    made.end_all()
    return made


def reported(driver: Driver) -> Report:
    return build(RUN, [event for event in driver.journal() if event.run_id == RUN])


def test_junit_takes_a_task_that_was_only_simulated_for_skipped(driver: Driver) -> None:
    (suite,) = ElementTree.fromstring(junit.write(reported(driver)))
    assert [suite.get(name) for name in ("tests", "failures", "errors", "skipped")] == ["2", "0", "0", "1"]
    cases = {one.get("name"): one for one in suite.findall("testcase")}
    (skipped,) = cases["build"]
    assert (skipped.tag, skipped.get("message")) == ("skipped", "only simulated on d1: it has not run")
    assert not len(cases["wait"]), "it is meant to be"

"""Documents about tasks that a simulated device took: who reads them does not take these for tasks that have run."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from tests.driver import RUN, Driver, plan, task

from starloom.reporting import junit
from starloom.reporting.csv import write_attempts
from starloom.reporting.folding import build
from starloom.scheduling import commands as c

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


def simulated_attempts(driver: Driver) -> list[tuple[str, str, str]]:
    """Of each attempt its task, its device and whether it was simulated, as the table says."""
    text = io.StringIO(newline="")
    write_attempts(reported(driver), text)
    rows = csv.DictReader(io.StringIO(text.getvalue(), newline=""))
    assert rows.fieldnames is not None
    assert rows.fieldnames[-1] == "simulated"
    return [(row["task"], row["device"], row["simulated"]) for row in rows]


def test_the_table_of_attempts_says_which_were_only_simulated(driver: Driver) -> None:
    assert simulated_attempts(driver) == [("build", "d1", "yes"), ("wait", "d1", "no")]


def test_an_attempt_was_simulated_also_if_its_device_has_left_and_a_later_one_ran(driver: Driver) -> None:
    driver.add_device("real")
    driver.advance(1.0)
    driver.do(c.RemoveDevice(device_id="d1"))
    driver.do(c.RerunFrom(run_id=RUN, task_id="build"))
    driver.end_all()
    assert simulated_attempts(driver) == [("build", "d1", "yes"), ("wait", "d1", "no"), ("build", "real", "no")]

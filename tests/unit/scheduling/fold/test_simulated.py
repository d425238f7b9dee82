"""Tests of the fact that a task counts as done though a simulated device took it: of none that is meant to be so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import RUN, Driver, plan, task

from starloom.cli.report import summary_lines
from starloom.model.status import TaskStatus
from starloom.reporting.csv import TASKS
from starloom.reporting.folding import build
from starloom.reporting.report_presenter import ReportPresenter
from starloom.reporting.task_table import rows
from starloom.scheduling import commands as c
from starloom.scheduling.read.simulated import simulations, was_simulated
from starloom.scheduling.read.summary import RunSummary

if TYPE_CHECKING:
    from starloom.model.task import Task


def simulating(*tasks: Task | str) -> Driver:
    """A run of these tasks on the simulated device `d1`, all of whose attempts that could start have completed."""
    driver = Driver(devices=())
    driver.add_device("d1", kind="simulated")
    driver.create(plan(tasks))
    driver.end_all()
    return driver


def test_a_task_with_something_to_run_that_a_simulated_device_took_is_only_simulated() -> None:
    driver = simulating(task("build", shell="make"), task("wait", simulate="3s"))
    run = driver.run()
    assert [was_simulated(run, number) for number in range(2)] == [True, False]
    assert simulations(run) == 1
    (reason,) = driver.why("build")
    assert reason.text == "It completed: it was only simulated on d1 and has not run."


def test_a_plan_that_only_simulates_is_not_told_so() -> None:
    run = simulating(task("a", simulate="1s"), task("b", simulate="2s")).run()
    assert simulations(run) == 0
    assert "simulated" not in build(RUN, simulating(task("a", simulate="1s")).journal()[1:]).verdict


def test_a_task_that_ran_in_earnest_after_that_has_run() -> None:
    driver = simulating(task("build", shell="make"), "other")
    driver.add_device("real")
    driver.do(c.DrainDevice(device_id="d1"))
    driver.do(c.RerunFrom(run_id=RUN, task_id="build"))
    assert simulations(driver.run()) == 1, "it runs, and does not count as done"
    driver.end_all()
    assert not was_simulated(driver.run(), 0)


def test_a_task_that_a_person_marks_as_done_is_what_they_say() -> None:
    driver = Driver(devices=())
    driver.add_device("d1", kind="simulated")
    driver.create(plan([task("build", shell="make")]))
    driver.fail("build")
    driver.ask(c.MarkTasks, "build", status=TaskStatus.COMPLETED)
    assert not was_simulated(driver.run(), 0)


def test_a_device_that_has_left_the_fleet_is_still_known_to_have_simulated() -> None:
    driver = simulating(task("build", shell="make"))
    driver.do(c.RemoveDevice(device_id="d1"))
    assert was_simulated(driver.run(), 0)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["a"], "The only task is done. 1 task was only simulated and has not run. "),
        (["a", "b"], "All 2 tasks are done. 2 tasks were only simulated and have not run. "),
    ],
)
def test_the_report_says_how_many_tasks_were_only_simulated(names: list[str], said: str) -> None:
    driver = simulating(*(task(name, shell="make") for name in names))
    report = build(RUN, [event for event in driver.journal() if event.run_id == RUN])
    assert report.verdict.startswith(said)
    assert [one.simulated for one in report.tasks] == [True] * len(names)
    assert {row[1] for row in rows(ReportPresenter(report), 60)} == {"done, only simulated"}
    assert "simulated" in TASKS
    run = driver.run()
    lines = [text.strip() for text, _ in summary_lines(RunSummary(run, driver.now), run)]
    assert said.split(". ")[1] + "." in lines

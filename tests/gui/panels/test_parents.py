"""What the inspector says of the parents of a task, beside their marks."""

from __future__ import annotations

import pytest
from tests.driver import RUN, Driver, edge, plan, task

from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import TaskView
from starloom_gui.panels.task_facts import parents_of


@pytest.mark.usefixtures("app")
def test_a_parent_that_is_held_is_not_called_ready() -> None:
    driver = Driver(slots=1)
    driver.create(plan([task("long"), task("build"), task("deploy")], ["build>deploy"]))
    deploy = TaskView(driver.run(), 2)
    assert [parent.value for parent in parents_of(deploy)[0]] == ["Ready"]
    driver.ask(c.HoldTasks, "build")
    assert [parent.value for parent in parents_of(deploy)[0]] == ["Held"]
    driver.ask(c.ReleaseTasks, "build")
    assert [parent.value for parent in parents_of(deploy)[0]] == ["Ready"]


@pytest.mark.usefixtures("app")
def test_a_result_that_came_after_the_task_had_started_is_said_to_be_too_late() -> None:
    driver = Driver(slots=1)
    driver.create(plan([task("sweep"), task("collect")], [edge("sweep", "collect", "always")]))
    driver.advance(1)
    driver.fail("sweep")
    driver.advance(1)
    driver.end("collect")
    collect = TaskView(driver.run(), 1)
    assert parents_of(collect)[0][0].value != "too late"
    driver.ask(c.RetryTasks, "sweep")
    driver.advance(1)
    driver.end("sweep")
    assert parents_of(TaskView(driver.run(), 1))[0][0].value == "too late"
    driver.do(c.RerunFrom(run_id=RUN, task_id="collect"))
    driver.advance(1)
    driver.end("collect")
    assert parents_of(TaskView(driver.run(), 1))[0][0].value != "too late"

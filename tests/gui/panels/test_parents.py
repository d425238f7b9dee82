"""What the inspector says of the parents of a task, beside their marks."""

from __future__ import annotations

import pytest
from tests.driver import Driver, plan, task

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

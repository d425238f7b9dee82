"""What is said of tasks that a goal leaves out."""

from __future__ import annotations

from tests.driver import Driver, plan, task

from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import TaskView
from starloom_gui.viewmodel.task_words import second_line, short_line


def test_a_gate_that_a_goal_leaves_out_lacks_no_device() -> None:
    driver = Driver(devices=())
    driver.add_device("build-1", slots=4, actions=frozenset({"shell"}))
    driver.create(plan([task("ship", gate={"message": "Go?"}), "a"]), start=False)
    driver.ask(c.RunUntil, "a")
    driver.ask(c.StartRun)
    gate = TaskView(driver.run(), 0)
    assert second_line(gate, driver.now) == short_line(gate, driver.now) == "beyond the goal"

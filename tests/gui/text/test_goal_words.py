"""What is said of runs that have a goal, and of tasks that it leaves out."""

from __future__ import annotations

import pytest
from tests.driver import Driver, plan, task

from starloom.model.status import RunState
from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import TaskView
from starloom_gui.viewmodel.figures import Figures, state_words
from starloom_gui.viewmodel.task_words import second_line, short_line


def test_a_gate_that_a_goal_leaves_out_lacks_no_device() -> None:
    driver = Driver(devices=())
    driver.add_device("build-1", slots=4, actions=frozenset({"shell"}))
    driver.create(plan([task("ship", gate={"message": "Go?"}), "a"]), start=False)
    driver.ask(c.RunUntil, "a")
    driver.ask(c.StartRun)
    gate = TaskView(driver.run(), 0)
    assert second_line(gate, driver.now) == short_line(gate, driver.now) == "beyond the goal"


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (RunState.READY, "Not started; will run until c"),
        (RunState.PAUSED, "Paused; will run until c"),
        (RunState.EXECUTING, "Executing until c"),
        (RunState.COMPLETED, "Done until c"),
    ],
)
def test_a_run_that_stands_still_is_not_said_to_do_so_until_its_goal(state: RunState, words: str) -> None:
    assert state_words(Figures(state=state, counts=(0,) * 9, until="c")) == words

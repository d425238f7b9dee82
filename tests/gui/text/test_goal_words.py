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


def test_once_a_goal_is_reached_what_is_ready_lies_beyond_it() -> None:
    driver = Driver(slots=1)
    driver.create(plan([task("goal"), task("other")]))
    driver.ask(c.RunUntil, "goal")
    other = TaskView(driver.run(), 1)
    driver.advance(7)
    assert (second_line(other, driver.now), short_line(other, driver.now)) == ("ready · 0:07", "0:07")
    driver.end("goal")
    assert second_line(other, driver.now) == short_line(other, driver.now) == "beyond the goal"

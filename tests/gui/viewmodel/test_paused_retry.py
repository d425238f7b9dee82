"""A task that is to be retried while its run is paused: it is due then, and does not start."""

from __future__ import annotations

from tests.driver import RUN, Driver, plan, task

from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import TaskView
from starloom_gui.viewmodel.task_words import second_line, short_line


def test_a_paused_run_retries_nothing() -> None:
    driver = Driver()
    run = driver.create(plan([task("a", retry={"attempts": 2, "delay": 20})]))
    driver.fail("a")
    driver.advance(8)
    view = TaskView(run, run.graph.place["a"])
    assert (second_line(view, driver.now), short_line(view, driver.now)) == ("retry in 12 s", "in 12 s")
    driver.do(c.PauseRun(run_id=RUN))
    assert (second_line(view, driver.now), short_line(view, driver.now)) == ("paused · retry due in 12 s", "paused")

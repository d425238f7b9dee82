"""When a task ends, in words: no time is told of what does not start because its run is paused."""

from __future__ import annotations

from tests.driver import Driver, plan, task

from starloom.foresight.projection import project
from starloom.scheduling import commands as c
from starloom.scheduling.fork import Fork
from starloom.scheduling.read.run_view import TaskView
from starloom_gui.panels.forecast_words import ends_words
from starloom_gui.panels.task_facts import Times, times_of


def test_of_a_paused_run_only_what_runs_has_an_end() -> None:
    driver = Driver(slots=1, devices=("d",))
    driver.create(plan([task("runs", estimate=30.0), task("waits", estimate=5.0)]))

    def words(name: str) -> str:
        run = driver.run()
        projection = project(Fork.of(driver.scheduler), run.run_id)
        return ends_words(TaskView(run, run.graph.place[name]), projection, driver.now)

    assert [words("runs"), words("waits")] == ["ends in about 30 s", "ends in about 35 s"]
    driver.ask(c.PauseRun)
    assert [words("runs"), words("waits")] == ["ends in about 30 s", "paused"]
    driver.ask(c.ResumeRun)
    assert words("waits") == "ends in about 35 s"


def test_of_a_run_that_is_not_started_times_count_from_its_start_whenever_that_is() -> None:
    driver = Driver(slots=1, devices=("d",))
    driver.create(plan([task("first", estimate=30.0), task("then", estimate=5.0)], ["first>then"]), start=False)
    driver.advance(600.0)
    projection = project(Fork.of(driver.scheduler, driver.now), driver.run().run_id)
    first, then = (TaskView(driver.run(), number) for number in range(2))
    assert ends_words(first, projection, driver.now) == ""
    assert times_of(then, projection) == Times("about 0:30 after the start", "about 0:35 after the start", "0:00")
    driver.ask(c.StartRun)
    projection = project(Fork.of(driver.scheduler, driver.now), driver.run().run_id)
    assert ends_words(first, projection, driver.now) == "ends in about 30 s"


def test_what_waits_behind_a_task_without_an_estimate_is_not_said_to_take_longer() -> None:
    driver = Driver(slots=1, devices=("d",))
    driver.create(plan([task("first"), task("then", estimate=5.0)], ["first>then"]))
    driver.advance(600.0)
    run = driver.run()
    projection = project(Fork.of(driver.scheduler, driver.now), run.run_id)
    assert projection.tasks["then"].is_lower_bound
    assert ends_words(TaskView(run, run.graph.place["then"]), projection, driver.now) == ""

"""Elapsed in the header and at the time slider is one count, and what it counts of the axis' times of day is told."""

from __future__ import annotations

from tests.driver import RUN, Driver, plan

from starloom.scheduling import commands as c
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.read.summary import elapsed
from starloom.scheduling.state.folded_run import FoldedRun
from starloom_gui.text.words import moment, took
from starloom_gui.time_travel.elapsed_time import ElapsedTime
from starloom_gui.viewmodel.figures import figures_of


def reopened() -> Driver:
    """Created, started 2 s later, paused for 12 s, ended after 24 s and reopened after 30 s more."""
    driver = Driver(slots=1)
    driver.create(plan(["a", "b"], ["a>b"]), start=False)
    driver.advance(2)
    driver.ask(c.StartRun)
    driver.advance(5)
    driver.ask(c.PauseRun)
    driver.advance(12)
    driver.ask(c.ResumeRun)
    driver.end("a")
    driver.advance(5)
    driver.fail("b")
    driver.advance(30)
    driver.ask(c.RetryTasks, "b")
    driver.advance(4)
    return driver


def test_at_each_event_the_slider_counts_what_the_header_counts() -> None:
    driver = reopened()
    counted = ElapsedTime()
    for event in driver.events:
        if event.run_id == RUN:
            counted.take(event, event.at)
    folded = FoldedRun(RUN)
    seen = set()
    for event in driver.events:
        if event.run_id != RUN:
            continue
        fold(folded, [event])
        assert counted.at(event.at) == (elapsed(folded.run, event.at) or 0.0)
        seen.add(round(counted.at(event.at)))
    assert {0, 5, 17, 22} <= seen
    assert round(counted.at(driver.now)) == round(elapsed(driver.run(), driver.now) or 0.0) == 26


def test_the_header_says_what_of_the_day_it_counts() -> None:
    driver = reopened()
    run = RunView(driver.run())
    started = moment(run.wall(driver.run().run_started_at or 0.0))
    said = figures_of(run, driver.now, 0.0).counted
    assert said == (
        f"Since the start at {started}, with {took(12)} of pauses, without {took(30)} between its end and its reopening"
    )
    fresh = Driver(slots=1)
    fresh.create(plan(["a"]), start=False)
    assert figures_of(RunView(fresh.run()), fresh.now, 0.0).counted == ""
    fresh.ask(c.StartRun)
    fresh.ask(c.PauseRun)
    fresh.advance(3)
    assert figures_of(RunView(fresh.run()), fresh.now, 0.0).counted.endswith(f"with {took(3)} of pauses")

"""The critical path where the end of an attempt was heard of late: what followed waited for that."""

from __future__ import annotations

import pytest
from tests.driver import RUN, Driver, plan
from tests.unit.scheduling.decide.test_late_ends import heard_late

from starloom import events as ev
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.read.critical_path import CriticalPath, critical_path
from starloom.scheduling.read.waiting_causes import WaitedFor
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.scheduling.state.late_facts import heard_at
from starloom.scheduling.stimuli import AttemptWorkEndNoticed


def after_an_outage() -> Driver:
    """`far` ended at 12 and was heard of at 47, `near` ended at 20; `join` ran from 47 to 50."""
    driver = Driver()
    driver.create(plan(["far", "near", "join"], ["far>join", "near>join"]))
    driver.advance(20.0)
    driver.end("near")
    driver.advance(27.0)
    heard_late(driver, "far", 35.0)
    driver.advance(3.0)
    driver.end("join")
    return driver


def path(driver: Driver) -> CriticalPath:
    return critical_path(driver.run(), driver.now)


def test_what_was_heard_of_last_is_on_the_path_and_not_what_ended_last() -> None:
    driver = after_an_outage()
    far, join = path(driver).steps
    assert (driver.run().graph.ids[far.number], far.ended, far.seconds) == ("far", 12.0, 12.0)
    assert (join.waited_for, join.gap) == (WaitedFor.HEARD_LATE, 35.0)
    assert path(driver).waited == 35.0


@pytest.mark.parametrize("told", [("short", "long"), ("long", "short")])
def test_of_what_was_heard_of_at_once_that_which_ended_last_is_on_the_path(told: tuple[str, str]) -> None:
    driver = Driver()
    driver.create(plan(["short", "long", "join"], ["short>join", "long>join"]))
    driver.advance(30.0)
    for place, name in enumerate(told):
        driver.advance(0.01 * place)
        heard_late(driver, name, driver.now - {"short": 8.0, "long": 12.0}[name])
    driver.advance(3.0)
    driver.end("join")
    first, join = path(driver).steps
    assert (driver.run().graph.ids[first.number], first.ended) == ("long", 12.0)
    assert join.waited_for is WaitedFor.HEARD_LATE


@pytest.mark.parametrize("told", [("short", "long"), ("long", "short")])
def test_of_those_one_may_have_ended_at_that_very_moment(told: tuple[str, str]) -> None:
    """After a kill the clock goes on where the last of the attempts has ended, which is not heard of late then."""
    driver = Driver()
    driver.create(plan(["long", "short", "join"], ["short>join", "long>join"]))
    driver.advance(30.0)
    for name in told:
        if name == "long":
            driver.end("long")
        else:
            heard_late(driver, "short", 12.0)
    driver.advance(3.0)
    driver.end("join")
    first, join = path(driver).steps
    assert (driver.run().graph.ids[first.number], first.ended) == ("long", 30.0)
    assert (join.waited_for, path(driver).waited) == (WaitedFor.DEPENDENCY, 0.0)


def test_a_run_ended_when_its_last_end_was_heard_of() -> None:
    driver = Driver()
    driver.create(plan(["far", "near"]))
    driver.advance(20.0)
    driver.end("near")
    driver.advance(10.0)
    heard_late(driver, "far", 25.0)
    (step,) = path(driver).steps
    assert driver.run().graph.ids[step.number] == "far"


def test_what_got_the_slot_when_an_end_was_heard_of_follows_that() -> None:
    driver = Driver(slots=1, devices=("d",))
    driver.create(plan(["one", "two"]))
    driver.advance(30.0)
    heard_late(driver, "one", 20.0)
    driver.advance(5.0)
    driver.end("two")
    one, two = path(driver).steps
    assert (one.ended, two.started, two.waited_for, two.gap) == (10.0, 30.0, WaitedFor.SLOT, 20.0)


def test_what_got_the_slot_when_the_work_had_ended_and_before_the_end_was_heard_of_follows_that() -> None:
    driver = Driver(slots=1, devices=("d",))
    driver.create(plan(["one", "two"]))
    driver.advance(30.0)
    driver.turn(AttemptWorkEndNoticed(RUN, "one", driver.ordered[RUN, "one"].attempt))
    driver.advance(1.0)
    heard_late(driver, "one", 21.0)
    driver.advance(5.0)
    driver.end("two")
    one, two = path(driver).steps
    assert (one.ended, two.started, two.waited_for, two.gap) == (10.0, 30.0, WaitedFor.SLOT, 20.0)


def test_when_it_was_heard_of_stands_in_the_facts_by_another_programs_clock_too() -> None:
    driver = after_an_outage()
    assert heard_at(driver.run(), 0, 1, 12.0) == 47.0
    assert heard_at(driver.run(), 1, 1, 20.0) == 20.0
    view = fold(FoldedRun(RUN), [event for event in driver.events if event.run_id == RUN][:-1])
    fold(view, [ev.RunRecovered(view.run.seq + 1, 150.0, RUN, wall_time=1e9, shift=100.0)])
    assert heard_at(view.run, 0, 1, 112.0) == 147.0

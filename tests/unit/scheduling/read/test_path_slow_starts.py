"""The critical path where attempts began some time after they were ordered, as on a device that is far away."""

from __future__ import annotations

import pytest
from tests.driver import RUN, Driver, plan
from tests.unit.scheduling.decide.test_late_ends import heard_late

from starloom import events as ev
from starloom.scheduling import commands as c
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.read.critical_path import critical_path
from starloom.scheduling.read.waiting_causes import WaitedFor
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.scheduling.stimuli import AttemptWorkNoticed


def steps(driver: Driver) -> list[tuple[str, WaitedFor]]:
    run = driver.run()
    return [(run.graph.ids[step.number], step.waited_for) for step in critical_path(run, driver.now).steps]


def far_away(driver: Driver, name: str, seconds: float) -> None:
    """Let an attempt run so many seconds, half a second of which are the way there, and 0.3 s that of the news."""
    driver.advance(seconds)
    heard_late(driver, name, 0.3, measured=seconds - 0.8)


def test_what_began_after_the_slot_was_free_follows_who_held_the_slot() -> None:
    driver = Driver(slots=1, devices=("d",))
    driver.create(plan(["one", "two", "three"]))
    for name in ("one", "two", "three"):
        far_away(driver, name, 5.0)
    assert steps(driver) == [
        ("one", WaitedFor.NOTHING),
        ("two", WaitedFor.SLOT),
        ("three", WaitedFor.SLOT),
    ]


def test_what_began_some_time_after_its_parent_had_ended_waited_for_the_parent_alone() -> None:
    driver = Driver(slots=1, devices=("d",))
    driver.create(plan(["one", "two"], ["one>two"]))
    for name in ("one", "two"):
        far_away(driver, name, 5.0)
    assert steps(driver) == [("one", WaitedFor.NOTHING), ("two", WaitedFor.DEPENDENCY)]


def test_what_is_told_of_a_begin_while_it_runs_counts_too() -> None:
    driver = Driver(slots=1, devices=("d",))
    driver.create(plan(["one", "two"]))
    driver.advance(5.0)
    driver.end("one")
    driver.advance(8.0)
    attempt = driver.ordered[RUN, "two"].attempt
    driver.turn(AttemptWorkNoticed(RUN, "two", attempt, has_begun=True, is_seen=True, began_ago=1.0))
    assert driver.run().started_at[1] == driver.now - 1.0, "it has waited for its start"
    driver.advance(2.0)
    driver.end("two")
    assert steps(driver) == [("one", WaitedFor.NOTHING), ("two", WaitedFor.SLOT)]


def test_an_attempt_before_the_last_one_counts_as_well() -> None:
    driver = Driver(slots=1, devices=("d",))
    driver.create(plan(["one", "two"]))
    far_away(driver, "one", 5.0)
    far_away(driver, "two", 5.0)
    driver.do(c.RerunFrom(run_id=RUN, task_id="two"))
    far_away(driver, "two", 5.0)
    first, second = driver.attempts("two")
    assert first.started == pytest.approx(5.5)
    assert steps(driver)[:2] == [("one", WaitedFor.NOTHING), ("two", WaitedFor.SLOT)]
    assert second.started > first.started


def test_when_they_were_ordered_stands_in_the_facts_by_another_programs_clock_too() -> None:
    driver = Driver(slots=1, devices=("d",))
    driver.create(plan(["one", "two"]))
    far_away(driver, "one", 5.0)
    far_away(driver, "two", 5.0)
    view = fold(FoldedRun(RUN), [event for event in driver.events if event.run_id == RUN])
    fold(view, [ev.RunRecovered(view.run.seq + 1, 150.0, RUN, wall_time=1e9, shift=100.0)])
    assert view.run.ordered_at == {0: {1: 100.0}, 1: {1: 105.0}}

"""Attempts whose work waits for the way to its device count as started when it begins; the timeout runs from there."""

from __future__ import annotations

import pytest
from tests.driver import RUN, Driver, plan, task

from starloom import events as ev
from starloom.scheduling.stimuli import AttemptWorkNoticed


def driver_of(**fields: float) -> Driver:
    """A driver with one running task."""
    driver = Driver()
    driver.create(plan([task("a", **fields)]))
    return driver


def waits(driver: Driver, attempt: int = 1) -> None:
    driver.turn(AttemptWorkNoticed(RUN, "a", attempt, has_begun=False))


def begins(driver: Driver, attempt: int = 1) -> None:
    driver.turn(AttemptWorkNoticed(RUN, "a", attempt, has_begun=True))


def test_the_timeout_does_not_run_while_the_work_waits() -> None:
    driver = driver_of(timeout=60)
    waits(driver)
    driver.advance(3600)
    assert not driver.stops
    begins(driver)
    driver.advance(59)
    assert not driver.stops
    driver.advance(2)
    assert [(stop.task_id, stop.cause) for stop in driver.stops] == [("a", "timeout")]


def test_it_counts_as_started_when_its_work_begins() -> None:
    driver = driver_of()
    start = driver.now
    waits(driver)
    driver.advance(100)
    begins(driver)
    driver.advance(5)
    driver.end("a")
    (attempt,) = driver.attempts("a")
    assert (attempt.started - start, attempt.ended) == (100, start + 105)
    assert [event.at - start for event in driver.of(ev.AttemptBegan)] == [100]


def test_what_nobody_saw_begin_counts_as_started_when_it_was_dispatched() -> None:
    driver = driver_of(timeout=60)
    start = driver.now
    waits(driver)
    driver.advance(50)
    driver.turn(AttemptWorkNoticed(RUN, "a", 1, has_begun=True, is_seen=False))
    assert driver.run().started_at == [start]
    driver.advance(11)
    assert [(stop.task_id, stop.cause) for stop in driver.stops] == [("a", "timeout")]


def test_of_a_wait_that_nobody_notices_nothing_is_said() -> None:
    driver = driver_of()
    waits(driver)
    driver.advance(0.1)
    begins(driver)
    assert not driver.of(ev.AttemptBegan)


def test_a_timeout_that_is_short_counts_from_the_work_too() -> None:
    driver = driver_of(timeout=0.5)
    waits(driver)
    driver.advance(0.4)
    begins(driver)
    driver.advance(0.4)
    assert not driver.stops
    driver.advance(0.2)
    assert len(driver.stops) == 1


def test_the_next_attempt_has_a_timeout_of_its_own() -> None:
    driver = driver_of(timeout=60, retry=1)
    waits(driver)
    driver.fail("a")
    driver.advance(3600)  # the pause before it
    assert driver.run().tries[0] == 2
    begun = driver.run().started_at[0]
    begins(driver)  # of the attempt before: nobody listens
    assert driver.run().started_at[0] == begun
    driver.advance(61)
    assert [stop.attempt for stop in driver.stops] == [2]


@pytest.mark.parametrize("has_begun", [False, True])
def test_of_what_has_ended_nobody_hears(has_begun: bool) -> None:
    driver = driver_of(timeout=60)
    driver.end("a")
    driver.turn(AttemptWorkNoticed(RUN, "a", 1, has_begun))
    driver.turn(AttemptWorkNoticed(RUN, "absent", 1, has_begun))
    driver.turn(AttemptWorkNoticed("absent", "a", 1, has_begun))
    assert not driver.of(ev.AttemptBegan)


def test_a_scheduler_that_is_made_anew_counts_from_the_work() -> None:
    driver = driver_of(timeout=60)
    waits(driver)
    driver.advance(100)
    begins(driver)
    driver.restart()
    driver.advance(59)
    assert not driver.stops
    driver.advance(2)
    assert len(driver.stops) == 1

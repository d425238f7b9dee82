"""Attempts whose work waits for the way to its device count as started when it begins; the timeout runs from there."""

from __future__ import annotations

import pytest
from tests.driver import RUN, Driver, plan, task

from starloom import events as ev
from starloom.model.result import Outcome, OutcomeStatus
from starloom.scheduling import commands as c
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.fold.stream_check import checked_fold
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.scheduling.stimuli import AttemptEnded, AttemptWorkEndNoticed, AttemptWorkNoticed


def driver_of(**fields: float) -> Driver:
    """A driver with one running task."""
    driver = Driver()
    driver.create(plan([task("a", **fields)]))
    return driver


def waits(driver: Driver, attempt: int = 1) -> None:
    driver.turn(AttemptWorkNoticed(RUN, "a", attempt, has_begun=False))


def begins(driver: Driver, attempt: int = 1, ago: float = 0.0) -> None:
    driver.turn(AttemptWorkNoticed(RUN, "a", attempt, has_begun=True, began_ago=ago))


def took(driver: Driver) -> float:
    (attempt,) = driver.attempts("a")
    assert attempt.ended is not None
    return attempt.ended - attempt.started


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


# ---- news that travel


def test_work_counts_as_started_when_it_began_not_when_that_was_heard() -> None:
    driver = driver_of(timeout=60)
    start = driver.now
    waits(driver)
    driver.advance(100)
    begins(driver, ago=10.0)
    assert driver.run().started_at == [start + 90]
    driver.advance(49)
    assert not driver.stops
    driver.advance(2)
    assert [stop.cause for stop in driver.stops] == ["timeout"]


def test_work_never_began_before_its_attempt_started() -> None:
    driver = driver_of(timeout=60)
    start = driver.now
    waits(driver)
    driver.advance(5)
    begins(driver, ago=3600.0)
    assert driver.run().started_at == [start]


@pytest.mark.parametrize("status", [OutcomeStatus.COMPLETED, OutcomeStatus.FAILED])
@pytest.mark.parametrize("ago", [0.0, 2.0, 4.5])
def test_what_ran_so_long_where_it_ran_never_took_less(status: OutcomeStatus, ago: float | None) -> None:
    driver = driver_of()
    waits(driver)
    driver.advance(100)
    begins(driver)
    driver.advance(4)
    start = driver.ordered.pop((RUN, "a"))
    driver.turn(AttemptEnded(RUN, "a", start.attempt, Outcome(status, ended_ago=ago, took=5.0)))
    assert took(driver) == 5.0
    stream = [event for event in driver.events if event.run_id == RUN]
    assert checked_fold(FoldedRun(RUN), stream).run.started_at == fold(FoldedRun(RUN), stream).run.started_at


def test_while_what_it_has_left_is_brought_it_took_no_less_either() -> None:
    driver = driver_of(timeout=60)
    waits(driver)
    driver.advance(100)
    begins(driver)
    driver.advance(4)
    driver.turn(AttemptWorkEndNoticed(RUN, "a", 1, took=5.0))
    run = driver.run()
    assert run.ended_at[0] - run.started_at[0] == 5.0
    driver.advance(3600)
    driver.turn(AttemptEnded(RUN, "a", driver.ordered.pop((RUN, "a")).attempt, Outcome(ended_ago=3600.0, took=5.0)))
    assert not driver.stops
    assert took(driver) == 5.0


def test_work_whose_end_is_heard_late_began_when_it_began_and_took_as_long_as_it_did() -> None:
    driver = driver_of()
    start = driver.now
    waits(driver)
    driver.advance(100)
    begins(driver)
    driver.advance(6)
    driver.turn(AttemptEnded(RUN, "a", driver.ordered.pop((RUN, "a")).attempt, Outcome(took=5.0)))
    (attempt,) = driver.attempts("a")
    assert (attempt.started - start, attempt.ended) == (100, start + 105)
    assert len(driver.of(ev.AttemptBegan)) == 1


# ---- overdue


def overdue(driver: Driver) -> list[float]:
    return [event.at for event in driver.of(ev.TaskOverdue)]


def test_what_waits_for_the_way_to_its_device_is_not_overdue() -> None:
    driver = driver_of(estimate=0.5)
    waits(driver)
    driver.advance(3600)
    assert overdue(driver) == []
    assert driver.scheduler.announced is None, "nobody looks while it waits"
    begins(driver)
    driver.advance(1.4)
    assert overdue(driver) == []
    driver.advance(0.2)
    assert len(overdue(driver)) == 1


@pytest.mark.parametrize("wait", [0.05, 0.9, 1.4])
def test_it_is_overdue_once_its_work_has_run_so_long_however_short_the_wait_was(wait: float) -> None:
    driver = driver_of(estimate=0.5)
    waits(driver)
    driver.advance(wait + 0.1)
    begins(driver, ago=0.1)
    driver.advance(1.39)
    assert overdue(driver) == []
    driver.advance(0.02)
    assert len(overdue(driver)) == 1


def test_what_is_expected_by_what_others_took_counts_from_the_work_too() -> None:
    driver = Driver()
    driver.create(plan([task("a", name="x"), task("b", name="x")], ["b>a"]))
    driver.advance(10)
    driver.end("b")
    waits(driver)
    driver.advance(0.9)
    begins(driver)
    driver.advance(29.5)
    assert overdue(driver) == []
    driver.advance(1)
    assert len(overdue(driver)) == 1


def test_a_factor_that_is_set_while_work_waits_does_not_make_it_overdue() -> None:
    driver = driver_of(estimate=0.5)
    waits(driver)
    driver.do(c.SetLimits(overdue_factor=2.0))
    driver.advance(0.9)
    begins(driver)
    driver.do(c.SetLimits(overdue_factor=4.0))
    driver.advance(1.9)
    assert overdue(driver) == []
    driver.advance(0.2)
    assert len(overdue(driver)) == 1


def test_a_scheduler_that_is_made_anew_counts_what_is_overdue_from_the_work_too() -> None:
    driver = driver_of(estimate=0.5)
    waits(driver)
    driver.advance(0.9)
    begins(driver)
    driver.restart()
    driver.advance(1.4)
    assert overdue(driver) == []
    driver.advance(0.2)
    assert len(overdue(driver)) == 1

"""What is found out of attempts late: how long they really took, and how those ended that had been given up."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.driver import RUN, Driver, outcome, plan, task

from starloom import events as ev
from starloom.foresight.estimates import Estimates, EstimateSource
from starloom.model.result import ErrorCode, ErrorInfo, Outcome, OutcomeStatus, Result
from starloom.scheduling import commands as c
from starloom.scheduling.decide import overdue
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.fold.stream_check import checked_fold
from starloom.scheduling.read.summary import elapsed
from starloom.scheduling.state.attempts import LateEnd
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.scheduling.state.late_facts import is_timed, may_still_run
from starloom.scheduling.stimuli import AttemptEnded, LateEndNoticed


def heard_late(driver: Driver, name: str, ago: float | None, *, ok: bool = True, measured: float | None = None) -> None:
    """The running attempt ended so many seconds ago and took so many; None: nobody knows."""
    start = driver.ordered.pop((RUN, name))
    driver.turn(AttemptEnded(RUN, name, start.attempt, replace(outcome(ok=ok), ended_ago=ago, took=measured)))


def took(driver: Driver, name: str, attempt: int = 1) -> float:
    one = driver.attempts(name)[attempt - 1]
    assert one.ended is not None
    return one.ended - one.started


def again(driver: Driver) -> EstimateSource:
    """Where an estimate for a like task comes from."""
    return Estimates([driver.run()], driver.now).of(task("a"), driver.run()).source


def taken_up(before: Driver, away: float, ago: float | None, alive: tuple[str, ...] = ()) -> Driver:
    """Another scheduler takes the run up; `a` has completed meanwhile, and some are alive."""
    stream = [event for event in before.events if event.run_id == RUN]
    view = fold(FoldedRun(RUN), stream)
    last = stream[-1].at
    wall = view.run.sessions[-1][1] + last - view.run.sessions[-1][0] + away
    after = Driver()
    after.now = 5000.0
    ends = {"a": replace(outcome(), ended_ago=ago)}
    command = c.RecoverRun(run_id=RUN, facts=view.run, outcomes=ends, alive=alive, last_at=last, wall_time=wall)
    after.inherit(stream)
    after.do(command)
    return after


def test_an_end_that_is_heard_at_once_needs_no_more_words() -> None:
    driver = Driver()
    driver.create(plan("a"))
    driver.advance(4.0)
    driver.end("a")
    assert not driver.of(ev.AttemptTimed)
    assert took(driver, "a") == 4.0


def test_an_end_that_is_heard_late_counts_from_when_it_was() -> None:
    driver = Driver()
    driver.create(plan(["a", "b"]))
    driver.advance(100.0)
    heard_late(driver, "a", 90.0)
    assert took(driver, "a") == 10.0
    (estimate,) = [Estimates([driver.run()], driver.now).of(task("a"), driver.run())]
    assert (estimate.seconds, estimate.source) == (10.0, EstimateSource.NAME)


@pytest.mark.parametrize("ago", [0.0, 3.0])
def test_what_was_measured_where_it_ran_counts_whenever_it_began_and_was_heard(ago: float) -> None:
    driver = Driver()
    driver.create(plan(["a", "b"]))
    driver.advance(10.0)
    heard_late(driver, "a", ago, measured=2.0)
    (attempt,) = driver.attempts("a")
    assert (attempt.started, attempt.ended) == ((5.0, 7.0) if ago else (0.0, 2.0))
    (learnt,) = {seconds for _, seconds in driver.scheduler.runs[RUN].learnt.values()}
    assert learnt == 2.0


def test_times_that_differ_by_a_moment_are_not_told() -> None:
    driver = Driver()
    driver.create(plan("a"))
    driver.advance(10.0)
    heard_late(driver, "a", 0.05, measured=9.95)
    assert not driver.of(ev.AttemptTimed, ev.AttemptBegan)


def test_an_end_that_is_heard_with_the_timeout_was_in_time() -> None:
    driver = Driver()
    driver.create(plan([task("a", timeout=5)]))
    driver.now += 10.0  # of which nobody has heard
    heard_late(driver, "a", 9.0)
    assert (driver.status("a"), took(driver, "a")) == ("completed", 1.0)
    assert not driver.stops


def test_the_attempt_before_a_retry_has_its_true_end_too() -> None:
    driver = Driver()
    driver.create(plan([task("a", retry=1)]))
    driver.advance(100.0)
    heard_late(driver, "a", 90.0, ok=False)
    driver.advance(3.0)
    driver.end("a")
    assert [took(driver, "a", attempt) for attempt in (1, 2)] == [10.0, 3.0]


def test_from_what_took_nobody_knows_how_long_nothing_is_learnt() -> None:
    driver = Driver()
    driver.create(plan(["a", "b"]))
    driver.advance(100.0)
    heard_late(driver, "a", None)
    assert not is_timed(driver.run(), 0, 1)
    assert again(driver) is EstimateSource.NONE
    overdue.watch_all(driver.scheduler, driver.scheduler.runs[RUN])
    assert not driver.scheduler.runs[RUN].learnt
    driver.ask(c.RerunFrom, task_id="a")
    driver.advance(7.0)
    driver.end("a")
    assert again(driver) is EstimateSource.NAME


def test_clocks_that_contradict_each_other_tell_nothing() -> None:
    driver = Driver()
    driver.create(plan("a"))
    driver.advance(10.0)
    heard_late(driver, "a", 3600.0)
    assert not is_timed(driver.run(), 0, 1)


def test_what_ended_while_no_program_ran_the_run_took_as_long_as_it_did() -> None:
    before = Driver()
    before.create(plan(["a", "b"]))
    before.advance(1.0)
    before.do(c.PauseRun(run_id=RUN))  # the last that is told of the run
    after = taken_up(before, away=3600.0, ago=3590.0)
    assert took(after, "a") == 11.0, "a second while it was looked at, and ten more"
    assert after.attempts("a")[0].ended == after.of(ev.TaskCompleted)[0].at, "as far as the run's clock has gone on"
    assert Estimates([after.run()], after.now).of(task("a"), after.run()).seconds == 11.0


def test_while_something_ran_the_clock_of_the_run_has_gone_on() -> None:
    """So every bar stands where it stood, and what has elapsed is what a person saw elapse."""
    before = Driver()
    before.create(plan(["a", "b"]))
    before.advance(1.0)
    before.do(c.PauseRun(run_id=RUN))
    after = taken_up(before, away=20.0, ago=15.0, alive=("b",))
    (a,), (b,) = after.attempts("a"), after.attempts("b")
    assert (a.started, a.ended, b.started) == (after.now - 21.0, after.now - 15.0, after.now - 21.0)
    assert elapsed(after.run(), after.now) == 21.0
    (at, wall), (at_again, wall_again) = after.run().sessions
    assert at_again - at == wall_again - wall


def test_what_ended_then_and_nobody_knows_when_tells_nothing() -> None:
    before = Driver()
    before.create(plan(["a", "b"]))
    before.advance(1.0)
    after = taken_up(before, away=3600.0, ago=0.0)
    assert not is_timed(after.run(), 0, 1)
    assert again(after) is EstimateSource.NONE


# ---- attempts that had been given up


def given_up() -> Driver:
    """The first attempt of `a`, on `d`, was lost; the second runs there."""
    driver = Driver()
    driver.create(plan([task("a", retry=1), task("b")]))
    driver.advance(10.0)
    driver.end("a", lost=True)
    driver.advance(10.0)
    assert driver.status("a") == "running"
    return driver


def test_a_late_end_is_told_once_and_is_not_the_second_ones() -> None:
    driver = given_up()
    for _ in range(2):
        driver.turn(LateEndNoticed(RUN, "a", 1, "d", 0, 4.0))
    (told,) = driver.of(ev.AttemptEndedLate)
    assert (told.task_id, told.attempt, told.device_id, told.exit_code, told.ended_at) == ("a", 1, "d", 0, 16.0)
    assert driver.status("a") == "running"
    assert driver.attempts("a")[0].result is not None
    assert [attempt.ended for attempt in driver.attempts("a")] == [10.0, None]
    assert driver.run().late_ends == {0: (LateEnd(1, 0, 16.0),)}
    driver.end("a")
    assert driver.status("a") == "completed"
    assert took(driver, "a", 2) == 10.0


def test_a_stream_that_tells_of_a_late_end_by_a_signal_is_believed() -> None:
    driver = given_up()
    driver.turn(LateEndNoticed(RUN, "a", 1, "d", -15, 4.0))
    view = checked_fold(FoldedRun(RUN), [event for event in driver.events if event.run_id == RUN])
    assert view.run.late_ends == {0: (LateEnd(1, -15, 16.0),)}


def test_nothing_is_told_of_what_runs_of_others_or_of_nobody() -> None:
    driver = given_up()
    for about in (("a", 2, "d"), ("a", 1, "elsewhere"), ("b", 1, "d"), ("x", 1, "d"), ("a", 3, "d")):
        driver.turn(LateEndNoticed(RUN, *about, 0, 4.0))
    driver.turn(LateEndNoticed("nobody", "a", 1, "d", 0, 4.0))
    assert not driver.of(ev.AttemptEndedLate)


def test_its_time_goes_on_in_another_programs_time() -> None:
    driver = given_up()
    driver.turn(LateEndNoticed(RUN, "a", 1, "d", None, 4.0))
    view = fold(FoldedRun(RUN), [event for event in driver.events if event.run_id == RUN])
    fold(view, [ev.RunRecovered(view.run.seq + 1, 120.0, RUN, wall_time=1e9, shift=100.0)])
    assert view.run.late_ends == {0: (LateEnd(1, None, 116.0),)}


# ---- attempts that were cancelled while nobody could end them


def cancelled_out_of_reach() -> Driver:
    """`a` was cancelled while its device could not be told, and counts as ended."""
    driver = Driver()
    driver.create(plan([task("a"), task("b")]))
    driver.advance(10.0)
    driver.ask(c.CancelTasks, "a")
    driver.end("a", lost=True)
    return driver


def test_what_could_not_be_told_to_stop_is_not_said_to_have_stopped() -> None:
    driver = cancelled_out_of_reach()
    assert driver.status("a") == "cancelled"
    assert driver.run().reasons[0] == "may still run on 'd' until it is reached"
    assert may_still_run(driver.run(), 0) == "d"
    assert may_still_run(driver.run(), 1) is None


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (None, "ended once its device was reached"),
        (0, "ended by itself, with exit code 0, before its device was reached"),
    ],
)
def test_once_its_device_was_reached_it_is_said_how_it_ended(code: int | None, reason: str) -> None:
    driver = cancelled_out_of_reach()
    driver.turn(LateEndNoticed(RUN, "a", 1, "d", code, 4.0))
    assert driver.run().reasons[0] == reason
    assert may_still_run(driver.run(), 0) is None


def test_that_is_said_of_a_run_that_has_ended_too() -> None:
    driver = cancelled_out_of_reach()
    driver.end("b")
    assert driver.run().state.has_ended
    driver.advance(30.0)
    for _ in range(2):
        driver.turn(LateEndNoticed(RUN, "a", 1, "d", None, None))
    assert len(driver.of(ev.AttemptEndedLate)) == 1
    assert driver.run().reasons[0] == "ended once its device was reached"
    view = checked_fold(FoldedRun(RUN), [event for event in driver.events if event.run_id == RUN])
    assert view.run.reasons == driver.run().reasons
    assert view.run.state.has_ended
    driver.ask(c.RetryTasks, "a")
    assert driver.status("a") == "running"


def test_a_task_that_was_retried_meanwhile_keeps_what_is_said_of_it() -> None:
    driver = cancelled_out_of_reach()
    driver.ask(c.RetryTasks, "a")
    driver.turn(LateEndNoticed(RUN, "a", 1, "d", None, 4.0))
    assert 0 not in driver.run().reasons
    driver.ask(c.CancelTasks, "a")
    driver.end("a", stopped=True)
    assert driver.run().reasons[0] == "stopped while it ran"


def test_what_the_other_side_could_not_end_is_not_said_to_have_stopped() -> None:
    driver = Driver()
    driver.create(plan([task("a")]))
    driver.ask(c.CancelTasks, "a")
    left = Result(error=ErrorInfo(code=ErrorCode.NOT_STOPPED, message="The system could not end the processes 7."))
    driver.turn(AttemptEnded(RUN, "a", 1, Outcome(OutcomeStatus.STOPPED, left)))
    assert driver.run().reasons[0] == "may still run on 'd'"
    assert may_still_run(driver.run(), 0) == "d"


def test_a_lost_attempt_may_still_run_until_it_is_heard_to_have_ended() -> None:
    driver = Driver()
    driver.create(plan([task("a")]))
    driver.end("a", lost=True)
    assert (driver.status("a"), may_still_run(driver.run(), 0)) == ("failed", "d")

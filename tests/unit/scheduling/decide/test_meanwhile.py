"""What a task's parents said, or became of its run, while it ran counts before it runs again."""

from __future__ import annotations

import pytest
from tests.driver import RUN, Driver, plan, task

from starloom.model.result import ErrorInfo, Outcome, OutcomeStatus, Result
from starloom.scheduling import commands as c
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.scheduling.stimuli import AttemptEnded


def with_a_no(**fields: object) -> Driver:
    """`rescue` began as `main` had failed, and still runs; retried meanwhile, `main` has completed."""
    driver = Driver(devices=())
    for device in ("d", "e"):
        driver.add_device(device, trip_after=5)
    driver.create(plan(["main", task("rescue", **fields), "after"], ["main>rescue>failure", "rescue>after>always"]))
    driver.fail("main")
    driver.ask(c.RetryTasks, "main")
    driver.end("main")
    assert driver.statuses() == {"main": "completed", "rescue": "running", "after": "waiting_dependency"}
    return driver


def check_skipped(driver: Driver) -> None:
    assert driver.run().reasons[1] == "'main' completed, and the dependency is of kind failure"
    assert driver.statuses() == {"main": "completed", "rescue": "skipped", "after": "running"}
    driver.end("after")
    assert driver.run().state == "completed"


def end_with(driver: Driver, task_id: str, status: OutcomeStatus, code: str) -> None:
    start = driver.ordered.pop((RUN, task_id))
    error = ErrorInfo(code=code, message="It did not end by itself.")
    driver.turn(AttemptEnded(RUN, task_id, start.attempt, Outcome(status, Result(error=error))))


def heir_of(driver: Driver) -> Driver:
    """Another program that has taken up the run, of whose attempts nothing is left."""
    heir = Driver()
    stream = [event for event in driver.journal() if event.run_id]
    heir.inherit(stream)
    heir.do(c.RecoverRun(run_id=RUN, facts=fold(FoldedRun(RUN), stream).run, outcomes={}, last_at=stream[-1].at))
    return heir


# ---- a parent says no


@pytest.mark.parametrize("pause", [0, 5])
def test_what_failed_is_not_tried_again_after_a_no(pause):
    driver = with_a_no(retry={"attempts": 2, "delay": pause})
    driver.fail("rescue")
    driver.advance(pause)
    check_skipped(driver)


def test_what_its_device_could_not_begin_does_not_go_elsewhere_after_a_no():
    driver = with_a_no()
    driver.end("rescue", faulted=True)
    check_skipped(driver)


def test_what_its_device_does_not_support_does_not_go_elsewhere_after_a_no():
    driver = with_a_no()
    end_with(driver, "rescue", OutcomeStatus.FAILED, "unsupported")
    check_skipped(driver)


@pytest.mark.parametrize("then", ["rerun", "ask"])
def test_what_is_found_interrupted_does_not_begin_anew_after_a_no(then):
    driver = with_a_no(on_interrupt=then)
    end_with(driver, "rescue", OutcomeStatus.STOPPED, "interrupted")
    check_skipped(driver)


@pytest.mark.parametrize("then", ["rerun", "ask"])
def test_what_was_interrupted_with_its_program_does_not_begin_anew_after_a_no(then):
    check_skipped(heir_of(with_a_no(on_interrupt=then)))


def test_a_task_that_joins_any_is_tried_again_after_a_no_as_another_parent_says_yes():
    driver = Driver()
    tasks = ["main", "other", task("rescue", join="any", retry=1)]
    driver.create(plan(tasks, ["main>rescue>failure", "other>rescue"]))
    driver.end("other")
    driver.end("main")
    driver.fail("rescue")
    assert driver.ordered[RUN, "rescue"].attempt == 2


# ---- the run is cancelled, and what runs may end


def cancelled_but_for_what_runs(**fields: object) -> Driver:
    """A run of which `a` goes on, and nothing else is to start."""
    driver = Driver()
    driver.create(plan([task("a", **fields), "b"], ["a>b"]))
    driver.do(c.CloseAdmission(cancel_queued=True))
    assert driver.statuses() == {"a": "running", "b": "cancelled"}
    return driver


@pytest.mark.parametrize("then", ["rerun", "ask"])
def test_of_a_cancelled_run_nothing_begins_anew(then):
    driver = cancelled_but_for_what_runs(on_interrupt=then)
    end_with(driver, "a", OutcomeStatus.STOPPED, "interrupted")
    assert (driver.status("a"), driver.run().state) == ("failed", "cancelled")


@pytest.mark.parametrize("then", ["rerun", "ask"])
def test_of_a_cancelled_run_nothing_begins_anew_in_another_program(then):
    heir = heir_of(cancelled_but_for_what_runs(on_interrupt=then))
    assert (heir.status("a"), heir.run().state) == ("failed", "cancelled")


def test_what_is_stopped_to_run_again_is_cancelled_with_its_run():
    driver = Driver()
    driver.create(plan(["a"]))
    driver.ask(c.RerunFrom, task_id="a", cancel_running=True)
    driver.do(c.CloseAdmission(cancel_queued=True))
    driver.end("a", stopped=True)
    assert (driver.status("a"), driver.run().state) == ("cancelled", "cancelled")

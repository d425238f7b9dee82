"""`max_queue`: what is refused when as many tasks wait as may, and what never is."""

from __future__ import annotations

import copy
import pickle

import pytest
from tests.driver import Driver, plan, task

from starloom.constellation.edits import AddTask, EditBatch
from starloom.errors import CommandRefused, QueueFull
from starloom.scheduling import commands as c
from starloom.scheduling.read.counters import counters


def full(max_queue: int = 2, queued: int = 2) -> Driver:
    """One task runs, the others wait."""
    driver = Driver(slots=1)
    driver.do(c.SetLimits(max_queue=max_queue))
    driver.create(plan(["running", *(f"q{number}" for number in range(queued))]))
    return driver


def submit(driver: Driver, name: str) -> c.EditConstellation:
    batch = EditBatch(edits=(AddTask(task(name)),))
    return c.EditConstellation(run_id="r", batch=batch, is_submission=True)


def test_a_submission_to_a_full_queue_is_refused_with_both_numbers_and_not_counted_as_submitted() -> None:
    driver = full()
    before = counters(driver.scheduler)
    with pytest.raises(QueueFull) as refusal:
        driver.do(submit(driver, "third"))
    assert (refusal.value.current, refusal.value.maximum) == (2, 2)
    assert "2/2" in str(refusal.value)
    after = counters(driver.scheduler)
    assert after.total_submitted == before.total_submitted == 3
    assert (before.rejected, after.rejected) == (0, 1)
    assert "third" not in driver.statuses()


def test_a_refused_submission_leaves_no_event_behind() -> None:
    driver = full()
    told = len(driver.events)
    with pytest.raises(QueueFull):
        driver.do(submit(driver, "third"))
    assert driver.events[told:] == []


def test_a_new_run_is_refused_while_the_queue_is_full_and_does_not_exist_then() -> None:
    driver = full()
    with pytest.raises(QueueFull):
        driver.create(plan(["a"]), run_id="other")
    assert list(driver.scheduler.runs) == ["r"]
    assert counters(driver.scheduler).rejected == 1


def test_when_one_running_task_ends_the_next_submission_is_accepted() -> None:
    driver = full()
    driver.end("running")
    driver.do(submit(driver, "third"))
    assert driver.status("third") == "pending"
    with pytest.raises(QueueFull):
        driver.do(submit(driver, "fourth"))


def test_max_queue_zero_never_refuses() -> None:
    driver = full(max_queue=0, queued=50)
    for number in range(50):
        driver.do(submit(driver, f"s{number}"))
    assert counters(driver.scheduler).queued_count == 100


def test_only_waiting_tasks_count_never_running_ones_nor_those_that_wait_for_a_dependency() -> None:
    driver = Driver(slots=3)
    driver.do(c.SetLimits(max_queue=1))
    driver.create(plan(["a", "b", "c", "d"], ["a>d"]))
    driver.do(submit(driver, "waits"))
    with pytest.raises(QueueFull):
        driver.do(submit(driver, "too_many"))


def test_submissions_of_one_turn_cannot_slip_past_the_limit_together() -> None:
    """Check and entry are one step: the seed let parallel submitters exceed its maximum."""
    driver = Driver(slots=1)
    driver.do(c.SetLimits(max_queue=2))
    driver.create(plan([]), hold_open=True)
    turn = driver.turn(*(submit(driver, f"s{number}") for number in range(10)))
    assert turn.rest is not None
    answers = [answer for _, answer in turn.rest.replies]
    refused = [answer for answer in answers if isinstance(answer, QueueFull)]
    assert len(refused) == 7, "one starts at once, two wait"
    assert [(one.current, one.maximum) for one in refused] == [(2, 2)] * 7
    assert counters(driver.scheduler).rejected == 7


def test_what_can_start_at_once_does_not_count_as_waiting() -> None:
    driver = Driver()
    driver.do(c.SetLimits(max_queue=1))
    driver.create(plan([]), hold_open=True)
    driver.turn(*(submit(driver, f"s{number}") for number in range(10)))
    assert len(driver.ordered) == 10


def test_max_queue_changes_while_the_queue_is_full_and_throws_nobody_out() -> None:
    driver = full(max_queue=0, queued=5)
    driver.do(c.SetLimits(max_queue=2))
    assert counters(driver.scheduler).queued_count == 5
    with pytest.raises(QueueFull) as refusal:
        driver.do(submit(driver, "more"))
    assert (refusal.value.current, refusal.value.maximum) == (5, 2)
    driver.do(c.SetLimits(max_queue=6))
    driver.do(submit(driver, "more"))


def test_edits_are_not_submissions_and_never_meet_the_limit() -> None:
    driver = full()
    driver.edit(AddTask(task("edited")))
    assert driver.status("edited") == "pending"


def test_cancelled_tasks_no_longer_fill_the_queue() -> None:
    """The seed's ghosts counted for ever."""
    driver = full()
    driver.ask(c.CancelTasks, "q0")
    driver.do(submit(driver, "third"))
    assert driver.status("third") == "pending"


def test_the_refusal_survives_copying_and_pickling() -> None:
    for other in (copy.copy(QueueFull(3, 2)), pickle.loads(pickle.dumps(QueueFull(3, 2)))):
        assert (other.current, other.maximum, other.code) == (3, 2, "queue_full")


def test_after_admission_has_closed_runs_and_submissions_are_refused_as_shutting_down() -> None:
    driver = full(max_queue=0)
    driver.do(c.CloseAdmission())
    for command in (submit(driver, "late"), c.CreateRun(run_id="late", plan=plan(["a"]))):
        with pytest.raises(CommandRefused) as refusal:
            driver.do(command)
        assert refusal.value.code == "shutting_down"
    assert counters(driver.scheduler).total_submitted == 3

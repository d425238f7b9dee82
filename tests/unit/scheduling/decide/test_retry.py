"""Attempts: how often, after which pauses, with which timeouts, and what each leaves behind."""

from __future__ import annotations

import pytest
from tests.driver import Driver, plan, task

from starloom import events as ev
from starloom.errors import CommandRefused
from starloom.model.status import Backoff
from starloom.model.task import Retry
from starloom.scheduling import commands as c
from starloom.scheduling import stimuli
from starloom.scheduling.decide.retry import pause_before


@pytest.mark.parametrize(
    ("retry", "pauses"),
    [
        (Retry(), [None]),
        (Retry(attempts=3, delay=2), [2, 2, None]),
        (Retry(attempts=4, delay=2, backoff=Backoff.LINEAR), [2, 4, 6, None]),
        (Retry(attempts=5, delay=1, backoff=Backoff.EXPONENTIAL), [1, 2, 4, 8, None]),
        (Retry(attempts=5, delay=1, backoff=Backoff.EXPONENTIAL, cap=3), [1, 2, 3, 3, None]),
        (Retry(attempts=2), [0, None]),
    ],
)
def test_the_pause_grows_as_the_backoff_says_up_to_its_cap(retry, pauses):
    assert [pause_before(retry, failed) for failed in range(1, len(pauses) + 1)] == pauses


def test_the_pause_of_very_many_attempts_stays_a_number():
    assert pause_before(Retry(attempts=10_000, delay=1, backoff=Backoff.EXPONENTIAL, cap=60), 9_999) == 60


def test_the_third_attempts_value_is_used_when_two_failed():
    driver = Driver()
    driver.create(plan([task("a", retry=3)]))
    driver.fail("a")
    driver.fail("a")
    driver.end("a", value="third")
    assert driver.run().results[0].value == "third"
    assert [one.status for one in driver.attempts("a")] == ["failed", "failed", "completed"]
    assert driver.run().state == "completed"


def test_a_task_that_is_always_too_slow_is_tried_three_times_with_pauses_of_1_and_2_and_lists_3_causes():
    driver = Driver()
    retry = {"attempts": 3, "delay": 1, "backoff": "exponential"}
    driver.create(plan([task("a", timeout=10, retry=retry)]))
    starts = []
    for pause in (1, 2, None):
        starts.append(driver.now)
        driver.advance(10)
        assert driver.stops[-1].cause == "timeout"
        driver.end("a", stopped=True)
        if pause is not None:
            driver.advance(pause - 0.5)
            assert driver.status("a") == "pending"
            driver.advance(0.5)
    assert starts == [0, 11, 23]
    assert [one.result.error.code for one in driver.attempts("a")] == ["timeout"] * 3
    assert "10s" in driver.attempts("a")[0].result.error.message
    assert driver.run().state == "failed"


def test_the_wake_up_asked_for_is_the_earliest_that_is_due():
    driver = Driver()
    driver.create(plan([task("a", timeout=50), task("b", retry={"attempts": 2, "delay": 5})]))
    assert driver.scheduler.announced == 50
    driver.fail("b")
    assert driver.scheduler.announced == 5
    driver.advance(5)
    assert driver.scheduler.announced == 50
    driver.end("a")
    assert driver.scheduler.announced is None


def test_a_timeout_runs_from_an_attempts_start_and_not_from_when_it_was_ready():
    driver = Driver(slots=1)
    driver.create(plan(["a", task("b", timeout=5)]))
    driver.advance(100)
    driver.end("a")
    driver.advance(4)
    assert not driver.stops
    driver.advance(1)
    assert [stop.task_id for stop in driver.stops] == ["b"]


def test_an_attempt_told_to_stop_by_its_timeout_keeps_its_slot_and_is_told_once():
    driver = Driver(slots=1)
    driver.create(plan([task("a", timeout=5), "b"]))
    driver.advance(5)
    driver.advance(100)
    assert len(driver.stops) == 1
    assert driver.status("b") == "pending"
    driver.end("a", stopped=True)
    assert driver.statuses() == {"a": "failed", "b": "running"}


def test_a_result_that_comes_after_the_timeout_does_not_count():
    driver = Driver()
    driver.create(plan([task("a", timeout=5)]))
    driver.advance(5)
    driver.end("a", value="late")
    assert driver.status("a") == "failed"
    assert driver.run().results[0].value is None


def test_a_timeout_of_an_attempt_that_has_ended_does_nothing_to_the_next_one():
    driver = Driver()
    driver.create(plan([task("a", timeout=5, retry=1)]))
    driver.advance(4)
    driver.fail("a")
    driver.advance(4)
    assert not driver.stops
    driver.advance(1)
    assert [stop.attempt for stop in driver.stops] == [2]


def test_backoff_elapses_while_paused_but_nothing_starts():
    driver = Driver()
    driver.create(plan([task("a", retry={"attempts": 2, "delay": 5})]))
    driver.fail("a")
    driver.ask(c.PauseRun)
    driver.advance(5)
    assert not driver.run().backoff
    assert driver.status("a") == "pending"
    driver.ask(c.ResumeRun)
    assert driver.status("a") == "running"


def test_a_task_that_backs_off_holds_no_slot():
    driver = Driver(slots=1)
    driver.create(plan([task("a", retry={"attempts": 2, "delay": 5}), "b"]))
    driver.fail("a")
    assert driver.statuses() == {"a": "pending", "b": "running"}
    assert [reason.code for reason in driver.why("a")] == ["backing_off"]


def test_a_held_task_whose_backoff_is_over_waits_for_its_release():
    driver = Driver()
    driver.create(plan([task("a", retry={"attempts": 2, "delay": 5})]))
    driver.fail("a")
    driver.ask(c.HoldTasks, "a")
    driver.advance(5)
    assert driver.status("a") == "pending"
    driver.ask(c.ReleaseTasks, "a")
    assert driver.status("a") == "running"


def test_a_task_cancelled_while_it_backs_off_never_starts_again():
    driver = Driver()
    driver.create(plan([task("a", retry={"attempts": 2, "delay": 5}), "b"]))
    driver.fail("a")
    driver.ask(c.CancelTasks, "a")
    driver.advance(10)
    assert driver.started() == ["a", "b"]
    (reason,) = driver.why("a")
    assert (reason.code, "cancelled by operator" in reason.text) == ("cancelled", True)


def test_an_attempt_on_a_lost_device_failed_with_device_lost_and_is_tried_elsewhere():
    driver = Driver(slots=1, devices=("d", "e"))
    driver.create(plan([task("a", retry=1)]))
    first = driver.ordered["r", "a"].device_id
    driver.turn(stimuli.DeviceLostNoticed(first, "no answer"))
    driver.end("a", lost=True)
    assert driver.attempts("a")[0].result.error.code == "device_lost"
    assert driver.ordered["r", "a"].device_id != first


def test_an_attempt_stopped_from_outside_counts_as_failed():
    driver = Driver()
    driver.create(plan(["a"]))
    driver.end("a", stopped=True)
    assert driver.status("a") == "failed"
    assert driver.run().results[0].error.message


def test_a_task_that_is_tried_again_inherits_nothing_from_a_child_that_has_started_without_it():
    driver = Driver(slots=2)
    tasks = [
        task("retried", priority=20, retry=1),
        task("quick", priority=100),
        task("child", priority=90, join="any"),
        task("other", priority=50),
    ]
    driver.create(plan(tasks, ["retried>child", "quick>child"]))
    driver.end("quick")
    driver.fail("retried")
    assert driver.started() == ["quick", "retried", "child", "other"]


def test_each_attempt_is_numbered_and_scheduled_retries_say_when():
    driver = Driver()
    driver.create(plan([task("a", retry={"attempts": 3, "delay": 4, "backoff": "linear"})]))
    driver.advance(1)
    driver.fail("a")
    driver.advance(4)
    driver.fail("a")
    assert [(event.attempt, event.retry_at) for event in driver.of(ev.TaskRetryScheduled)] == [(1, 5), (2, 13)]


def test_the_timers_go_on_after_a_restart():
    driver = Driver()
    driver.create(plan([task("a", timeout=50), task("b", retry={"attempts": 2, "delay": 5})]))
    driver.fail("b")
    driver.restart()
    driver.advance(5)
    assert driver.status("b") == "running"
    driver.advance(45)
    assert [stop.task_id for stop in driver.stops] == ["a"]


def test_a_retry_that_would_only_skip_its_tasks_again_is_refused():
    driver = Driver()
    driver.create(plan(["ship", "tell", "log"], ["ship>tell", "tell>log"]))
    driver.fail("ship")
    assert driver.statuses() == {"ship": "failed", "tell": "skipped", "log": "skipped"}
    for names, because in ((["tell"], "ship"), (["log"], "tell")):
        with pytest.raises(CommandRefused, match=f"would be skipped again at once, because of {because!r}"):
            driver.ask(c.RetryTasks, *names)
    driver.ask(c.RetryTasks, "ship", "tell")
    assert driver.statuses() == {"ship": "running", "tell": "waiting_dependency", "log": "waiting_dependency"}


def test_a_retry_with_another_join_is_not_skipped_again():
    driver = Driver()
    driver.create(plan(["ship", "test", "tell"], ["ship>tell", "test>tell"]))
    driver.end("test")
    driver.fail("ship")
    driver.ask(c.RetryTasks, "tell", fields={"join": "any"})
    assert driver.status("tell") == "running"

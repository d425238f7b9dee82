"""The life of a run: how it starts, pauses, ends, is cancelled, held open and reopened."""

from __future__ import annotations

import pytest
from tests.driver import Driver, plan, task

from starloom import events as ev
from starloom.constellation.edits import AddTask
from starloom.errors import CommandRefused
from starloom.scheduling import commands as c
from starloom.testing import diamond


def ended(driver: Driver) -> list[str]:
    """The states a run has ended in, in order."""
    return [event.state for event in driver.of(ev.RunEnded)]


@pytest.mark.parametrize(
    ("failing", "state"),
    [
        ({}, "completed"),
        ({"a"}, "partially_failed"),
        ({"a", "b"}, "failed"),
        ({"w"}, "completed"),
        ({"a", "w"}, "partially_failed"),
    ],
)
def test_the_final_state_says_whether_some_or_all_failed_and_warnings_do_not_count(failing, state):
    driver = Driver()
    tasks = [task("w", severity="warning"), "a", "b"] if failing != {"a", "b"} else ["a", "b"]
    driver.create(plan(tasks))
    for name in list(driver.run().graph.place):
        driver.end(name, ok=name not in failing)
    assert driver.run().state == state
    assert ended(driver) == [state]


def test_nothing_completed_but_a_failed_warning_is_no_failure():
    driver = Driver()
    driver.create(plan([task("w", severity="warning")]))
    driver.fail("w")
    assert driver.run().state == "completed"


def test_skipped_and_cancelled_tasks_alone_make_no_failure():
    driver = Driver()
    driver.create(plan("ab"), start=False)
    driver.ask(c.SkipTasks, "a")
    driver.ask(c.CancelTasks, "b")
    assert driver.run().state == "completed"


def test_a_run_whose_only_task_timed_out_has_failed():
    driver = Driver()
    driver.create(plan([task("slow", timeout=5)]))
    driver.advance(5)
    driver.end("slow", stopped=True)
    assert driver.run().state == "failed"
    assert driver.attempts("slow")[0].result.error.code == "timeout"


def test_an_empty_plan_ends_at_once_and_a_held_open_one_waits_for_tasks():
    driver = Driver()
    driver.create(plan([]))
    assert driver.run().state == "completed"
    driver.create(plan([]), "open", hold_open=True)
    assert driver.run("open").state == "executing"
    driver.edit(AddTask(task("a")), run_id="open")
    driver.end("a", "open")
    assert driver.run("open").state == "executing"
    driver.ask(c.HoldRunOpen, run_id="open", hold_open=False)
    assert driver.run("open").state == "completed"


def test_a_run_that_is_not_started_starts_nothing_until_it_is():
    driver = Driver()
    driver.create(diamond(), start=False)
    assert driver.run().state == "ready"
    assert driver.status("a") == "pending"
    assert not driver.started()
    driver.ask(c.StartRun)
    assert driver.started() == ["a"]
    with pytest.raises(CommandRefused, match="already"):
        driver.ask(c.StartRun)


def test_pause_stops_dispatch_only_and_resume_goes_on():
    driver = Driver(slots=2)
    driver.create(plan("abcd", ["a>d"]))
    driver.ask(c.PauseRun)
    driver.end("a")
    assert driver.statuses() == {"a": "completed", "b": "running", "c": "pending", "d": "pending"}
    driver.ask(c.PauseRun)
    driver.ask(c.ResumeRun)
    assert driver.status("c") == "running"
    driver.ask(c.ResumeRun)
    assert (len(driver.of(ev.RunPaused)), len(driver.of(ev.RunResumed))) == (1, 1)


def test_a_paused_run_whose_last_attempt_ends_has_ended():
    driver = Driver()
    driver.create(plan("a"))
    driver.ask(c.PauseRun)
    driver.end("a")
    assert driver.run().state == "completed"
    with pytest.raises(CommandRefused, match="nothing to resume"):
        driver.ask(c.ResumeRun)
    with pytest.raises(CommandRefused, match="nothing to pause"):
        driver.ask(c.PauseRun)


def test_a_timeout_goes_on_while_the_run_is_paused():
    driver = Driver()
    driver.create(plan([task("a", timeout=5)]))
    driver.ask(c.PauseRun)
    driver.advance(5)
    assert [(stop.task_id, stop.cause) for stop in driver.stops] == [("a", "timeout")]


def test_aging_stands_still_while_the_run_is_paused():
    driver = Driver(slots=1)
    driver.create(plan([task("first", priority=100), task("old", priority=0)]))
    driver.ask(c.PauseRun)
    driver.advance(1000)
    driver.ask(c.ResumeRun)
    driver.edit(AddTask(task("new", priority=50)))
    driver.end("first")
    assert driver.started()[-1] == "new"


def test_the_urgent_tasks_of_one_run_start_before_the_third_unimportant_one_of_another():
    driver = Driver(slots=2)
    driver.create(plan([task(f"low{number}", priority=20) for number in range(20)]), "low")
    driver.create(plan([task(f"high{number}", priority=80) for number in range(3)]), "high")
    while driver.run("high").open:
        run_id, name = next(iter(driver.ordered))
        driver.end(name, run_id)
    order = [event.task_id for event in driver.of(ev.TaskStarted)]
    assert order[:6] == ["low0", "low1", "high0", "high1", "high2", "low2"]


def test_a_group_that_a_task_names_twice_gives_one_place_to_it():
    driver = Driver()
    driver.do(c.SetLimits(groups={"g": 2}))
    driver.create(plan([task("a", groups=["g", "g"]), task("b", groups=["g"])]))
    assert driver.statuses() == {"a": "running", "b": "running"}


# ---- cancelling


def test_cancel_ends_what_waits_at_once_and_what_runs_once_it_has_stopped():
    driver = Driver(slots=1)
    driver.create(plan("abc", ["a>c"]))
    driver.ask(c.CancelRun, reason="enough")
    assert driver.statuses() == {"a": "running", "b": "cancelled", "c": "cancelled"}
    assert [(stop.task_id, stop.cause) for stop in driver.stops] == [("a", "cancelled")]
    assert not ended(driver)
    driver.end("a", stopped=True)
    assert ended(driver) == ["cancelled"]
    assert driver.run().reasons[1] == "enough"


def test_what_has_finished_before_a_cancel_stays_as_it_is():
    driver = Driver(slots=1)
    driver.create(plan("abc"))
    driver.end("a", value=1)
    driver.ask(c.CancelRun)
    driver.end("b", stopped=True)
    assert driver.statuses() == {"a": "completed", "b": "cancelled", "c": "cancelled"}
    assert driver.run().results[0].value == 1


def test_cancelling_twice_or_after_the_end_changes_nothing():
    driver = Driver()
    driver.create(plan("a"))
    driver.ask(c.CancelRun)
    driver.ask(c.CancelRun)
    driver.end("a", stopped=True)
    driver.ask(c.CancelRun)
    assert (len(driver.of(ev.RunCancelRequested)), len(driver.stops), ended(driver)) == (1, 1, ["cancelled"])
    driver.create(plan("b"), "done")
    driver.end("b", "done")
    driver.ask(c.CancelRun, run_id="done")
    assert driver.run("done").state == "completed"


def test_cancel_with_nothing_running_ends_the_run_at_once():
    driver = Driver()
    driver.create(plan("ab"), start=False)
    driver.ask(c.CancelRun)
    assert driver.run().state == "cancelled"


def test_cancelling_one_run_leaves_the_others_alone_and_a_new_one_works():
    driver = Driver()
    driver.create(plan("a"), "one")
    driver.create(plan("a"), "two")
    driver.ask(c.CancelRun, run_id="one")
    driver.end("a", "one", stopped=True)
    assert (driver.run("one").state, driver.status("a", "two")) == ("cancelled", "running")
    driver.create(plan("a"), "three")
    driver.end("a", "three")
    driver.end("a", "two")
    assert driver.run("two").state == driver.run("three").state == "completed"


def test_a_task_that_fails_while_its_run_is_cancelled_is_not_tried_again():
    driver = Driver()
    driver.create(plan([task("a", retry=5)]))
    driver.ask(c.CancelRun)
    driver.fail("a")
    assert (driver.status("a"), driver.run().state) == ("cancelled", "cancelled")


def test_a_cancel_while_a_retry_is_due_ends_the_run_and_the_timer_does_nothing():
    driver = Driver()
    driver.create(plan([task("a", retry={"attempts": 2, "delay": 5})]))
    driver.fail("a")
    driver.ask(c.CancelRun)
    assert driver.run().state == "cancelled"
    assert not driver.advance(10).events


@pytest.mark.parametrize("command", [c.CancelTasks, c.SkipTasks, c.HoldTasks, c.MarkTasks])
def test_a_cancelled_run_is_not_reopened_by_anything_but_retry_and_rerun(command):
    driver = Driver()
    driver.create(plan("a"), start=False)
    driver.ask(c.CancelRun)
    if command is c.CancelTasks:
        driver.ask(command, "a")
    else:
        with pytest.raises(CommandRefused):
            driver.ask(command, "a")
    assert driver.run().state == "cancelled"


@pytest.mark.parametrize("kind", ["retry", "rerun"])
def test_a_cancelled_run_is_reopened_by_retry_and_rerun(kind):
    driver = Driver()
    driver.create(plan("ab"))
    driver.ask(c.CancelRun)
    for name in "ab":
        driver.end(name, stopped=True)
    driver.ask(c.RetryTasks, "a") if kind == "retry" else driver.ask(c.RerunFrom, task_id="a")
    assert driver.run().state == "executing"
    driver.end("a")
    assert ended(driver) == ["cancelled", "completed"]


def test_a_run_that_is_still_being_cancelled_cannot_be_reopened():
    driver = Driver(slots=1)
    driver.create(plan("ab"))
    driver.ask(c.CancelRun)
    with pytest.raises(CommandRefused, match="still being cancelled"):
        driver.ask(c.RetryTasks, "b")
    with pytest.raises(CommandRefused, match="still being cancelled"):
        driver.ask(c.RerunFrom, task_id="b")


def test_an_aborted_run_stays_failed_when_it_is_cancelled_as_well():
    driver = Driver()
    driver.create(plan([task("x", severity="critical"), "y"]))
    driver.fail("x")
    driver.ask(c.CancelRun)
    driver.end("y", stopped=True)
    assert driver.run().state == "failed"
    (event,) = driver.of(ev.RunCancelRequested)
    assert event.because == "x"


def test_an_aborted_run_is_reopened_by_retrying_the_critical_task():
    driver = Driver()
    driver.create(plan([task("x", severity="critical"), "y"], ["x>y"]))
    driver.fail("x")
    driver.ask(c.RetryTasks, "x", "y")
    driver.end_all()
    assert ended(driver) == ["failed", "completed"]

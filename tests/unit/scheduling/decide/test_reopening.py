"""An ended run goes on; and what arrives late, twice or from nobody changes nothing."""

from __future__ import annotations

import pytest
from tests.driver import Driver, plan, task

from starloom import events as ev
from starloom.constellation.edits import AddTask, EditBatch, RemoveTask
from starloom.errors import CommandRefused
from starloom.model.plan import Limits
from starloom.scheduling import commands as c
from starloom.scheduling import stimuli
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.read.summary import elapsed
from starloom.scheduling.state.folded_run import FoldedRun


def ended(driver: Driver) -> list[str]:
    """The states a run has ended in, in order."""
    return [event.state for event in driver.of(ev.RunEnded)]


@pytest.mark.parametrize("how", ["add", "retry", "rerun", "mark"])
def test_an_ended_run_is_reopened_and_ends_anew(how):
    driver = Driver()
    driver.create(plan("abc", ["a>b"]))
    driver.end("c")
    driver.fail("a")
    assert ended(driver) == ["partially_failed"]
    if how == "add":
        driver.edit(AddTask(task("d")))
    elif how == "retry":
        driver.ask(c.RetryTasks, "a")
    elif how == "rerun":
        driver.ask(c.RerunFrom, task_id="c")
    else:
        driver.ask(c.MarkTasks, "a")
    assert driver.run().state == "executing"
    assert driver.run().run_ended_at is None
    driver.end_all()
    assert ended(driver) == ["partially_failed", "completed" if how in {"retry", "mark"} else "partially_failed"]


def test_a_reopened_run_has_not_gone_on_between_its_end_and_then():
    driver = Driver()
    driver.create(plan("ab"))
    assert elapsed(driver.run(), driver.now) == 0.0
    for name, after in (("a", 5.0), ("b", 2.0)):
        driver.advance(after)
        driver.fail(name)
    driver.advance(1000.0)
    assert elapsed(driver.run(), driver.now) == 7.0
    driver.ask(c.RetryTasks, "a")
    driver.advance(3.0)
    assert elapsed(driver.run(), driver.now) == 10.0
    driver.end("a")
    driver.advance(500.0)
    driver.ask(c.RetryTasks, "b")
    driver.advance(1.0)
    driver.end("b")
    driver.advance(1.0)
    assert elapsed(driver.run(), driver.now) == 11.0


def test_marking_the_last_failed_task_of_an_ended_run_gives_it_a_new_end_at_once():
    driver = Driver()
    driver.create(plan("ab"))
    driver.end("a")
    driver.fail("b")
    driver.ask(c.MarkTasks, "b")
    assert ended(driver) == ["partially_failed", "completed"]


def test_a_reopened_run_knows_the_devices_that_came_while_it_had_ended():
    driver = Driver(slots=1)
    driver.create(plan("a"))
    driver.end("a")
    driver.add_device("late", slots=1)
    driver.do(c.DisableDevice(device_id="d"))
    driver.edit(AddTask(task("b")))
    assert driver.ordered["r", "b"].device_id == "late"
    view = fold(FoldedRun("r"), [event for event in driver.journal() if event.run_id == "r"])
    assert list(view.fleet.devices) == ["d", "late"]
    assert view.fleet.devices["late"].used == 1


def test_a_second_run_is_told_what_the_first_one_holds():
    driver = Driver(slots=3)
    driver.create(plan("ab"), "one")
    driver.create(plan([]), "two", hold_open=True)
    view = fold(FoldedRun("two"), [event for event in driver.journal() if event.run_id == "two"])
    assert view.fleet.devices["d"].others == 2


def test_unknown_and_repeated_runs_are_refused_by_name():
    driver = Driver()
    driver.create(plan("a"))
    with pytest.raises(CommandRefused, match="already"):
        driver.create(plan("b"))
    with pytest.raises(CommandRefused, match="no run 'nobody'"):
        driver.ask(c.PauseRun, run_id="nobody")


# ---- what arrives late, twice or from nobody


def test_ends_of_unknown_runs_tasks_and_attempts_are_ignored():
    driver = Driver()
    driver.create(plan([task("a", retry=1)]))
    first = driver.ended("a", ok=False)
    driver.turn(first)
    for end in (
        first,
        stimuli.AttemptEnded("nobody", "a", 2, first.outcome),
        stimuli.AttemptEnded("r", "nobody", 2, first.outcome),
        stimuli.AttemptEnded("r", "a", 3, first.outcome),
    ):
        assert not driver.turn(end).events
    driver.end("a")
    assert not driver.turn(stimuli.AttemptEnded("r", "a", 2, first.outcome)).events
    assert driver.run().state == "completed"


def test_several_ends_in_one_turn_all_count_and_nothing_is_lost():
    driver = Driver()
    driver.create(plan("abcde", ["a>c", "b>c", "b>d", "c>e", "d>e"]))
    driver.turn(driver.ended("b"), driver.ended("a"))
    driver.turn(driver.ended("d"), driver.ended("c"))
    driver.end("e")
    assert driver.run().state == "completed"
    assert len(driver.started()) == 5


def test_an_edit_between_two_ends_in_one_turn_loses_no_end():
    driver = Driver()
    driver.create(plan("abcde", ["a>c", "b>d", "c>e", "d>e"]))
    batch = EditBatch(edits=(RemoveTask("e"), AddTask(task("f"))))
    driver.turn(driver.ended("a"), c.EditConstellation(run_id="r", batch=batch), driver.ended("b"))
    driver.end_all()
    assert driver.run().state == "completed"
    assert sorted(driver.started()) == ["a", "b", "c", "d", "f"]


def test_a_stuck_attempt_is_reported_keeps_its_slot_and_ends_when_it_ends():
    driver = Driver(slots=1)
    driver.create(plan("ab"))
    driver.ask(c.CancelTasks, "a")
    driver.turn(stimuli.AttemptStuckNoticed("r", "a", 1))
    assert [event.task_id for event in driver.of(ev.TaskStuck)] == ["a"]
    assert driver.status("b") == "pending"
    driver.end("a")
    assert (driver.status("a"), driver.status("b")) == ("cancelled", "running")


def test_a_run_limit_of_its_own_holds_for_its_run_only_and_changes_live():
    driver = Driver()
    driver.create(plan("abc", limits=Limits(max_concurrency=1)), "one")
    driver.create(plan("abc"), "two")
    assert (driver.run("one").running, driver.run("two").running) == (1, 3)
    driver.ask(c.SetRunLimit, run_id="one", max_concurrency=None)
    assert driver.run("one").running == 3
    driver.ask(c.SetRunLimit, run_id="one", max_concurrency=0)
    assert driver.run("one").running == 3
    assert not driver.stops


def test_a_shutdown_takes_no_new_runs_and_drops_held_open():
    driver = Driver()
    driver.create(plan("a"), hold_open=True)
    driver.do(c.CloseAdmission())
    with pytest.raises(CommandRefused, match="shutting down"):
        driver.create(plan("b"), "more")
    driver.end("a")
    assert driver.run().state == "completed"


def test_a_shutdown_that_cancels_what_waits_lets_what_runs_finish():
    driver = Driver(slots=1)
    driver.create(plan("abc"))
    driver.do(c.CloseAdmission(cancel_queued=True))
    assert driver.statuses() == {"a": "running", "b": "cancelled", "c": "cancelled"}
    assert not driver.stops
    driver.end("a")
    assert driver.statuses()["a"] == "completed"
    assert driver.run().state == "cancelled"


def test_a_run_that_was_cancelled_before_it_was_started_waits_for_its_start_when_it_is_reopened():
    driver = Driver()
    driver.create(plan("a"), start=False)
    driver.ask(c.CancelRun)
    assert ended(driver) == ["cancelled"]
    driver.ask(c.RetryTasks, "a")
    assert driver.run().state == "ready"
    assert driver.started() == []
    driver.ask(c.StartRun)
    assert driver.started() == ["a"]


def test_a_run_that_ended_while_it_was_paused_is_paused_when_it_is_reopened():
    driver = Driver()
    driver.create(plan("a"))
    driver.ask(c.PauseRun)
    driver.fail("a")
    assert ended(driver) == ["failed"]
    driver.ask(c.RetryTasks, "a")
    assert driver.run().state == "paused"
    assert driver.started() == ["a"]
    driver.ask(c.ResumeRun)
    assert driver.started() == ["a", "a"]
    driver.end("a")
    driver.ask(c.RerunFrom, task_id="a")
    assert driver.run().state == "executing"

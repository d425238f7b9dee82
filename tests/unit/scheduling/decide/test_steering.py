"""Steering tasks: all tasks of a command or none, and a refused command leaves no trace."""

from __future__ import annotations

import pytest
from tests.driver import Driver, edge, plan, task

from starloom import events as ev
from starloom.errors import CommandRefused, EditRefused
from starloom.scheduling import commands as c
from starloom.scheduling.decide.required_statuses import possible_part


def refuse(driver, kind, *task_ids, match, **fields):
    """Ask for what must be refused; nothing may have happened but a note of it."""
    before = driver.run().canonical()
    with pytest.raises(CommandRefused, match=match) as refusal:
        driver.ask(kind, *task_ids, **fields)
    after = driver.run().canonical()
    assert {name for name in after if after[name] != before[name]} <= {"seq"}
    assert all(isinstance(event, ev.EditRejected) for event in driver.turns[-1].events)
    return refusal.value


@pytest.fixture
def driver() -> Driver:
    """`a` runs on the only slot; `b` is ready; `c` waits for `a`."""
    driver = Driver(slots=1)
    driver.create(plan("abc", ["a>c"]))
    return driver


# ---- hold, release, pin, priority


def test_a_held_task_does_not_start_until_it_is_released(driver):
    driver.ask(c.HoldTasks, "b")
    driver.end("a")
    assert driver.statuses() == {"a": "completed", "b": "pending", "c": "running"}
    driver.end("c")
    assert driver.status("b") == "pending"
    driver.ask(c.ReleaseTasks, "b")
    assert driver.status("b") == "running"


def test_a_waiting_task_can_be_held_and_stays_so_when_it_becomes_ready(driver):
    driver.ask(c.HoldTasks, "c")
    driver.end("a")
    driver.end("b")
    assert driver.status("c") == "pending"
    assert driver.run().stalled == ("'c' is held",)


def test_a_hold_in_the_turn_in_which_a_task_becomes_ready_is_in_time(driver):
    driver.turn(driver.ended("a"), c.HoldTasks(run_id="r", task_ids=("b", "c")))
    assert driver.started() == ["a"]


def test_holding_twice_and_releasing_what_is_not_held_change_nothing(driver):
    driver.ask(c.HoldTasks, "b")
    driver.ask(c.HoldTasks, "b")
    driver.ask(c.ReleaseTasks, "c")
    assert len(driver.of(ev.TasksHeld)) == 1
    assert not driver.of(ev.TasksReleased)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (c.HoldTasks, {}),
        (c.SkipTasks, {}),
        (c.SetPriority, {"priority": 1}),
        (c.PinTasks, {"device_id": "d"}),
        (c.MarkTasks, {}),
        (c.RetryTasks, {}),
    ],
)
def test_a_running_task_is_steered_by_none_of_these_and_then_neither_are_the_others(driver, kind, fields):
    named = "'b'" if kind is c.RetryTasks else "'a'"
    refuse(driver, kind, "b", "a", match=f"{named} cannot be .*: it is (running|ready)", **fields)


@pytest.mark.parametrize(
    "kind",
    [c.HoldTasks, c.ReleaseTasks, c.CancelTasks, c.SkipTasks, c.RetryTasks, c.MarkTasks],
)
def test_an_unknown_task_refuses_the_whole_command_and_names_the_nearest(kind):
    driver = Driver()
    driver.create(plan(["alpha", "beta"]))
    refusal = refuse(driver, kind, "beta", "alpah", match="no task 'alpah'")
    assert "'alpha'" in refusal.hint


def test_a_command_without_tasks_is_refused(driver):
    with pytest.raises(CommandRefused, match="No task was named"):
        driver.do(c.HoldTasks(run_id="r", task_ids=()))


def test_a_higher_priority_changes_the_order_and_nothing_else(driver):
    driver.ask(c.SetPriority, "c", priority=80)
    driver.end("a")
    assert driver.started() == ["a", "c"]
    assert driver.run().revision == 0


@pytest.mark.parametrize(("asked", "given"), [(-50, 0), (200, 100), ("high", 80)])
def test_priorities_beyond_the_scale_are_clamped_and_names_are_read(driver, asked, given):
    driver.ask(c.SetPriority, "b", priority=asked)
    assert driver.run().priority[1] == given


def test_what_is_no_priority_is_refused(driver):
    refuse(driver, c.SetPriority, "b", match="not a priority", priority="urgent")


def test_a_pinned_task_runs_on_its_device_only_and_unpinned_anywhere():
    driver = Driver(slots=1, devices=("d", "e"))
    driver.create(plan("abc"))
    driver.ask(c.PinTasks, "c", device_id="d")
    driver.end("b")
    assert driver.status("c") == "pending"
    driver.ask(c.PinTasks, "c", device_id=None)
    assert driver.ordered["r", "c"].device_id == "e"


def test_a_pin_to_a_device_that_is_not_there_or_cannot_run_the_task_is_refused():
    driver = Driver(slots=1)
    driver.add_device("gpu-box", slots=1, capabilities=("gpu",))
    driver.create(plan(["a", "b", task("g", requires=["gpu"]), task("h", requires=["gpu"])]))
    refuse(driver, c.PinTasks, "h", device_id="gpu-bx", match="no device 'gpu-bx'")
    refuse(driver, c.PinTasks, "h", device_id="d", match="needs gpu")


# ---- cancel, skip


def test_a_cancelled_ready_task_frees_its_place_in_line_once(driver):
    driver.ask(c.CancelTasks, "b")
    driver.end("a")
    driver.end("c")
    assert driver.started() == ["a", "c"]
    assert driver.run().state == "completed"


def test_a_cancelled_running_task_frees_its_slot_once_it_has_really_stopped(driver):
    driver.ask(c.CancelTasks, "a")
    assert driver.statuses() == {"a": "running", "b": "pending", "c": "waiting_dependency"}
    driver.end("a", stopped=True)
    assert driver.statuses() == {"a": "cancelled", "b": "running", "c": "skipped"}
    assert driver.scheduler.fleet.devices["d"].used == 1


def test_a_task_cancelled_in_the_turn_it_would_start_in_is_never_started(driver):
    driver.turn(driver.ended("a"), c.CancelTasks(run_id="r", task_ids=("b", "c")))
    assert driver.started() == ["a"]
    assert driver.run().state == "completed"


def test_cancelling_a_running_task_twice_stops_it_once(driver):
    driver.ask(c.CancelTasks, "a")
    driver.ask(c.CancelTasks, "a")
    assert len(driver.stops) == 1


def test_a_task_that_completes_although_it_was_told_to_stop_counts_as_cancelled(driver):
    driver.ask(c.CancelTasks, "a")
    driver.end("a", value=1)
    assert driver.status("a") == "cancelled"


def test_cancelling_and_skipping_a_chain_at_once_takes_every_task_one_way():
    driver = Driver(slots=1)
    driver.create(plan("pabc", ["a>b", "b>c"]))
    driver.ask(c.SkipTasks, "a", "b", "c")
    assert [event.task_id for event in driver.of(ev.TaskSkipped)] == ["a", "b", "c"]


# ---- retry


def test_a_retry_makes_a_new_attempt_and_keeps_the_old_ones(driver):
    driver.fail("a")
    driver.ask(c.RetryTasks, "a")
    driver.end("b")
    driver.end("a", value=2)
    assert [(one.number, one.status) for one in driver.attempts("a")] == [(1, "failed"), (2, "completed")]
    assert driver.attempts("a")[0].result.error.code == "exit_code"


def test_a_retry_with_other_fields_changes_them_first(driver):
    driver.fail("a")
    driver.ask(c.RetryTasks, "a", fields={"timeout": "9s", "priority": 90})
    driver.end("b")
    assert driver.ordered["r", "a"].task.timeout == 9.0
    assert driver.run().revision == 1


def test_a_retry_with_bad_fields_is_refused_and_nothing_is_reset(driver):
    driver.fail("a")
    driver.end("b")
    assert driver.run().state == "partially_failed"
    refusal = refuse(driver, c.RetryTasks, "a", "c", match="no field 'timeuot'", fields={"timeuot": 1})
    assert isinstance(refusal, EditRefused)
    assert len(refusal.problems) == 2
    assert driver.run().state == "partially_failed"


def test_a_retry_with_fields_goes_through_although_one_of_the_tasks_is_skipped_again():
    driver = Driver()
    driver.create(plan("pqcg", ["p>c", "q>c", "c>g"]))
    driver.fail("p")
    driver.fail("q")
    driver.ask(c.RetryTasks, "g", "p", fields={"timeout": 5})
    assert driver.statuses() == {"p": "running", "q": "failed", "c": "skipped", "g": "skipped"}
    driver.ask(c.RetryTasks, "q")
    driver.end_all()
    assert driver.run().state == "completed"
    assert driver.run().graph.task("g").timeout == 5


def test_a_retried_tasks_attempts_count_anew():
    driver = Driver()
    driver.create(plan([task("a", retry=1)]))
    driver.fail("a")
    driver.fail("a")
    driver.ask(c.RetryTasks, "a")
    driver.fail("a")
    assert driver.status("a") == "running"
    driver.fail("a")
    assert [one.number for one in driver.attempts("a")] == [1, 2, 3, 4]


def test_a_completed_task_is_rerun_and_not_retried(driver):
    driver.end("a")
    refuse(driver, c.RetryTasks, "a", match="rerun a completed one")


def test_a_child_that_was_ready_because_its_parent_failed_waits_again_for_the_retried_one():
    driver = Driver()
    driver.create(plan("ab", ["a>b>always"]))
    driver.ask(c.HoldTasks, "b")
    driver.fail("a")
    assert driver.status("b") == "pending"
    driver.ask(c.RetryTasks, "a")
    assert driver.status("b") == "waiting_dependency"
    driver.ask(c.ReleaseTasks, "b")
    driver.end_all()
    assert driver.started() == ["a", "a", "b"]


# ---- rerun


def test_rerun_from_resets_a_task_and_its_descendants_and_keeps_their_attempts():
    driver = Driver()
    driver.create(plan("abcd", ["a>b", "b>c", "a>d"]))
    driver.end_all()
    driver.ask(c.RerunFrom, task_id="b")
    assert driver.statuses() == {"a": "completed", "b": "running", "c": "waiting_dependency", "d": "completed"}
    driver.end_all()
    assert [len(driver.attempts(name)) for name in "abcd"] == [1, 2, 2, 1]
    assert driver.run().state == "completed"


def test_rerun_is_refused_while_a_descendant_runs_and_names_it():
    driver = Driver()
    driver.create(plan("abc", ["a>b", "a>c"]))
    driver.end("a")
    refuse(driver, c.RerunFrom, task_id="a", match="'a' cannot be rerun while b → c runs")


def test_rerun_cancels_running_descendants_when_asked_to_and_runs_them_again():
    driver = Driver()
    driver.create(plan("abc", ["a>b", "b>c"]))
    driver.end("a")
    driver.ask(c.RerunFrom, task_id="a", cancel_running=True)
    assert driver.statuses() == {"a": "running", "b": "running", "c": "waiting_dependency"}
    assert [(stop.task_id, stop.cause) for stop in driver.stops] == [("b", "rerun")]
    driver.end("b", value="from the old world")
    assert driver.status("b") == "waiting_dependency"
    driver.end_all()
    assert driver.started() == ["a", "b", "a", "b", "c"]
    assert driver.run().state == "completed"


def test_an_attempt_that_a_rerun_stopped_does_not_show_the_result_of_the_one_before():
    driver = Driver()
    driver.create(plan([task("a", retry=1)]))
    driver.fail("a")
    driver.ask(c.RerunFrom, task_id="a", cancel_running=True)
    driver.end("a", stopped=True)
    assert [(one.status, one.result is None) for one in driver.attempts("a")[:2]] == [
        ("failed", False),
        ("cancelled", True),
    ]


def test_a_rerun_gives_a_descendant_that_backs_off_its_attempts_back():
    driver = Driver()
    driver.create(plan(["a", task("b", retry={"attempts": 2, "delay": 60})], ["a>b"]))
    driver.end("a")
    driver.fail("b")
    driver.ask(c.RerunFrom, task_id="a")
    assert driver.status("b") == "waiting_dependency"
    driver.end("a")
    driver.fail("b")
    assert driver.status("b") == "pending"
    driver.advance(60)
    driver.end("b")
    assert driver.run().state == "completed"


def test_cancelling_a_task_that_a_rerun_is_stopping_cancels_it_for_good():
    driver = Driver()
    driver.create(plan("ab", ["a>b"]))
    driver.end("a")
    driver.ask(c.RerunFrom, task_id="b", cancel_running=True)
    driver.ask(c.CancelTasks, "b")
    driver.end("b", stopped=True)
    assert (driver.status("b"), len(driver.stops)) == ("cancelled", 1)


def test_a_task_that_a_rerun_is_stopping_ends_with_its_cancelled_run():
    driver = Driver()
    driver.create(plan("ab", ["a>b"]))
    driver.ask(c.RerunFrom, task_id="a", cancel_running=True)
    driver.ask(c.CancelRun)
    driver.end("a", stopped=True)
    assert driver.run().state == "cancelled"


# ---- mark


@pytest.mark.parametrize("status", ["running", "pending", "cancelled", "waiting_dependency"])
def test_only_an_end_can_be_marked(driver, status):
    refuse(driver, c.MarkTasks, "b", match="cannot be marked", status=status)


def test_a_completed_tasks_own_result_stands(driver):
    driver.end("a")
    refuse(driver, c.MarkTasks, "a", match="Its own result stands")


def test_a_ready_task_marked_completed_is_not_started(driver):
    driver.ask(c.MarkTasks, "b", value={"x": 1})
    driver.end("a")
    assert driver.started() == ["a", "c"]
    assert driver.run().results[1].value == {"x": 1}


def test_a_backing_off_task_can_be_marked_and_its_timer_does_nothing():
    driver = Driver()
    driver.create(plan([task("a", retry={"attempts": 2, "delay": 5}), "b"], [edge("a", "b")]))
    driver.fail("a")
    driver.ask(c.MarkTasks, "a")
    driver.advance(10)
    assert driver.started() == ["a", "b"]


def test_marking_failed_says_who_did_it(driver):
    driver.do(c.MarkTasks(run_id="r", task_ids=("b",), status="failed", origin="agent"))
    assert driver.run().results[1].error.message == "It was marked failed by agent."


# ---- more than is meant


def test_of_tasks_in_several_statuses_those_are_left_that_a_command_may_be_given_for(driver):
    hold = c.HoldTasks(run_id="r", task_ids=("a", "b", "c"), reason="lunch")
    assert possible_part(driver.scheduler, hold) == c.HoldTasks(run_id="r", task_ids=("b", "c"), reason="lunch")
    refuse(driver, c.HoldTasks, "a", "b", "c", match="'a' cannot be held: it is running")


def test_a_command_for_all_or_for_none_of_its_tasks_stays_as_it_is(driver):
    for command in (
        c.HoldTasks(run_id="r", task_ids=("b", "c")),
        c.RetryTasks(run_id="r", task_ids=("a", "b", "c")),
        c.CancelTasks(run_id="r", task_ids=("a", "b")),
        c.HoldTasks(run_id="elsewhere", task_ids=("a", "b")),
        c.PauseRun(run_id="r"),
    ):
        assert possible_part(driver.scheduler, command) is command

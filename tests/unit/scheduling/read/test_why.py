"""Why a task does not run: every reason that blocks it, from the same facts the dispatch goes by."""

from __future__ import annotations

import pytest
from tests.driver import Driver, plan, task

from starloom.model.plan import Limits
from starloom.scheduling import commands as c
from starloom.scheduling import stimuli


def codes(driver, name):
    return [reason.code for reason in driver.why(name)]


def test_a_running_task_says_where_and_which_attempt():
    driver = Driver()
    driver.create(plan("a"))
    (reason,) = driver.why("a")
    assert (reason.code, reason.blocks, reason.subject) == ("running", False, "d")
    assert "attempt 1" in reason.text
    driver.ask(c.CancelTasks, "a")
    assert codes(driver, "a") == ["stopping"]


def test_a_waiting_task_names_each_parent_and_what_that_is_doing():
    driver = Driver(slots=1)
    driver.create(plan("abcd", ["a>d", "b>c", "c>d"]))
    assert [reason.subject for reason in driver.why("d")] == ["a", "c"]
    assert "is running" in driver.why("d")[0].text
    assert "is waiting itself" in driver.why("d")[1].text
    driver.end("a")
    assert [reason.subject for reason in driver.why("d")] == ["c"]


def test_a_parent_that_is_held_is_said_to_be():
    driver = Driver()
    driver.create(plan(["a", "b"], ["a>b"]), start=False)
    driver.ask(c.HoldTasks, "a")
    driver.ask(c.StartRun)
    assert driver.why("b")[0].text == "It waits for 'a', which is held."


def test_a_task_with_very_many_parents_sums_up_the_rest():
    driver = Driver(slots=1)
    names = [f"p{number}" for number in range(14)]
    driver.create(plan([*names, "last"], [f"{name}>last" for name in names]))
    reasons = driver.why("last")
    assert len(reasons) == 11
    assert "4 more" in reasons[-1].text


@pytest.mark.parametrize(
    ("commands", "code"),
    [
        ([c.HoldTasks(run_id="r", task_ids=("b",))], "held"),
        ([c.PauseRun(run_id="r")], "run_paused"),
        ([c.SetRunLimit(run_id="r", max_concurrency=1)], "run_limit"),
        ([c.SetLimits(max_concurrency=1)], "global_limit"),
        ([c.SetLimits(groups={"g": 0})], "group_full"),
        ([c.DrainDevice(device_id="d")], "device_unavailable"),
        ([c.DisableDevice(device_id="d")], "device_unavailable"),
        ([c.SetSlots(device_id="d", slots=1)], "devices_busy"),
    ],
)
def test_each_thing_that_blocks_is_named_and_taking_it_away_starts_the_task(commands, code):
    undo = {
        "held": c.ReleaseTasks(run_id="r", task_ids=("b",)),
        "run_paused": c.ResumeRun(run_id="r"),
        "run_limit": c.SetRunLimit(run_id="r", max_concurrency=None),
        "global_limit": c.SetLimits(max_concurrency=None),
        "group_full": c.SetLimits(groups={"g": None}),
        "device_unavailable": c.ResumeDevice(device_id="d"),
        "devices_busy": c.SetSlots(device_id="d", slots=2),
    }[code]
    driver = Driver(slots=2)
    driver.create(plan(["a", task("b", groups=["g"])]), start=False)
    driver.turn(*commands[:0], c.HoldTasks(run_id="r", task_ids=("b",)), c.StartRun(run_id="r"))
    if code != "held":
        driver.turn(*commands, c.ReleaseTasks(run_id="r", task_ids=("b",)))
    assert driver.statuses() == {"a": "running", "b": "pending"}
    blocking = [reason for reason in driver.why("b") if reason.blocks]
    assert [reason.code for reason in blocking] == [code]
    assert blocking[0].remedy
    driver.do(undo)
    driver.do(c.EnableDevice(device_id="d"))
    assert driver.status("b") == "running"


def test_a_full_limit_of_the_run_is_named_also_while_the_run_is_paused_as_all_others_are():
    driver = Driver(slots=2)
    driver.create(plan(["a", "b"], limits=Limits(max_concurrency=1)))
    driver.do(c.PauseRun(run_id="r"))
    assert codes(driver, "b") == ["run_paused", "run_limit"]
    driver.do(c.SetRunLimit(run_id="r", max_concurrency=2))
    assert codes(driver, "b") == ["run_paused"]


def test_a_task_that_no_device_can_run_says_what_it_needs():
    driver = Driver()
    driver.create(plan([task("g", requires=["gpu"]), task("p", device="elsewhere")]))
    assert "offers gpu" in driver.why("g")[0].text
    assert driver.why("p")[0].subject == "elsewhere"
    assert driver.run().stalled
    driver.add_device("elsewhere", capabilities=("gpu",))
    assert driver.statuses() == {"g": "running", "p": "running"}


def test_a_task_whose_device_is_lost_waits_for_it():
    driver = Driver()
    driver.create(plan("a"), start=False)
    driver.turn(stimuli.DeviceLostNoticed("d", "no answer"), c.StartRun(run_id="r"))
    assert codes(driver, "a") == ["device_unavailable"]
    driver.turn(stimuli.DeviceConnectedNoticed("d"))
    assert driver.status("a") == "running"


def test_everything_that_blocks_is_told_at_once():
    driver = Driver(slots=1)
    driver.create(plan(["a", task("b", groups=["g"])]))
    driver.turn(c.SetLimits(groups={"g": 0}, max_concurrency=1), c.PauseRun(run_id="r"))
    assert codes(driver, "b") == ["run_paused", "global_limit", "group_full", "devices_busy"]


def test_of_a_held_task_one_is_told_what_a_release_would_not_change():
    driver = Driver(slots=2)
    driver.create(plan([task("b", groups=["g"])]), start=False)
    driver.turn(c.SetLimits(groups={"g": 0}), c.HoldTasks(run_id="r", task_ids=("b",)), c.StartRun(run_id="r"))
    assert codes(driver, "b") == ["held", "group_full"]


def test_a_task_in_a_run_that_has_not_started_says_so():
    driver = Driver()
    driver.create(plan("a"), start=False)
    assert codes(driver, "a")[0] == "run_not_started"


def test_an_ended_task_says_how_it_ended():
    driver = Driver()
    driver.create(plan("abc", ["a>b"]))
    driver.fail("a")
    driver.end("c")
    assert [driver.why(name)[0].text for name in "abc"] == [
        "It failed: It exited with 1.",
        "It was skipped: 'a' failed",
        "It completed.",
    ]


def test_a_task_that_waits_names_its_parents_first_and_no_limit():
    driver = Driver(slots=2)
    driver.create(plan(["a", "b", "c"], ["a>b"], limits=Limits(max_concurrency=1)))
    driver.ask(c.HoldTasks, "b")
    assert codes(driver, "b") == ["waiting_for", "held"]
    assert codes(driver, "c") == ["run_limit"], "it could start otherwise"

"""Sentences of the design where two of them meet: stopping and losing, pausing and timing out, and the like."""

from __future__ import annotations

import pytest
from tests.driver import Driver, edge, plan, task

from starloom import events as ev
from starloom.constellation.edits import AddTask, UpdateTask
from starloom.errors import CommandRefused
from starloom.model.plan import Limits
from starloom.model.status import Placement, TaskStatus
from starloom.scheduling import commands as c
from starloom.scheduling import stimuli


def blocking(driver, name, run_id="r"):
    return [reason.code for reason in driver.why(name, run_id) if reason.blocks]


# ---- stopping and losing


@pytest.mark.parametrize(
    ("stop", "status", "started_on"),
    [
        (c.CancelTasks(run_id="r", task_ids=("a",)), "cancelled", ["d"]),
        (c.CancelRun(run_id="r"), "cancelled", ["d"]),
        (c.RerunFrom(run_id="r", task_id="a", cancel_running=True), "running", ["d", "spare"]),
    ],
)
def test_losing_the_device_that_stops_an_attempt_changes_nothing_of_what_was_asked(stop, status, started_on):
    driver = Driver(slots=1, devices=("d", "spare"))
    driver.create(plan([task("a", retry=3, groups=["g"])], limits=Limits(groups={"g": 1})))
    driver.turn(stop)
    driver.turn(stimuli.DeviceLostNoticed("d", "gone"), driver.ended("a", lost=True))
    assert driver.status("a") == status
    assert not driver.of(ev.TaskRetryScheduled), "an attempt that was stopped is not one that failed"
    assert [event.device_id for event in driver.of(ev.TaskStarted)] == started_on
    assert driver.scheduler.fleet.devices["d"].used == 0


def test_an_attempt_that_timed_out_and_lost_its_device_failed_by_its_timeout_and_is_tried_elsewhere():
    driver = Driver(slots=1, devices=("d", "spare"))
    driver.create(plan([task("a", retry=1, timeout=5)]))
    driver.advance(5)
    driver.turn(stimuli.DeviceLostNoticed("d", "gone"), driver.ended("a", lost=True))
    (first, _) = driver.attempts("a")
    assert first.result is not None
    assert first.result.error.code == "timeout"
    assert driver.attempts("a")[1].device_id == "spare"


def test_a_run_paused_while_its_attempt_times_out_starts_the_next_attempt_only_when_resumed():
    driver = Driver(slots=1)
    driver.create(plan([task("a", retry={"attempts": 2, "delay": 3}, timeout=5)]))
    driver.ask(c.PauseRun)
    driver.advance(5)
    driver.end("a", stopped=True)
    driver.advance(3)
    assert driver.status("a") == "pending"
    assert blocking(driver, "a") == ["run_paused"]
    driver.ask(c.ResumeRun)
    assert driver.status("a") == "running"
    driver.advance(4.9)
    assert len(driver.stops) == 1, "the second attempt has its whole timeout"
    driver.advance(0.1)
    assert len(driver.stops) == 2


def test_a_cancel_in_the_turn_in_which_an_attempt_fails_leaves_no_retry_behind():
    driver = Driver(slots=1)
    driver.create(plan([task("a", retry={"attempts": 5, "delay": 10})]))
    driver.turn(driver.ended("a", ok=False), c.CancelTasks(run_id="r", task_ids=("a",)))
    assert driver.status("a") == "cancelled"
    driver.advance(100)
    assert driver.started() == ["a"]
    assert driver.run().state == "completed"


# ---- devices that go


def test_a_retried_task_whose_device_is_gone_says_so_and_runs_once_it_is_moved():
    driver = Driver(slots=1, devices=("d", "spare"))
    driver.create(plan(["a"]))
    driver.fail("a")
    driver.ask(c.RetryTasks, "a", fields={"device": "d"})
    driver.fail("a")
    driver.do(c.RemoveDevice(device_id="d"))
    driver.ask(c.RetryTasks, "a")
    assert driver.status("a") == "pending"
    assert blocking(driver, "a") == ["no_device"]
    assert driver.why("a")[0].subject == "d"
    assert "'a' needs device 'd'" in driver.run().stalled[0]
    with pytest.raises(CommandRefused, match="no device 'd'"):
        driver.ask(c.PinTasks, "a", device_id="d")
    driver.ask(c.PinTasks, "a", device_id="spare")
    assert driver.status("a") == "running"
    assert not driver.run().stalled


def test_a_pin_outlives_its_device_and_is_served_by_one_of_the_same_id_that_comes_later():
    driver = Driver(slots=1, devices=("d",))
    driver.create(plan(["a"]), start=False)
    driver.ask(c.PinTasks, "a", device_id="d")
    driver.turn(c.RemoveDevice(device_id="d"), c.StartRun(run_id="r"))
    assert blocking(driver, "a") == ["no_device"]
    driver.add_device("d", slots=1)
    assert driver.status("a") == "running"


def test_a_device_drained_and_disabled_serves_again_only_when_both_are_taken_back():
    driver = Driver(slots=1)
    driver.turn(c.DrainDevice(device_id="d"), c.DisableDevice(device_id="d"))
    driver.create(plan(["a"]))
    driver.do(c.EnableDevice(device_id="d"))
    assert blocking(driver, "a") == ["device_unavailable"]
    driver.do(c.ResumeDevice(device_id="d"))
    assert driver.status("a") == "running"


# ---- places that change in the turn in which they free


def test_slots_taken_away_in_the_turn_in_which_one_frees_let_nothing_start():
    driver = Driver(slots=2)
    driver.create(plan("abcd"))
    driver.turn(driver.ended("a"), c.SetSlots(device_id="d", slots=1))
    assert driver.statuses() == {"a": "completed", "b": "running", "c": "pending", "d": "pending"}
    driver.end("b")
    assert driver.status("c") == "running"


def test_a_limit_lowered_and_raised_in_one_turn_is_the_last_one():
    driver = Driver()
    driver.do(c.SetLimits(max_concurrency=1))
    driver.create(plan("abc"))
    driver.turn(c.SetLimits(max_concurrency=0), driver.ended("a"), c.SetLimits(max_concurrency=2))
    assert driver.statuses() == {"a": "completed", "b": "running", "c": "running"}
    driver.turn(c.SetLimits(max_concurrency=5), c.SetLimits(max_concurrency=0), driver.ended("b"))
    driver.create(plan("x"), "s")
    assert driver.status("x", "s") == "pending"
    assert blocking(driver, "x", "s") == ["global_limit"]


def test_a_place_in_a_group_goes_to_the_run_whose_turn_it_is_and_a_paused_one_takes_none():
    driver = Driver()
    driver.do(c.SetLimits(groups={"g": 1}))
    for run_id in ("r", "s", "t"):
        driver.create(plan([task(f"{run_id}1", groups=["g"])]), run_id)
    driver.turn(c.PauseRun(run_id="s"), driver.ended("r1"))
    assert driver.statuses("s") == {"s1": "pending"}
    assert driver.statuses("t") == {"t1": "running"}
    driver.turn(c.ResumeRun(run_id="s"))
    assert blocking(driver, "s1", "s") == ["group_full"]
    driver.end("t1", "t")
    assert driver.statuses("s") == {"s1": "running"}


# ---- joins, conditions and what revives


def test_a_join_of_any_is_revived_and_doomed_with_its_parents_conditions():
    driver = Driver()
    edges = [edge("a", "c", condition="value > 1"), edge("b", "c", condition="value > 1")]
    driver.create(plan(["a", "b", task("c", join="any")], edges))
    driver.end("a", value=1)
    assert driver.status("c") == "waiting_dependency"
    driver.end("b", value=1)
    assert driver.status("c") == "skipped"
    driver.ask(c.RerunFrom, task_id="a")
    assert driver.status("c") == "waiting_dependency"
    driver.end("a", value=2)
    assert driver.status("c") == "running"


def test_a_join_of_any_waits_for_none_that_has_answered():
    driver = Driver()
    driver.create(plan(["a", "b", task("c", join="any")], ["a>c", "b>c"]))
    driver.fail("a")
    assert [reason.subject for reason in driver.why("c")] == ["b"]


def test_a_condition_on_a_task_that_is_tried_again_is_asked_after_the_last_attempt():
    driver = Driver()
    driver.create(plan([task("a", retry=1), "b"], [edge("a", "b", condition="attempts == 2 && status == 'failed'")]))
    driver.fail("a")
    assert not driver.of(ev.ConditionEvaluated)
    driver.fail("a")
    assert driver.status("b") == "running"


def test_a_critical_task_that_is_marked_failed_takes_its_run_with_it():
    driver = Driver(slots=1)
    driver.create(plan(["a", task("b", severity="critical"), "after"], ["b>after>always"]))
    driver.ask(c.MarkTasks, "b", status=TaskStatus.FAILED)
    assert driver.statuses() == {"a": "running", "b": "failed", "after": "cancelled"}
    driver.end("a", stopped=True)
    assert driver.run().state == "failed"


# ---- every way to end, and the next start


WAYS = {
    "completed": lambda driver: driver.end("a"),
    "failed": lambda driver: driver.fail("a"),
    "cancelled": lambda driver: driver.turn(c.CancelRun(run_id="r"), driver.ended("a", stopped=True)),
    "cancelled while paused": lambda driver: driver.turn(
        c.PauseRun(run_id="r"), c.CancelRun(run_id="r"), driver.ended("a", stopped=True)
    ),
    "its task cancelled": lambda driver: driver.turn(
        c.CancelTasks(run_id="r", task_ids=("a",)), driver.ended("a", stopped=True)
    ),
    "aborted": lambda driver: driver.turn(driver.ended("a", ok=False)),
    "timed out": lambda driver: (driver.advance(60), driver.end("a", stopped=True)),
    "device lost and found": lambda driver: driver.turn(
        stimuli.DeviceLostNoticed("d", "gone"), driver.ended("a", lost=True), stimuli.DeviceConnectedNoticed("d")
    ),
    "marked": lambda driver: (driver.fail("a"), driver.ask(c.MarkTasks, "a", value=1)),
    "stalled and cancelled": lambda driver: (
        driver.do(c.DrainDevice(device_id="d")),
        driver.fail("a"),
        driver.ask(c.RetryTasks, "a"),
        driver.ask(c.CancelRun),
        driver.do(c.ResumeDevice(device_id="d")),
    ),
}


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("way", WAYS)
def test_after_every_way_in_which_a_run_can_end_the_next_start_works(way, restarted):
    driver = Driver(slots=1)
    severity = "critical" if way == "aborted" else "error"
    driver.create(plan([task("a", timeout=60, severity=severity, groups=["g"])], limits=Limits(groups={"g": 1})))
    WAYS[way](driver)
    assert driver.run().state.has_ended
    if restarted:
        driver.restart()
    driver.create(plan([task("x", groups=["g"]), "y"], ["x>y"]), "next")
    driver.end_all("next")
    assert driver.run("next").state == "completed"


# ---- numbers at the edge


def test_a_starvation_timeout_too_short_to_count_with_still_orders_by_age():
    driver = Driver(slots=1)
    driver.do(c.SetLimits(starvation_timeout=5e-324))
    driver.create(plan(["first", task("old", priority=0)]))
    driver.advance(1)
    driver.edit(AddTask(task("new", priority=100)))
    driver.end("first")
    assert driver.status("old") == "running"


def test_the_longest_estimates_still_have_a_rank():
    driver = Driver(slots=1)
    driver.do(c.SetLimits(placement=Placement.CRITICAL_PATH))
    driver.create(plan([task("a", estimate=1e10), task("b", estimate=1e10), "z"], ["a>b"]))
    driver.end_all()
    assert driver.started() == ["a", "b", "z"]


def test_under_critical_path_an_edit_ranks_a_task_once_however_many_paths_lead_to_it():
    driver = Driver(slots=1, checked=False)
    driver.do(c.SetLimits(placement=Placement.CRITICAL_PATH))
    stages = range(30)  # and so 2 ** 30 paths, of as many lengths
    tasks, edges = [task("end", estimate=1)], []
    for stage in stages:
        tasks += [task(f"{name}{stage}", estimate=cost) for name, cost in (("u", 1), ("a", 2.0**stage), ("b", 1))]
        after = "end" if stage == stages[-1] else f"u{stage + 1}"
        edges += [f"u{stage}>a{stage}", f"u{stage}>b{stage}", f"a{stage}>{after}", f"b{stage}>{after}"]
    driver.create(plan([task("first", estimate=2.0**33), *tasks], edges))
    assert driver.started() == ["first"]
    driver.edit(UpdateTask("end", estimate=2.0**32))
    index = driver.scheduler.runs["r"]
    spread = list(index.ranks)
    driver.scheduler.placer.rank(index)
    assert spread == index.ranks

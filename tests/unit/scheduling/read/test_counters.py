"""Counters add up at all times, count tasks by where they stand, and free every place exactly once."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from tests.driver import Driver, plan, task

from starloom.constellation.edits import AddTask, EditBatch, RemoveTask
from starloom.errors import CommandRefused
from starloom.model.plan import Limits
from starloom.model.task import Retry
from starloom.scheduling import commands as c
from starloom.scheduling.read.counters import Counters, counters, run_counters
from starloom.scheduling.read.summary import RunSummary
from starloom.scheduling.stimuli import TimePassed


def total(driver: Driver) -> Counters:
    found = counters(driver.scheduler)
    parts = found.completed + found.failed + found.cancelled + found.skipped
    parts += found.active_count + found.queued_count + found.waiting + found.removed
    assert found.total_submitted == parts, "the counters do not add up"
    assert found.total_completed == found.completed + found.failed
    assert min(msgspec.to_builtins(found).values()) >= 0
    return found


# ---- what is counted


def test_each_status_is_counted_once() -> None:
    driver = Driver(slots=3)
    tasks = ["runs", "completes", "fails", "queued", "cancelled", "skipped", "waiting", "removed"]
    driver.create(plan(tasks, ["runs>waiting", "fails>skipped"]))
    driver.do(c.SetSlots(device_id="d", slots=1))
    driver.ask(c.CancelTasks, "cancelled")
    driver.edit(RemoveTask("removed"))
    driver.end("completes")
    driver.fail("fails")
    found = total(driver)
    assert (found.active_count, found.queued_count, found.waiting, found.removed) == (1, 1, 1, 1)
    assert (found.completed, found.failed, found.cancelled, found.skipped) == (1, 1, 1, 1)
    assert found.total_submitted == 8


def test_counters_of_a_bounded_fleet_say_so() -> None:
    driver = Driver()
    assert not total(driver).enabled
    driver.do(c.SetLimits(max_concurrency=2))
    assert total(driver).enabled


def test_the_seeds_eight_names_are_kept() -> None:
    names = list(msgspec.to_builtins(counters(Driver().scheduler)))
    assert names[:8] == [
        "enabled",
        "activeCount",
        "queuedCount",
        "totalSubmitted",
        "totalCompleted",
        "highPriorityCompleted",
        "lowPriorityCompleted",
        "starvationPromotions",
    ]


def test_attempts_are_counted_apart_from_tasks() -> None:
    driver = Driver()
    driver.create(plan([task("t", retry=Retry(attempts=3))]))
    driver.fail("t")
    driver.fail("t")
    driver.end("t")
    found = total(driver)
    assert (found.attempts, found.total_submitted, found.completed, found.failed) == (3, 1, 1, 0)


def test_failures_count_as_completed_as_the_seeds_say_and_are_told_apart_too() -> None:
    driver = Driver(slots=2)
    driver.create(plan([f"t{n}" for n in range(10)]))
    while driver.ordered:
        driver.fail(next(iter(driver.ordered))[1])
    found = total(driver)
    assert (found.total_completed, found.failed, found.completed, found.active_count) == (10, 10, 0, 0)


def test_after_ten_failures_on_two_slots_five_more_tasks_run() -> None:
    """Each failure gives its slot back; one that kept it would hang the second run."""
    driver = Driver(slots=2)
    driver.create(plan([f"t{n}" for n in range(10)]), run_id="bad")
    while driver.ordered:
        driver.fail(next(iter(driver.ordered))[1], "bad")
    driver.create(plan([f"t{n}" for n in range(5)]))
    driver.end_all()
    assert total(driver).completed == 5
    assert total(driver).active_count == 0


def test_a_failure_of_one_queued_task_does_not_stop_the_queue() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a", "bad", "b", "c"]))
    driver.end("a")
    driver.fail("bad")
    driver.end_all()
    assert driver.statuses() == {"a": "completed", "bad": "failed", "b": "completed", "c": "completed"}


def test_a_removed_task_stays_submitted_and_one_put_back_is_not_counted_twice() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a", "b"]))
    receipt = driver.edit(RemoveTask("b"))
    assert (total(driver).removed, total(driver).total_submitted) == (1, 2)
    driver.apply(receipt.inverse)
    assert (total(driver).removed, total(driver).queued_count, total(driver).total_submitted) == (0, 1, 2)


def test_a_runs_counters_are_those_of_its_tasks_alone() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a", "b"]), run_id="one")
    driver.create(plan(["a"]), run_id="two")
    driver.end("a", "one")
    one, two = run_counters(driver.run("one")), run_counters(driver.run("two"))
    assert (one.completed, one.active_count, two.queued_count, two.completed) == (1, 1, 1, 0)
    assert total(driver).total_submitted == one.total_submitted + two.total_submitted


def test_a_summary_can_be_read_while_the_run_goes_on() -> None:
    driver = Driver(slots=1)
    driver.create(plan([task("a", estimate=3), "b", "c"], ["a>b"]))
    driver.now = 2.0
    summary = RunSummary(driver.run(), driver.now)
    assert (summary.tasks.total, summary.tasks.completed, summary.makespan_s) == (3, 0, 2.0)
    assert summary.devices[0].busy_s == 2.0
    assert summary.devices[0].utilization == 1.0


def test_a_summary_of_an_empty_run_divides_by_nothing() -> None:
    driver = Driver()
    summary = RunSummary(driver.create(plan([])), 5.0).to_dict()
    assert (summary["makespan_s"], summary["tasks"]["total"], summary["state"]) == (0.0, 0, "completed")


# ---- a place is freed exactly once


def test_cancelled_while_queued_it_never_runs_and_holds_nothing() -> None:
    """In both seeds it ran all the same, or leaked the slot for ever."""
    driver = Driver(slots=1)
    driver.create(plan(["a", "ghost1", "ghost2", "b"]))
    driver.ask(c.CancelTasks, "ghost1", "ghost2")
    driver.end("a")
    driver.end("b")
    assert driver.started() == ["a", "b"]
    assert (total(driver).cancelled, total(driver).active_count) == (2, 0)
    assert driver.scheduler.fleet.devices["d"].used == 0


def test_cancelled_in_the_turn_that_granted_it_its_place_it_gives_it_back_and_the_next_one_starts() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a", "granted", "b"]))
    driver.end("a")
    driver.ask(c.CancelTasks, "granted")
    assert driver.stops[-1].task_id == "granted"
    driver.end("granted", stopped=True)
    assert driver.statuses() == {"a": "completed", "granted": "cancelled", "b": "running"}
    assert driver.scheduler.fleet.devices["d"].used == 1


def test_cancelled_before_the_grant_in_one_turn_it_is_passed_over() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a", "granted", "b"]))
    driver.turn(driver.ended("a"), c.CancelTasks(run_id="r", task_ids=("granted",)))
    assert driver.statuses() == {"a": "completed", "granted": "cancelled", "b": "running"}
    assert driver.stops == []


def test_cancelled_while_running_it_frees_its_slot_once_when_it_has_really_stopped() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a", "b", "c"]))
    driver.ask(c.CancelTasks, "a")
    assert driver.status("b") == "pending", "it still runs"
    end = driver.ended("a", stopped=True)
    driver.turn(end, end)
    assert driver.statuses() == {"a": "cancelled", "b": "running", "c": "pending"}
    assert total(driver).cancelled == 1


def test_cancelling_twice_orders_one_stop_and_cancels_one_task() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a"]))
    driver.ask(c.CancelTasks, "a")
    driver.ask(c.CancelTasks, "a")
    driver.ask(c.CancelRun)
    driver.ask(c.CancelRun)
    assert len(driver.stops) == 1
    driver.end("a", stopped=True)
    driver.ask(c.CancelTasks, "a")
    driver.ask(c.CancelRun)
    assert (total(driver).cancelled, driver.run().state) == (1, "cancelled")


def test_a_task_that_completes_though_it_was_told_to_stop_frees_its_slot_once() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a", "b"]))
    driver.ask(c.CancelTasks, "a")
    driver.end("a", value=1)
    assert driver.statuses() == {"a": "cancelled", "b": "running"}
    assert driver.scheduler.fleet.devices["d"].used == 1


def test_every_place_of_a_task_in_several_groups_is_given_back_by_every_kind_of_end() -> None:
    ends: tuple[dict[str, Any], ...] = ({}, {"ok": False}, {"stopped": True}, {"lost": True})
    for end in ends:
        driver = Driver(slots=2)
        driver.do(c.SetLimits(max_concurrency=1, groups={"g": 1, "h": 1}))
        driver.create(plan([task(n, groups=("g", "h")) for n in ("a", "b")], limits=Limits(max_concurrency=1)))
        driver.end("a", **end)
        assert driver.status("b") == "running", end
        assert driver.scheduler.fleet.group_used == {"g": 1, "h": 1}
        assert driver.scheduler.fleet.running == driver.run().running == 1


def test_cancelling_one_run_leaves_the_other_runs_alone() -> None:
    driver = Driver(slots=2)
    driver.create(plan(["a", "b"]), run_id="one")
    driver.create(plan(["a", "b"]), run_id="two")
    driver.do(c.CancelRun(run_id="one"))
    for name in ("a", "b"):
        driver.end(name, "one", stopped=True)
    driver.end_all("two")
    assert (driver.run("one").state, driver.run("two").state) == ("cancelled", "completed")
    assert set(driver.statuses("two").values()) == {"completed"}


def test_a_new_run_works_after_a_cancelled_one() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a", "b"]), run_id="one")
    driver.do(c.CancelRun(run_id="one"))
    driver.end("a", "one", stopped=True)
    driver.create(plan(["a"]), run_id="two")
    driver.end_all("two")
    assert driver.run("two").state == "completed"


# ---- pause


def test_a_pause_stops_dispatch_and_nothing_else() -> None:
    driver = Driver(slots=1)
    retry = Retry(attempts=2, delay=5)
    driver.create(plan([task("a", timeout=20), task("b", retry=retry), "next"]))
    driver.ask(c.PauseRun)
    assert (driver.stops, driver.status("a")) == ([], "running")
    driver.advance(20)
    assert [(stop.task_id, stop.cause) for stop in driver.stops] == [("a", "timeout")], "its timeout goes on"
    driver.end("a", stopped=True)
    assert driver.statuses() == {"a": "failed", "b": "pending", "next": "pending"}
    driver.ask(c.ResumeRun)
    assert driver.status("b") == "running"


def test_a_backoff_elapses_during_a_pause_but_nothing_starts() -> None:
    driver = Driver(slots=1)
    driver.create(plan([task("a", retry=Retry(attempts=2, delay=5))]))
    driver.fail("a")
    driver.ask(c.PauseRun)
    driver.advance(5)
    assert driver.run().backoff == {}
    assert (driver.status("a"), len(driver.started())) == ("pending", 1)
    driver.ask(c.ResumeRun)
    assert len(driver.started()) == 2


def test_a_paused_run_leaves_its_places_to_others() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a", "b"]), run_id="one")
    driver.create(plan(["x"]), run_id="two")
    driver.do(c.PauseRun(run_id="one"))
    driver.end("a", "one")
    assert driver.status("x", "two") == "running"
    driver.do(c.ResumeRun(run_id="one"))
    driver.end("x", "two")
    assert driver.status("b", "one") == "running"


def test_a_timeout_runs_from_the_start_of_an_attempt_not_from_when_it_was_ready() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a", task("b", timeout=10)]))
    driver.advance(100)
    driver.end("a")
    driver.advance(9)
    assert driver.stops == []
    driver.advance(1)
    assert [stop.task_id for stop in driver.stops] == ["b"]


def test_each_attempt_has_the_whole_timeout() -> None:
    driver = Driver(slots=1)
    driver.create(plan([task("a", timeout=10, retry=Retry(attempts=2))]))
    driver.advance(8)
    driver.fail("a")
    driver.advance(8)
    assert driver.stops == []
    driver.advance(2)
    assert [(stop.task_id, stop.attempt) for stop in driver.stops] == [("a", 2)]


# ---- whatever happens


@pytest.mark.parametrize("seed", range(8))
def test_whatever_happens_the_counters_add_up(seed: int) -> None:
    """A walk through two hundred random turns; no turn of it may leave a task uncounted or a slot too many."""
    draw = random.Random(seed)
    driver = Driver(slots=2, devices=["d", "e"], checked=False)
    driver.do(c.SetLimits(max_concurrency=3, groups={"g": 1}, max_queue=12))
    made = 0
    for _ in range(200):
        made = random_turn(draw, driver, made)
        found = total(driver)
        assert found.active_count == len(driver.ordered) <= 4
        assert found.active_count == sum(device.used for device in driver.scheduler.fleet.devices.values())
    driver.check()


def random_turn(draw: random.Random, driver: Driver, made: int) -> int:
    choice = draw.randrange(10)
    live = list(driver.scheduler.live)
    try:
        if choice <= 1 or not live:
            made += 1
            tasks = [
                task(f"t{n}", priority=draw.randrange(101), groups=("g",) * draw.randrange(2), retry=draw.randrange(2))
                for n in range(draw.randrange(1, 6))
            ]
            pairs = [f"t{n}>t{n + 1}" for n in range(len(tasks) - 1) if draw.random() < 0.5]
            driver.create(plan(tasks, pairs), run_id=f"run{made}")
        elif choice <= 5 and driver.ordered:
            run_id, name = draw.choice(list(driver.ordered))
            driver.end(name, run_id, **draw.choice([{}, {}, {"ok": False}, {"lost": True}, {"stopped": True}]))
        else:
            driver.do(random_command(draw, driver, draw.choice(live), made))
    except CommandRefused:
        pass
    driver.now += draw.random()
    driver.turn(TimePassed())
    return made


def random_command(draw: random.Random, driver: Driver, run_id: str, made: int) -> Any:
    name = draw.choice(list(driver.run(run_id).graph.place) or ["none"])
    batch = EditBatch(edits=(AddTask(task(f"new{made}{driver.now}")),))
    return draw.choice(
        [
            c.CancelTasks(run_id=run_id, task_ids=(name,)),
            c.SkipTasks(run_id=run_id, task_ids=(name,)),
            c.RetryTasks(run_id=run_id, task_ids=(name,)),
            c.MarkTasks(run_id=run_id, task_ids=(name,)),
            c.HoldTasks(run_id=run_id, task_ids=(name,)),
            c.ReleaseTasks(run_id=run_id, task_ids=(name,)),
            c.RerunFrom(run_id=run_id, task_id=name, cancel_running=True),
            c.PauseRun(run_id=run_id),
            c.ResumeRun(run_id=run_id),
            c.CancelRun(run_id=run_id) if draw.random() < 0.2 else c.ResumeRun(run_id=run_id),
            c.EditConstellation(run_id=run_id, batch=batch, is_submission=draw.random() < 0.5),
            c.EditConstellation(run_id=run_id, batch=EditBatch(edits=(RemoveTask(name),))),
            c.SetRunLimit(run_id=run_id, max_concurrency=draw.choice([None, 0, 1, 2])),
            c.SetSlots(device_id=draw.choice("de"), slots=draw.randrange(3)),
        ]
    )

"""Those who wait grow more important: aging, its rate, overtaking, promotions."""

from __future__ import annotations

from typing import Any

import pytest
from tests.driver import RUN, Driver, plan, task

from starloom.constellation.edits import AddTask, UpdateTask
from starloom.model.task import Retry
from starloom.scheduling import commands as c
from starloom.scheduling.read.counters import counters
from starloom.scheduling.state.queueing import effective_priority


def one_slot(**limits: Any) -> Driver:
    """One slot, which a critical task of a run of its own holds."""
    driver = Driver(slots=1)
    if limits:
        driver.do(c.SetLimits(**limits))
    driver.create(plan([task("blocker", priority=100)]), run_id="blocker")
    return driver


def release(driver: Driver) -> None:
    driver.end("blocker", "blocker")


def order(driver: Driver, run_id: str = RUN) -> list[str]:
    """Free the slot and let everything run, one after the other; the order of the starts."""
    release(driver)
    driver.end_all(run_id)
    return driver.started(run_id)


def effective(driver: Driver, name: str, run_id: str = RUN) -> float:
    index = driver.scheduler.runs[run_id]
    return effective_priority(driver.scheduler, index, index.run.graph.place[name])


# ---- aging


def test_aging_adds_10_for_5_seconds_of_waiting() -> None:
    driver = one_slot()
    driver.create(plan([task("bg", priority=0)]))
    shown = []
    for _ in range(4):
        shown.append(effective(driver, "bg"))
        driver.advance(5)
    assert shown == [0, 10, 20, 30]


def test_what_is_shown_ends_at_100() -> None:
    driver = one_slot()
    driver.create(plan([task("old", priority=90)]))
    driver.advance(1000)
    assert effective(driver, "old") == 100.0


@pytest.mark.parametrize(("timeout", "deadline"), [(10.0, 10.0), (30.0, 30.0), (60.0, 60.0)])
def test_starvation_timeout_is_the_time_in_which_a_background_task_reaches_60(timeout: float, deadline: float) -> None:
    driver = one_slot(starvation_timeout=timeout)
    driver.create(plan([task("bg", priority=0)]))
    driver.advance(deadline)
    assert effective(driver, "bg") == pytest.approx(60.0)


def test_a_starvation_timeout_of_zero_means_nobody_ages() -> None:
    driver = one_slot(starvation_timeout=0)
    driver.create(plan([task("bg", priority=0)]))
    driver.advance(10_000)
    assert effective(driver, "bg") == 0.0
    driver.create(plan([task("new", priority=1)]), run_id="later")
    release(driver)
    assert driver.started("later") == ["new"]


def first_start_of_background(starvation_timeout: float) -> tuple[float, int]:
    """When a background task starts while a normal one arrives every second; and the promotions by then.

    The normal ones run a second each on one slot, so without aging the background task would never start.
    """
    driver = Driver(slots=1, checked=False)
    driver.do(c.SetLimits(starvation_timeout=starvation_timeout))
    driver.create(plan(["n0", task("bg", priority=0)]), hold_open=True)
    number = 0
    while "bg" not in driver.started():
        assert driver.now < 1000, "it never starts"
        number += 1
        driver.edit(AddTask(task(f"n{number}")))
        driver.edit(AddTask(task(f"m{number}")))
        driver.advance(1)
        driver.end(next(iter(driver.ordered))[1])
    return driver.now, counters(driver.scheduler).starvation_promotions


def test_a_background_task_starts_once_its_age_makes_up_for_the_difference_and_not_before() -> None:
    """Newcomers of 50 are overtaken by one of 0 that is 25 s older: 10 for 5 s."""
    at, promotions = first_start_of_background(30.0)
    oldest_newcomer_left_behind = at / 2
    assert at >= 25.0
    assert at - oldest_newcomer_left_behind <= 26.0
    assert promotions == 1


def test_a_shorter_starvation_timeout_lets_it_start_earlier() -> None:
    early, late = first_start_of_background(10.0)[0], first_start_of_background(60.0)[0]
    assert early < first_start_of_background(30.0)[0] < late


def test_aged_enough_a_background_task_overtakes_a_newer_critical_one() -> None:
    driver = one_slot()
    driver.create(plan([task("bg", priority=0)]))
    driver.advance(49.9)
    driver.create(plan([task("critical", priority=100)]), run_id="newer")
    driver.advance(50.1)
    driver.create(plan([task("critical", priority=100)]), run_id="newest")
    release(driver)
    assert driver.started("newer") == ["critical"], "the background task has waited 49.9 s longer, it takes 50"
    driver.end("critical", "newer")
    assert driver.started() == ["bg"]
    assert driver.started("newest") == []


def test_aging_keeps_the_order_of_two_waiting_tasks_so_time_alone_changes_nothing() -> None:
    driver = one_slot()
    driver.create(plan([task("bg", priority=0), task("normal")]))
    driver.advance(100_000)
    assert order(driver) == ["normal", "bg"]


def test_a_new_rate_counts_for_those_who_wait_already() -> None:
    driver = one_slot(starvation_timeout=0)
    driver.create(plan([task("bg", priority=0)]))
    driver.advance(100)
    driver.create(plan(["normal"]), run_id="later")
    driver.do(c.SetLimits(starvation_timeout=30.0))
    assert effective(driver, "bg") == 100.0
    release(driver)
    assert driver.started() == ["bg"]


def test_aging_stands_still_while_a_run_is_paused() -> None:
    driver = one_slot()
    driver.create(plan([task("bg", priority=0)]))
    driver.advance(10)
    driver.ask(c.PauseRun)
    driver.advance(1000)
    assert effective(driver, "bg") == 20.0
    driver.ask(c.ResumeRun)
    assert effective(driver, "bg") == 20.0
    driver.advance(5)
    assert effective(driver, "bg") == 30.0


def test_a_run_that_was_created_without_starting_does_not_age_before_its_start() -> None:
    driver = one_slot()
    driver.create(plan([task("bg", priority=0)]), start=False)
    driver.advance(100)
    driver.ask(c.StartRun)
    assert effective(driver, "bg") == 0.0


def test_waiting_for_a_dependency_is_not_waiting_in_line() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a", task("b", priority=0)], ["a>b"]))
    driver.advance(100)
    driver.create(plan(["other"]), run_id="later")
    driver.end("a")
    assert driver.started("later") == ["other"], "b is ready since now"


# ---- promotions


def test_a_start_ahead_of_a_higher_base_priority_is_one_promotion_however_long_it_waited() -> None:
    driver = one_slot()
    driver.create(plan([task("bg", priority=0)]))
    driver.advance(300)
    driver.create(plan([task("critical", priority=100)]), run_id="newer")
    assert counters(driver.scheduler).starvation_promotions == 0
    release(driver)
    assert driver.started() == ["bg"]
    assert counters(driver.scheduler).starvation_promotions == 1


def test_a_held_task_of_higher_priority_is_not_in_line_and_so_not_overtaken() -> None:
    driver = one_slot()
    driver.create(plan([task("bg", priority=0)]))
    driver.advance(300)
    driver.create(plan([task("critical", priority=100)]), run_id="newer")
    driver.do(c.HoldTasks(run_id="newer", task_ids=("critical",)))
    release(driver)
    assert driver.started() == ["bg"]
    assert counters(driver.scheduler).starvation_promotions == 0


def test_a_start_with_nobody_of_higher_priority_in_line_is_no_promotion() -> None:
    driver = one_slot()
    driver.create(plan([task("bg", priority=0), task("bg2", priority=0)]))
    driver.advance(300)
    order(driver)
    assert counters(driver.scheduler).starvation_promotions == 0


def test_a_task_that_is_tried_again_is_promoted_once() -> None:
    driver = one_slot()
    driver.create(plan([task("bg", priority=0, retry=Retry(attempts=2))]))
    driver.advance(300)
    driver.create(plan([task("critical", priority=100)]), run_id="newer")
    driver.do(c.PinTasks(run_id="newer", task_ids=("critical",), device_id=None))
    release(driver)
    driver.do(c.HoldTasks(run_id="newer", task_ids=("critical",)))
    driver.fail("bg")
    assert driver.status("bg") == "running"
    driver.do(c.ReleaseTasks(run_id="newer", task_ids=("critical",)))
    assert counters(driver.scheduler).starvation_promotions == 1
    driver.fail("bg")
    assert driver.started("newer") == ["critical"]
    assert counters(driver.scheduler).starvation_promotions == 1


def test_a_second_promotion_of_the_same_task_does_not_count() -> None:
    driver = one_slot()
    driver.create(plan([task("bg", priority=0, retry=Retry(attempts=2))]))
    driver.advance(300)
    driver.create(plan([task("critical", priority=100, device="d")]), run_id="newer")
    release(driver)
    driver.add_device("other", slots=1)
    driver.do(c.SetSlots(device_id="d", slots=0))
    driver.fail("bg")
    assert [start.device_id for start in driver.ordered.values()] == ["other"]
    assert counters(driver.scheduler).starvation_promotions == 1


def test_priorities_that_differ_only_since_an_edit_count_for_promotions_too() -> None:
    """Until then nobody kept the highest queued priority."""
    driver = Driver(slots=1, devices=["d", "e"])
    driver.create(plan([task("on_d", device="d"), task("on_e", device="e")]), run_id="busy")
    driver.create(plan([task("x", device="d"), task("low", device="e")]))
    driver.edit(UpdateTask("low", priority=20))
    driver.end("on_e", "busy")
    assert driver.status("low") == "running"
    assert counters(driver.scheduler).starvation_promotions == 1, "x has 50 and is ready"

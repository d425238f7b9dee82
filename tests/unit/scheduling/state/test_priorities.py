"""Who starts next: priorities and their names, order of submission, inheritance; only ready tasks queue."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError
from tests.driver import RUN, Driver, edge, plan, task

from starloom.constellation.edits import AddDependency, RemoveTask, UpdateTask
from starloom.model.plan import Limits
from starloom.scheduling import commands as c
from starloom.scheduling.read.counters import counters
from starloom.scheduling.state.queueing import effective_priority
from starloom.scheduling.state.run_index import RunIndex
from starloom.testing import layered


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


# ---- base priority


def test_on_one_slot_90_starts_before_50_before_10() -> None:
    driver = one_slot()
    driver.create(plan([task("low", priority=10), task("mid", priority=50), task("top", priority=90)]))
    assert order(driver) == ["top", "mid", "low"]


def test_equal_priorities_start_in_order_of_submission() -> None:
    driver = one_slot()
    driver.create(plan(["e", "d", "c", "b", "a"]))
    assert order(driver) == ["e", "d", "c", "b", "a"]


def test_equal_priorities_of_several_runs_start_in_the_order_of_the_runs() -> None:
    driver = one_slot()
    for run_id in ("first", "second", "third"):
        driver.create(plan(["t"]), run_id=run_id)
    release(driver)
    starts = []
    while driver.ordered:
        run_id, name = next(iter(driver.ordered))
        starts.append(run_id)
        driver.end(name, run_id)
    assert starts == ["first", "second", "third"]


def test_the_five_names_are_the_seeds_numbers() -> None:
    names = {"critical": 100, "high": 80, "normal": 50, "low": 20, "background": 0}
    assert {name: task("t", priority=name).priority for name in names} == names
    assert task("t").priority == 50


def test_priorities_beyond_the_ends_count_as_the_ends() -> None:
    driver = one_slot()
    driver.create(plan([task("under", priority=-50), task("over", priority=200)]))
    assert list(driver.run().priority) == [0, 100]
    assert order(driver) == ["over", "under"]
    total = counters(driver.scheduler)
    assert (total.high_priority_completed, total.low_priority_completed) == (2, 1), "the blocker is high too"


@pytest.mark.parametrize("bad", ["urgent", 2.5, None, True, "", [50]])
def test_what_is_no_priority_is_an_error(bad: object) -> None:
    with pytest.raises(ValidationError):
        task("t", priority=bad)


def test_24_and_less_count_as_low_75_and_more_as_high() -> None:
    driver = Driver()
    driver.create(plan(task(f"p{number}", priority=number) for number in (24, 25, 74, 75)))
    seen = []
    for number in (24, 25, 74, 75):
        driver.end(f"p{number}")
        total = counters(driver.scheduler)
        seen.append((total.low_priority_completed, total.high_priority_completed))
    assert seen == [(1, 0), (1, 0), (1, 0), (1, 1)]


def test_three_high_tasks_of_one_run_finish_before_the_third_of_a_hundred_low_ones_of_another_starts() -> None:
    driver = Driver(slots=2, checked=False)
    driver.turn(
        c.CreateRun(run_id="low", plan=plan(task(f"l{n}", priority="low") for n in range(100))),
        c.CreateRun(run_id="high", plan=plan(task(f"h{n}", priority="high") for n in range(3))),
    )
    ended: list[str] = []
    while len(driver.started("low")) < 3:
        run_id, name = next(iter(driver.ordered))
        driver.end(name, run_id)
        ended.append(name)
    assert {"h0", "h1", "h2"} <= set(ended)


def test_a_new_priority_moves_a_queued_task_at_once_and_only_that_one() -> None:
    driver = one_slot()
    driver.create(plan(["a", "b", "c", "d"]))
    driver.ask(c.SetPriority, "c", priority=80)
    driver.ask(c.SetPriority, "a", priority=20)
    assert order(driver) == ["c", "b", "d", "a"]


def test_a_new_priority_leaves_revision_and_age_alone() -> None:
    driver = one_slot()
    driver.create(plan(["a", "b"]))
    driver.advance(10)
    driver.ask(c.SetPriority, "a", priority=40)
    assert driver.run().revision == 0
    assert effective(driver, "a") == 60.0
    driver.ask(c.SetPriority, "a", priority=50)
    assert effective(driver, "a") == effective(driver, "b") == 70.0
    assert order(driver) == ["a", "b"], "and it has its place in line back"


def test_a_priority_edit_of_a_queued_task_moves_it_too() -> None:
    driver = one_slot()
    driver.create(plan(["a", "b", "c"]))
    driver.edit(UpdateTask("c", priority=90))
    assert order(driver) == ["c", "a", "b"]


# ---- inheritance


def test_a_low_parent_of_a_critical_task_starts_before_unrelated_normal_ones() -> None:
    """The seed let the child hold the only slot while it waited for its parent."""
    driver = one_slot()
    driver.create(plan(["n1", "n2", task("a", priority="low"), task("b", priority="critical")], ["a>b"]))
    assert order(driver) == ["a", "b", "n1", "n2"]


def test_the_highest_descendant_counts_however_far_away() -> None:
    driver = one_slot()
    chain = [task(f"c{n}", priority=0) for n in range(6)]
    tasks: list[Any] = ["normal", *chain, task("top", priority=70)]
    driver.create(plan(tasks, [*(f"c{n}>c{n + 1}" for n in range(5)), "c5>top"]))
    assert order(driver) == [*(f"c{n}" for n in range(6)), "top", "normal"]


def test_inheritance_follows_new_dependencies_and_ends_with_them() -> None:
    driver = one_slot()
    driver.create(plan([task("low", priority=20), "normal", task("top", priority=90)]))
    driver.ask(c.HoldTasks, "top")
    index = driver.scheduler.runs[RUN]
    receipt = driver.edit(AddDependency(edge("low", "top")))
    assert list(index.base) == [90, 50, 90]
    driver.apply(receipt.inverse)
    assert list(index.base) == [20, 50, 90]


def test_a_removed_skipped_or_cancelled_descendant_lends_nothing() -> None:
    for remove in (
        lambda driver: driver.edit(RemoveTask("top")),
        lambda driver: driver.ask(c.SkipTasks, "top"),
        lambda driver: driver.ask(c.CancelTasks, "top"),
        lambda driver: driver.ask(c.SetPriority, "top", priority=0),
    ):
        driver = one_slot()
        driver.create(plan([task("low", priority=20), "normal", task("top", priority=90)], ["low>top"]))
        assert driver.scheduler.runs[RUN].base[0] == 90
        remove(driver)
        assert driver.scheduler.runs[RUN].base[0] == 20
        assert order(driver)[:2] == ["normal", "low"]


def test_a_task_keeps_its_own_priority_in_what_is_counted() -> None:
    """An inherited priority orders the queue; the tiers go by what the task itself was given."""
    driver = Driver()
    driver.create(plan([task("low", priority=10), task("top", priority=90)], ["low>top"]))
    driver.end("low")
    total = counters(driver.scheduler)
    assert (total.low_priority_completed, total.high_priority_completed) == (1, 0)


# ---- only ready tasks queue


def test_a_child_that_is_submitted_first_and_more_important_holds_no_slot_while_it_waits() -> None:
    driver = Driver(slots=1)
    child = task("b", priority="critical", timeout=1)
    driver.create(plan([child, task("a", priority="low")], ["a>b"], Limits(max_concurrency=1)))
    assert driver.started() == ["a"]
    driver.advance(1000)
    assert driver.statuses() == {"b": "waiting_dependency", "a": "running"}, "nor does its timeout run"
    driver.end("a")
    driver.end("b")
    assert driver.run().state == "completed"


def test_parked_tasks_keep_their_order_when_they_come_back() -> None:
    driver = Driver(slots=1)
    driver.do(c.SetLimits(groups={"g": 1}))
    tasks = [task(f"t{n}", groups=("g",), priority=n * 10) for n in range(1, 6)]
    driver.create(plan(tasks))
    driver.end_all()
    assert driver.started() == ["t5", "t4", "t3", "t2", "t1"]


def test_a_task_of_a_blocked_bucket_never_holds_up_one_that_can_start() -> None:
    driver = Driver(slots=5)
    driver.do(c.SetLimits(groups={"g": 0}))
    driver.create(plan([task("blocked", groups=("g",), priority=100), task("free", priority=0)]))
    assert driver.started() == ["free"]


def test_two_overtakings_of_one_line_are_in_order_of_effective_priority() -> None:
    driver = one_slot()
    driver.create(plan([task("a", priority=0)]))
    driver.advance(10)
    driver.create(plan([task("b", priority=10)]), run_id="b")
    driver.advance(10)
    driver.create(plan([task("c", priority=35)]), run_id="c")
    shown = {run: effective(driver, name, run) for run, name in ((RUN, "a"), ("b", "b"), ("c", "c"))}
    assert shown == {RUN: 40.0, "b": 30.0, "c": 35.0}
    release(driver)
    driver.end("a")
    driver.end("c", "c")
    assert [start.run_id for turn in driver.turns for start in turn.starts][1:] == [RUN, "c", "b"]


def test_priorities_spread_to_each_parent_that_gets_another_one_once(monkeypatch) -> None:
    driver = Driver(checked=False)
    driver.create(layered(40, 20, parents=3), start=False)
    looked: list[int] = []
    inherited = RunIndex._inherited

    def noted(index: RunIndex, number: int) -> int:
        looked.append(number)
        return inherited(index, number)

    monkeypatch.setattr(RunIndex, "_inherited", noted)
    half = tuple(driver.run().graph.ids[::2])
    for priority in (80, 20, 30):
        looked.clear()
        driver.ask(c.SetPriority, *half, priority=priority)
        index = driver.scheduler.runs[RUN]
        kept, count = bytes(index.base), len(looked)
        index.rebuild_priorities()
        assert bytes(index.base) == kept
        assert count <= len(driver.run().graph)

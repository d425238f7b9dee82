"""What if: what edits and commands would change, without changing anything."""

from __future__ import annotations

from typing import Any

import pytest
from tests.driver import Driver, edge, plan, task

from starloom.constellation.edits import AddDependency, AddTask, RemoveTask, UpdateTask
from starloom.foresight.what_if import WhatIf, what_if
from starloom.scheduling import commands as c
from starloom.scheduling.fork import Fork
from starloom.testing import chain, independent


def ask(driver: Driver, *edits: Any, commands: Any = ()) -> WhatIf:
    return what_if(Fork.of(driver.scheduler, driver.now), "r", edits, commands, samples=0)


@pytest.fixture
def driver() -> Driver:
    """Three tasks of 4 s one after the other on one slot, the first of which runs."""
    driver = Driver(slots=1)
    driver.create(chain(3, simulate=4.0))
    return driver


def test_an_added_task_delays_the_finish_and_stands_on_the_path(driver: Driver) -> None:
    found = ask(driver, AddTask(task("more", simulate=5.0)), AddDependency(edge("t2", "more")))
    assert (found.before.end, found.delay_s, found.added) == (12.0, 5.0, ("more",))
    assert found.after is not None
    assert [step.task_id for step in found.before.path] == ["t0", "t1", "t2"]
    assert [step.task_id for step in found.after.path] == ["t0", "t1", "t2", "more"]
    assert found.moves == ()
    assert "more" not in driver.run().graph.place


def test_a_removed_task_is_named_and_what_was_behind_it_moves(driver: Driver) -> None:
    found = ask(driver, RemoveTask("t1"))
    assert (found.removed, found.delay_s) == (("t1",), -4.0)
    assert [(move.task_id, move.start, move.new_start) for move in found.moves] == [("t2", 8.0, 4.0)]


def test_an_open_gate_that_is_removed_is_waited_for_no_more() -> None:
    driver = Driver(slots=2)
    gate = task("ask", gate={"after": 30, "then": "proceed"})
    driver.create(plan([task("first", simulate=2), gate, task("last", simulate=3)], ["first>last", "ask>last"]))
    found = ask(driver, RemoveTask("ask"))
    assert (found.before.end, found.removed, found.delay_s) == (33.0, ("ask",), -28.0)
    assert found.after is not None
    assert [step.task_id for step in found.after.path] == ["first", "last"]


def test_another_estimate_is_another_finish(driver: Driver) -> None:
    assert ask(driver, UpdateTask("t1", estimate=1.0)).delay_s == -3.0


def test_a_command_can_concern_the_fleet() -> None:
    driver = Driver(slots=1)
    driver.create(independent(4, simulate=2.0))
    found = ask(driver, commands=[c.SetSlots(device_id="d", slots=4)])
    assert (found.before.end, found.delay_s) == (8.0, -6.0)


def test_a_device_that_would_join_takes_tasks_over() -> None:
    driver = Driver(slots=1)
    driver.create(independent(4, simulate=2.0))
    found = ask(driver, commands=[c.AddDevice(device_id="new", kind="simulated", slots=1, connected=True)])
    assert found.delay_s == -4.0
    assert {move.new_device_id for move in found.moves if move.device_id != move.new_device_id} == {"new"}


def test_tasks_that_would_be_skipped_are_named(driver: Driver) -> None:
    found = ask(driver, commands=[c.CancelTasks(run_id="r", task_ids=("t1",))])
    assert found.skipped == ("t2", "t1")
    assert found.delay_s == -8.0


def test_stopping_what_runs_frees_its_slot() -> None:
    driver = Driver(slots=1)
    driver.create(independent(2, simulate=6.0))
    driver.advance(1)
    found = ask(driver, commands=[c.CancelTasks(run_id="r", task_ids=("t0",))])
    assert (found.before.end, found.skipped) == (12.0, ("t0",))
    assert found.after is not None
    assert found.after.end == 7.0


def test_held_tasks_would_not_be_foreseen(driver: Driver) -> None:
    found = ask(driver, commands=[c.HoldTasks(run_id="r", task_ids=("t1",))])
    assert found.after is not None
    assert found.after.unforeseen == 2
    assert [move.new_start for move in found.moves] == [None, None]


def test_a_refused_edit_says_why_and_foresees_nothing(driver: Driver) -> None:
    found = ask(driver, AddDependency(edge("t2", "t1")), RemoveTask("t0"))
    assert (found.after, found.delay_s, found.moves) == (None, None, ())
    assert len(found.problems) == 2
    assert any("cycle" in problem for problem in found.problems)
    assert any("is running" in problem for problem in found.problems)


def test_a_refused_command_says_why(driver: Driver) -> None:
    found = ask(driver, commands=[c.SkipTasks(run_id="r", task_ids=("nobody",))])
    assert found.after is None
    assert "nobody" in found.problems[0]


def test_nothing_asked_for_changes_nothing(driver: Driver) -> None:
    found = ask(driver)
    assert (found.before, found.moves, found.delay_s) == (found.after, (), 0.0)


def test_an_edit_takes_its_origin_into_account_as_the_real_one_would(driver: Driver) -> None:
    driver.create(plan(["x"]), "other")
    before = driver.graph_bytes()
    ask(driver, AddTask(task("y")))
    assert driver.graph_bytes() == before

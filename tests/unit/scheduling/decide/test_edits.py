"""Edits on a running graph: all or nothing, with every reason named, with an inverse, and with conflicts noticed."""

from __future__ import annotations

import pytest
from tests.driver import Driver, codes, edge, plan, refused, task

from starloom import events as ev
from starloom.constellation.edits import (
    AddDependency,
    AddTask,
    RemoveDependency,
    RemoveTask,
    UpdateDependency,
    UpdateTask,
)
from starloom.errors import CommandRefused
from starloom.scheduling import commands as c

# ---- adding, removing, changing while it runs


def test_an_added_task_without_dependencies_runs(driver):
    receipt = driver.edit(AddTask(task("new")))
    assert receipt.revision == driver.run().revision == 1
    driver.end_all()
    assert driver.status("new") == "completed"


def test_a_task_added_with_its_dependencies_in_one_batch_waits_for_them(driver):
    driver.edit(AddTask(task("new")), AddDependency(edge("c", "new")), AddDependency(edge("new", "y")))
    driver.end_all()
    assert driver.started().index("c") < driver.started().index("new") < driver.started().index("y")


def test_a_dependency_added_to_a_ready_task_takes_it_out_of_the_queue(driver):
    driver.edit(AddDependency(edge("a", "x")))
    assert driver.status("x") == "waiting_dependency"
    driver.end_all()
    assert driver.run().state == "completed"


def test_a_dependency_on_a_task_that_has_ended_is_answered_at_once(driver):
    driver.end("a")
    driver.end("b")
    driver.edit(AddDependency(edge("a", "y")), AddDependency(edge("b", "y", condition="status == 'completed'")))
    driver.end_all()
    assert driver.status("y") == "completed"


def test_a_dependency_on_a_failed_task_skips_its_new_child_at_once(driver):
    driver.fail("a")
    driver.edit(AddDependency(edge("a", "y")))
    assert driver.status("y") == "skipped"


def test_removing_the_last_dependency_makes_a_waiting_task_ready(driver):
    driver.edit(RemoveDependency("a", "b"))
    assert driver.status("b") == "pending"


def test_removing_a_task_lets_its_children_go_on_without_it(driver):
    driver.edit(RemoveTask("b"))
    assert driver.status("c") == "pending"
    assert "b" not in driver.run().graph
    driver.end_all()
    assert driver.run().state == "completed"
    assert driver.run().counts()["removed"] == 1


def test_a_removed_ready_task_is_not_dispatched_and_its_replacement_is(driver):
    driver.edit(RemoveTask("x"), AddTask(task("x2")), AddDependency(edge("x2", "y")))
    driver.end_all()
    assert "x" not in driver.started()
    assert driver.started().index("x2") < driver.started().index("y")


def test_removing_everything_that_is_left_ends_the_run(driver):
    driver.end("a")
    driver.end("b")
    driver.edit(*(RemoveTask(name) for name in ("y", "x")))
    driver.end_all()
    assert driver.run().state == "completed"


def test_updated_fields_are_checked_and_kept(driver):
    driver.edit(UpdateTask("b", timeout="1m", retry=2, groups="g"))
    changed = driver.run().graph.task("b")
    assert (changed.timeout, changed.retry.attempts, changed.groups) == (60.0, 3, ("g",))


def test_another_action_takes_the_old_one_away_and_undo_brings_it_back(driver):
    receipt = driver.edit(UpdateTask("b", command=["true"]))
    assert (driver.run().graph.task("b").action, driver.run().graph.task("b").call) == ("command", None)
    driver.apply(receipt.inverse)
    assert (driver.run().graph.task("b").action, driver.run().graph.task("b").command) == ("call", None)


def test_changing_the_groups_of_a_ready_task_moves_it_under_the_groups_limit(driver):
    driver.do(c.SetLimits(groups={"g": 0}))
    driver.edit(UpdateTask("x", groups=["g"]))
    driver.end("a")
    assert driver.started() == ["a", "b"]
    assert "group_full" in codes(driver.why("x"))
    driver.do(c.SetLimits(groups={"g": 1}))
    driver.end_all()
    assert driver.run().state == "completed"


def test_a_join_changed_to_any_makes_a_task_ready_that_has_its_first_yes():
    driver = Driver(slots=2)
    driver.create(plan("abc", ["a>c", "b>c"]))
    driver.end("a")
    driver.edit(UpdateTask("c", join="any"))
    assert driver.status("c") == "running"


def test_a_dependency_changed_to_always_saves_a_task_from_being_skipped(driver):
    driver.edit(UpdateDependency(edge("a", "b", "always")))
    driver.fail("a")
    driver.end_all()
    assert driver.status("b") == "completed"


def test_adding_a_task_to_an_ended_run_reopens_it(driver):
    driver.end_all()
    assert driver.run().state == "completed"
    driver.edit(AddTask(task("more")))
    assert driver.run().state == "executing"
    driver.end_all()
    assert driver.run().state == "completed"
    assert len(driver.of(ev.RunReopened)) == 1
    assert len(driver.of(ev.RunEnded)) == 2


def test_no_task_can_be_added_to_a_cancelled_run(driver):
    driver.ask(c.CancelRun)
    with pytest.raises(CommandRefused, match="cancelled"):
        driver.edit(AddTask(task("more")))
    driver.end("a", stopped=True)
    with pytest.raises(CommandRefused, match="Retry or rerun"):
        driver.edit(AddTask(task("more")))


# ---- what may not change


@pytest.mark.parametrize(
    "edit",
    [
        UpdateTask("a", timeout=5),
        RemoveTask("a"),
        AddDependency(edge("x", "a")),
    ],
)
def test_a_running_task_is_immutable_and_takes_no_dependency(driver, edit):
    (problem,) = refused(driver, edit)
    assert problem.code == "immutable"
    assert "'a'" in problem.message
    assert "running" in problem.message


@pytest.mark.parametrize("end", ["completed", "failed", "cancelled", "skipped"])
def test_an_ended_task_is_immutable_and_takes_no_dependency(end):
    driver = Driver(slots=1)
    driver.create(plan([task("p", priority=90), task("a", priority=90), "q"], ["p>a>always"]))
    if end == "skipped":
        driver.ask(c.SkipTasks, "a")
    elif end == "cancelled":
        driver.ask(c.CancelTasks, "a")
    else:
        driver.end("p")
        driver.end("a", ok=end == "completed")
    edits = (UpdateTask("a", timeout=5), RemoveTask("a"), AddDependency(edge("q", "a")), RemoveDependency("p", "a"))
    for edit in (*edits, UpdateDependency(edge("p", "a"))):
        (problem,) = refused(driver, edit)
        assert problem.code == "immutable"
        assert end in problem.message


def test_a_parent_of_a_running_task_cannot_be_removed_under_it():
    driver = Driver(slots=2)
    driver.create(plan(["a", "b", task("c", join="any")], ["a>c", "b>c"]))
    driver.ask(c.HoldTasks, "b") if driver.status("b") == "pending" else None
    driver.end("a")
    (problem,) = refused(driver, RemoveTask("b"))
    assert problem.code == "immutable"
    assert "'b'" in problem.message


def test_a_dependency_may_start_at_a_running_task(driver):
    driver.edit(AddDependency(edge("a", "y")))
    assert driver.run().graph.has_edge(*(driver.run().graph.place[name] for name in "ay"))

"""Undo and conflicts: an inverse gives everything back, and nobody overwrites what somebody else did later."""

from __future__ import annotations

import pytest
from tests.driver import Driver, codes, edge, plan, refused, task

from starloom import events as ev
from starloom.constellation.edits import (
    AddDependency,
    AddTask,
    EditBatch,
    RemoveDependency,
    RemoveTask,
    UpdateDependency,
    UpdateTask,
)
from starloom.errors import EditRefused
from starloom.scheduling import commands as c

EDITS = {
    "add": [AddTask(task("n"))],
    "add with edges": [AddTask(task("n")), AddDependency(edge("x", "n")), AddDependency(edge("n", "y"))],
    "remove": [RemoveTask("b")],
    "remove an end": [RemoveTask("y")],
    "update": [UpdateTask("b", timeout=5, retry=3, requires=["gpu"], metadata={"k": [1]})],
    "priority": [UpdateTask("b", priority="critical")],
    "unlink": [RemoveDependency("b", "c")],
    "relink": [UpdateDependency(edge("b", "c", condition="value > 1"))],
    "turn round": [RemoveDependency("x", "y"), AddDependency(edge("y", "x"))],
    "replace": [RemoveTask("b"), AddTask(task("b", timeout=1)), AddDependency(edge("b", "c", "always"))],
    "twice": [UpdateTask("b", timeout=5), UpdateTask("b", timeout=6), RemoveTask("b")],
    "there and back": [RemoveDependency("x", "y"), AddDependency(edge("x", "y"))],
}


@pytest.mark.parametrize("name", EDITS)
def test_apply_and_inverse_give_equal_bytes_and_redo_gives_the_edited_ones(driver, name):
    before = driver.graph_bytes()
    receipt = driver.edit(*EDITS[name])
    edited = driver.graph_bytes()
    undone = driver.apply(receipt.inverse)
    assert driver.graph_bytes() == before
    redone = driver.apply(undone.inverse)
    assert driver.graph_bytes() == edited
    driver.apply(redone.inverse)
    assert driver.graph_bytes() == before
    driver.end_all()
    assert driver.run().state == "completed"


def test_what_is_undone_and_done_again_says_so_once(driver):
    receipt = driver.edit(RemoveTask("b"), reason="Remove b")
    reasons = []
    for _ in range(4):
        reasons.append(receipt.inverse.reason)
        receipt = driver.apply(receipt.inverse)
    assert reasons == ["undo: Remove b", "Remove b", "undo: Remove b", "Remove b"]


def test_an_undone_removal_gives_a_task_its_place_in_line_back():
    driver = Driver(slots=1)
    driver.create(plan(["first", "second", "third"]))
    receipt = driver.edit(RemoveTask("second"))
    driver.apply(receipt.inverse)
    driver.end_all()
    assert driver.started() == ["first", "second", "third"]


def test_an_undone_removal_brings_back_conditions_holds_and_priority():
    driver = Driver(slots=1)
    driver.create(plan("pab", [edge("p", "a", condition="value == 1"), "a>b>failure"]))
    driver.ask(c.SetPriority, "a", priority=90)
    driver.ask(c.HoldTasks, "a")
    driver.apply(driver.edit(RemoveTask("a")).inverse)
    driver.end("p", value=1)
    assert driver.status("a") == "pending"
    assert codes(driver.why("a")) == ["held"]
    driver.ask(c.ReleaseTasks, "a")
    assert driver.status("a") == "running"
    assert driver.run().priority[1] == 90


def test_a_new_task_never_takes_the_place_of_a_removed_other_one(driver):
    place = driver.run().graph.place["b"]
    driver.ask(c.SetPriority, "b", priority=90)
    driver.ask(c.HoldTasks, "b")
    driver.edit(RemoveTask("b"))
    driver.edit(AddTask(task("other", priority=10), place))
    assert driver.run().graph.place["other"] != place
    assert driver.run().priority[driver.run().graph.place["other"]] == 10
    driver.end_all()
    assert driver.status("other") == "completed"


@pytest.mark.parametrize("place", [-1, -7, 10**9])
def test_a_place_in_line_that_never_was_counts_as_the_end(driver, place):
    driver.edit(RemoveTask("y"))
    driver.edit(AddTask(task("n"), place))
    assert driver.run().graph.place["n"] == 5
    assert driver.run().counts()["submitted"] == 6


def test_undo_of_an_added_task_is_refused_once_it_runs():
    driver = Driver()
    driver.create(plan(["a"]))
    receipt = driver.edit(AddTask(task("n")))
    with pytest.raises(EditRefused, match="is running"):
        driver.apply(receipt.inverse)


# ---- conflicts


def test_what_another_origin_has_changed_since_is_a_conflict(driver):
    driver.edit(UpdateTask("b", timeout=5), origin="agent")
    (problem,) = refused(driver, UpdateTask("b", timeout=9), base_revision=0)
    assert problem.code == "conflict"
    assert "agent changed 'b' in revision 1" in problem.message
    assert driver.run().graph.task("b").timeout == 5


def test_another_field_or_another_task_is_no_conflict(driver):
    driver.edit(UpdateTask("b", timeout=5), origin="agent")
    driver.edit(UpdateTask("b", retry=1), UpdateTask("c", timeout=5), base_revision=0)
    assert driver.run().revision == 2


def test_what_the_author_has_seen_is_no_conflict(driver):
    driver.edit(UpdateTask("b", timeout=5), origin="agent")
    driver.edit(UpdateTask("b", timeout=9), base_revision=1)
    assert driver.run().graph.task("b").timeout == 9


def test_ones_own_later_edit_and_an_edit_without_base_are_no_conflicts(driver):
    driver.edit(UpdateTask("b", timeout=5))
    driver.edit(UpdateTask("b", timeout=6), base_revision=0)
    driver.edit(UpdateTask("b", timeout=7), origin="agent")
    driver.edit(UpdateTask("b", timeout=8))
    assert driver.run().graph.task("b").timeout == 8


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (UpdateTask("b", timeout=5), RemoveTask("b")),
        (AddDependency(edge("x", "b")), RemoveTask("b")),
        (UpdateDependency(edge("b", "c", "always")), RemoveDependency("b", "c")),
        (UpdateDependency(edge("b", "c", "always")), UpdateDependency(edge("b", "c", "failure"))),
        (RemoveDependency("b", "c"), AddDependency(edge("b", "c", "always"))),
        (UpdateTask("b", call="other"), UpdateTask("b", command=["true"])),
        (UpdateTask("b", command=["true"]), UpdateTask("b", shell="true")),
    ],
)
def test_an_edit_that_would_undo_somebody_elses_is_a_conflict(driver, theirs, ours):
    driver.edit(theirs, origin="agent")
    assert codes(refused(driver, ours, base_revision=0)) == ["conflict"]


def test_undo_never_overwrites_a_later_edit_of_somebody_else(driver):
    receipt = driver.edit(UpdateTask("b", timeout=5))
    driver.edit(UpdateTask("b", timeout=6), origin="agent")
    with pytest.raises(EditRefused, match="agent changed 'b'"):
        driver.apply(receipt.inverse)
    assert driver.run().graph.task("b").timeout == 6


def test_undo_of_an_added_task_is_a_conflict_once_somebody_else_has_linked_it(driver):
    receipt = driver.edit(AddTask(task("n")), AddDependency(edge("a", "n")))
    driver.edit(AddDependency(edge("b", "n")), origin="agent")
    with pytest.raises(EditRefused) as refusal:
        driver.apply(receipt.inverse)
    assert "conflict" in codes(refusal.value.problems)


def test_who_has_not_seen_that_a_task_was_removed_and_came_back_overwrites_nothing(driver):
    driver.edit(UpdateTask("b", timeout=5))
    driver.apply(driver.edit(RemoveTask("b"), origin="agent").inverse)
    (problem,) = refused(driver, UpdateTask("b", timeout=9), base_revision=1)
    assert "agent changed 'b' in revision 2" in problem.message
    assert codes(refused(driver, RemoveDependency("b", "c"), base_revision=1)) == ["conflict"]
    driver.edit(UpdateTask("b", timeout=9), base_revision=3)
    assert (
        "operator changed 'b' in revision 4"
        in refused(driver, UpdateTask("b", timeout=1), base_revision=3, origin="agent")[0].message
    )


def test_of_a_removed_task_is_noted_that_it_is_gone_and_not_each_of_its_fields(driver):
    before = len(driver.run().touched)
    driver.edit(RemoveTask("y"))
    assert len(driver.run().touched) - before == 3, "the task, that it is gone, and its one dependency"


def test_undoing_one_step_after_the_other_takes_nothing_back_that_another_one_did_in_between(driver):
    first = driver.edit(UpdateTask("b", name="A1"))
    for name in ("C1", "C2"):
        driver.edit(UpdateTask("b", name=name), origin="carl")
    second = driver.edit(UpdateTask("b", name="A2"))
    driver.apply(second.inverse)
    assert driver.run().graph.task("b").name == "C2"
    with pytest.raises(EditRefused) as refusal:
        driver.apply(first.inverse)
    (problem,) = refusal.value.problems
    assert "carl changed 'b' in revision 3" in problem.message
    assert driver.run().graph.task("b").name == "C2"
    seen = driver.edit(UpdateTask("b", name="A3"))
    driver.apply(driver.apply(seen.inverse).inverse)
    assert driver.run().graph.task("b").name == "A3", "one's own goes back and forth"


def test_who_has_overwritten_nobody_takes_all_of_their_own_back(driver):
    made = [driver.edit(UpdateTask("b", name=f"A{number}")) for number in range(3)]
    driver.edit(UpdateTask("b", timeout=9), origin="carl")
    for receipt in reversed(made):
        driver.apply(receipt.inverse)
    assert driver.run().graph.task("b").name == ""


def test_undo_goes_through_after_edits_of_others_elsewhere(driver):
    receipt = driver.edit(UpdateTask("b", timeout=5))
    driver.edit(UpdateTask("c", timeout=6), AddTask(task("n")), origin="agent")
    driver.apply(receipt.inverse)
    assert driver.run().graph.task("b").timeout is None


def test_conflicts_are_remembered_over_a_restart(driver):
    driver.edit(UpdateTask("b", timeout=5), origin="agent")
    driver.restart()
    assert codes(refused(driver, UpdateTask("b", timeout=9), base_revision=0)) == ["conflict"]


def test_an_event_tells_the_settled_changes_the_inverse_and_who_did_it(driver):
    driver.edit(AddTask(task("n")), UpdateTask("b", timeout="1m"), origin="agent", reason="slow")
    (event,) = driver.of(ev.ConstellationModified)
    assert event.changes == (AddTask(task("n"), 5), UpdateTask("b", timeout=60.0))
    assert event.inverse == (UpdateTask("b", timeout=None), RemoveTask("n"))
    assert (event.revision, event.origin, event.reason) == (1, "agent", "slow")


def test_a_batch_is_validated_against_today_and_not_against_what_its_author_saw(driver):
    batch = EditBatch(edits=(RemoveTask("x"),), base_revision=0)
    driver.advance(1)
    driver.end("a")
    assert driver.status("x") == "running"
    with pytest.raises(EditRefused, match="is running"):
        driver.apply(batch)


def test_added_tasks_of_higher_priority_do_not_hide_older_ready_ones_from_the_promotion_count():
    driver = Driver(slots=1)
    driver.create(plan([task("runs"), task("blocked", groups=["g"])]))
    driver.do(c.SetLimits(groups={"g": 0}))
    driver.edit(AddTask(task("low", priority=10)))
    driver.end("runs")
    assert driver.status("low") == "running"
    assert [event.promoted for event in driver.of(ev.TaskStarted)] == [False, True]

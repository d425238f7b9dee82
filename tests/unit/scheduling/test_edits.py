"""Edits on a running graph: all or nothing, with every reason named, with an inverse, and with conflicts noticed."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.driver import Driver, edge, plan, task

from starloom import events as ev
from starloom.constellation.edits import (
    AddDependency,
    AddTask,
    RemoveDependency,
    RemoveTask,
    UpdateDependency,
    UpdateTask,
)
from starloom.errors import CommandRefused, EditRefused
from starloom.scheduling import commands as c


def refused(driver, *edits, **fields):
    """The problems of a batch that must be refused."""
    with pytest.raises(EditRefused) as refusal:
        driver.edit(*edits, **fields)
    return refusal.value.problems


def codes(problems):
    return [problem.code for problem in problems]


@pytest.fixture
def driver() -> Driver:
    """`a` runs on the only slot; `b` and, behind it, `c` wait; `x` is ready; `y` waits for `x`."""
    driver = Driver(slots=1)
    driver.create(plan([task("a", priority=90), "b", "c", "x", "y"], ["a>b", "b>c", "x>y"]))
    assert driver.statuses() == {
        "a": "running",
        "b": "waiting_dependency",
        "c": "waiting_dependency",
        "x": "pending",
        "y": "waiting_dependency",
    }
    return driver


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


# ---- refusals


def test_a_cycle_is_refused_and_named(driver):
    (problem,) = refused(driver, AddDependency(edge("c", "b")))
    assert problem.code == "cycle"
    assert "c → b → c" in problem.message


def test_a_task_cannot_depend_on_itself(driver):
    (problem,) = refused(driver, AddDependency(edge("x", "x")))
    assert "x → x" in problem.message


def test_a_cycle_that_arises_only_inside_the_batch_is_refused(driver):
    problems = refused(
        driver,
        AddTask(task("n")),
        AddDependency(edge("n", "x")),
        AddDependency(edge("y", "n")),
    )
    assert codes(problems) == ["cycle"]
    assert problems[0].where == "edits[2]"


def test_an_edge_may_be_turned_round_in_one_batch(driver):
    driver.edit(RemoveDependency("x", "y"), AddDependency(edge("y", "x")))
    driver.end_all()
    assert driver.started().index("y") < driver.started().index("x")


def test_an_edge_turned_round_in_a_refused_batch_hides_no_cycle_later(driver):
    refused(driver, RemoveDependency("x", "y"), AddDependency(edge("y", "x")), RemoveTask("nobody"))
    (problem,) = refused(driver, AddDependency(edge("y", "x")))
    assert problem.code == "cycle"
    driver.check()


def test_a_cycle_through_a_long_chain_is_named_with_its_middle_left_out():
    driver = Driver(slots=1, checked=False)
    names = [f"t{number}" for number in range(5000)]
    driver.create(plan(names, [f"{a}>{b}" for a, b in pairwise(names)]))
    (problem,) = refused(driver, AddDependency(edge("t4999", "t1")))
    assert problem.message.startswith("the dependency would close the cycle t4999 → t1 → t2")
    assert "more" in problem.message


def test_an_unknown_task_is_named_with_the_nearest_one(driver):
    driver.edit(AddTask(task("transcode")))
    (problem,) = refused(driver, UpdateTask("transcod", timeout=5))
    assert (problem.code, problem.task_id) == ("unknown_task", "transcod")
    assert "'transcode'" in problem.hint


def test_an_unknown_field_is_named_with_the_nearest_one(driver):
    (problem,) = refused(driver, UpdateTask("b", timeuot=5))
    assert problem.code == "unknown_field"
    assert "'timeuot'" in problem.message
    assert "'timeout'" in problem.hint


@pytest.mark.parametrize(
    ("edit", "code", "word"),
    [
        (UpdateTask("b", id="z"), "unknown_field", "id"),
        (UpdateTask("b"), "no_fields", "names no field"),
        (UpdateTask("b", timeout=-1), "bad_field", "-1"),
        (UpdateTask("b", call=None), "bad_field", "no action"),
        (AddTask(task("b")), "duplicate_task", "'b'"),
        (AddDependency(edge("a", "b")), "duplicate_dependency", "'a'"),
        (RemoveDependency("a", "c"), "unknown_dependency", "'c'"),
        (UpdateDependency(edge("a", "c")), "unknown_dependency", "'c'"),
        (AddDependency(edge("a", "nobody")), "unknown_task", "'nobody'"),
        (AddDependency(edge("a", "c", condition="valu > 1")), "bad_condition", "'valu'"),
        (UpdateDependency(edge("a", "b", condition="value >")), "bad_condition", "column"),
    ],
)
def test_every_bad_edit_is_refused_with_its_reason(driver, edit, code, word):
    (problem,) = refused(driver, edit)
    assert problem.code == code
    assert word in problem.message


def test_an_empty_batch_is_refused(driver):
    assert codes(refused(driver)) == ["empty_batch"]


def test_one_bad_edit_refuses_the_whole_batch_and_all_bad_ones_are_listed(driver):
    problems = refused(
        driver,
        AddTask(task("n")),
        UpdateTask("a", timeout=1),
        AddDependency(edge("n", "y")),
        RemoveTask("nobody"),
        UpdateTask("b", bogus=1),
    )
    assert [(problem.where, problem.code) for problem in problems] == [
        ("edits[1]", "immutable"),
        ("edits[3]", "unknown_task"),
        ("edits[4]", "unknown_field"),
    ]
    assert "n" not in driver.run().graph
    assert driver.run().revision == 0


def test_the_rest_of_a_refused_batch_is_accepted_as_a_new_one(driver):
    edits = (AddTask(task("n")), UpdateTask("a", timeout=1), AddDependency(edge("n", "y")), RemoveTask("nobody"))
    bad = {problem.where for problem in refused(driver, *edits)}
    driver.edit(*(edit for place, edit in enumerate(edits) if f"edits[{place}]" not in bad))
    driver.end_all()
    assert driver.run().state == "completed"


def test_what_only_follows_from_another_bad_edit_is_marked_so(driver):
    problems = refused(
        driver,
        AddTask(task("x")),
        AddDependency(edge("nobody", "y")),
        RemoveDependency("nobody", "y"),
    )
    assert [(problem.code, problem.follows_from) for problem in problems] == [
        ("duplicate_task", None),
        ("unknown_task", None),
        ("unknown_task", None),
    ]
    problems = refused(
        driver,
        AddDependency(edge("c", "b")),
        UpdateDependency(edge("c", "b", "always")),
        RemoveDependency("c", "b"),
        UpdateTask("c", bogus=1),
    )
    assert [(problem.code, problem.follows_from) for problem in problems] == [
        ("cycle", None),
        ("unknown_dependency", 0),
        ("unknown_dependency", 0),
        ("unknown_field", None),
    ]


def test_a_cycle_through_an_edge_that_could_not_be_removed_only_follows(driver):
    driver.edit(UpdateDependency(edge("x", "y", "always")), origin="agent")
    problems = refused(driver, RemoveDependency("x", "y"), AddDependency(edge("y", "x")), base_revision=0)
    assert [(problem.code, problem.follows_from) for problem in problems] == [("conflict", None), ("cycle", 0)]


def test_a_task_that_could_not_be_removed_marks_its_replacement_as_following(driver):
    problems = refused(driver, RemoveTask("a"), AddTask(task("a")), AddDependency(edge("a", "nobody")))
    assert [(problem.code, problem.follows_from) for problem in problems] == [
        ("immutable", None),
        ("duplicate_task", 0),
        ("unknown_task", None),
    ]


def test_a_dependency_with_two_unknown_ends_names_the_one_that_does_not_only_follow(driver):
    bad = task("x")
    problems = refused(driver, AddTask(bad), AddTask(task("n")), AddDependency(edge("n", "gone")))
    assert [(problem.code, problem.task_id) for problem in problems] == [
        ("duplicate_task", "x"),
        ("unknown_task", "gone"),
    ]


def test_a_refused_batch_leaves_no_trace(driver):
    driver.advance(3)
    run = driver.run()
    before = run.canonical()
    neighbours = [list(children) for children in run.graph.children], [list(parents) for parents in run.graph.parents]
    order, keys = run.graph.topological_order(), list(driver.scheduler.runs["r"].keys)
    refused(
        driver,
        AddTask(task("n")),
        AddDependency(edge("n", "x")),
        RemoveDependency("x", "y"),
        AddDependency(edge("y", "x")),
        RemoveTask("b"),
        AddTask(task("b", priority=99)),
        UpdateTask("c", priority=100),
        AddDependency(edge("b", "c")),
        UpdateTask("a", timeout=1),
    )
    after = run.canonical()
    assert {name for name in after if after[name] != before[name]} == {"seq"}  # the note that it was refused
    assert neighbours == ([list(one) for one in run.graph.children], [list(one) for one in run.graph.parents])
    assert run.graph.topological_order() == order
    assert driver.scheduler.runs["r"].keys == keys
    (note,) = driver.of(ev.EditRejected)
    assert codes(note.problems) == ["immutable"]


def test_ids_of_a_refused_batch_can_be_used_again(driver):
    refused(driver, AddTask(task("n")), RemoveTask("nobody"))
    driver.edit(AddTask(task("n")))
    assert driver.run().graph.place["n"] == 5

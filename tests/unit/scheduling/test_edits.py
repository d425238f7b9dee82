"""Edits on a running graph: all or nothing, with every reason named, with an inverse, and with conflicts noticed."""

from __future__ import annotations

import pytest

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
from starloom.errors import CommandRefused, EditRefused
from starloom.scheduling import commands as c
from tests.driver import Driver, edge, plan, task


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
    driver.create(plan(names, [f"{a}>{b}" for a, b in zip(names, names[1:], strict=False)]))
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


# ---- undo


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

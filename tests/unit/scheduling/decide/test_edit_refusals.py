"""Refused edits: all or nothing, every bad edit listed with its reason, and no trace of any of them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.driver import RUN, Driver, codes, edge, plan, refused, task

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
from starloom.scheduling.commands import HoldTasks


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


def test_who_names_a_task_that_somebody_has_removed_reads_who_and_when(driver):
    driver.edit(RemoveTask("y"), origin="ada")
    said = f"'y' was removed by ada in revision {driver.run().revision}."
    (update,) = refused(driver, UpdateTask("y", timeout=5), origin="ben")
    (connect,) = refused(driver, AddDependency(edge("x", "y")), origin="ben")
    assert [(one.code, one.message, one.where) for one in (update, connect)] == [("unknown_task", said, "edits[0]")] * 2
    with pytest.raises(CommandRefused) as held:
        driver.do(HoldTasks(run_id=RUN, task_ids=("y",)))
    assert held.value.reason == said
    (never,) = refused(driver, UpdateTask("nobody", timeout=5))
    assert never.message == "there is no task 'nobody'."


def test_a_task_that_came_back_was_not_removed(driver):
    receipt = driver.edit(RemoveTask("y"), origin="ada")
    driver.apply(receipt.inverse)
    problems = refused(driver, RemoveTask("y"), UpdateTask("y", timeout=5))
    assert [problem.message for problem in problems] == ["there is no task 'y'."]

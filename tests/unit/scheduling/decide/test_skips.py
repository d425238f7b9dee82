"""Skips and aborts: why a task is left out, how far that spreads, and how it comes back."""

from __future__ import annotations

import pytest
from tests.driver import Driver, edge, plan, task

from starloom import events as ev
from starloom.errors import CommandRefused
from starloom.model.result import DONE
from starloom.scheduling import commands as c
from starloom.scheduling.stimuli import AttemptEnded
from starloom.testing import chain, layered

YES, NO = "completed", "skipped"
TABLE = {
    # how the parent ends: (success, always, failure, condition on status, condition on value)
    "completed": (YES, YES, NO, YES, YES),
    "failed as a warning": (YES, YES, YES, YES, NO),
    "failed": (NO, YES, YES, YES, NO),
    "cancelled": (NO, YES, NO, NO, NO),
    "skipped": (NO, YES, NO, NO, NO),
}
EDGES = (
    edge("p", "child"),
    edge("p", "child", "always"),
    edge("p", "child", "failure"),
    edge("p", "child", condition="status == 'completed' || status == 'failed'"),
    edge("p", "child", condition="value == 1"),
)
CASES = [
    (end, dependency, verdict)
    for end, verdicts in TABLE.items()
    for dependency, verdict in zip(EDGES, verdicts, strict=True)
]


def test_the_reason_of_a_skip_names_the_parent_and_what_became_of_it():
    driver = Driver()
    driver.create(plan("abcd", ["a>b", "b>c", "a>d>always"]))
    driver.fail("a")
    skips = {event.task_id: (event.because, event.reason) for event in driver.of(ev.TaskSkipped)}
    assert skips == {"b": ("a", "'a' failed"), "c": ("b", "'b' was skipped")}
    assert driver.status("d") == "running"
    (reason,) = driver.why("c")
    assert (reason.code, reason.subject) == ("skipped", "b")


def test_the_reason_names_kind_and_condition_where_they_matter():
    driver = Driver()
    on_value = [edge("a", "c", condition="value > 1"), edge("a", "d", condition='value > "b"')]
    driver.create(plan("abcd", ["a>b>failure", *on_value]))
    driver.end("a", value=0)
    assert driver.run().reasons == {
        1: "'a' completed, and the dependency is of kind failure",
        2: "'a' completed, and the condition value > 1 says no",
        3: "'a' completed, and the condition value > \"b\" cannot be evaluated: the condition compares or combines "
        "values of types that do not fit, such as null or a text and a number.",
    }


def test_why_a_condition_could_not_be_evaluated_is_known_as_long_as_its_verdict():
    driver = Driver()
    driver.create(plan("ab", [edge("a", "b", condition='value > "b"')]))
    driver.end("a", value=0)
    run = driver.run()
    (told,) = driver.of(ev.ConditionEvaluated)
    assert run.unevaluated == {(0, 1): told.error} != {(0, 1): ""}
    driver.do(c.RerunFrom(run_id="r", task_id="a"))
    assert not run.unevaluated
    driver.end("a", value="c")
    assert run.verdicts == {(0, 1): True}
    assert not run.unevaluated


def test_a_pending_consumer_is_skipped_in_the_very_turn_its_producer_fails():
    driver = Driver()
    driver.create(plan("abcde", ["a>b", "b>c", "c>d", "d>e"]))
    turn = driver.fail("a")
    assert [event.task_id for event in turn.events if isinstance(event, ev.TaskSkipped)] == ["b", "c", "d", "e"]
    assert driver.run().state == "failed"


def test_a_skip_runs_through_a_chain_of_100000_tasks_at_once_and_without_recursion():
    driver = Driver(checked=False)
    driver.create(chain(100_000))
    turn = driver.fail("t0")
    assert sum(isinstance(event, ev.TaskSkipped) for event in turn.events) == 99_999
    assert driver.run().state == "failed"
    driver.ask(c.HoldRunOpen)
    driver.ask(c.RetryTasks, "t0")
    assert driver.run().counts()["waiting"] == 99_999


def test_a_retry_revives_each_skipped_task_once_however_many_parents_it_has():
    driver = Driver()
    driver.create(layered(6, 8, parents=5))
    failed = [f"l0-{place}" for place in range(8)]
    for task_id in failed:
        driver.fail(task_id)
    assert driver.run().counts()["skipped"] == 40
    begun = len(driver.events)
    driver.ask(c.RetryTasks, *failed)
    reset = [event.task_id for event in driver.events[begun:] if isinstance(event, ev.TaskReset)]
    assert sorted(reset) == sorted(driver.run().graph.place)
    assert not [event for event in driver.events[begun:] if isinstance(event, ev.TaskSkipped)]
    driver.end_all()
    assert driver.run().state == "completed"


def test_marking_all_parents_of_a_skipped_task_revives_it_once():
    driver = Driver()
    parents = [f"p{number}" for number in range(6)]
    driver.create(plan([*parents, "c"], [f"{parent}>c" for parent in parents]))
    for parent in parents:
        driver.fail(parent)
    driver.ask(c.MarkTasks, *parents, status="completed")
    assert [event.task_id for event in driver.of(ev.TaskReset)] == ["c"]
    assert driver.status("c") == "running"


def test_what_stays_skipped_because_of_another_parent_is_looked_at_once():
    driver = Driver()
    driver.create(plan("abcdxyz", ["a>b", "a>c", "b>d", "c>d", "x>d", "d>y", "b>z", "y>z"]))
    driver.fail("a")
    driver.fail("x")
    begun = len(driver.events)
    driver.ask(c.RetryTasks, "a")
    told = driver.events[begun:]
    reset = [event.task_id for event in told if isinstance(event, ev.TaskReset)]
    assert sorted(reset) == ["a", "b", "c", "d", "z"]
    assert [event.task_id for event in told if isinstance(event, ev.TaskSkipped)] == ["d", "z"]
    assert driver.run().reasons == {3: "'x' failed", 5: "'d' was skipped", 6: "'y' was skipped"}


def test_a_chain_of_100000_tasks_of_rising_priority_inherits_and_cancels_without_recursion():
    driver = Driver(checked=False)
    driver.create(chain(100_000))
    driver.ask(c.SetPriority, "t99999", priority=100)
    assert driver.scheduler.runs["r"].base[1] == 100
    driver.ask(c.SkipTasks, "t99999")
    assert driver.scheduler.runs["r"].base[1] == 50
    driver.ask(c.CancelTasks, "t50000")
    assert driver.run().counts()["skipped"] == 49_999


def test_independent_branches_go_on_when_one_fails_with_an_error():
    driver = Driver()
    driver.create(plan(["x", "y", "x2", "y2"], ["x>x2", "y>y2"]))
    driver.fail("x")
    driver.end_all()
    assert driver.statuses() == {"x": "failed", "y": "completed", "x2": "skipped", "y2": "completed"}
    assert driver.run().state == "partially_failed"


def test_a_critical_failure_cancels_everything_even_what_always_runs():
    driver = Driver()
    driver.create(plan([task("x", severity="critical"), "y", "z", "last"], ["x>z>always", "y>last>always"]))
    driver.fail("x")
    assert driver.statuses() == {"x": "failed", "y": "running", "z": "cancelled", "last": "cancelled"}
    assert [stop.task_id for stop in driver.stops] == ["y"]
    driver.end("y", value="too late")
    assert driver.status("y") == "cancelled"
    assert driver.run().state == "failed"


def test_a_late_completion_changes_nothing_of_an_aborted_run():
    driver = Driver()
    driver.create(plan([task("x", severity="critical"), "y"]))
    driver.fail("x")
    driver.end("y", stopped=True)
    assert driver.run().state == "failed"
    assert not driver.turn(AttemptEnded("r", "y", 1, DONE)).events
    assert driver.run().state == "failed"


def test_a_critical_task_aborts_only_after_its_last_attempt():
    driver = Driver()
    driver.create(plan([task("x", severity="critical", retry=1), "y"]))
    driver.fail("x")
    assert driver.status("y") == "running"
    assert not driver.stops
    driver.fail("x")
    assert [stop.task_id for stop in driver.stops] == ["y"]


def test_a_cancelled_critical_task_aborts_nothing():
    driver = Driver()
    driver.create(plan([task("x", severity="critical"), "y"]))
    driver.ask(c.CancelTasks, "x")
    driver.end("x", stopped=True)
    driver.end("y")
    assert driver.run().state == "completed"


# ---- the operator's word, and coming back


def test_an_operators_skip_counts_as_skipped():
    driver = Driver()
    driver.create(plan("abcd", ["a>b", "b>c", "b>d>always"]))
    driver.ask(c.SkipTasks, "b", reason="not needed")
    assert driver.statuses() == {"a": "running", "b": "skipped", "c": "skipped", "d": "running"}
    assert driver.run().reasons[1] == "not needed"


def test_a_task_marked_completed_with_a_value_lets_its_children_go_on():
    driver = Driver()
    driver.create(plan("abc", ["a>b", edge("a", "c", condition="value == 5")]))
    driver.fail("a")
    assert driver.statuses() == {"a": "failed", "b": "skipped", "c": "skipped"}
    driver.ask(c.MarkTasks, "a", value=5)
    assert driver.statuses() == {"a": "completed", "b": "running", "c": "running"}
    driver.end_all()
    assert driver.run().state == "completed"
    assert [attempt.status for attempt in driver.attempts("a")] == ["failed"]


def test_a_value_that_is_not_json_cannot_be_marked():
    driver = Driver()
    driver.create(plan("ab", ["a>b"]))
    for value in (object(), {1, 2}, float("nan")):
        with pytest.raises(CommandRefused, match="not JSON"):
            driver.ask(c.MarkTasks, "b", value=value)
    with pytest.raises(CommandRefused, match="at most"):
        driver.ask(c.MarkTasks, "b", value="x" * 1_100_000)
    assert driver.status("b") == "waiting_dependency"


@pytest.mark.parametrize("kind", ["retry", "rerun", "mark"])
def test_what_was_skipped_because_of_a_task_comes_back_when_that_is_revived(kind):
    driver = Driver()
    driver.create(plan("abcd", ["a>b", "b>c", "c>d"]))
    driver.fail("a")
    assert driver.run().state == "failed"
    if kind == "retry":
        driver.ask(c.RetryTasks, "a")
    elif kind == "rerun":
        driver.ask(c.RerunFrom, task_id="a")
    else:
        driver.ask(c.MarkTasks, "a")
    assert driver.status("c") == driver.status("d") == "waiting_dependency"
    driver.end_all()
    assert driver.run().state == "completed"
    assert set(driver.statuses().values()) == {"completed"}


def test_what_an_operator_skipped_does_not_come_back_by_itself():
    driver = Driver()
    driver.create(plan("ab", ["a>b"]))
    driver.ask(c.SkipTasks, "b")
    driver.fail("a")
    driver.ask(c.RetryTasks, "a")
    driver.end("a")
    assert driver.status("b") == "skipped"


def test_a_revived_task_is_skipped_again_while_another_parent_says_no():
    driver = Driver()
    driver.create(plan("abcd", ["a>c", "b>c", "c>d"]))
    driver.fail("a")
    driver.fail("b")
    driver.ask(c.RetryTasks, "a")
    assert driver.statuses() == {"a": "running", "b": "failed", "c": "skipped", "d": "skipped"}
    driver.ask(c.RetryTasks, "b")
    assert driver.status("d") == "waiting_dependency"
    driver.end_all()
    assert driver.run().state == "completed"


def test_a_child_of_kind_failure_is_skipped_once_its_failed_parent_is_marked_completed():
    driver = Driver()
    driver.create(plan(["a", "fix", "after"], ["a>fix>failure", "fix>after"]))
    driver.ask(c.HoldTasks, "fix")
    driver.fail("a")
    assert driver.status("fix") == "pending"
    driver.ask(c.MarkTasks, "a")
    assert driver.statuses() == {"a": "completed", "fix": "skipped", "after": "skipped"}


def test_marking_a_task_failed_lets_what_waits_for_its_failure_run():
    driver = Driver()
    driver.create(plan(["a", "fix", "next"], ["a>fix>failure", "a>next"]), start=False)
    driver.ask(c.MarkTasks, "a", status="failed")
    driver.ask(c.StartRun)
    assert driver.statuses() == {"a": "failed", "fix": "running", "next": "skipped"}
    driver.end("fix")
    assert driver.run().state == "partially_failed"

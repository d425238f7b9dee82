"""What dependencies say when their parent has ended, who is skipped and why, and who comes back."""

from __future__ import annotations

import pytest

from starloom import events as ev
from starloom.errors import CommandRefused
from starloom.scheduling import commands as c
from starloom.testing import chain
from tests.driver import Driver, edge, plan, task

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


def end_parent(driver: Driver, end: str, name: str = "p") -> None:
    """Let a task end in one of the ways of the table."""
    if end == "completed":
        driver.end(name, value=1)
    elif end.startswith("failed"):
        driver.end(name, ok=False, value=1)
    elif end == "cancelled":
        driver.ask(c.CancelTasks, name)
        driver.end(name, stopped=True)
    else:
        driver.ask(c.SkipTasks, name)


def parent(end: str, name: str = "p") -> object:
    return task(name, severity="warning" if end == "failed as a warning" else "error")


def ready_parent(end: str, dependency: object, join: str, other: object | None = None) -> Driver:
    """A run with `p`, and `child` behind it; `p` runs, or is held where it is to be skipped."""
    driver = Driver()
    extra = [] if other is None else ["q"]
    first = plan([parent(end), task("child", join=join), *extra], [dependency] + ([other] if other else []))
    driver.create(first, start=end != "skipped")
    return driver


@pytest.mark.parametrize("join", ["all", "any"])
@pytest.mark.parametrize(("end", "dependency", "verdict"), CASES)
def test_each_kind_answers_each_end_of_its_parent_as_the_table_says(end, dependency, verdict, join):
    driver = ready_parent(end, dependency, join)
    end_parent(driver, end)
    if end == "skipped":
        driver.ask(c.StartRun)
    driver.end_all()
    assert driver.status("child") == verdict
    assert driver.run().state.has_ended


@pytest.mark.parametrize(("end", "dependency", "verdict"), CASES)
def test_a_task_that_joins_all_is_skipped_at_the_first_no_and_ready_only_at_the_last_yes(end, dependency, verdict):
    driver = ready_parent(end, dependency, "all", edge("q", "child"))
    end_parent(driver, end)
    assert driver.status("child") == ("waiting_dependency" if verdict == YES else "skipped")


@pytest.mark.parametrize(("end", "dependency", "verdict"), CASES)
def test_a_task_that_joins_any_is_ready_at_the_first_yes_and_skipped_only_at_the_last_no(end, dependency, verdict):
    driver = ready_parent(end, dependency, "any", edge("q", "child"))
    end_parent(driver, end)
    ready = "pending" if end == "skipped" else "running"
    assert driver.status("child") == (ready if verdict == YES else "waiting_dependency")
    if verdict == NO:
        driver.ask(c.CancelTasks, "q")
        if end != "skipped":
            driver.end("q", stopped=True)
        assert driver.status("child") == "skipped"


def test_a_task_that_joins_any_runs_once_although_every_parent_says_yes():
    driver = Driver()
    driver.create(plan(["a", "b", task("c", join="any")], ["a>c", "b>c"]))
    driver.end("a")
    driver.end("c")
    driver.end("b")
    assert driver.started() == ["a", "b", "c"]


@pytest.mark.parametrize("join", ["all", "any"])
def test_a_task_without_dependencies_is_ready_whatever_its_join(join):
    driver = Driver()
    driver.create(plan([task("a", join=join)]))
    assert driver.status("a") == "running"


def test_a_failed_parent_counts_as_failed_only_after_its_last_attempt():
    driver = Driver()
    driver.create(plan([task("a", retry=1), "ok", "cleanup"], ["a>ok", "a>cleanup>failure"]))
    driver.fail("a")
    assert driver.statuses() == {"a": "running", "ok": "waiting_dependency", "cleanup": "waiting_dependency"}
    driver.fail("a")
    assert driver.statuses() == {"a": "failed", "ok": "skipped", "cleanup": "running"}


def test_a_warning_passes_null_on_as_the_value():
    driver = Driver()
    driver.create(plan([task("a", severity="warning"), "b"], [edge("a", "b", condition="value == null")]))
    driver.end("a", ok=False, value=7)
    assert driver.status("b") == "running"


# ---- conditions


@pytest.mark.parametrize(
    ("condition", "fields", "runs"),
    [
        ("value.score > 0.8", {"value": {"score": 0.9}}, True),
        ("value.score > 0.8", {"value": {"score": 0.7}}, False),
        ("exit_code == 3 && status == 'failed'", {"ok": False, "exit_code": 3}, True),
        ("output.contains('done')", {"output": "all done\n"}, True),
        ("attempts == 1", {}, True),
        ("duration >= 4.0", {}, True),
    ],
)
def test_a_condition_sees_status_value_exit_code_output_attempts_and_duration(condition, fields, runs):
    driver = Driver()
    driver.create(plan("ab", [edge("a", "b", condition=condition)]))
    driver.advance(5)
    driver.end("a", **fields)
    assert driver.status("b") == ("running" if runs else "skipped")
    (answer,) = driver.of(ev.ConditionEvaluated)
    assert (answer.parent, answer.child, answer.verdict, answer.error) == ("a", "b", runs, "")


@pytest.mark.parametrize("condition", ["value.missing == 1", "value > 1", "value[3] == 1", "value", "1 / 0 == 1"])
def test_a_condition_that_fails_is_a_no_and_says_so(condition):
    driver = Driver()
    driver.create(plan("ab", [edge("a", "b", condition=condition)]))
    driver.end("a", value={"score": 1})
    assert driver.status("b") == "skipped"
    (answer,) = driver.of(ev.ConditionEvaluated)
    assert not answer.verdict
    assert answer.error
    assert "condition" in driver.run().reasons[1]


def test_a_condition_is_asked_once_and_its_answer_is_kept():
    driver = Driver()
    driver.create(plan("abc", [edge("a", "c", condition="value == 1"), "b>c"]))
    driver.end("a", value=1)
    driver.restart()
    driver.end("b")
    assert driver.status("c") == "running"
    assert len(driver.of(ev.ConditionEvaluated)) == 1


def test_a_condition_is_asked_again_when_its_parent_has_run_again():
    driver = Driver()
    driver.create(plan("ab", [edge("a", "b", condition="value == 1")]))
    driver.end("a", value=0)
    assert driver.status("b") == "skipped"
    driver.ask(c.RerunFrom, task_id="a")
    driver.end("a", value=1)
    assert driver.status("b") == "running"


def test_a_retried_task_hears_the_condition_on_a_parent_that_aborted_the_run():
    driver = Driver()
    dependency = edge("a", "b", condition="status == 'failed'")
    driver.create(plan([task("a", severity="critical"), "b"], [dependency]))
    driver.fail("a")
    assert driver.status("b") == "cancelled"
    driver.ask(c.RetryTasks, "b")
    assert driver.status("b") == "running"


# ---- skips


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
    driver.create(plan("abc", ["a>b>failure", edge("a", "c", condition="value > 1")]))
    driver.end("a", value=0)
    assert driver.run().reasons == {
        1: "'a' completed, and the dependency is of kind failure",
        2: "'a' completed, and the condition value > 1 says no",
    }


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


def test_a_chain_of_100000_tasks_of_rising_priority_inherits_and_cancels_without_recursion():
    driver = Driver(checked=False)
    driver.create(chain(100_000))
    driver.ask(c.SetPriority, "t99999", priority=100)
    assert driver.scheduler.runs["r"].base[1] == 100
    driver.ask(c.SkipTasks, "t99999")
    assert driver.scheduler.runs["r"].base[1] == 50
    driver.ask(c.CancelTasks, "t50000")
    assert driver.run().counts()["skipped"] == 50_000


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
    late = driver.ended("y")
    driver.ordered["r", "y"] = driver.turns[-1].starts[1]
    driver.fail("x")
    driver.end("y", stopped=True)
    assert driver.run().state == "failed"
    assert not driver.turn(late).events
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

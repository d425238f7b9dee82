"""What dependencies say when their parent has ended, who is skipped and why, and who comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import Driver, edge, plan, task

if TYPE_CHECKING:
    from starloom.model.dependency import Dependency
    from starloom.model.task import Task

from starloom import events as ev
from starloom.scheduling import commands as c

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


def parent(end: str, name: str = "p") -> Task:
    return task(name, severity="warning" if end == "failed as a warning" else "error")


def ready_parent(end: str, dependency: Dependency, join: str, other: Dependency | None = None) -> Driver:
    """A run with `p`, and `child` behind it; `p` runs, or is held where it is to be skipped."""
    driver = Driver()
    extra = [] if other is None else ["q"]
    first = plan([parent(end), task("child", join=join), *extra], [dependency, *([other] if other else [])])
    driver.create(first, start=end != "skipped")
    return driver


@pytest.mark.parametrize("join", ["all", "any"])
@pytest.mark.parametrize(("end", "dependency", "verdict"), CASES)
def test_each_kind_answers_each_end_of_its_parent_as_the_table_says(end, dependency, verdict, join):
    driver = ready_parent(end, dependency, join)
    end_parent(driver, end)
    if driver.run().state == "ready":
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


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_a_join_of_a_warning_and_a_success_is_ready_once_in_either_order(order):
    driver = Driver()
    driver.create(plan([task("a", severity="warning"), "b", "join"], ["a>join", "b>join"]))
    for name in order:
        assert driver.status("join") == "waiting_dependency"
        driver.end(name, ok=name == "b")
    driver.end("join")
    assert driver.started() == ["a", "b", "join"]
    assert driver.run().state == "completed"


def test_a_task_that_joins_any_runs_once_although_every_parent_says_yes():
    driver = Driver()
    driver.create(plan(["a", "b", task("c", join="any")], ["a>c", "b>c"]))
    driver.end("a")
    driver.end("c")
    driver.end("b")
    assert driver.started() == ["a", "b", "c"]


def test_a_parent_inherits_nothing_any_more_from_a_child_that_has_started_without_it():
    driver = Driver(slots=1)
    tasks = [
        task("child", priority=90, join="any"),
        task("quick", priority=100),
        task("slow", priority=20),
        task("other", priority=50),
    ]
    driver.create(plan(tasks, ["slow>child", "quick>child"]))
    driver.end("quick")
    driver.end_all()
    assert driver.started() == ["quick", "child", "other", "slow"]


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

"""The severity of a failure decides what follows from it, whoever has said it."""

from __future__ import annotations

import pytest
from tests.driver import RUN, Driver, edge, plan, task

from starloom import events as ev
from starloom.model.result import ErrorCode, ErrorInfo, Outcome, OutcomeStatus, Result
from starloom.model.status import Severity
from starloom.scheduling import commands as c
from starloom.scheduling.stimuli import AttemptEnded, AttemptWarned


def exits(driver: Driver, name: str, code: int) -> None:
    error = ErrorInfo(code=ErrorCode.EXIT_CODE, message=f"exit code {code}")
    ends(driver, name, Result(exit_code=code, error=error))


def raises(driver: Driver, name: str, severity: Severity) -> None:
    ends(driver, name, Result(error=ErrorInfo(code=ErrorCode.EXCEPTION, message="no", severity=severity)))


def ends(driver: Driver, name: str, result: Result) -> None:
    start = driver.ordered.pop((RUN, name))
    driver.turn(AttemptEnded(RUN, name, start.attempt, Outcome(OutcomeStatus.FAILED, result)))


def test_an_exit_code_that_is_a_warning_lets_the_children_go_on_and_does_not_count():
    driver = Driver()
    driver.create(plan([task("a", severity={75: "warning"}), "b"], ["a>b"]))
    exits(driver, "a", 75)
    assert driver.status("b") == "running"
    driver.end("b")
    assert driver.run().state == "completed"
    assert driver.of(ev.TaskFailed)[0].severity is Severity.WARNING


def test_another_exit_code_of_the_same_task_is_an_error():
    driver = Driver()
    driver.create(plan([task("a", severity={75: "warning"}), "b", "c"], ["a>b"]))
    exits(driver, "a", 1)
    driver.end("c")
    assert driver.status("b") == "skipped"
    assert driver.run().state == "partially_failed"
    assert driver.of(ev.TaskFailed)[0].severity is Severity.ERROR


def test_an_error_raised_as_critical_ends_the_run_of_a_task_that_is_not():
    driver = Driver()
    driver.create(plan(["a", "b"]))
    raises(driver, "a", Severity.CRITICAL)
    driver.end("b", stopped=True)
    assert driver.run().state == "failed"
    assert driver.run().aborted_by == "a"


def test_an_error_raised_as_a_warning_saves_the_run_of_a_critical_task():
    driver = Driver()
    driver.create(plan([task("a", severity="critical"), "b"], ["a>b"]))
    raises(driver, "a", Severity.WARNING)
    driver.end("b")
    assert driver.run().state == "completed"


def test_each_attempt_keeps_its_own_and_the_last_one_decides():
    driver = Driver()
    driver.create(plan([task("a", retry=2, severity={75: "warning", 76: "critical"}), "b"], ["a>b"]))
    exits(driver, "a", 76)
    exits(driver, "a", 1)
    exits(driver, "a", 75)
    results = [one.result for one in driver.attempts("a")]
    severities = [result.error.severity for result in results if result is not None and result.error is not None]
    assert severities == [Severity.CRITICAL, Severity.ERROR, Severity.WARNING]
    assert driver.status("b") == "running"
    assert not driver.run().cancel_requested


def test_a_task_that_is_marked_failed_has_the_severity_of_all_other_failures():
    driver = Driver()
    driver.create(plan([task("a", severity={75: "warning", "else": "critical"}), "b"]), start=False)
    driver.ask(c.MarkTasks, "a", status="failed")
    assert driver.run().state == "failed"


def test_a_condition_may_ask_for_it():
    driver = Driver()
    tasks = [task("a", severity={75: "warning"}), "soft", "hard"]
    edges = [edge("a", "soft", condition="severity == 'warning'"), edge("a", "hard", condition="severity == 'error'")]
    driver.create(plan(tasks, edges))
    exits(driver, "a", 75)
    assert (driver.status("soft"), driver.status("hard")) == ("running", "skipped")


def test_a_task_that_completed_has_none():
    driver = Driver()
    driver.create(plan(["a", "b"], [edge("a", "b", condition="severity == ''")]))
    driver.end("a")
    assert driver.status("b") == "running"


def test_an_error_of_an_earlier_version_has_the_severity_of_its_task():
    driver = Driver()
    driver.create(plan([task("a", severity="warning"), "b"], ["a>b"]))
    old = ev.TaskFailed(1, 0.0, RUN, "a", 1, Result(error=ErrorInfo(code="exception", message="no")))
    assert old.severity is None
    assert driver.run().graph.task("a").severity_of(old.result) is Severity.WARNING


# ---- warnings of tasks that go on


def test_what_a_running_attempt_warns_of_is_an_event_and_changes_nothing_else():
    driver = Driver()
    driver.create(plan(["a", "b"], ["a>b"]))
    driver.turn(AttemptWarned(RUN, "a", 1, "the disk is nearly full"))
    (warned,) = driver.of(ev.TaskWarned)
    assert (warned.task_id, warned.attempt, warned.message) == ("a", 1, "the disk is nearly full")
    driver.end_all()
    assert driver.run().state == "completed"


@pytest.mark.parametrize(("name", "attempt"), [("a", 2), ("b", 1), ("nobody", 1)])
def test_an_attempt_that_does_not_run_is_not_listened_to(name: str, attempt: int) -> None:
    driver = Driver()
    driver.create(plan(["a", "b"], ["a>b"]))
    driver.turn(AttemptWarned(RUN, name, attempt, "late"))
    assert not driver.of(ev.TaskWarned)

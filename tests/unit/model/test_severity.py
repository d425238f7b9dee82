"""What a failure means for the run: said by an exit code or an error, in plans and by functions."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from starloom import ExitSeverity, PlanError, Severity, Task, TaskError
from starloom.formats.files import dump_plan, parse_plan
from starloom.journal.plans import tasks_to_columns
from starloom.journal.values import part_to_plain, tasks_from_plain
from starloom.model.result import ErrorCode, ErrorInfo, Result, raised_severity
from starloom.model.task_columns import tasks_from_columns

TABLE = ExitSeverity({75: Severity.WARNING, -9: Severity.CRITICAL}, Severity.CRITICAL)


def exited(code: int | None, error: str = ErrorCode.EXIT_CODE, severity: Severity | None = None) -> Result:
    return Result(exit_code=code, error=ErrorInfo(code=error, message="it failed", severity=severity))


# ---- in a plan


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("warning", Severity.WARNING),
        ("{75: warning}", ExitSeverity({75: Severity.WARNING})),
        ("{75: warning, -9: critical, else: critical}", TABLE),
    ],
)
def test_a_plan_says_it_by_a_word_or_for_exit_codes_and_a_file_keeps_that(written: str, meant: Any) -> None:
    text = f"starloom: 1\ntasks:\n  - {{id: a, shell: x, severity: {written}}}\n"
    plan = parse_plan(text)
    assert plan.tasks[0].severity == meant
    for syntax in ("yaml", "json"):
        assert parse_plan(dump_plan(plan, syntax)).tasks == plan.tasks


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("fatal", "must be warning, error or critical, not 'fatal'."),
        ("{75: fatal}", "exit code 75: must be warning, error or critical, not 'fatal'."),
        ("{x: warning}", "'x' is no exit code of a failure. Write a whole number from -64 to 4294967295"),
        ("{0: warning}", "'0' is no exit code of a failure; a program that ends with 0 has not failed."),
        ("{99999999999: warning}", "'99999999999' is no exit code"),
        ("{1.5: warning}", "'1.5' is no exit code"),
        ("{7: warning, '07': error}", "gives the exit code 7 two severities; keep one of them."),
        ("{}", "names no exit code"),
        ("[75]", "must be warning, error or critical, not [75]."),
    ],
)
def test_a_wrong_one_is_told_with_its_place_and_what_is_allowed(written: str, told: str) -> None:
    text = f"starloom: 1\ntasks:\n  - id: a\n    shell: x\n    severity: {written}\n"
    with pytest.raises(PlanError) as caught:
        parse_plan(text)
    (problem,) = caught.value.problems
    assert (problem.where, problem.line) == ("tasks.a.severity", 5)
    assert told in problem.message


def test_a_default_may_be_a_mapping() -> None:
    plan = parse_plan("starloom: 1\ndefaults: {severity: {75: warning}}\ntasks: {a: {shell: x}}\n")
    assert plan.tasks[0].severity == ExitSeverity({75: Severity.WARNING})


# ---- as a value


def test_a_mapping_comes_back_from_a_journal_as_it_was() -> None:
    tasks = [Task(id="a", shell="x", severity=TABLE), Task(id="b", shell="x")]
    assert tasks_from_columns(tasks_to_columns(tasks)) == tasks
    assert tasks_from_plain([part_to_plain(task) for task in tasks]) == tuple(tasks)


def test_a_mapping_is_copied_pickled_and_hashed_and_says_itself_as_a_plan_does() -> None:
    assert pickle.loads(pickle.dumps(TABLE)) == copy.deepcopy(TABLE) == TABLE
    assert hash(copy.copy(TABLE)) == hash(TABLE)
    assert str(TABLE) == "75: warning, -9: critical, else: critical"


# ---- what a result means


@pytest.mark.parametrize(
    ("result", "meant"),
    [
        (exited(75), Severity.WARNING),
        (exited(-9), Severity.CRITICAL),
        (exited(1), Severity.CRITICAL),
        (exited(75, ErrorCode.TIMEOUT), Severity.CRITICAL),
        (exited(75, severity=Severity.ERROR), Severity.ERROR),
        (None, Severity.CRITICAL),
    ],
)
def test_an_error_goes_before_its_exit_code_which_counts_only_if_it_is_why_it_failed(
    result: Result | None, meant: Severity
) -> None:
    assert Task(id="a", shell="x", severity=TABLE).severity_of(result) is meant


def test_the_plain_form_holds_for_every_exit_code() -> None:
    assert Task(id="a", shell="x", severity=Severity.WARNING).severity_of(exited(3)) is Severity.WARNING


# ---- errors that are raised


def test_task_error_takes_a_word_and_refuses_any_other_with_what_is_allowed() -> None:
    error = TaskError("the tile is empty", severity="warning")
    assert (str(error), error.severity) == ("the tile is empty", Severity.WARNING)
    assert TaskError("no").severity is None
    assert pickle.loads(pickle.dumps(error)).severity is Severity.WARNING
    with pytest.raises(ValueError, match="severity must be warning, error or critical, not 'fatal'"):
        TaskError("no", severity="fatal")


def test_any_exception_may_have_a_severity_and_other_attributes_of_that_name_mean_nothing() -> None:
    class Foreign(Exception):  # noqa: N818 - as foreign code has it
        def __init__(self, severity: Any) -> None:
            self.severity = severity

    class Broken(Exception):  # noqa: N818 - likewise
        @property
        def severity(self) -> str:
            raise RuntimeError("not now")

    assert raised_severity(Foreign("critical")) is Severity.CRITICAL
    for other in ("ERROR", 3, None, ["warning"], "fatal"):
        assert raised_severity(Foreign(other)) is None
    assert raised_severity(Broken()) is None

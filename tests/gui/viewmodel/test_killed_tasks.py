"""A task whose process a signal has ended: that is told, and no exit code that there is none of."""

from __future__ import annotations

import pytest
from tests.driver import Driver, plan

from starloom.model.result import ErrorCode, ErrorInfo, Result
from starloom.scheduling.read.run_view import TaskView
from starloom_gui.panels.task_facts import result_text
from starloom_gui.viewmodel.task_words import second_line


@pytest.mark.parametrize(
    ("code", "line", "text"),
    [
        (-9, "killed by SIGKILL", "Killed by SIGKILL"),
        (-99, "killed by signal 99", "Killed by signal 99"),
        (3, "exit 3", "Exit code 3"),
    ],
)
def test_a_task_that_was_killed_says_by_what(code: int, line: str, text: str) -> None:
    result = Result(exit_code=code, error=ErrorInfo(code=ErrorCode.EXIT_CODE, message="it ended"))
    driver = Driver()
    run = driver.create(plan(["a"]))
    driver.fail("a")
    number = run.graph.place["a"]
    run.results[number] = result
    assert second_line(TaskView(run, number), driver.now) == line
    assert result_text(result) == text

"""What a task has returned is seen at once: on its first page in the inspector, whole if asked for, and in its tips."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton
from tests.driver import Driver, plan
from tests.gui.panels.test_gate_in_inspector import gated, shown

from starloom.model.result import ErrorCode, ErrorInfo, Outcome, OutcomeStatus, Result
from starloom.scheduling.commands import AnswerGate
from starloom.scheduling.read.run_view import RunView, TaskView
from starloom.scheduling.stimuli import AttemptEnded
from starloom_gui.viewmodel.result_words import result_line, value_text
from starloom_gui.viewmodel.task_words import second_line
from starloom_gui.widgets.controls import Elided

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.panels.result_section import ResultSection
    from starloom_gui.theme.appearance import Appearance


def returned(value: object) -> Driver:
    driver = Driver(slots=1)
    driver.create(plan(["count", "later"], ["count>later"]))
    driver.end("count", value=value)
    return driver


def sentence_in(section: ResultSection) -> str:
    """The sentence below the heading, which wraps instead of being elided."""
    (found,) = [one for one in section.findChildren(QLabel) if one.text() and one is not section.heading]
    assert found.wordWrap()
    return found.text()


def test_the_value_is_shown_copied_and_opened_whole(app: QApplication, appearance: Appearance) -> None:
    inspector = shown(returned({"lines": 912, "files": ["a", "b"]}), appearance, app, "count")
    section = inspector.result
    assert section.isVisible()
    assert section.heading.text() == "Result"
    assert [one.text() for one in section.findChildren(Elided) if one.text()] == ['lines 912 files ["a", "b"]']
    assert section.y() < inspector.fields.y(), "it is on the first page"
    copy, whole = section.findChildren(QPushButton)
    assert [copy.toolTip(), whole.toolTip()] == ["Copy the result as text", "Show the whole result"]
    copy.click()
    assert QGuiApplication.clipboard().text() == '{\n  "lines": 912,\n  "files": [\n    "a",\n    "b"\n  ]\n}'
    whole.click()
    dialog = inspector.larger.dialog
    assert dialog is not None
    assert dialog.area.isReadOnly()
    assert dialog.area.toPlainText() == QGuiApplication.clipboard().text()
    dialog.reject()
    assert inspector.larger.dialog is None


def test_where_nothing_was_returned_there_is_no_line(app: QApplication, appearance: Appearance) -> None:
    driver = returned(None)
    assert not shown(driver, appearance, app, "count").result.isVisible()
    assert not shown(driver, appearance, app, "later").result.isVisible()


def test_the_error_of_a_failed_task_is_seen_before_its_fields_copied_and_opened_whole(
    app: QApplication, appearance: Appearance
) -> None:
    driver = Driver(slots=1)
    driver.create(plan(["count"]))
    output = "begins\n\x1b[31mno such table: lines\x1b[0m\n"
    driver.end("count", ok=False, exit_code=3, output=output)
    inspector = shown(driver, appearance, app, "count")
    section = inspector.result
    assert section.isVisible()
    assert section.heading.text() == "Error"
    assert [one.text() for one in section.findChildren(Elided) if one.text()] == ["no such table: lines"]
    assert section.y() < inspector.fields.y(), "it is on the first page"
    copy, whole = section.findChildren(QPushButton)
    assert [copy.toolTip(), whole.toolTip()] == ["Copy the error as text", "Show the whole error"]
    copy.click()
    assert QGuiApplication.clipboard().text() == "Exit code 3\nbegins\nno such table: lines"
    whole.click()
    dialog = inspector.larger.dialog
    assert dialog is not None
    assert dialog.area.toPlainText() == QGuiApplication.clipboard().text()
    dialog.reject()


def test_the_error_is_the_line_that_names_it_or_else_the_last_one_with_words(
    app: QApplication, appearance: Appearance
) -> None:
    draft = "CC ring.c\nring.c:3: error: expected ';'\n    return 1\n            ^\n"
    trace = "Traceback (most recent call last):\n  f()\nValueError: no number\n"
    for output, line in (
        (draft, "ring.c:3: error: expected ';'"),
        (trace, "ValueError: no number"),
        ("lost\n---\n", "lost"),
    ):
        driver = Driver(slots=1)
        driver.create(plan(["compile"]))
        driver.end("compile", ok=False, exit_code=2, output=output)
        section = shown(driver, appearance, app, "compile").result
        assert [one.text() for one in section.findChildren(Elided) if one.text()] == [line]


def test_an_error_that_has_a_sentence_is_told_by_it_and_not_by_the_last_words_of_the_output(
    app: QApplication, appearance: Appearance
) -> None:
    driver = Driver(slots=1)
    driver.create(plan(["ask"]))
    killed = "The agent's process was killed (signal 9) before it answered."
    error = ErrorInfo(code=ErrorCode.AGENT_ENDED, message=killed)
    start = driver.ordered.pop(("r", "ask"))
    result = Result(error=error, exit_code=-9, output="word0 word1\n")
    driver.turn(AttemptEnded("r", "ask", start.attempt, Outcome(OutcomeStatus.FAILED, result)))
    inspector = shown(driver, appearance, app, "ask")
    assert sentence_in(inspector.result) == killed
    copy, _ = inspector.result.findChildren(QPushButton)
    copy.click()
    assert QGuiApplication.clipboard().text() == f"agent ended: {killed}\nword0 word1"
    assert second_line(TaskView(driver.run(), 0), driver.now) == "agent ended"


def test_a_tip_has_the_value_in_one_line() -> None:
    run = RunView(returned("a text\nof two lines").run())
    assert result_line(run.task(0).result) == "Result: a text of two lines"
    assert result_line(None) == result_line(Result()) == ""
    assert value_text({}) == "{}"
    assert len(result_line(Result(value="x" * 500))) < 140


@pytest.mark.parametrize("note", ["", "not on a Friday"])
def test_of_a_rejected_gate_it_is_said_that_it_was_rejected(
    app: QApplication, appearance: Appearance, note: str
) -> None:
    driver = gated()
    driver.end("a")
    driver.do(AnswerGate(run_id="r", task_id="ship", approve=False, note=note, origin="alice"))
    section = shown(driver, appearance, app, "ship").result
    line = sentence_in(section)
    assert section.heading.text() == "Error"
    assert "It was rejected by alice" in line
    assert note in line
    copy, _ = section.findChildren(QPushButton)
    copy.click()
    assert "It was rejected by alice" in QGuiApplication.clipboard().text()
    assert "Value: \n" not in QGuiApplication.clipboard().text() + "\n"


def test_of_a_gate_approved_without_a_note_there_is_no_empty_result(app: QApplication, appearance: Appearance) -> None:
    driver = gated()
    driver.end("a")
    driver.do(AnswerGate(run_id="r", task_id="ship", approve=True))
    assert not shown(driver, appearance, app, "ship").result.isVisible()

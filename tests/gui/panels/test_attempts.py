"""How the Inspector lists attempts."""

from __future__ import annotations

import pytest
from tests.driver import Driver, plan
from tests.unit.scheduling.decide.test_late_ends import given_up, heard_late
from tests.unit.scheduling.decide.test_recovery import died

from starloom.events import AttemptTimed
from starloom.model.result import OUTPUT_LOST, ErrorInfo, Result
from starloom.scheduling.read.run_view import TaskView
from starloom.scheduling.state.codes import CANCELLED, COMPLETED, FAILED, RUNNING
from starloom.scheduling.stimuli import LateEndNoticed
from starloom_gui.panels.task_facts import attempts_of, result_text
from starloom_gui.viewmodel.event_words import event_text
from starloom_gui.viewmodel.task_words import second_line


def test_an_attempt_that_was_interrupted_with_its_program_is_told_as_that(app):
    driver = Driver()
    driver.create(plan(["a"]))
    heir = died(driver)
    (now_running, before), more = attempts_of(TaskView(heir.run(), 0), heir.now)
    assert (now_running.number, now_running.form, now_running.text) == (2, RUNNING, "")
    assert (before.number, before.form, before.text[:11], more) == (1, CANCELLED, "Interrupted", 0)


def test_a_late_end_of_an_attempt_that_was_given_up_stands_with_it_and_not_with_the_next(app):
    driver = given_up()
    driver.turn(LateEndNoticed("r", "a", 1, "d", 0, 4.0))
    (second, first), _ = attempts_of(TaskView(driver.run(), 0), driver.now)
    assert (second.form, second.text) == (RUNNING, "")
    assert first.form == FAILED
    assert "Given up as lost; it ended late at " in first.text
    assert first.text.endswith("with exit code 0.")


def test_an_attempt_that_has_completed_without_all_of_its_output_has_not_failed(app):
    driver = Driver()
    driver.create(plan(["a"]))
    driver.end("a", value=1, error=ErrorInfo(code=OUTPUT_LOST, message="The disk is full."))
    ((only,), _) = attempts_of(TaskView(driver.run(), 0), driver.now)
    assert (only.form, only.text.splitlines()) == (COMPLETED, ["incomplete: The disk is full.", "Value: 1"])


def test_of_an_attempt_that_nobody_has_timed_no_duration_is_made_up(app):
    driver = Driver()
    driver.create(plan(["a", "b"]))
    driver.advance(100.0)
    heard_late(driver, "a", None)
    driver.end("b")
    lines = [attempts_of(TaskView(driver.run(), number), driver.now)[0][0].line for number in (0, 1)]
    assert lines == ["1 · d · duration unknown", "1 · d · 1:40"]
    assert [second_line(TaskView(driver.run(), number), driver.now) for number in (0, 1)] == [
        "d · duration unknown",
        "d · 1:40",
    ]


def test_the_event_of_a_duration_that_is_heard_late_says_where_it_was_measured(app):
    driver = Driver()
    driver.create(plan(["a", "b"]))
    driver.advance(100.0)
    heard_late(driver, "a", 0.0, measured=2.0)
    heard_late(driver, "b", None)
    assert [event_text(event) for event in driver.of(AttemptTimed)] == [
        "Attempt 1 of a took 2.0 s, as measured where it ran",
        "How long attempt 1 of b took is not known",
    ]


@pytest.mark.parametrize(
    ("value", "output", "told"),
    [
        (92, "92\n", ["Value: 92"]),
        ({"loss": 0.1}, '{"loss":0.1}\n', ['Value: {"loss": 0.1}']),
        (92, "warming up\n92\n", ["Value: 92", "Output:", "warming up", "92"]),
        (92, "91\n", ["Value: 92", "Output:", "91"]),
        (92, "done\n", ["Value: 92", "Output:", "done"]),
        (92, "", ["Value: 92"]),
        (None, "92 of 100\n", ["92 of 100"]),
    ],
)
def test_the_value_of_an_attempt_is_told_apart_from_its_output(value, output, told):
    assert result_text(Result(value=value, output=output)).splitlines() == told

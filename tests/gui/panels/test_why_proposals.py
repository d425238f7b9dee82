"""Why a task does not run: proposals stand once for each agent; what somebody stopped is said in the language."""

from __future__ import annotations

import pytest
from tests.driver import Driver, plan, task
from tests.gui.panels.fleets import ByHand
from tests.gui.panels.test_inspector import InspectorBench
from tests.gui.text.test_engine_words import Turned
from tests.unit.scheduling.decide.test_approvals import answer, staged

from starloom.constellation import edits as ed
from starloom.model.question import Question
from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import TaskView
from starloom.scheduling.stimuli import QuestionRaised
from starloom_gui.panels.why_question import WhyQuestion
from starloom_gui.panels.why_rows import why_rows
from starloom_gui.widgets.offers import LookAtAgents


@pytest.mark.parametrize(
    ("several", "said"),
    [(False, "Waits for you: x proposes 1 edit(s)"), (True, "Waits for you: 2 proposal(s) of x")],
)
def test_several_proposals_of_one_agent_are_one_row_with_one_button(app, several, said):
    driver = staged(ed.UpdateTask("b", timeout=3))
    if several:
        driver.end("c")
        answer(driver, ed.UpdateTask("d", timeout=4))
    run = driver.run()
    rows = why_rows(WhyQuestion(TaskView(run, run.graph.place["b"]), driver.now, ByHand(driver)), driver.why("b"))
    (row,) = (row for row in rows if row.blocks)
    assert row.text == said
    assert row.remedies == (LookAtAgents("Show proposal", approval=1),)


def test_why_a_task_was_stopped_is_said_in_the_language_of_the_console(app):
    driver = Driver()
    driver.create(plan([task("a")]))
    driver.do(c.CancelTasks(run_id="r", task_ids=("a",)))
    driver.end("a", stopped=True)
    run = driver.run()
    spoken = Turned()
    app.installTranslator(spoken)
    try:
        rows = why_rows(WhyQuestion(TaskView(run, 0), driver.now, ByHand(driver)), driver.why("a"))
    finally:
        app.removeTranslator(spoken)
    assert [row.text for row in rows] == ["<stopped while it ran>"]


def test_what_waits_for_an_open_gate_is_told_that_the_gate_waits_for_you(app):
    driver = Driver()
    driver.create(plan([task("may", gate="publish?"), task("publish")], ["may>publish"]))
    run = driver.run()
    rows = why_rows(WhyQuestion(TaskView(run, 1), driver.now, ByHand(driver)), driver.why("publish"))
    assert [(row.text, row.detail) for row in rows if row.blocks] == [("Waits for may", "Waits for you")]


def test_of_a_running_task_one_is_told_what_it_waits_for(app, appearance):
    bench = InspectorBench(appearance, app, "fuzz")
    run = bench.run
    bench.driver.turn(QuestionRaised(run.run_id, "fuzz", run.tries[bench.number("fuzz")], 1, Question("May I?")))
    bench.told()
    assert bench.texts(bench.inspector.why)[:2] == ["What does it wait for?", "Waits for you: May I?"]

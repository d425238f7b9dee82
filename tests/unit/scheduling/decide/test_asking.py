"""Questions of running tasks to a person: numbered, answered once, closed with their attempt; its time stands still."""

from __future__ import annotations

from typing import Any

import pytest
from tests.driver import RUN, Driver, plan, task
from tests.unit.scheduling.decide.test_recovery import recovery_of

from starloom import events as ev
from starloom.errors import CommandRefused
from starloom.model.question import Answer, Option, Question
from starloom.scheduling import commands as c
from starloom.scheduling.decide.overdue import expected
from starloom.scheduling.instructions import GiveAnswer
from starloom.scheduling.read.open_questions import questions_of
from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.stimuli import AttemptWorkEndNoticed, QuestionDropped, QuestionRaised

MAY_I = Question(
    "May I delete the build?",
    "permission",
    (Option("once", "Allow once"), Option("no", "Reject", allows=False)),
    "rm -rf build",
    "command",
    "rm",
)
WHICH = Question("Which branch?")


def alone(**fields: Any) -> Driver:
    driver = Driver(slots=1)
    driver.create(plan([task("a", **fields), "b"]))
    return driver


def ask(driver: Driver, question: Question = MAY_I, *, key: int = 1, name: str = "a") -> None:
    driver.turn(QuestionRaised(RUN, name, driver.run().tries[driver.run().graph.place[name]], key, question))


def answer(driver: Driver, *numbers: int, **fields: Any) -> None:
    driver.ask(c.AnswerQuestion, numbers=numbers or (1,), **fields)


def given(driver: Driver) -> list[GiveAnswer]:
    return [answer for turn in driver.turns if turn.rest is not None for answer in turn.rest.answers]


def refusal(driver: Driver, *numbers: int, **fields: Any) -> CommandRefused:
    with pytest.raises(CommandRefused) as refused:
        answer(driver, *numbers, **fields)
    return refused.value


# ---- asking and answering


def test_a_question_waits_while_its_task_keeps_its_slot():
    driver = alone()
    driver.advance(5)
    ask(driver)
    assert driver.status("a") == "running"
    assert driver.started() == ["a"], "the only slot stays taken"
    (asked,) = questions_of(driver.run())
    assert (asked.number, asked.task_id, asked.attempt, asked.device_id, asked.at) == (1, "a", 1, "d", 5)
    assert asked.question == MAY_I
    assert RunView(driver.run()).task(0).waits_since == 5
    driver.advance(60)
    (reason,) = driver.why("a")
    assert reason.code == "asks"
    assert "has waited for 1m for a person to answer 'May I delete the build?'" in reason.text
    assert not driver.of(ev.RunStalled)


def test_whoever_asked_gets_the_chosen_option_and_what_was_written():
    driver = alone()
    ask(driver)
    answer(driver, option="once", note="go on", origin="ana")
    assert given(driver) == [GiveAnswer(RUN, "a", 1, 1, Answer("once", "go on", allowed=True))]
    assert not driver.run().questions
    (answered,) = driver.of(ev.QuestionAnswered)
    assert (answered.number, answered.option, answered.note, answered.allowed) == (1, "once", "go on", True)
    assert answered.origin == "ana"


@pytest.mark.parametrize(
    ("question", "fields", "told"),
    [
        (MAY_I, {"option": "no", "note": "use git clean"}, Answer("no", "use git clean", allowed=False)),
        (MAY_I, {"reject": True, "note": "use git clean"}, Answer("", "use git clean", allowed=False)),
        (MAY_I, {"option": "no", "reject": True}, Answer("no", "", allowed=False)),
        (WHICH, {"note": "main"}, Answer("", "main", allowed=True)),
        (WHICH, {"reject": True}, Answer("", "", allowed=False)),
    ],
)
def test_an_answer_is_what_was_chosen_or_written_or_a_rejection_with_a_reply(question, fields, told):
    driver = alone()
    ask(driver, question)
    answer(driver, **fields)
    assert given(driver)[0].answer == told


@pytest.mark.parametrize(
    ("question", "fields", "sentence"),
    [
        (MAY_I, {}, "No answer to question 1 was chosen. Choose one of once (Allow once), no (Reject), or reject it."),
        (MAY_I, {"note": "yes"}, "No answer to question 1 was chosen."),
        (
            MAY_I,
            {"option": "on"},
            "There is no option 'on' in question 1. Choose one of once (Allow once), no (Reject).",
        ),
        (MAY_I, {"option": "once", "reject": True}, "The option 'once' of question 1 allows it."),
        (WHICH, {}, "The answer to question 1 is empty. Write a note, or reject the question."),
        (WHICH, {"note": "  "}, "The answer to question 1 is empty."),
        (WHICH, {"option": "main"}, "There are no options in question 1. Answer it by a note."),
    ],
)
def test_what_is_no_answer_is_refused_and_the_question_waits_on(question, fields, sentence):
    driver = alone()
    ask(driver, question)
    refused = refusal(driver, **fields)
    assert refused.code == "bad_choice"
    assert str(refused).startswith(sentence)
    assert list(driver.run().questions) == [1]
    assert given(driver) == []


def test_a_question_is_answered_once():
    driver = alone()
    ask(driver)
    answer(driver, option="once", origin="ana")
    refused = refusal(driver, option="no")
    assert refused.code == "question_answered"
    assert str(refused) == "Question 1 is answered already, by ana. The task has gone on with that answer."


def test_a_question_that_was_never_asked_is_unknown():
    assert str(refusal(alone(), 7)).startswith("There is no question 7 in this run.")


def test_no_question_at_all_cannot_be_answered():
    with pytest.raises(CommandRefused, match="No question was named"):
        alone().ask(c.AnswerQuestion, numbers=())


@pytest.mark.parametrize("end", [{}, {"ok": False}, {"lost": True}])
def test_the_turn_in_which_an_attempt_ends_closes_what_it_asked(end):
    driver = alone()
    ask(driver)
    driver.end("a", **end)
    assert not driver.run().questions
    refused = refusal(driver, option="once")
    assert refused.code == "question_closed"
    assert str(refused).startswith("Nobody waits for an answer to question 1 any more. It has ended, or has taken")


def test_an_attempt_that_is_told_to_stop_asks_nobody_any_more():
    driver = alone()
    ask(driver)
    driver.ask(c.CancelTasks, "a")
    assert not driver.run().questions
    ask(driver, key=2)
    driver.end("a", stopped=True)
    ask(driver, key=3)
    assert len(driver.of(ev.QuestionAsked)) == 1


def test_an_attempt_whose_work_has_ended_asks_nobody_any_more():
    driver = alone()
    ask(driver)
    driver.turn(AttemptWorkEndNoticed(RUN, "a", 1))
    ask(driver, key=2)
    assert not driver.run().questions
    driver.end("a")


def test_a_question_can_be_taken_back():
    driver = alone(timeout=10)
    ask(driver)
    driver.advance(100)
    driver.turn(QuestionDropped(RUN, "a", 1, 1))
    driver.turn(QuestionDropped(RUN, "a", 1, 1))
    assert not driver.run().questions
    assert len(driver.of(ev.QuestionWithdrawn)) == 1
    assert refusal(driver, option="once").code == "question_closed"
    driver.advance(10)
    assert [stop.cause for stop in driver.stops] == ["timeout"]


def test_numbers_go_on_through_the_run():
    driver = Driver()
    driver.create(plan(["a", "b"]))
    ask(driver, key=4)
    ask(driver, key=4, name="b")
    answer(driver, 1, option="no")
    ask(driver, key=5)
    assert list(driver.run().questions) == [2, 3]


# ---- those that are alike


def test_questions_that_are_alike_are_answered_together():
    driver = Driver()
    driver.create(plan(["a", "b"]))
    ask(driver)
    ask(driver, name="b")
    answer(driver, 1, 2, option="once")
    assert [(answer.task_id, answer.answer.allowed) for answer in given(driver)] == [("a", True), ("b", True)]


@pytest.mark.parametrize("other", [Question("May I?", alike="mv"), WHICH])
def test_questions_that_are_not_alike_are_not_answered_together(other):
    driver = Driver()
    driver.create(plan(["a", "b"]))
    ask(driver)
    ask(driver, other, name="b")
    assert refusal(driver, 1, 2, reject=True).code == "not_alike"
    assert len(driver.run().questions) == 2
    ask(driver, WHICH, key=2, name="b")
    assert refusal(driver, 2, 3, reject=True).code == "not_alike", "no key is no likeness"


def test_of_several_questions_all_are_answered_or_none():
    driver = Driver()
    driver.create(plan(["a", "b"]))
    ask(driver)
    ask(driver, name="b")
    answer(driver, 2, option="once")
    assert refusal(driver, 1, 2, option="once").code == "question_answered"
    assert list(driver.run().questions) == [1]


# ---- time stands still


def test_the_timeout_does_not_run_while_an_answer_is_awaited():
    driver = alone(timeout=10)
    driver.advance(4)
    ask(driver)
    ask(driver, WHICH, key=2)
    driver.advance(100)
    answer(driver, 1, option="once")
    driver.advance(100)
    answer(driver, 2, note="main")
    driver.advance(5.5)
    assert driver.stops == []
    driver.advance(0.5)
    assert [stop.cause for stop in driver.stops] == ["timeout"]


def test_the_timeout_goes_on_after_a_failed_commit_too():
    driver = alone(timeout=10)
    driver.advance(4)
    ask(driver)
    driver.advance(100)
    driver.restart()
    driver.advance(1)
    answer(driver, option="once")
    driver.restart()
    driver.advance(5.5)
    assert driver.stops == []
    driver.advance(0.5)
    assert [stop.cause for stop in driver.stops] == ["timeout"]


def test_whoever_waits_for_a_person_is_not_overdue():
    driver = alone(estimate=2)
    driver.advance(5)
    ask(driver)
    driver.advance(1_000)
    assert driver.of(ev.TaskOverdue) == []
    answer(driver, option="once")
    driver.advance(0.5)
    assert driver.of(ev.TaskOverdue) == []
    driver.advance(0.5)
    assert len(driver.of(ev.TaskOverdue)) == 1


def test_what_a_person_took_is_not_learnt_as_the_tasks_own():
    driver = Driver(slots=1)
    driver.create(plan([task("a", call="x", name="same"), task("b", call="x", name="same")]))
    driver.advance(2)
    ask(driver)
    driver.advance(1_000)
    answer(driver, option="once")
    driver.advance(1)
    driver.end("a")
    index = driver.scheduler.runs[RUN]
    assert expected(index, 1) == 3
    assert driver.attempts("a")[0].awaited == 1_000


def test_each_attempt_has_waited_for_itself():
    driver = Driver()
    driver.create(plan([task("a", retry=2)]))
    ask(driver)
    driver.advance(7)
    driver.fail("a")
    driver.advance(1)
    ask(driver)
    driver.advance(2)
    answer(driver, 2, option="no")
    assert [attempt.awaited for attempt in driver.attempts("a")] == [7, 2]
    driver.check()


# ---- another program


def heir_of(driver: Driver, *, alive: tuple[str, ...] = (), now: float = 0.0) -> Driver:
    heir = Driver()
    heir.now = now
    stream = [event for event in driver.journal() if event.run_id == RUN]
    heir.inherit(stream)
    command = recovery_of(stream, {})
    command = c.RecoverRun(run_id=RUN, facts=command.facts, alive=alive, last_at=command.last_at, wall_time=2000.0)
    heir.do(command)
    return heir


def test_an_attempt_that_died_with_its_program_has_asked_in_vain():
    driver = alone()
    ask(driver)
    heir = heir_of(driver)
    assert not heir.run().questions
    assert refusal(heir, option="once").code == "question_closed"


def test_an_attempt_that_outlived_its_program_asks_again():
    driver = alone(timeout=10)
    driver.advance(4)
    ask(driver)
    driver.advance(50)
    heir = heir_of(driver, alive=("a",), now=7.0)
    assert not heir.run().questions, "nobody would hear the answer yet"
    ask(heir, key=1)
    assert list(heir.run().questions) == [2]
    heir.advance(1_000)
    answer(heir, 2, option="once")
    assert given(heir)[0].answer.allowed
    heir.advance(5.5)
    assert heir.stops == []
    heir.advance(0.5)
    assert [stop.cause for stop in heir.stops] == ["timeout"]


# ---- what is a question


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"text": " "}, "needs a text"),
        ({"kind": "order"}, "of the kind question or permission, not 'order'"),
        ({"detail_kind": "html"}, "is text, command, diff, not 'html'"),
        ({"options": (Option("a", "A"), Option("a", "B"))}, "needs an id of its own"),
        ({"options": (Option("", "A"),)}, "needs an id of its own"),
        ({"options": (Option("\ud800", "A"),)}, "needs an id of its own"),
        ({"options": tuple(Option(str(number), "A") for number in range(21))}, "at most 20 options, not 21"),
        ({"text": "x" * 2_001}, "has 2,001 characters; 2,000 are the most"),
        ({"options": (Option("a", "x" * 2_000),)}, "The option a of a question has 2,001 characters"),
        ({"detail": "x" * 200_001}, "nobody reads more than 200,000"),
    ],
)
def test_what_nobody_could_answer_is_no_question(fields, sentence):
    with pytest.raises(ValueError, match=sentence):
        Question(**({"text": "Well?"} | fields))

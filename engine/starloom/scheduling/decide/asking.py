"""Questions that running tasks ask a person, each answered by its own number; the attempt keeps its slot meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import asdict

from starloom import events as ev
from starloom.errors import CommandRefused
from starloom.model.question import Answer
from starloom.scheduling.decide import overdue
from starloom.scheduling.decide.emission import emit
from starloom.scheduling.decide.lookup import find, running_attempt
from starloom.scheduling.instructions import GiveAnswer
from starloom.scheduling.state.awaiting import due_after, last_number, number_by_key
from starloom.scheduling.state.timers import TimerPurpose

if TYPE_CHECKING:
    from starloom.scheduling import commands
    from starloom.scheduling.state.question_facts import QuestionFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState
    from starloom.scheduling.stimuli import QuestionDropped, QuestionRaised


# ---- asking


def ask(scheduler: SchedulerState, stimulus: QuestionRaised) -> None:
    """Open a question; that of an attempt which has ended, or is to stop, is ignored, as nobody waits for it."""
    found = running_attempt(scheduler, stimulus)
    if found is None:
        return
    index, task = found
    is_over = task in index.run.stopping or task in index.run.fetching
    if not is_over and number_by_key(index.run, task, stimulus.key) is None:
        said = stimulus.task_id, stimulus.attempt, last_number(index.run) + 1, stimulus.key
        emit(scheduler, index, ev.QuestionAsked, *said, **asdict(stimulus.question))


def withdraw(scheduler: SchedulerState, stimulus: QuestionDropped) -> None:
    """Close a question that its attempt has taken back; if it is closed already nothing happens."""
    found = running_attempt(scheduler, stimulus)
    if found is None:
        return
    index, task = found
    number = number_by_key(index.run, task, stimulus.key)
    if number is not None:
        emit(scheduler, index, ev.QuestionWithdrawn, stimulus.task_id, stimulus.attempt, number)
        _go_on(scheduler, index, task)


def _go_on(scheduler: SchedulerState, index: RunIndex, task: int) -> None:
    """Let the attempt's time run again once it waits for nothing more."""
    if task not in index.run.awaiting:
        set_timers(scheduler, index, task)


def set_timers(scheduler: SchedulerState, index: RunIndex, number: int) -> None:
    """Set the timers for the timeout of a running attempt, and for when it is overdue."""
    set_timeout(scheduler, index, number)
    if number not in index.run.overdue:
        overdue.watch(scheduler, index, number)


def set_timeout(scheduler: SchedulerState, index: RunIndex, number: int) -> None:
    """Set a timer for the timeout of a running attempt, if it has one and waits for no answer."""
    run, task = index.run, index.run.graph.tasks[number]
    due = None if task is None or task.timeout is None else due_after(run, number, task.timeout)
    if due is not None:
        scheduler.set_timer(due, TimerPurpose.TIMEOUT, run.run_id, number, run.tries[number])


# ---- answers


def check_answer(scheduler: SchedulerState, command: commands.AnswerQuestion) -> tuple[RunIndex, list[QuestionFacts]]:
    """The questions that would be answered; changes nothing."""
    index = find(scheduler, command.run_id)
    if not command.numbers:
        raise CommandRefused("no_questions", "No question was named.", "Give the number of at least one.")
    numbers = dict.fromkeys(command.numbers)
    asked = [_open(index.run, number) for number in numbers]
    alike = {one.question.alike for one in asked}
    if len(asked) > 1 and (len(alike) > 1 or "" in alike):
        reason = "These questions are not alike, and one answer may not fit all of them."
        raise CommandRefused("not_alike", reason, "Answer each by itself.")
    for number, one in zip(numbers, asked, strict=True):
        _check_choice(number, one, command)
    return index, asked


def _open(run: RunFacts, number: int) -> QuestionFacts:
    asked = run.questions.get(number)
    if asked is not None:
        return asked
    by = run.answered_by.get(number)
    if by is None:
        reason = f"There is no question {number} in this run."
        raise CommandRefused("unknown_question", reason, "List the run's open questions to see their numbers.")
    if by:
        reason = f"Question {number} is answered already, by {by}."
        raise CommandRefused("question_answered", reason, "The task has gone on with that answer.")
    reason = f"Nobody waits for an answer to question {number} any more."
    hint = "It has ended, or has taken the question back; if it still matters, it asks again."
    raise CommandRefused("question_closed", reason, hint)


def _check_choice(number: int, asked: QuestionFacts, command: commands.AnswerQuestion) -> None:
    """Check that the answer is one that the question can get."""
    question = asked.question
    known = ", ".join(f"{one.id} ({one.label})" for one in question.options)
    reason, hint = "", ""
    if command.option:
        option = question.option(command.option)
        if option is None and not known:
            reason, hint = f"There are no options in question {number}.", "Answer it by a note."
        elif option is None:
            reason, hint = f"There is no option {command.option!r} in question {number}.", f"Choose one of {known}."
        elif option.allows and command.reject:
            reason, hint = (
                f"The option {command.option!r} of question {number} allows it.",
                "Choose it, or reject without it.",
            )
    elif not command.reject and known:
        reason, hint = f"No answer to question {number} was chosen.", f"Choose one of {known}, or reject it."
    elif not command.reject and not command.note.strip():
        reason, hint = f"The answer to question {number} is empty.", "Write a note, or reject the question."
    if reason:
        raise CommandRefused("bad_choice", reason, hint)


def answer(scheduler: SchedulerState, command: commands.AnswerQuestion) -> None:
    """Close the questions, and give those who asked the answer."""
    index, asked = check_answer(scheduler, command)
    run = index.run
    for number, one in zip(dict.fromkeys(command.numbers), asked, strict=True):
        option = one.question.option(command.option)
        given = Answer(command.option, command.note, not command.reject if option is None else option.allows)
        task_id = run.graph.ids[one.task]
        said = given.option, given.note, given.allowed, command.origin
        emit(scheduler, index, ev.QuestionAnswered, task_id, one.attempt, number, *said)
        scheduler.turn.more().answers.append(GiveAnswer(run.run_id, task_id, one.attempt, one.key, given))
        _go_on(scheduler, index, one.task)

"""Tasks of a real engine that ask a person: what comes back, and that nobody waits for what will never come."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.waiting import until

from starloom import DeviceError, InProcessDevice, Orchestrator, Plan, Task, TaskContext
from starloom.errors import CommandRefused
from starloom.events import QuestionAsked
from starloom.model.question import Option, Question
from starloom.orchestration import attempt_questions

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starloom.orchestration.run import Run

OPTIONS = (Option("yes", "Yes"), Option("no", "No", allows=False))
MAY_I = Question("May I?", "permission", OPTIONS, alike="may")


def played(handler: Any, play: Callable[[Run], Awaitable[Any]], *, timeout: float | None = None, tasks: int = 1) -> Any:
    """What `play` gives of a run whose tasks await this handler."""

    async def main() -> Any:
        async with Orchestrator(devices=[InProcessDevice("here", handlers={"ask": handler})]) as orchestrator:
            plan = Plan(tasks=tuple(Task(id=f"t{number}", call="ask", timeout=timeout) for number in range(tasks)))
            run = await orchestrator.start(plan)
            return await play(run)

    return asyncio.run(main())


async def asks(_task: Task, context: TaskContext) -> Any:
    answer = await context.ask(MAY_I)
    return [answer.option, answer.note, answer.allowed]


def test_a_handler_is_given_the_answer():
    async def play(run: Run) -> Any:
        (question,) = await until(lambda: run.questions)
        assert (question.number, question.task_id, question.device_id, question.question) == (1, "t0", "here", MAY_I)
        await run.answer_question(1, option="no", note="not today")
        await run.finished()
        return run.results["t0"].value

    assert played(asks, play) == ["no", "not today", False]


def test_an_answer_that_comes_in_the_very_event_of_the_question_is_heard():
    async def main() -> Any:
        async with Orchestrator(devices=[InProcessDevice("here", handlers={"ask": asks})]) as orchestrator:

            async def answer(event: QuestionAsked) -> None:
                await run.answer_question(event.number, option="yes")

            orchestrator.events.subscribe(answer, QuestionAsked, prompt=True)
            run = await orchestrator.start(Plan(tasks=(Task(id="t0", call="ask"),)))
            await run.finished()
            return run.results["t0"].value

    assert asyncio.run(main()) == ["yes", "", True]


def test_alike_questions_of_several_tasks_are_answered_at_once():
    async def play(run: Run) -> Any:
        await until(lambda: len(run.questions) == 3)
        await run.answer_question(*(one.number for one in run.questions), option="yes")
        await run.finished()
        return {run.results[f"t{number}"].value[0] for number in range(3)}

    assert played(asks, play, tasks=3) == {"yes"}


def test_whoever_is_cancelled_while_it_waits_has_taken_the_question_back():
    async def gives_up(_task: Task, context: TaskContext) -> str:
        try:
            await asyncio.wait_for(context.ask(MAY_I), 0.01)
        except TimeoutError:
            answer = await context.ask(Question("Well?"))
            return answer.note
        return "answered"

    async def play(run: Run) -> Any:
        await until(lambda: any(one.question.text == "Well?" for one in run.questions))
        assert [one.number for one in run.questions] == [2]
        with pytest.raises(CommandRefused, match="Nobody waits for an answer to question 1"):
            await run.answer_question(1, option="yes")
        await run.answer_question(2, note="fine")
        await run.finished()
        return run.results["t0"].value

    assert played(gives_up, play) == "fine"


def test_cancelling_a_task_ends_whatever_of_it_awaits_an_answer():
    heard: list[str] = []

    async def asks_beside(_task: Task, context: TaskContext) -> None:
        """Its questions are awaited by tasks of their own, which nobody else cancels."""

        async def ask() -> None:
            try:
                await context.ask(MAY_I)
            except asyncio.CancelledError:
                heard.append("cancelled")

        beside = asyncio.create_task(ask())
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.wait([beside])
            await asyncio.wait([asyncio.create_task(ask())])  # nor does it wait for ever when it asks now

    async def play(run: Run) -> Any:
        await until(lambda: run.questions)
        await run.cancel_tasks("t0")
        assert not run.questions
        await run.finished()

    played(asks_beside, play)
    assert heard == ["cancelled", "cancelled"]


def test_an_attempt_that_has_ended_asks_nobody():
    contexts: list[TaskContext] = []

    async def leaves(_task: Task, context: TaskContext) -> None:
        contexts.append(context)

    async def play(run: Run) -> Any:
        await run.finished()
        with pytest.raises(asyncio.CancelledError):
            await contexts[0].ask(MAY_I)
        return run.questions

    assert played(leaves, play) == ()


def test_many_questions_of_an_attempt_wait_at_once_but_not_any_number(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(attempt_questions, "MOST_AT_ONCE", 5)

    async def asks_much(_task: Task, context: TaskContext) -> int:
        answers = await asyncio.gather(*(context.ask(MAY_I) for _ in range(6)), return_exceptions=True)
        (refused,) = [one for one in answers if isinstance(one, BaseException)]
        assert isinstance(refused, DeviceError)
        return sum(one.allowed for one in answers if not isinstance(one, BaseException))

    async def play(run: Run) -> Any:
        await until(lambda: len(run.questions) == 5)
        await run.answer_question(*(one.number for one in run.questions), option="yes")
        await run.finished()
        return run.results["t0"].value

    assert played(asks_much, play) == 5


def test_a_hundred_questions_one_after_the_other_are_answered():
    async def goes_on_asking(_task: Task, context: TaskContext) -> list[str]:
        return [(await context.ask(Question(f"What is {number}?"))).note for number in range(100)]

    async def play(run: Run) -> Any:
        while not run.state.has_ended:
            for one in run.questions:
                await run.answer_question(one.number, note=one.question.text[8:-1])
            await asyncio.sleep(0)
        return run.results["t0"].value

    assert played(goes_on_asking, play) == [str(number) for number in range(100)]


def test_secrets_and_halves_of_characters_do_not_reach_the_person():
    async def tells(_task: Task, context: TaskContext) -> None:
        context.masks.add(["s3cret-token"])
        await context.ask(Question("Use s3cret-token?", detail="curl -H s3cret-token \udcff", detail_kind="command"))

    async def play(run: Run) -> Any:
        (asked,) = await until(lambda: run.questions)
        await run.answer_question(1, reject=True)
        await run.finished()
        return asked.question

    question = played(tells, play)
    assert "s3cret" not in question.text + question.detail
    assert question.detail.endswith("\\udcff")


def test_a_context_of_no_engine_has_nobody_to_ask():
    async def main() -> None:

        with pytest.raises(DeviceError, match="Nobody is there to answer 'May I\\?'"):
            await TaskContext("r", "t", 1, "d", 0).ask(MAY_I)

    asyncio.run(main())


def test_an_engine_that_drains_waits_for_no_persons_answer() -> None:
    async def main() -> None:
        async with Orchestrator(devices=[InProcessDevice("here", handlers={"ask": asks})]) as orchestrator:
            run = await orchestrator.start(Plan(tasks=(Task(id="t0", call="ask"),)))
            await until(lambda: run.questions)
            await asyncio.wait_for(orchestrator.shutdown(mode="drain"), 30)

    asyncio.run(main())

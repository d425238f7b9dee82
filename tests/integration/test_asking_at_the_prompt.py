"""What running tasks ask at the prompt of `starloom run`: nothing is allowed by Enter, and nothing by nobody."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import pytest
from tests.waiting import until

from starloom import InProcessDevice, Orchestrator, Plan, Task, TaskContext
from starloom.cli.agents import AgentPrompts
from starloom.cli.lines import Lines
from starloom.cli.questions import Reply, reply_of
from starloom.cli.screen import Screen
from starloom.model.question import Option, Question

OPTIONS = (Option("once", "Allow once"), Option("no", "Reject", allows=False))
MAY_I = Question("May I delete it?", "permission", OPTIONS, "rm -rf \u202ebuild\n(in /tmp)", "command", alike="rm")
WHICH = Question("Which branch?")


async def _given(question: Question, typed: str, tasks: int, gates: str, *, closes: bool = True) -> dict[str, Any]:
    async def ask(_task: Task, context: TaskContext) -> list[Any]:
        answer = await context.ask(question)
        return [answer.option, answer.note, answer.allowed]

    read, write = os.pipe()
    os.write(write, typed.encode())
    if closes:
        os.close(write)
    lines = Lines(read)
    async with Orchestrator(devices=[InProcessDevice("box", handlers={"ask": ask})]) as orchestrator:
        run = await orchestrator.start(Plan(tasks=tuple(Task(id=f"t{place}", call="ask") for place in range(tasks))))
        prompts = AgentPrompts(run, Screen(quiet=True), lines, gates=gates)
        await prompts.begin(orchestrator, (), asks=False, fence=None)
        prompts.look()
        asking = asyncio.create_task(prompts.keep_asking())
        await until(lambda: run.state.has_ended or (not closes and prompts.asks))
        if not closes:
            await run.cancel()
            os.close(write)
        await run.finished()
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        reader = lines._reader
        await until(lambda: reader is None or not reader.is_alive())
        os.close(read)
        return {name: run.results[name].value for name in run.results}


def given(question: Question, typed: str, *, tasks: int = 1, gates: str = "ask") -> dict[str, Any]:
    """What the tasks were told that asked this question, by whoever typed this."""
    return asyncio.run(_given(question, typed, tasks, gates))


def test_an_option_is_chosen_by_its_number_with_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    assert given(MAY_I, "1 but keep the cache\n") == {"t0": ["once", "but keep the cache", True]}
    told = capsys.readouterr().err
    assert "The task t0 on box asks (question 1): May I delete it?" in told
    assert "    rm -rf ⟨U+202E⟩build\n    (in /tmp)\n" in told, "what does not show is written out"
    assert "   1  Allow once\n   2  Reject\nWhich one, by its number, and a note? ! and a reply rejects\n" in told


def test_enter_allows_nothing_and_what_is_no_answer_is_asked_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert given(MAY_I, "\ny\n3\n2\n") == {"t0": ["no", "", False]}
    assert capsys.readouterr().err.count("Which one") == 4


def test_all_that_are_alike_are_answered_by_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(map(tuple, given(MAY_I, "1* fine\n", tasks=3).values())) == {("once", "fine", True)}
    assert "a * behind the number, or the !, goes for all 3 alike" in capsys.readouterr().err


@pytest.mark.parametrize(("question", "typed"), [(MAY_I, ""), (WHICH, ""), (MAY_I, "\n\n")])
def test_where_nobody_answers_everything_is_rejected(
    question: Question, typed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = given(question, typed, tasks=2)
    assert set(map(tuple, answers.values())) == {("", "nobody answers at the prompt", False)}
    assert capsys.readouterr().err.count("Nobody answers: this and all later questions of tasks are rejected.") == 1


@pytest.mark.parametrize(("gates", "told"), [("reject", False), ("approve", True)])
def test_gates_that_are_approved_allow_no_question(gates: str, told: bool) -> None:
    (answer,) = given(MAY_I, "1\n", gates=gates).values()
    assert answer[2] is told, "approve is about gates alone, so the question was asked, and allowed at the prompt"


def test_a_question_that_closes_meanwhile_keeps_nobody_at_the_prompt() -> None:
    asyncio.run(_given(MAY_I, "", 1, "ask", closes=False))


@pytest.mark.parametrize(
    ("question", "line", "reply"),
    [
        (MAY_I, "once", Reply("once")),
        (MAY_I, " 2  use git clean ", Reply("no", "use git clean")),
        (MAY_I, "1*", Reply("once", all_alike=True)),
        (MAY_I, "!", Reply(reject=True)),
        (MAY_I, "! not there", Reply(note="not there", reject=True)),
        (MAY_I, "!* not there", Reply(note="not there", reject=True, all_alike=True)),
        (MAY_I, "yes", None),
        (MAY_I, "0", None),
        (MAY_I, "*", None),
        (MAY_I, "", None),
        (WHICH, "main", Reply(note="main")),
        (WHICH, "  ", None),
        (WHICH, "! none", Reply(note="none", reject=True)),
    ],
)
def test_a_line_is_an_option_and_a_note_or_a_rejection_or_no_answer(
    question: Question, line: str, reply: Reply | None
) -> None:
    assert reply_of(line, question) == reply

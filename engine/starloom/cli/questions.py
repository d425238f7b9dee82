"""Questions of running tasks on the command line: answered at the prompt; nothing is allowed by Enter, or by nobody."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom import events as ev
from starloom.cli.screen import plain
from starloom.errors import CommandRefused
from starloom.model.question import legible

if TYPE_CHECKING:
    from starloom.cli.lines import Lines
    from starloom.cli.screen import Screen
    from starloom.model.question import Question
    from starloom.orchestration.orchestrator import Orchestrator
    from starloom.orchestration.run import Run
    from starloom.scheduling.read.open_questions import OpenQuestion

_CHOICE: Final = re.compile(r"(\S+?)(\*?)(?:\s+(.*))?")
_NOBODY: Final = "nobody answers at the prompt"


class Reply(NamedTuple):
    """What a line at the prompt says.

    Attributes:
        option: the id of an option; empty: none.
        note: the rest of the line.
        reject: whether all is rejected.
        all_alike: whether it goes for all questions that are alike.
    """

    option: str = ""
    note: str = ""
    reject: bool = False
    all_alike: bool = False


def reply_of(line: str, question: Question) -> Reply | None:
    """What a line says to a question; None: nothing that answers it.

    Args:
        line: the number or id of an option and a note, or, where there are no options, the answer itself; a
            `!` and a reply rejects; a `*` after the option or the `!` goes for all questions that are alike.
        question: that is asked.
    """
    line = line.strip()
    if line.startswith("!"):
        return Reply(note=line[1:].removeprefix("*").strip(), reject=True, all_alike=line.startswith("!*"))
    if not question.options:
        return Reply(note=line) if line else None
    found = _CHOICE.fullmatch(line)
    if found is None:
        return None
    by_word = {str(number): one.id for number, one in enumerate(question.options, 1)}
    option = by_word.get(found[1]) or next((one.id for one in question.options if one.id == found[1]), None)
    return None if option is None else Reply(option, (found[3] or "").strip(), all_alike=bool(found[2]))


class QuestionPrompts:
    """Asks a person at the prompt what the running tasks of one run ask.

    Args:
        run: which one.
        screen: where to ask.
        lines: where the answers come from.
        rejects: whether nobody is asked, and everything is rejected.
    """

    def __init__(self, run: Run, screen: Screen, lines: Lines, *, rejects: bool) -> None:
        self._run = run
        self._screen = screen
        self._lines = lines
        self._rejects = rejects
        self._nobody = False
        self._changed = asyncio.Event()

    def begin(self, orchestrator: Orchestrator, news: asyncio.Event) -> None:
        """Subscribe to the questions of the run, and to whatever may close them."""
        orchestrator.events.subscribe(lambda _: news.set(), ev.QuestionAsked)
        ends = (ev.TaskCompleted, ev.TaskFailed, ev.TaskCancelled, ev.TaskStopping, ev.TaskRetryScheduled)
        over = (ev.QuestionAnswered, ev.QuestionWithdrawn, ev.TaskInterrupted, ev.AttemptWorkEnded, *ends)
        orchestrator.events.subscribe(lambda _: self._changed.set(), *over)

    async def answer_all(self) -> None:
        """Ask about each open question, one after the other."""
        for asked in self._run.questions:
            if asked in self._run.questions:
                await self._answer(asked)

    async def _answer(self, asked: OpenQuestion) -> None:
        if self._rejects or self._nobody:
            await self._send(asked, Reply(note=_NOBODY if self._nobody else "as --gates reject says", reject=True))
            return
        self._show(asked)
        is_told = False
        while asked in self._run.questions:
            if not is_told:
                self._screen.ask(self._invitation(asked))
            self._changed.clear()
            line = await self._lines.next_or(self._changed)
            is_told = line == "" and self._changed.is_set()
            if line is None:
                self._nobody = True
                self._screen.error("Nobody answers: this and all later questions of tasks are rejected.")
                await self._send(asked, Reply(note=_NOBODY, reject=True))
                return
            reply = reply_of(line, asked.question)
            if reply is not None and asked in self._run.questions:
                await self._send(asked, reply)

    def _show(self, asked: OpenQuestion) -> None:
        question, number = asked.question, asked.number
        where = f"The task {asked.task_id} on {asked.device_id} asks (question {number}): {question.text}"
        self._screen.ask(plain(where))
        for line in legible(question.detail).splitlines():
            self._screen.ask(f"    {line}")
        for place, option in enumerate(question.options, 1):
            self._screen.ask(plain(f"  {place:>2}  {option.label}"))

    def _invitation(self, asked: OpenQuestion) -> str:
        what = "Which one, by its number, and a note" if asked.question.options else "The answer"
        alike = len(self._alike(asked))
        all_of = f"; a * behind the number, or the !, goes for all {alike} alike" if alike > 1 else ""
        return f"{what}? ! and a reply rejects{all_of}"

    def _alike(self, asked: OpenQuestion) -> list[int]:
        """The numbers of the questions that can be answered with this one, itself among them."""
        key = asked.question.alike
        return [one.number for one in self._run.questions if one == asked or (key and one.question.alike == key)]

    async def _send(self, asked: OpenQuestion, reply: Reply) -> None:
        numbers = self._alike(asked) if reply.all_alike else [asked.number]
        try:
            await self._run.answer_question(*numbers, option=reply.option, note=reply.note, reject=reply.reject)
        except CommandRefused as refusal:
            self._screen.error(plain(f"That cannot be done: {refusal}"))

"""Commands whose answers are awaited."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from starloom.errors import CommandRefused

if TYPE_CHECKING:
    from starloom.scheduling.commands import Command


class PendingAnswers:
    """The answers to commands that were asked for and not given yet."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._answers: dict[int, tuple[Command, asyncio.Future[Any]]] = {}

    def expect(self, command: Command) -> asyncio.Future[Any]:
        """A future of the answer to a command; a `CommandRefused` is raised there."""
        answer: asyncio.Future[Any] = self._loop.create_future()
        self._answers[id(command)] = (command, answer)
        return answer

    def __contains__(self, stimulus: object) -> bool:
        """Whether this is a command whose answer is awaited; equal ones are others."""
        return id(stimulus) in self._answers

    def give(self, command: Command, value: Any) -> None:
        """Answer a command, if its answer is still awaited."""
        _, answer = self._answers.pop(id(command), (None, None))
        if answer is None or answer.done():
            return
        if isinstance(value, CommandRefused):
            answer.set_exception(value)
        else:
            answer.set_result(value)

    def close(self) -> None:
        """Fail all commands that are still awaited: no answer will come."""
        for _, answer in self._answers.values():
            if not answer.done():
                answer.cancel()
        self._answers.clear()

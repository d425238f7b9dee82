"""Commands to answer the questions of running tasks. A part of `Run`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.scheduling import commands as c

if TYPE_CHECKING:
    from starloom.orchestration.pump import Pump


class RunQuestions:
    """The questions of a run's tasks. Commands raise `CommandRefused`, with code, reason and hint.

    Args:
        run_id: the run's id.
        origin: in whose name commands are given.
        pump: of the engine.
    """

    def __init__(self, run_id: str, origin: str, pump: Pump) -> None:
        self._run_id = run_id
        self._origin = origin
        self._pump = pump

    async def answer_question(self, *numbers: int, option: str = "", note: str = "", reject: bool = False) -> None:
        """Answer a question of a running task, or several that are alike.

        Args:
            *numbers: as `OpenQuestion` has them.
            option: the id of the chosen option; empty where a text is asked for, or with `reject`.
            note: that text, or what else is said, for whoever asked to read.
            reject: whether what is asked for is not allowed, whichever options there are.
        """
        command = c.AnswerQuestion(
            run_id=self._run_id, numbers=numbers, option=option, note=note, reject=reject, origin=self._origin
        )
        await self._pump.ask(command)

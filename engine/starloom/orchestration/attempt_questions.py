"""Questions of running attempts on their way to a person, and the answers on their way back."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from starloom.errors import DeviceError
from starloom.orchestration.kept_attempts import key_of
from starloom.scheduling.stimuli import QuestionDropped, QuestionRaised

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.devices.masking import SecretValues
    from starloom.model.question import Answer, Question
    from starloom.orchestration.kept_attempts import AttemptKey
    from starloom.orchestration.pump import Pump
    from starloom.scheduling.instructions import GiveAnswer, StartTask

MOST_AT_ONCE: Final = 100
"""Questions of one attempt that wait at the same time."""


class AttemptQuestions:
    """Hands the questions of attempts to the scheduler, and the answers back to whoever awaits them.

    Args:
        pump: of the engine.
        masks: what is masked in what a person reads.
        may_ask: says whether an attempt runs and is not to stop.

    Attributes:
        open: the answers that are awaited, by attempt and key.
    """

    def __init__(self, pump: Pump, masks: SecretValues, may_ask: Callable[[StartTask], bool]) -> None:
        self.open: dict[AttemptKey, dict[int, asyncio.Future[Answer]]] = {}
        self._pump = pump
        self._masks = masks
        self._may_ask = may_ask
        self._keys = count(1)

    async def ask(self, order: StartTask, question: Question) -> Answer:
        """Ask a person and return the answer; cancelled, the question is taken back.

        Raises:
            CancelledError: the attempt is to stop, or has ended.
            DeviceError: it asks more at once than anybody answers.
        """
        if not self._may_ask(order):
            raise asyncio.CancelledError  # as whoever awaits an answer while its attempt is told to stop
        attempt, shown = key_of(order), self._shown(question)
        own = self.open.setdefault(attempt, {})
        if len(own) >= MOST_AT_ONCE:
            raise DeviceError(
                f"{order.task_id!r} waits for {MOST_AT_ONCE} answers already; it can ask again once some are given."
            )
        key = next(self._keys)
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        own[key] = answer
        self._pump.post(QuestionRaised(*attempt, key, shown))
        try:
            return await answer
        finally:
            own.pop(key, None)
            if not own and self.open.get(attempt) is own:
                del self.open[attempt]
            if answer.cancelled():
                self._pump.post(QuestionDropped(*attempt, key))

    def give(self, instruction: GiveAnswer) -> None:
        """Give an answer to whoever awaits it, if anybody still does."""
        attempt = instruction.run_id, instruction.task_id, instruction.attempt
        awaiting = self.open.get(attempt, {}).get(instruction.key)
        if awaiting is not None and not awaiting.done():
            awaiting.set_result(instruction.answer)

    def end(self, attempt: AttemptKey) -> None:
        """Let nobody wait any more for answers to an attempt that is to stop, or has ended."""
        for awaiting in self.open.pop(attempt, {}).values():
            awaiting.cancel()

    def _shown(self, question: Question) -> Question:
        """The question as a person may read it: without secrets, and of characters only."""
        options = tuple(replace(one, label=self._legible(one.label)) for one in question.options)
        texts = {name: self._legible(getattr(question, name)) for name in ("text", "detail", "alike")}
        return replace(question, **texts, options=options)

    def _legible(self, text: str) -> str:
        """The text masked, with halves of characters escaped, as names of files may have them."""
        return self._masks.mask(text.encode("utf-8", "backslashreplace").decode())

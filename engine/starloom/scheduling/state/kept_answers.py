"""The answers to commands that may be given again, as after a lost connection: those are not carried out twice."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from starloom.errors import CommandRefused, EditRefused

if TYPE_CHECKING:
    from starloom.events.command import CommandAnswered

MOST: Final = 100_000
"""So many answers are kept, those to the last commands."""


class KeptAnswers:
    """The last answers, by the ids of their commands. They are facts: the fleet's stream tells of them.

    Attributes:
        forgotten_at: when the last of those was given that are not kept any more, in seconds on the engine's clock.
    """

    def __init__(self) -> None:
        self._answers: dict[str, CommandAnswered] = {}
        self.forgotten_at = -math.inf

    def __contains__(self, command_id: str) -> bool:
        return command_id in self._answers

    def keep(self, answered: CommandAnswered) -> None:
        """Keep an answer, and forget the oldest one if there are too many."""
        self._answers[answered.command_id] = answered
        if len(self._answers) > MOST:
            self.forgotten_at = self._answers.pop(next(iter(self._answers))).at

    def of(self, command_id: str) -> int | str | CommandRefused | None:
        """The value a command was answered with, or the refusal it is to raise.

        Raises:
            KeyError: it was not answered, or that is forgotten.
        """
        kept = self._answers[command_id]
        if kept.problems:
            return EditRefused(kept.problems)
        return CommandRefused(kept.code, kept.reason, kept.hint) if kept.code else kept.answer

"""Events of questions that running tasks ask a person."""

from __future__ import annotations

from starloom.events.base import Event
from starloom.model.question import Option, Question


class QuestionAsked(Event, frozen=True):
    """A running attempt asks a person, and waits; it is closed by its answer, or by whatever ends the attempt."""

    task_id: str
    attempt: int = 0
    number: int = 0
    """Its number in the run, from 1."""
    key: int = 0
    """By which the attempt that asks knows it."""
    text: str = ""
    kind: str = "question"
    options: tuple[Option, ...] = ()
    detail: str = ""
    detail_kind: str = "text"
    alike: str = ""

    def question(self) -> Question:
        """What is asked.

        Raises:
            ValueError: it is none that anybody asks.
        """
        return Question(self.text, self.kind, self.options, self.detail, self.detail_kind, self.alike)


class QuestionAnswered(Event, frozen=True):
    """A person has answered a question of a running attempt."""

    task_id: str
    attempt: int = 0
    number: int = 0
    option: str = ""
    """The id of the chosen option; empty: none was."""
    note: str = ""
    allowed: bool = False
    origin: str = ""


class QuestionWithdrawn(Event, frozen=True):
    """Whoever asked has taken the question back, and waits for no answer any more."""

    task_id: str
    attempt: int = 0
    number: int = 0

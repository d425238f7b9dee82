"""Facts about an open question of a running task to a person: part of the facts of a run (`RunFacts.questions`)."""

from __future__ import annotations

import msgspec

from starloom.model.question import Question


class QuestionFacts(msgspec.Struct, frozen=True):
    """A question that waits for an answer.

    Attributes:
        task: the number of the task that asks.
        attempt: which of its attempts.
        key: by which that attempt knows the question.
        at: when it was asked, on the engine's clock, in seconds.
        question: what is asked.
    """

    task: int
    attempt: int
    key: int
    at: float
    question: Question

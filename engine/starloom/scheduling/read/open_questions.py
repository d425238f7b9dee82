"""What of a run waits for a person: the questions of its tasks as values, and the number of all such things."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from starloom.model.question import Question
from starloom.scheduling.state.stops import open_gates

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts


class OpenQuestion(msgspec.Struct, frozen=True):
    """A question of a running task that waits for a person.

    Attributes:
        number: its number in the run, from 1; `answer_question` takes it.
        task_id: the task that asks.
        attempt: which of its attempts.
        device_id: where that runs.
        at: since when it waits, in seconds on the engine's clock.
        question: what is asked.
    """

    number: int
    task_id: str
    attempt: int
    device_id: str
    at: float
    question: Question


def questions_of(run: RunFacts) -> tuple[OpenQuestion, ...]:
    """The open questions of a run, the oldest first."""
    ids, devices = run.graph.ids, run.device_of
    return tuple(
        OpenQuestion(number, ids[one.task], one.attempt, devices[one.task] or "", one.at, one.question)
        for number, one in run.questions.items()
    )


def waits_of(run: RunFacts) -> int:
    """The number of approvals, gates and questions of a run that wait for a person."""
    approvals = len(run.cycles.approvals) if run.cycles is not None else 0
    return approvals + len(open_gates(run)) + len(run.questions)

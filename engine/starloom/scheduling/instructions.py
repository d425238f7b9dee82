"""The scheduler's instructions: verbs, carried out only after the turn's events are committed."""

from __future__ import annotations

import msgspec

from starloom.model.question import Answer
from starloom.model.task import Task


class StartTask(msgspec.Struct, frozen=True, gc=False):
    """Run an attempt of a task on a slot of a device."""

    run_id: str
    task_id: str
    attempt: int
    device_id: str
    slot: int
    task: Task


class StopTask(msgspec.Struct, frozen=True, gc=False):
    """Stop a running attempt; its outcome comes as usual, once it has really stopped."""

    run_id: str
    task_id: str
    attempt: int
    cause: str


class GiveAnswer(msgspec.Struct, frozen=True):
    """Give a running attempt the answer to the question that it knows by this key."""

    run_id: str
    task_id: str
    attempt: int
    key: int
    answer: Answer


class WakeAt(msgspec.Struct, frozen=True, gc=False):
    """Wake the scheduler at this time; None: not at all. Replaces the one before."""

    at: float | None


class AskAgent(msgspec.Struct, frozen=True):
    """Ask an agent about a batch of ended tasks; the answer comes as `commands.AnswerEditCycle`."""

    run_id: str
    cycle: int
    agent: str
    task_ids: tuple[str, ...]


class WithdrawQuestion(msgspec.Struct, frozen=True):
    """Cancel the question to an agent, whose answer is no longer of use."""

    run_id: str
    agent: str


Instruction = StartTask | StopTask | GiveAnswer | AskAgent | WithdrawQuestion | WakeAt

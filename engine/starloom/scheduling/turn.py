"""A turn: the decisions of one call of the scheduler, for the pump to commit and carry out."""

from __future__ import annotations

from typing import Any

import msgspec

from starloom import events as ev
from starloom.pauses import Pause, no_pause
from starloom.scheduling.instructions import (
    AskAgent,
    GiveAnswer,
    Instruction,
    StartTask,
    StopTask,
    WakeAt,
    WithdrawQuestion,
)


class Rest:
    """The rarer results of a turn.

    Attributes:
        stops: attempts to stop.
        answers: answers to questions of running attempts.
        questions: what to ask agents, and what not to ask them any more, in order.
        wake: when to come back; None: the wake-up already asked for stands.
        ended: the runs that ended in this turn.
        reopened: those that had ended and go on.
        gates: the gates that were asked in this turn: run, task, attempt.
        replies: each command that was answered, with its value or the `CommandRefused` it is to raise.
    """

    __slots__ = ("answers", "ended", "gates", "questions", "reopened", "replies", "stops", "wake")

    def __init__(self) -> None:
        self.stops: list[StopTask] = []
        self.answers: list[GiveAnswer] = []
        self.questions: list[AskAgent | WithdrawQuestion] = []
        self.wake: WakeAt | None = None
        self.ended: list[str] = []
        self.reopened: list[str] = []
        self.gates: list[tuple[str, str, int]] = []
        self.replies: list[tuple[Any, Any]] = []


class Turn(msgspec.Struct):
    """The result of one call of `handle`.

    Attributes:
        events: what happened, in order, of all streams.
        starts: attempts to start, in order.
        rest: everything else; None in most turns.
        pause: called where deciding takes long and the facts are those after whole events; indexes may be behind them.
    """

    events: list[ev.Event] = []
    starts: list[StartTask] = []
    rest: Rest | None = None
    pause: Pause = no_pause

    def more(self) -> Rest:
        """The `Rest` of the turn, created on first use."""
        if self.rest is None:
            self.rest = Rest()
        return self.rest

    @property
    def instructions(self) -> list[Instruction]:
        """All instructions, in the order in which they are carried out."""
        rest = self.rest or Rest()
        wake = [rest.wake] if rest.wake is not None else []
        return [*rest.stops, *rest.answers, *self.starts, *rest.questions, *wake]

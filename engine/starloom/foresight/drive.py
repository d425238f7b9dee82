"""Driving a scheduler through virtual time: attempts end when they are due, and time jumps to whatever is next."""

from __future__ import annotations

import itertools
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, Final

from starloom.errors import CommandRefused
from starloom.model.result import Outcome, OutcomeStatus
from starloom.scheduling.commands import AnswerGate
from starloom.scheduling.stimuli import AttemptEnded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.scheduling.commands import Command
    from starloom.scheduling.instructions import StartTask
    from starloom.scheduling.scheduler import Scheduler
    from starloom.scheduling.turn import Turn

NEVER: Final = float("inf")
ORIGIN: Final = "foresight"
"""Who approves of gates in virtual time."""
_STOPPED: Final = Outcome(OutcomeStatus.STOPPED)


class Drive:
    """One scheduler in virtual time; `step` advances to the next event. Equal arguments give equal histories.

    Attributes:
        scheduler: what is driven; nobody else may turn it.
        now: seconds on its clock.
        turns: how often it has decided.

    Args:
        scheduler: what is to be driven.
        attempt: how many seconds an attempt that starts now takes, and how it ends unless it is stopped before.
        gate: after how many seconds a gate that is asked now, by run and task, is approved; None: it never is.
        now: where the clock begins.
        wake: when the scheduler has asked to be woken, if it has.
        on_turn: called with each turn.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        attempt: Callable[[StartTask], tuple[float, Outcome]],
        *,
        gate: Callable[[str, str], float | None] = lambda _run_id, _task_id: None,
        now: float = 0.0,
        wake: float | None = None,
        on_turn: Callable[[Turn], None] | None = None,
    ) -> None:
        self.scheduler = scheduler
        self.now = now
        self.turns = 0
        self._attempt = attempt
        self._gate = gate
        self._on_turn = on_turn
        self._ends: list[tuple[float, int, AttemptEnded | AnswerGate]] = []
        self._order = itertools.count()
        self._alive: dict[tuple[str, str], int] = {}
        """The attempt that runs now, or the asking of a gate that is open, by run and task."""
        self._stopped: list[AttemptEnded] = []
        self._wake = wake

    def next(self) -> float:
        """The time of the next event; infinity: there is none."""
        if self._stopped:
            return self.now
        ends, alive = self._ends, self._alive
        while ends and alive.get((ends[0][2].run_id, ends[0][2].task_id)) != ends[0][2].attempt:
            heappop(ends)  # it was stopped before
        at = ends[0][0] if ends else NEVER
        return at if self._wake is None else min(at, self._wake)

    def step(self) -> bool:
        """Advance to the time of the next event and decide about it; False: there is none."""
        at = self.next()
        if at == NEVER:
            return False
        if at > self.now:
            self.now = at
        self.decide(self._due())
        return True

    def do(self, command: Command) -> Any:
        """Carry out a command now; returns its answer.

        Raises:
            CommandRefused: it was refused.
        """
        rest = self.decide([command]).rest
        assert rest is not None, "a command is always answered"
        answer = rest.replies[-1][1]
        if isinstance(answer, CommandRefused):
            raise answer
        return answer

    def expect(self, end: AttemptEnded, at: float) -> None:
        """Set the end of an attempt that already runs.

        Args:
            end: how it ends.
            at: when, in seconds on the drive's clock.
        """
        self._alive[end.run_id, end.task_id] = end.attempt
        heappush(self._ends, (at, next(self._order), end))

    def expect_answer(self, run_id: str, task_id: str, attempt: int, at: float) -> None:
        """Schedule the approval of an open gate, unless it is closed before.

        Args:
            run_id: the run.
            task_id: the gate.
            attempt: how often it was asked, from 1.
            at: when, in seconds on the drive's clock.
        """
        self._alive[run_id, task_id] = attempt
        answer = AnswerGate(run_id=run_id, task_id=task_id, approve=True, attempt=attempt, origin=ORIGIN)
        heappush(self._ends, (at, next(self._order), answer))

    def decide(self, arrived: Sequence[Any]) -> Turn:
        """Run one turn now, and carry out its instructions."""
        turn = self.scheduler.handle(arrived, self.now)
        self.turns += 1
        rest = turn.rest
        if rest is not None:
            for stop in rest.stops:
                if self._alive.pop((stop.run_id, stop.task_id), None) is not None:
                    self._stopped.append(AttemptEnded(stop.run_id, stop.task_id, stop.attempt, _STOPPED))
            if rest.wake is not None:
                self._wake = rest.wake.at
            for run_id, task_id, attempt in rest.gates:
                wait = self._gate(run_id, task_id)
                if wait is not None:
                    self.expect_answer(run_id, task_id, attempt, self.now + wait)
        for start in turn.starts:
            seconds, outcome = self._attempt(start)
            self.expect(AttemptEnded(start.run_id, start.task_id, start.attempt, outcome), self.now + seconds)
        if self._on_turn is not None:
            self._on_turn(turn)
        return turn

    def _due(self) -> list[AttemptEnded | AnswerGate]:
        due: list[AttemptEnded | AnswerGate] = [*self._stopped]
        self._stopped = []
        ends, alive, now = self._ends, self._alive, self.now
        while ends and ends[0][0] <= now:
            end = heappop(ends)[2]
            key = end.run_id, end.task_id
            if alive.get(key) == end.attempt:
                del alive[key]
                due.append(end)
        return due

"""The pump: collects what arrives during one loop iteration, has the scheduler decide, commits, and only then acts.

A turn that cannot be committed changes nothing anybody can see: its instructions are dropped and the engine halts at
the last commit, saying why. What arrives meanwhile is kept; running attempts can still be stopped; `retry` goes on.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Protocol

from starloom.errors import CommandRefused
from starloom.journal.base import Journal, JournalError
from starloom.scheduling.commands import CancelRun, CancelTasks, CloseAdmission, Command
from starloom.scheduling.instructions import StartTask, StopTask, WakeAt
from starloom.scheduling.restore import restore
from starloom.scheduling.scheduler import Scheduler
from starloom.scheduling.stimuli import AttemptEnded, TimePassed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.events import Event
    from starloom.orchestration.clock import Clock
    from starloom.scheduling.turn import Rest, Turn

_log = logging.getLogger(__name__)


class Hands(Protocol):
    """Carries out what the scheduler orders."""

    alive: int
    """How many attempts have not ended."""

    def start(self, instruction: StartTask) -> None:
        """Begin an attempt; its end is posted as a stimulus."""

    def stop(self, instruction: StopTask) -> None:
        """Stop an attempt that may still run."""


class Pump:
    """Turns the scheduler.

    Attributes:
        scheduler: replaced by an equal one when the engine goes on after a failed commit.
        halted: why nothing is decided at present; None: all is well.
    """

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        publish: Callable[[Sequence[Event]], None],
        ended: Callable[[Sequence[str]], None],
        halted: Callable[[JournalError], None],
    ) -> None:
        self.scheduler = Scheduler()
        self.hands: Hands
        self.journal = journal
        self.clock = clock
        self.halted: JournalError | None = None
        self._publish = publish
        self._tell_ended = ended
        self._tell_halted = halted
        self._inbox: list[Any] = []
        self._kept: list[Any] = []
        self._is_scheduled = False
        self._is_closed = False
        self._answers: dict[int, tuple[Command, asyncio.Future[Any]]] = {}
        self._alarm: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()

    # ---- what arrives

    def post(self, stimulus: Any) -> None:
        """Have a stimulus decided about in this loop iteration's turn."""
        self._inbox.append(stimulus)
        if not self._is_scheduled:
            self._is_scheduled = True
            self._loop.call_soon(self._run_turn)

    def ended(self, stimulus: AttemptEnded) -> None:
        """An attempt is over. When no other one is alive nothing else can arrive first: decide at once."""
        self._inbox.append(stimulus)
        if not self._is_scheduled:
            if self.hands.alive:
                self._is_scheduled = True
                self._loop.call_soon(self._run_turn)
            else:
                self._run_turn()

    async def ask(self, command: Command) -> Any:
        """Have a command decided about and committed; returns its answer.

        Raises:
            CommandRefused: it was refused, or the engine is halted or was shut down.
        """
        if self._is_closed:
            raise CommandRefused("shut_down", "The engine was shut down.", "Start it again to go on.")
        if self.halted is not None and not isinstance(command, CancelTasks | CancelRun | CloseAdmission):
            raise CommandRefused("halted", f"The engine is halted: {self.halted}", "Mend that and retry the commit.")
        if self.halted is not None:
            self._stop_without_commit(command)
            self.post(command)
            return None
        answer: asyncio.Future[Any] = self._loop.create_future()
        self._answers[id(command)] = (command, answer)
        self.post(command)
        return await answer

    # ---- the turn

    def _run_turn(self) -> None:
        self._is_scheduled = False
        arrived, self._inbox = self._inbox, []
        if self.halted is not None:
            self._kept.extend(arrived)
            return
        try:
            turn = self.scheduler.handle(arrived, self.clock())
            if turn.events:
                self.journal.commit(turn.events)
        except JournalError as error:
            self._halt(error, arrived)
            return
        except Exception as error:
            defect = JournalError(f"The scheduler failed and stopped: {error!r}. This is a defect.")
            self._halt(defect, [one for one in arrived if not isinstance(one, Command)])
            self._refuse(arrived, defect)
            raise
        try:
            self._carry_out(turn)
        except Exception as error:
            self._halt(JournalError(f"A turn could not be carried out: {error!r}. This is a defect."), ())
            raise

    def _carry_out(self, turn: Turn) -> None:
        """Do what a committed turn orders and tell everyone; stops go last, as they may be for what it starts."""
        begin = self.hands.start
        for start in turn.starts:
            begin(start)
        self._publish(turn.events)
        if turn.rest is not None:
            self._carry_out_rest(turn.rest)

    def _carry_out_rest(self, rest: Rest) -> None:
        for stop in rest.stops:
            self.hands.stop(stop)
        if rest.wake is not None:
            self._set_alarm(rest.wake)
        self._answer(rest)
        if rest.ended:
            self._tell_ended(rest.ended)

    def _answer(self, rest: Rest) -> None:
        for command, value in rest.replies:
            _, answer = self._answers.pop(id(command), (None, None))
            if answer is None or answer.done():
                continue
            if isinstance(value, CommandRefused):
                answer.set_exception(value)
            else:
                answer.set_result(value)

    def _refuse(self, arrived: Sequence[Any], error: JournalError) -> None:
        """Tell whoever asked in a turn that failed; the same question would only fail again after a retry."""
        for command in arrived:
            _, answer = self._answers.pop(id(command), (None, None))
            if answer is not None and not answer.done():
                answer.set_exception(CommandRefused("halted", str(error), "Retry the commit to go on without it."))

    def _set_alarm(self, wake: WakeAt) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if wake.at is not None:
            self._alarm = self._loop.call_later(max(0.0, wake.at - self.clock()), self._ring, wake.at)

    def _ring(self, due: float) -> None:
        """Loops and clocks may differ by a hair: never tell the scheduler before it is time."""
        self._alarm = None
        early = due - self.clock()
        if early > 0:
            self._alarm = self._loop.call_later(early, self._ring, due)
        else:
            self.post(TimePassed())

    # ---- when nothing can be committed

    def _halt(self, error: JournalError, arrived: Sequence[Any]) -> None:
        self.halted = error
        self._kept.extend(arrived)
        try:
            self._go_back()
        except JournalError as lack:
            _log.warning("What can be read is ahead of the last commit: %s", lack)
        _log.error("The engine halted at its last commit: %s", error)
        self._tell_halted(error)

    def _go_back(self) -> None:
        """Take up the state of the last commit; who was refused, and that nobody is admitted, is not forgotten."""
        before = self.scheduler
        self.scheduler = restore(self.journal.committed())
        self.scheduler.rejected, self.scheduler.admitting = before.rejected, before.admitting

    def _stop_without_commit(self, command: Command) -> None:
        """Stopping is always possible: the attempts are told now, the event is committed later."""
        for index in self.scheduler.live.values():
            run = index.run
            named = getattr(command, "run_id", run.run_id)
            task_ids = getattr(command, "task_ids", None)
            if named != run.run_id or (isinstance(command, CloseAdmission) and not command.cancel_running):
                continue
            for number in run.with_status(2):
                task_id = run.graph.ids[number]
                if task_ids is None or task_id in task_ids:
                    self.hands.stop(StopTask(run.run_id, task_id, run.tries[number], "cancelled"))

    def retry(self) -> None:
        """Go on from the last commit with everything that has arrived since.

        Raises:
            JournalError: the journal keeps nothing to go on from, or still fails.
        """
        if self.halted is None:
            return
        self._go_back()
        self.halted = None
        self._inbox[:0] = self._kept
        self._kept = []
        self._run_turn()
        if self.halted is not None:
            raise self.halted

    def close(self) -> None:
        """Turn no more; whoever still waits for an answer is told so."""
        self._is_closed = True
        if self._alarm is not None:
            self._alarm.cancel()
        for _, answer in self._answers.values():
            if not answer.done():
                answer.cancel()
        self._answers.clear()

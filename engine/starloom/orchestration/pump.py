"""The pump: collects what arrives during one loop iteration, has the scheduler decide, commits, and only then acts.

A turn that cannot be committed changes nothing anybody can see: its instructions are dropped and the engine halts at
the last commit, saying why. What arrives meanwhile is kept; running attempts can still be stopped; `retry` goes on.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from starloom.errors import CommandRefused
from starloom.journal.base import Journal, JournalError
from starloom.orchestration.alarm import Alarm
from starloom.orchestration.ended_runs import EndedRuns
from starloom.orchestration.halted_commands import HaltedCommands
from starloom.orchestration.kept_stimuli import KeptStimuli
from starloom.orchestration.past_runs import PastRuns
from starloom.orchestration.pending_answers import PendingAnswers
from starloom.orchestration.sliced_turn import LargeTurns, is_large
from starloom.scheduling.restore import restore
from starloom.scheduling.retention import carry_over
from starloom.scheduling.scheduler import Scheduler
from starloom.scheduling.stimuli import AttemptEnded, TimePassed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from starloom.orchestration.clock import Clock
    from starloom.scheduling.commands import Command
    from starloom.scheduling.instructions import AskAgent, GiveAnswer, StartTask, StopTask, WithdrawQuestion
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.turn import Rest, Turn

_log = logging.getLogger(__name__)


def _ask_nobody(_orders: Sequence[AskAgent | WithdrawQuestion]) -> None:
    """Ask no agents, as there are none: cycles close by their timeout."""


class InstructionExecutor(Protocol):
    """The protocol of what carries out the scheduler's instructions."""

    alive: int
    """How many attempts have not ended."""

    @property
    def unreleased(self) -> Collection[Any]:
        """The ended attempts with files that are kept until the end is committed."""

    def start(self, instruction: StartTask) -> None:
        """Start an attempt; its end is posted as a stimulus."""

    def stop(self, instruction: StopTask) -> None:
        """Stop an attempt that may still run."""

    def give(self, instruction: GiveAnswer) -> None:
        """Give a running attempt the answer to a question."""

    def release(self, ended: Sequence[Any]) -> None:
        """Release what attempts left behind whose ends are among these committed stimuli."""


class Pump:
    """Drives the scheduler turn by turn.

    Args:
        journal: what turns are committed to.
        clock: the engine's, in seconds that never go back.
        publish: is given the events of each committed turn.
        ended: is given the ids of the runs that have ended in a turn.
        halted: is told why nothing is decided any more.
        scheduler: what earlier programs left; None: an empty one.

    Attributes:
        scheduler: replaced by an equal one when the engine goes on after a failed commit.
        ask_agents: carries out what the scheduler orders agents to be asked.
        halted: why nothing is decided at present; None: all is well.
        is_ahead: whether the scheduler is ahead of the last commit, as it halted and that cannot be read.
        ended_runs: lets go of runs that have ended, and takes them back.
        past_runs: of earlier programs, for how long tasks take.
        large: decides turns that concern many thousands of tasks.
    """

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        publish: Callable[..., None],
        ended: Callable[[Sequence[str]], None],
        halted: Callable[[JournalError], None],
        scheduler: Scheduler | None = None,
    ) -> None:
        self.scheduler = scheduler if scheduler is not None else Scheduler()
        self.executor: InstructionExecutor
        self.ask_agents: Callable[[Sequence[AskAgent | WithdrawQuestion]], None] = _ask_nobody
        self.journal = journal
        self.clock = clock
        self.halted: JournalError | None = None
        self.is_ahead = False
        self.large: LargeTurns = LargeTurns(self._decided, self._fail)
        self.ended_runs: EndedRuns = EndedRuns(self)
        self.past_runs = PastRuns(journal.directory)
        self._publish = publish
        self._tell_ended = ended
        self._tell_halted = halted
        self._inbox: list[Any] = []
        self._kept = KeptStimuli(clock)
        self._is_scheduled = False
        self._committing: asyncio.Future[None] | None = None
        self._readers: list[Callable[[], object]] = []
        self._is_closed = False
        self._answers = PendingAnswers()
        self._halted_commands = HaltedCommands(self)
        self._alarm = Alarm(clock, lambda: self.post(TimePassed()))
        self._loop = asyncio.get_running_loop()
        journal.watch(self._journal_seems_lost)

    # ---- what arrives

    def post(self, stimulus: Any) -> None:
        """Queue a stimulus for the turn of this loop iteration."""
        self._inbox.append(stimulus)
        self._go_on()

    def ended(self, stimulus: AttemptEnded) -> None:
        """Post the end of an attempt; if no other one is alive, decide at once, as nothing else can arrive first."""
        self._inbox.append(stimulus)
        if not self._is_scheduled:
            if self.executor.alive:
                self._is_scheduled = True
                self._loop.call_soon(self._run_turn)
            else:
                self._run_turn()

    async def ask(self, command: Command) -> Any:
        """Queue a command; returns its answer once it is decided and committed.

        Raises:
            CommandRefused: it was refused, or the engine is halted or was shut down.
            JournalError: it is about a run that was let go of, and its journal cannot be read.
        """
        if self._is_closed:
            raise CommandRefused("shut_down", "The engine was shut down.", "Start it again to go on.")
        if self.halted is not None:
            return self._halted_commands.ask(command, self.halted)
        if (run_id := getattr(command, "run_id", "")) and run_id not in self.scheduler.runs:
            await self.ended_runs.recall(run_id)
        answer = self._answers.expect(command)
        self.post(command)
        return await answer

    # ---- the turn

    def _run_turn(self, *, wait: bool = False) -> None:
        self._is_scheduled = False
        if self._committing is not None or self.large.turn is not None or self._is_closed:
            return  # the next turn begins when this one is committed, if any does
        arrived, self._inbox = self._inbox, []
        if self.halted is not None:
            self._kept.keep(arrived)
            return
        if is_large(self.scheduler, arrived) and not wait:
            self.large.begin(partial(self.scheduler.handle, arrived, self.clock()), arrived)
            return
        try:
            turn = self.scheduler.handle(arrived, self.clock())
        except Exception as error:
            self._fail(error, arrived)
            raise
        self._commit(turn, arrived, wait=wait)

    def _decided(self, turn: Turn, arrived: Sequence[Any]) -> None:
        self._commit(turn, arrived)
        self._go_on()

    def _commit(self, turn: Turn, arrived: Sequence[Any], *, wait: bool = False) -> None:
        try:
            committing = self.journal.commit(turn.events) if turn.events else None
            if committing is not None and wait:
                committing = committing.result()
        except Exception as error:
            self._fail(error, arrived)
            if not isinstance(error, JournalError):
                raise
            return
        if committing is None:
            self._carry_out(turn, arrived)
        else:
            self._committing = asyncio.wrap_future(committing, loop=self._loop)
            self._committing.add_done_callback(partial(self._committed, turn, arrived))

    def _go_on(self) -> None:
        """Begin the next turn soon, if anything has arrived for it."""
        if self._inbox and not self._is_scheduled:
            self._is_scheduled = True
            self._loop.call_soon(self._run_turn)

    def _committed(self, turn: Turn, arrived: Sequence[Any], committing: asyncio.Future[None]) -> None:
        self._committing = None
        error = committing.exception()
        if error is None:
            self._carry_out(turn, arrived)
        else:
            self._fail(error, arrived)
        self._go_on()
        if error is not None and not isinstance(error, JournalError):
            raise error

    def _fail(self, error: BaseException, arrived: Sequence[Any]) -> None:
        """Handle a turn that was not committed, of which nothing has happened."""
        is_defect = not isinstance(error, JournalError)
        if not isinstance(error, JournalError):
            error = JournalError(f"The scheduler failed and stopped: {error!r}. This is a defect.")
        waiting, self._inbox = [*arrived, *self._inbox], []
        self._halt(error)  # first, as commands are answered by what is committed
        self._kept.keep(self._halted_commands.settle(waiting, self._answers, error, is_defect=is_defect))

    @property
    def is_committing(self) -> bool:
        """Whether the facts are ahead of what is committed, as a turn is large or the journal takes its time."""
        return self._committing is not None or self.large.turn is not None

    def at_commit(self, read: Callable[[], object]) -> None:
        """Call a function when the facts are those of the last commit: at once, or after the one that is being made."""
        self._readers.append(read)
        if not self.is_committing:
            self._read_facts()

    def _read_facts(self) -> None:
        while self._readers:
            self._readers.pop(0)()

    async def at_rest(self) -> None:
        """Return when everything that has arrived so far is decided about and committed, or the engine is halted."""
        while self.halted is None and (self._is_scheduled or self.is_committing):
            if self._committing is not None:
                await asyncio.wait([self._committing])
            await asyncio.sleep(0)

    def _carry_out(self, turn: Turn, arrived: Sequence[Any]) -> None:
        """Carry out the instructions of a committed turn and publish it; stops come last."""
        try:
            executor = self.executor
            if executor.unreleased:
                executor.release(arrived)
            begin = executor.start
            for start in turn.starts:
                begin(start)
            reopened = turn.rest.reopened if turn.rest is not None else ()
            self._publish(turn.events, reopened) if reopened else self._publish(turn.events)
            if turn.rest is not None:
                self._carry_out_rest(turn.rest)
        except Exception as error:
            self._halt(JournalError(f"A turn could not be carried out: {error!r}. This is a defect."))
            raise
        if self.journal.due:
            self._keep_facts()
        if turn.rest is not None and turn.rest.ended:
            self._tell_ended(turn.rest.ended)
            self.ended_runs.note(turn.rest.ended)  # last of all, as what it lets go of is not there any more
        self._read_facts()

    def _keep_facts(self) -> None:
        """Write the checkpoints that are due, after a turn's instructions, as none waits for them.

        And at once, while the facts are those of the last commit.
        """
        for run_id in tuple(self.journal.due):
            self.journal.checkpoint(self.scheduler.run(run_id))

    def _carry_out_rest(self, rest: Rest) -> None:
        for stop in rest.stops:
            self.executor.stop(stop)
        for answer in rest.answers:
            self.executor.give(answer)
        if rest.wake is not None:
            self._alarm.set(rest.wake.at)
        if rest.questions:
            self.ask_agents(rest.questions)
        for command, value in rest.replies:
            self._answers.give(command, value)

    def facts(self, run_id: str) -> RunFacts:
        """The facts of a run, for reading only; read from its journal if it was released from memory.

        Raises:
            JournalError: they cannot be read.
        """
        index = self.scheduler.runs.get(run_id)
        return index.run if index is not None else self.ended_runs.facts(run_id)

    # ---- when nothing can be committed

    def _halt(self, error: JournalError) -> None:
        self.halted = error
        try:
            self._go_back()
        except JournalError as lack:
            _log.warning("What can be read is ahead of the last commit: %s", lack)
        _log.error("The engine halted at its last commit: %s", error)
        self._tell_halted(error)
        self._read_facts()

    def _journal_seems_lost(self, run_id: str) -> None:
        """Found out between commits; called in any thread."""
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._check_journal, run_id)

    def _check_journal(self, run_id: str) -> None:
        """Halt if the journal of a live run has vanished; a running commit detects that by itself."""
        if self._is_closed or self.halted is not None or self.is_committing:
            return
        if run_id in self.scheduler.live:
            try:
                self.journal.check(run_id)
            except JournalError as error:
                self._fail(error, ())

    def _go_back(self) -> None:
        """Restore the state of the last commit; refusals and the closed admission stay."""
        self.is_ahead = True
        before = self.scheduler
        self.scheduler = restore(self.journal.committed())
        carry_over(before, self.scheduler)
        self.scheduler.rejected, self.scheduler.admitting = before.rejected, before.admitting
        self.is_ahead = False

    def retry(self) -> None:
        """Continue from the last commit with everything that has arrived since.

        Raises:
            JournalError: the journal keeps nothing to go on from, cannot be written anew where it has gone, or still
                fails.
        """
        if self.halted is None:
            return
        try:
            self.journal.mend(self.scheduler.live)
        except JournalError as error:
            self._halt(error)
            raise
        self._go_back()
        self.halted = None
        self._inbox[:0] = self._kept.take()
        self._run_turn(wait=True)
        if self.halted is not None:
            raise self.halted

    def close(self) -> None:
        """Stop turning; awaited answers fail."""
        self._is_closed = True
        self._alarm.cancel()
        self._answers.close()
        self.large.close()

"""Commands while nothing can be committed: a stop is carried out at once and committed later; others are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from starloom.errors import CommandRefused
from starloom.scheduling.commands import CancelRun, CancelTasks, CloseAdmission, Command
from starloom.scheduling.decide.questions import refusal
from starloom.scheduling.instructions import StopTask
from starloom.scheduling.state.codes import RUNNING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from starloom.journal.base import JournalError
    from starloom.orchestration.clock import Clock
    from starloom.orchestration.ended_runs import EndedRuns
    from starloom.orchestration.pending_answers import PendingAnswers
    from starloom.scheduling.state.scheduler_state import SchedulerState

_STOPS: Final = (CancelTasks, CancelRun, CloseAdmission)
"""What can be asked for even while nothing can be committed."""


class Executor(Protocol):
    """The protocol of what carries out the scheduler's instructions, as far as they are stops."""

    def stop(self, instruction: StopTask) -> None:
        """Stop an attempt that may still run."""


class HaltedEngine(Protocol):
    """The protocol of the pump, as far as commands need it while it is halted.

    Attributes:
        clock: the engine's.
        ended_runs: those released from memory are known to it.
        is_ahead: whether the scheduler is ahead of the last commit, as that cannot be read.
    """

    clock: Clock
    ended_runs: EndedRuns
    is_ahead: bool

    @property
    def executor(self) -> Executor:
        """Stops attempts."""

    @property
    def scheduler(self) -> SchedulerState:
        """As of the last commit, if that can be read."""

    def post(self, stimulus: Command) -> None:
        """Keep a command for when the engine goes on."""


class _Answer(NamedTuple):
    value: int | str | CommandRefused | None
    is_kept: bool = False
    """Whether the command is to be decided about, and committed, once the engine goes on."""


class HaltedCommands:
    """Answers commands while the engine is halted, and carries stops out.

    Args:
        engine: which one.
    """

    def __init__(self, engine: HaltedEngine) -> None:
        self._engine = engine

    def ask(self, command: Command, halted: JournalError) -> int | str | None:
        """Carry out a command that is asked for now, if that can be; returns its answer.

        Args:
            command: which one.
            halted: why nothing is decided.

        Raises:
            CommandRefused: it was refused.
        """
        refused = CommandRefused("halted", f"The engine is halted: {halted}", "Mend that and retry the commit.")
        value, is_kept = self._answer(command, refused)
        if is_kept:
            self._engine.post(command)
        if isinstance(value, CommandRefused):
            raise value
        return value

    def settle(
        self, waiting: Iterable[Any], answers: PendingAnswers, error: JournalError, *, is_defect: bool
    ) -> list[Any]:
        """Answer the commands that were not decided or not committed; returns what is decided about later.

        Args:
            waiting: stimuli and commands, in order.
            answers: that are awaited.
            error: why the engine has halted.
            is_defect: whether the scheduler has failed, maybe because of one of the commands: all are dropped.
        """
        kept: list[Any] = []
        refused = CommandRefused("halted", f"The engine halted: {error}", "Retry the commit, then ask again.")
        for stimulus in waiting:
            if is_defect and isinstance(stimulus, Command):
                answers.give(stimulus, refused)
            elif stimulus not in answers:
                kept.append(stimulus)
            else:
                value, is_kept = self._answer(stimulus, refused)
                answers.give(stimulus, value)
                kept += [stimulus] * is_kept
        return kept

    def _answer(self, command: Command, halted: CommandRefused) -> _Answer:
        scheduler, is_stop = self._engine.scheduler, isinstance(command, _STOPS)
        if command.id in scheduler.answers and not (is_stop and self._engine.is_ahead):
            return _Answer(_doubt() if self._engine.is_ahead else scheduler.answers.of(command.id))
        if not is_stop or getattr(command, "run_id", None) in self._engine.ended_runs.released:
            return _Answer(halted)  # nothing runs of a run that was released, and nothing can be decided about it
        refused = self._refusal(command)
        if refused is not None:
            return _Answer(refused)
        for order in _stopped_by(scheduler, command):
            self._engine.executor.stop(order)
        return _Answer(None, is_kept=True)

    def _refusal(self, command: Command) -> CommandRefused | None:
        """The refusal of a stop; None: it will be carried out whenever it is decided about.

        Nothing else that waits for that adds or removes a run or a task, or reserves anything.
        """
        if isinstance(command, CloseAdmission):
            return None
        scheduler = self._engine.scheduler
        scheduler.now = max(scheduler.now, self._engine.clock())  # no turn has told it that a reservation is over
        return refusal(scheduler, command)


def _doubt() -> CommandRefused:
    return CommandRefused(
        "unknown_command",
        "Whether this command was carried out when it was given before is not known any more.",
        "See what the run is like now, and give it anew if it was not.",
    )


def _stopped_by(scheduler: SchedulerState, command: Command) -> Iterator[StopTask]:
    """The stops of the running attempts that a command is about."""
    for index in scheduler.live.values():
        run = index.run
        named = getattr(command, "run_id", run.run_id)
        task_ids = getattr(command, "task_ids", None)
        if named != run.run_id or (isinstance(command, CloseAdmission) and not command.cancel_running):
            continue
        for number in run.with_status(RUNNING):
            task_id = run.graph.ids[number]
            if task_ids is None or task_id in task_ids:
                yield StopTask(run.run_id, task_id, run.tries[number], "cancelled")

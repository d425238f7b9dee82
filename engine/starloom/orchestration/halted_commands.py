"""Commands while nothing can be committed: a stop is carried out at once and committed later; others are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from starloom.errors import CommandRefused
from starloom.scheduling.commands import CancelRun, CancelTasks, CloseAdmission
from starloom.scheduling.decide.questions import refusal
from starloom.scheduling.instructions import StopTask
from starloom.scheduling.state.codes import RUNNING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.orchestration.clock import Clock
    from starloom.orchestration.ended_runs import EndedRuns
    from starloom.scheduling.commands import Command
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


class HaltedAnswer(NamedTuple):
    """The answer to a command while the engine is halted.

    Attributes:
        value: the answer; a `CommandRefused` is to be raised.
        is_kept: whether the command is to be decided about, and committed, once the engine goes on.
    """

    value: int | str | CommandRefused | None
    is_kept: bool = False


class HaltedCommands:
    """Answers commands while the engine is halted, and carries stops out.

    Args:
        engine: which one.
    """

    def __init__(self, engine: HaltedEngine) -> None:
        self._engine = engine

    def answer(self, command: Command, halted: CommandRefused) -> HaltedAnswer:
        """Answer a command; the attempts that it stops are stopped.

        Args:
            command: which one.
            halted: the refusal of what cannot be asked for now.
        """
        scheduler, is_stop = self._engine.scheduler, isinstance(command, _STOPS)
        if command.id in scheduler.answers and not (is_stop and self._engine.is_ahead):
            return HaltedAnswer(_doubt() if self._engine.is_ahead else scheduler.answers.of(command.id))
        if not is_stop or getattr(command, "run_id", None) in self._engine.ended_runs.released:
            return HaltedAnswer(halted)  # nothing runs of a run that was released, and nothing can be decided about it
        refused = self._refusal(command)
        if refused is not None:
            return HaltedAnswer(refused)
        for order in _stopped_by(scheduler, command):
            self._engine.executor.stop(order)
        return HaltedAnswer(None, is_kept=True)

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

"""Replaying a script on a run, by ordinary commands in the script's name.

What an entry waits for, `formats.script` says. Entries that are refused are told, and the next one is gone on with.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from starloom import events as ev
from starloom.errors import CommandRefused
from starloom.formats.script import words_of
from starloom.model.status import RunState
from starloom.scheduling import commands as c
from starloom.scheduling.scripts import tasks_of
from starloom.scheduling.state import stops
from starloom.scheduling.state.codes import REMOVED, RUNNING, is_terminal

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.orchestration.orchestrator import Orchestrator
    from starloom.orchestration.run import Run
    from starloom.scheduling.scripts import Script, ScriptEntry

_MOST_NAMED: Final = 3
_NEWS: Final = (
    *(ev.TaskStarted, ev.TaskCompleted, ev.TaskFailed, ev.TaskCancelled, ev.TaskSkipped, ev.TaskMarked),
    *(ev.GateOpened, ev.ConstellationModified, ev.RunStarted, ev.RunPaused, ev.RunStalled, ev.RunEnded, ev.RunReopened),
    *(ev.RunHeldOpen, ev.EditCycleClosed, ev.ApprovalAnswered),
)
"""After these an entry may be due that was not."""


class Replaying:
    """Carries out the entries of a script on a run, one after the other.

    Args:
        orchestrator: whose run it is.
        run: has not started.
        script: checked against the run's plan.
        name: of the script, for its origin: who did it.
        tell: is told in sentences what was refused.

    Attributes:
        origin: in whose name the commands are given.
        done, refused: how many entries were carried out, and how many were not.
    """

    def __init__(
        self, orchestrator: Orchestrator, run: Run, script: Script, name: str, tell: Callable[[str], object]
    ) -> None:
        self._pump, self._run, self._entries, self._tell = orchestrator.pump, run, script.entries, tell
        self.origin = f"script {name}"
        self.done = self.refused = 0
        self._next = 0
        self._holds = self._pauses = False
        self._news, self._beat = asyncio.Event(), asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._listening = orchestrator.events.subscribe(self._hear, *_NEWS)

    # ---- for whoever waits for the run

    async def begin(self) -> None:
        """Carry out the entries before the run's start, and the rest from then on; to be called before it starts."""
        while self._next < len(self._entries) and self._entries[self._next].is_at_once:
            await self._do()
        self._task = asyncio.create_task(self._play(), name="starloom script")
        self._task.add_done_callback(lambda _: self._beat.set())

    @property
    def is_over(self) -> bool:
        """Whether no entry is left to be carried out."""
        return self._task is not None and self._task.done()

    def answers(self, task_id: str) -> bool:
        """Whether an entry that is still to come names a task, and so may answer what that asks or waits for."""
        return not self.is_over and any(task_id in tasks_of(one.command) for one in self._entries[self._next :])

    async def goes_on(self) -> bool:
        """Whether an entry has reopened a run that had ended; returns once that is known."""
        while self._run.state.has_ended and not self.is_over:
            self._beat.clear()
            await self._beat.wait()
        return not self._run.state.has_ended

    async def finished(self) -> None:
        """Return once no entry is left to be carried out."""
        if self._task is not None:
            await asyncio.wait([self._task])

    def stop(self) -> None:
        """Carry out no more entries."""
        self._listening.close()
        if self._task is not None:
            self._task.cancel()

    # ---- doing it

    def _hear(self, event: ev.Event) -> None:
        if event.run_id == self._run.id:
            self._news.set()
            self._beat.set()

    async def _play(self) -> None:
        while self._next < len(self._entries):
            entry = self._entries[self._next]
            before = asyncio.get_running_loop().time()
            if not await self._until_it_may(entry):
                before = asyncio.get_running_loop().time()
            await self._wait(before + entry.wait)
            await self._do()
            self._beat.set()
        if self._holds and not self._run.state.has_ended:
            self._tell("The script has kept the run open and is over: it is let go.")
            with suppress(CommandRefused):
                await self._pump.ask(c.HoldRunOpen(run_id=self._run.id, hold_open=False, origin=self.origin))
        if self._pauses and self._run.state is RunState.PAUSED:
            self._tell(f"The script has paused the run and is over: {self._waiting()} until somebody resumes it.")

    def _waiting(self) -> str:
        run = self._run.facts
        waits = [run.graph.ids[number] for number, _ in run.graph.present() if run.status[number] < RUNNING]
        if not waits:
            return "nothing starts"
        named = ", ".join(repr(name) for name in waits[:_MOST_NAMED])
        more = f" and {len(waits) - _MOST_NAMED:,} more" if len(waits) > _MOST_NAMED else ""
        return f"{named}{more} {'waits' if len(waits) == 1 else 'wait'}"

    async def _until_it_may(self, entry: ScriptEntry) -> bool:
        """Return once the entry waits for time only; whether that was so from the beginning."""
        is_first = True
        while not self._may(entry):
            is_first = False
            await self._news.wait()
            self._news.clear()
        return is_first

    def _may(self, entry: ScriptEntry) -> bool:
        if self._run.state is RunState.READY:
            return False
        are_there = all(map(self._has_ended, entry.after)) and all(map(self._has_begun, entry.started))
        return are_there or self._stands_still()

    def _has_ended(self, task_id: str) -> bool:
        run = self._run.facts
        number = run.graph.place.get(task_id)
        return number is not None and (is_terminal(run.status[number]) or run.status[number] == REMOVED)

    def _has_begun(self, task_id: str) -> bool:
        run = self._run.facts
        number = run.graph.place.get(task_id)
        if number is None:
            return False
        return run.status[number] == RUNNING or stops.is_open(run, number) or self._has_ended(task_id)

    def _stands_still(self) -> bool:
        """Whether no task of the run continues by itself."""
        run = self._run.facts
        if run.state.has_ended:
            return True
        if run.status.count(RUNNING) or (run.cycles is not None and run.cycles.has_pending):
            return False
        return run.state is RunState.PAUSED or bool(run.stalled) or not run.open

    async def _wait(self, due: float) -> None:
        """Wait for a time, unless the run has ended."""
        loop = asyncio.get_running_loop()
        while not self._run.state.has_ended and (left := due - loop.time()) > 0:
            self._news.clear()
            try:
                await asyncio.wait_for(self._news.wait(), left)
            except TimeoutError:
                return

    async def _do(self) -> None:
        entry = self._entries[self._next]
        self._next += 1
        try:
            await self._pump.ask(entry.as_given(self._run.id, self.origin))
        except CommandRefused as refusal:
            self.refused += 1
            self._tell(f"Entry {self._next} of the script, {words_of(entry)}, was refused: {refusal}")
        else:
            self.done += 1
            if isinstance(entry.command, c.HoldRunOpen):
                self._holds = entry.command.hold_open
            elif isinstance(entry.command, c.PauseRun | c.ResumeRun):
                self._pauses = isinstance(entry.command, c.PauseRun)

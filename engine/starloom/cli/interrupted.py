"""Interrupted tasks on the command line that no device runs again unasked, as those of agents: a person is asked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starloom import events as ev
from starloom.cli.screen import plain
from starloom.errors import CommandRefused
from starloom.scheduling.state.codes import PENDING, WAITING

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.cli.lines import Lines
    from starloom.cli.screen import Screen
    from starloom.orchestration.orchestrator import Orchestrator
    from starloom.orchestration.run import Run

_YES: Final = frozenset({"y", "yes"})
_NO: Final = frozenset({"n", "no"})
_INTERRUPTED: Final = "interrupted"
"""The status of an attempt whose end nobody has seen."""


class InterruptedPrompts:
    """Asks about the interrupted tasks of one run whether they run again.

    Args:
        run: which one.
        screen: where to ask.
        lines: where the answers come from.
        rejects: whether nobody is asked, and they are cancelled.
        left: called when nobody answers, so that they stay as they are.
    """

    def __init__(self, run: Run, screen: Screen, lines: Lines, *, rejects: bool, left: Callable[[], None]) -> None:
        self._run = run
        self._screen = screen
        self._lines = lines
        self._rejects = rejects
        self._left = left
        self._nobody = False
        self._changed = asyncio.Event()

    def begin(self, orchestrator: Orchestrator, news: asyncio.Event) -> None:
        """Subscribe to what is held, and to whatever else may answer that."""
        orchestrator.events.subscribe(lambda _: news.set(), ev.TasksHeld)
        over = (ev.TasksReleased, ev.TaskCancelled, ev.TaskMarked, ev.TaskSkipped, ev.TaskStarted)
        orchestrator.events.subscribe(lambda _: self._changed.set(), *over)
        if self.waiting():  # of a run that goes on
            news.set()

    def waiting(self) -> list[str]:
        """The tasks that were interrupted and wait for a person."""
        facts = self._run.facts
        open_ = (number for number in sorted(facts.held) if facts.status[number] in (WAITING, PENDING))
        held = [number for number in open_ if not facts.is_stopped(number)]
        found = [number for number in held if (tried := facts.attempts(number)) and tried[-1].status == _INTERRUPTED]
        return [facts.graph.ids[number] for number in found if facts.graph.tasks[number] is not None]

    @property
    def asks(self) -> bool:
        """Whether a person is being asked."""
        return not self._nobody and bool(self.waiting())

    async def answer_all(self) -> None:
        """Ask about each of them, one after the other."""
        for task_id in self.waiting():
            if self.asks and task_id in self.waiting():
                await self._answer(task_id)

    async def _answer(self, task_id: str) -> None:
        if self._rejects:
            await self._send(task_id, again=False)
            return
        device = self._run.task(task_id).attempts[-1].device_id
        self._screen.ask(
            plain(
                f"The task {task_id} was interrupted on {device}: whether it did its work is not known. If it runs "
                "again, it does that anew, at its cost."
            )
        )
        while task_id in self.waiting():
            self._screen.ask("Run it again? y, or n to cancel it")
            self._changed.clear()
            line = await self._lines.next_or(self._changed)
            if line is None:
                self._nobody = True
                self._screen.error("Nobody answers: what was interrupted is not run again, and waits.")
                self._left()
                return
            if (word := line.strip().lower()) in _YES | _NO:
                await self._send(task_id, again=word in _YES)

    async def _send(self, task_id: str, *, again: bool) -> None:
        try:
            if again:
                await self._run.release(task_id)
            else:
                await self._run.cancel_tasks(task_id, reason="it was interrupted, and is not to run again")
        except CommandRefused as refusal:
            self._screen.error(plain(f"That cannot be done: {refusal}"))

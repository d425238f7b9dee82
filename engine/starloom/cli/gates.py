"""Gates and breakpoints on the command line: answered at the prompt, or all alike."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starloom import events as ev
from starloom.cli.screen import plain
from starloom.errors import CommandRefused, SettingsError, nearest
from starloom.model.quantities import format_duration
from starloom.model.status import GateDefault

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.cli.lines import Lines
    from starloom.cli.screen import Screen
    from starloom.orchestration.orchestrator import Orchestrator
    from starloom.orchestration.run import Run
    from starloom.orchestration.stopping import OpenGate

WAYS: Final = ("ask", "approve", "reject")
_YES: Final = frozenset({"y", "yes"})
_NO: Final = frozenset({"n", "no"})
_NOBODY: Final = "nobody answers at the prompt"
_THEN: Final = {GateDefault.PROCEED: "go on without", GateDefault.SKIP: "skip it", GateDefault.ABORT: "end the run"}


def way_of(text: str) -> str:
    """The way in which gates are answered.

    Raises:
        SettingsError: there is no such way.
    """
    if text in WAYS:
        return text
    near = nearest(text, WAYS)
    hint = f"did you mean {near!r}?" if near else f"use {', '.join(WAYS)}."
    raise SettingsError(f"--gates: there is no {text!r}; {hint}")


class Gatekeeper:
    """Asks for answers to the gates of one run, and releases tasks that have stopped at breakpoints.

    Args:
        run: which one.
        screen: where to ask.
        lines: where the answers come from.
        way: one of `WAYS`.

    Attributes:
        leaves: says of which tasks nobody is asked, as somebody else answers.
    """

    def __init__(self, run: Run, screen: Screen, lines: Lines, way: str) -> None:
        self._run = run
        self._screen = screen
        self._lines = lines
        self._way = way
        self._changed = asyncio.Event()
        self._told = False
        self.leaves: Callable[[str], bool] = lambda _: False
        self._left: set[tuple[str, int]] = set()
        """Gates that nobody is asked about, as their countdown answers them."""

    def begin(self, orchestrator: Orchestrator, news: asyncio.Event) -> None:
        """Subscribe to the gates and breakpoints of the run."""
        orchestrator.events.subscribe(lambda _: news.set(), ev.GateOpened, ev.BreakpointReached)
        over = (ev.GateAnswered, ev.RunCancelRequested, ev.ConstellationModified)
        orchestrator.events.subscribe(lambda _: self._changed.set(), *over)
        if self._run.gates or self.stopped():  # of a run that goes on
            news.set()

    def stopped(self) -> list[str]:
        """The tasks that have stopped at a breakpoint."""
        facts = self._run.facts
        stopped = [number for number in sorted(facts.held) if facts.is_stopped(number)]
        return [facts.graph.ids[number] for number in stopped if facts.graph.tasks[number] is not None]

    async def answer_all(self) -> None:
        """Ask about each open gate and each task that has stopped, one after the other."""
        for gate in self._run.gates:
            is_left = (gate.task_id, gate.attempt) in self._left or self.leaves(gate.task_id)
            if gate in self._run.gates and not is_left:
                await self._answer(gate)
        for task_id in self.stopped():
            if task_id in self.stopped() and not self.leaves(task_id):
                await self._let_go_on(task_id)

    async def _answer(self, gate: OpenGate) -> None:
        if self._way != "ask":
            await self._send(gate, self._way == "approve", f"as --gates {self._way} says")
            return
        ends = ""
        if gate.due is not None and gate.then is not None:
            ends = f" (in {format_duration(round(gate.due - gate.at, 3))} nobody is waited for: {_THEN[gate.then]})"
        self._screen.ask(plain(f"The gate {gate.task_id} asks: {gate.message}{ends}"))
        while gate in self._run.gates:
            self._screen.ask("Approve? y or n, and a note if there is one")
            self._changed.clear()
            line = await self._lines.next_or(self._changed)
            if line is None:
                await self._without_anybody(gate)
                return
            word, _, note = line.strip().partition(" ")
            if word.lower() in _YES | _NO:
                await self._send(gate, word.lower() in _YES, note.strip())
                return
        self._screen.note(plain(f"The gate {gate.task_id} waits no more."))

    async def _without_anybody(self, gate: OpenGate) -> None:
        if not self._told:
            self._told = True
            self._screen.error(
                "Nobody answers: this and all later gates without a countdown are rejected. "
                "See --gates approve, or run it where somebody can type."
            )
        if gate.due is None:
            await self._send(gate, False, _NOBODY)
        else:
            self._left.add((gate.task_id, gate.attempt))

    async def _send(self, gate: OpenGate, approve: bool, note: str) -> None:
        try:
            await self._run.answer_gate(gate.task_id, approve=approve, note=note, attempt=gate.attempt)
        except CommandRefused as refusal:
            self._screen.error(plain(f"That cannot be done: {refusal}"))

    async def _let_go_on(self, task_id: str) -> None:
        if self._way == "ask" and not self._told:
            self._screen.ask(plain(f"{task_id} has stopped at its breakpoint. Press Enter to let it go on"))
            self._told = await self._lines.next() is None
        try:
            await self._run.release(task_id)
        except CommandRefused as refusal:  # it is gone meanwhile
            self._screen.error(plain(f"That cannot be done: {refusal}"))

"""Commands on where a run waits: answers to gates and questions, breakpoints, a goal, single steps. A part of `Run`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from starloom.model.status import GateDefault
from starloom.scheduling import commands as c
from starloom.scheduling.read.left_behind import gate_message
from starloom.scheduling.state.stops import open_gates

if TYPE_CHECKING:
    from starloom.orchestration.pump import Pump
    from starloom.scheduling.state.run_facts import RunFacts


class OpenGate(msgspec.Struct, frozen=True):
    """A gate that waits for a person.

    Attributes:
        attempt: how often it has been asked by now, from 1.
        message: what it asks, with results in the place of templates; the name of its task if it says nothing itself.
        at: since when it waits, in seconds on the engine's clock.
        due: when nobody is waited for any more, likewise; None: that does not happen.
        then: what happens then.
    """

    task_id: str
    attempt: int
    message: str
    at: float
    due: float | None = None
    then: GateDefault | None = None


def gates_of(run: RunFacts) -> tuple[OpenGate, ...]:
    """The open gates of a run, the one that waits longest first."""
    found = []
    for number in open_gates(run):
        task, gate = run.graph.tasks[number], run.gates[number]
        if task is not None and task.gate is not None:
            message, due = gate_message(run, number), run.gate_due(number)
            found.append(OpenGate(task.id, gate.attempt, message, gate.at, due, task.gate.then))
    return tuple(found)


class RunStops:
    """Where a run waits. Commands raise `CommandRefused`, with code, reason and hint, and then change nothing.

    Args:
        run_id: the run's id.
        origin: in whose name commands are given.
        pump: of the engine.
    """

    def __init__(self, run_id: str, origin: str, pump: Pump) -> None:
        self._run_id = run_id
        self._origin = origin
        self._pump = pump

    async def answer_gate(self, task_id: str, *, approve: bool, note: str = "", attempt: int | None = None) -> None:
        """Answer an open gate, whose task completes or fails; the note is the value of its result.

        Args:
            task_id: the gate.
            approve: whether the run may go on there.
            note: what is to be known about that.
            attempt: which asking is meant, as `OpenGate` counts them; None: whichever is open.
        """
        command = c.AnswerGate(
            run_id=self._run_id, task_id=task_id, approve=approve, note=note, attempt=attempt, origin=self._origin
        )
        await self._pump.ask(command)

    async def answer_question(self, *numbers: int, option: str = "", note: str = "", reject: bool = False) -> None:
        """Answer a question of a running task, or several that are alike.

        Args:
            *numbers: as `OpenQuestion` has them.
            option: the id of the chosen option; empty where a text is asked for, or with `reject`.
            note: that text, or what else is said, for whoever asked to read.
            reject: whether what is asked for is not allowed, whichever options there are.
        """
        command = c.AnswerQuestion(
            run_id=self._run_id, numbers=numbers, option=option, note=note, reject=reject, origin=self._origin
        )
        await self._pump.ask(command)

    async def set_breakpoints(self, *task_ids: str) -> None:
        """Set breakpoints on these tasks, which stop before they start; release a stopped one to let it start."""
        await self._pump.ask(c.SetBreakpoints(run_id=self._run_id, task_ids=task_ids, origin=self._origin))

    async def clear_breakpoints(self, *task_ids: str) -> None:
        """Clear the breakpoints of these tasks; a stopped one is held until it is released."""
        await self._pump.ask(c.ClearBreakpoints(run_id=self._run_id, task_ids=task_ids, origin=self._origin))

    async def run_until(self, *task_ids: str) -> None:
        """Start only these tasks and what they depend on, then stand; with none named, go on with everything.

        A paused run is resumed for the tasks that are named.
        """
        await self._pump.ask(c.RunUntil(run_id=self._run_id, task_ids=task_ids, origin=self._origin))

    async def step(self, task_id: str | None = None) -> str:
        """Start one ready task of the paused run: this one, or the one that is next; returns its id."""
        started: str = await self._pump.ask(c.StepRun(run_id=self._run_id, task_id=task_id or "", origin=self._origin))
        return started

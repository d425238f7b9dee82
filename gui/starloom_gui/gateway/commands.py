"""Views to engine: what is asked for, sent at once and answered by a signal; and whether asking makes sense now."""

from __future__ import annotations

import asyncio
import itertools
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal

from starloom.errors import CommandRefused, StarloomError
from starloom.scheduling import commands as c
from starloom.scheduling.codes import FAILED
from starloom.scheduling.questions import idle, refusal
from starloom_gui.gateway.verbs import Target, Verb, Verdict, command_for, missing_selection
from starloom_gui.text.engine_words import said
from starloom_gui.text.words import verb_word

if TYPE_CHECKING:
    from collections.abc import Collection, Coroutine

    from starloom.agents.base import Agent
    from starloom.constellation.edits import EditBatch
    from starloom.devices.base import Device
    from starloom.errors import Problem
    from starloom.orchestration.orchestrator import Orchestrator

_log = logging.getLogger(__name__)
_STILL_HEARD: Final = (c.CancelRun, c.CancelTasks)
"""What the engine does even while it is halted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Something was asked for and not done; nothing has changed.

    Attributes:
        ticket: the number the asking view was given.
        who: in whose name it was asked for.
        what: what was asked for, in words, e.g. "Retry".
        reason: why it was not done, as a sentence.
        hint: what to do about it; may be empty.
        code: for programs.
        problems: of a batch of edits, everything that is wrong with it.
    """

    ticket: int
    who: str
    what: str
    reason: str
    hint: str = ""
    code: str = ""
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What was asked for is done and committed.

    Attributes:
        ticket: the number the asking view was given.
        what: what was asked for, in words.
        answer: what the engine answered: an `EditReceipt` for edits, else mostly None.
    """

    ticket: int
    what: str
    answer: Any = None


class Commands(QObject):
    """Every verb as a method that returns at once, with a ticket; the answer comes by `done` or `refused`.

    To be used where the engine's loop runs.

    Args:
        orchestrator: an open one.
        origin: in whose name.

    Signals:
        done: with a `Done`.
        refused: with a `Refusal`.
    """

    done = Signal(object)
    refused = Signal(object)

    def __init__(self, orchestrator: Orchestrator, *, origin: str = c.OPERATOR, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.origin = origin
        self._engine = orchestrator
        self._tickets = itertools.count(1)
        self._sent: dict[int, asyncio.Task[None]] = {}

    # ---- asking beforehand

    def can(self, verb: Verb, target: Target, **given: Any) -> Verdict:
        """Whether a verb would be carried out now and change something, by the engine's own rules."""
        unselected = missing_selection(verb, target)
        if unselected:
            return Verdict(False, unselected)
        return self.would(self.command(verb, target, **given))

    def command(self, verb: Verb, target: Target, **given: Any) -> c.Command:
        """The command that a verb comes to now; a step takes the one selected task if that can start, else the next."""
        if verb is Verb.STEP and not given and len(target.task_ids) == 1:
            step = command_for(verb, target, self.origin, task_id=target.task_ids[0])
            if refusal(self._engine.pump.scheduler, step) is None:
                return step
        return command_for(verb, target, self.origin, **given)

    def can_edit(self, run_id: str, batch: EditBatch) -> Verdict:
        """Whether a batch of edits would be applied now."""
        return self.would(c.EditConstellation(run_id=run_id, batch=batch, origin=batch.origin))

    def would(self, command: c.Command) -> Verdict:
        """Whether a command would be carried out now and change something."""
        halted = self._engine.halted
        if halted is not None and not isinstance(command, _STILL_HEARD):
            return Verdict(False, said(f"The engine is halted: {halted}"), said("Mend that and retry the commit."))
        scheduler = self._engine.pump.scheduler
        refused = refusal(scheduler, command)
        if refused is not None:
            return Verdict(False, said(refused.reason), said(refused.hint))
        nothing = idle(scheduler, command)
        return Verdict(not nothing, said(nothing))

    def failed_tasks(self, run_id: str) -> tuple[str, ...]:
        """The tasks that "Retry failed" is about."""
        index = self._engine.pump.scheduler.runs.get(run_id)
        if index is None:
            return ()
        return tuple(index.run.graph.ids[number] for number in index.run.with_status(FAILED))

    # ---- asking for it

    def do(self, verb: Verb, target: Target, **given: Any) -> int:
        """Ask for a verb; `given` are the fields of its command, e.g. `priority="high"`."""
        if verb is Verb.REMOVE_DEVICE:
            return self._send(verb_word(verb), self._engine.fleet.remove(target.device_id))
        if verb is Verb.TRY_AGAIN:  # it may have to be reached for, too
            return self._send(verb_word(verb), self._engine.fleet.try_again(target.device_id))
        command = self.command(verb, target, **given)
        return self._send(verb_word(verb), self._engine.pump.ask(command))

    def edit(self, run_id: str, batch: EditBatch) -> int:
        """Apply a batch of edits; the answer is its `EditReceipt`."""
        command = c.EditConstellation(run_id=run_id, batch=batch, origin=batch.origin)
        return self._send(verb_word("edit"), self._engine.pump.ask(command))

    def add_device(self, device: Device) -> int:
        """Put a device into the fleet and reach for it."""
        return self._send(verb_word("add_device"), self._engine.fleet.add(device))

    def can_attach(self, run_id: str, name: str, asks: Collection[str] = ()) -> Verdict:
        """Whether an agent of a name would be attached to a run now."""
        return self.would(c.AttachAgent(run_id=run_id, agent=name, asks=tuple(asks), origin=self.origin))

    def attach_agent(self, run_id: str, agent: Agent, asks: Collection[str] = ()) -> int:
        """Ask an agent from now on about what ends in a run; `asks` are the kinds of its edits a person approves of."""
        return self._send(verb_word("attach_agent"), self._engine.run(run_id).attach(agent, asks=asks))

    # ---- what is under way

    @property
    def in_flight(self) -> int:
        """How many have been sent and not answered."""
        return len(self._sent)

    async def answered(self) -> None:
        """Return once everything sent so far has been answered."""
        if self._sent:
            await asyncio.wait(list(self._sent.values()))

    def _send(self, what: str, asking: Coroutine[Any, Any, Any]) -> int:
        ticket = next(self._tickets)
        task = asyncio.get_running_loop().create_task(self._ask(ticket, what, asking), name=f"console: {what}")
        self._sent[ticket] = task
        task.add_done_callback(lambda _: self._sent.pop(ticket, None))
        return ticket

    async def _ask(self, ticket: int, what: str, asking: Coroutine[Any, Any, Any]) -> None:
        try:
            answer = await asking
        except CommandRefused as refused:
            self._refuse(ticket, what, refused.reason, refused.hint, refused.code, getattr(refused, "problems", ()))
        except StarloomError as error:
            self._refuse(ticket, what, str(error))
        except Exception as error:  # noqa: BLE001 - the border to the engine: whoever asked is told
            _log.exception("%s was asked for and failed", what)
            self._refuse(ticket, what, f"It failed: {type(error).__name__}: {error}. This is a defect.")
        else:
            self.done.emit(Done(ticket=ticket, what=what, answer=answer))

    def _refuse(
        self,
        ticket: int,
        what: str,
        reason: str,
        hint: str = "",
        code: str = "",
        problems: tuple[Problem, ...] = (),
    ) -> None:
        why = {"reason": said(reason), "hint": said(hint)}
        self.refused.emit(Refusal(ticket=ticket, who=self.origin, what=what, **why, code=code, problems=problems))

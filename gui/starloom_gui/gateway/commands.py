"""From the views to the engine: commands are sent at once and answered by a signal."""

from __future__ import annotations

import asyncio
import itertools
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec
from PySide6.QtCore import QObject, Signal

from starloom.errors import CommandRefused, EditRefused, StarloomError
from starloom.model.agent_terms import NO_TERMS
from starloom.scheduling import commands as c
from starloom.scheduling.decide.questions import idle, refusal
from starloom.scheduling.decide.required_statuses import AnyCommand, possible_part
from starloom.scheduling.decide.reservations import reserved_by_another
from starloom.scheduling.read.queue_reorder import HIGHEST, still_ahead
from starloom.scheduling.state.late_facts import may_still_run
from starloom_gui.gateway.verbs import command_word
from starloom_gui.specs.action_list import word_of
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.engine_words import said
from starloom_gui.text.reservation_words import refusal_words
from starloom_gui.text.words import amount, fill, translate

if TYPE_CHECKING:
    from collections.abc import Collection, Coroutine

    from starloom.agents.base import Agent
    from starloom.devices.base import Device
    from starloom.errors import Problem
    from starloom.model.agent_terms import AgentTerms
    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom.scheduling.state.reservations import ReservationTarget
    from starloom_gui.gateway.engine import Engine

_log = logging.getLogger(__name__)
_PROGRAM: Final = "engine"
"""The origin of what no person has asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """The refusal of a command, which has changed nothing.

    Attributes:
        ticket: the number the asking view was given.
        who: in whose name it was asked for.
        what: what was asked for, in words, e.g. "Retry".
        reason: why it was not done, as a sentence.
        hint: what to do about it; may be empty.
        code: for programs.
        problems: of a batch of edits, everything that is wrong with it.
        reserved: what somebody else has reserved, if it is refused for that.
    """

    ticket: int
    who: str
    what: str
    reason: str
    hint: str = ""
    code: str = ""
    problems: tuple[Problem, ...] = ()
    reserved: ReservationTarget | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A command that was carried out and committed.

    Attributes:
        ticket: the number the asking view was given.
        what: what was asked for, in words.
        answer: what the engine answered: an `EditReceipt` for edits, else mostly None.
        command: what was asked for; None: it is no command of the engine's.
        device: of a removed one, as it was.
    """

    ticket: int
    what: str
    answer: Any = None
    command: c.Command | None = None
    device: DeviceFacts | None = None


class Commands(QObject):
    """Asks the engine and returns at once, with a ticket; the answer comes by `done` or `refused`.

    To be used where the engine's loop runs.

    Args:
        engine: who is asked.
        origin: in whose name.

    Signals:
        done: with a `Done`.
        refused: with a `Refusal`.
    """

    done = Signal(object)
    refused = Signal(object)

    def __init__(self, engine: Engine, *, origin: str = c.OPERATOR, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.origin = origin
        self._engine = engine
        self._tickets = itertools.count(1)
        self._sent: dict[int, asyncio.Task[None]] = {}

    # ---- asking beforehand

    def barred(self) -> Verdict | None:
        """Why the engine can be asked for nothing now, as in a window that only watches; None: it can be."""
        return self._barred(c.SetLimits())

    def _barred(self, command: c.Command) -> Verdict | None:
        obstacle = self._engine.obstacle(command)
        return Verdict(False, said(obstacle[0]), said(obstacle[1]), is_for_now=True) if obstacle is not None else None

    def can(self, command: c.Command) -> Verdict:
        """Whether a command would be carried out now and change something, by the engine's own rules."""
        if (barred := self._barred(command)) is not None:
            return barred
        scheduler, command = self._engine.scheduler, self._signed(command)
        refused = refusal(scheduler, command)
        if refused is not None:
            first = refused.problems[0].message if isinstance(refused, EditRefused) else refused.reason
            reserved = self._reserved(refused, command)
            first = self._reason(first, reserved)
            return Verdict(False, first, said(refused.hint), reserved=reserved, is_for_now=reserved is not None)
        nothing = idle(scheduler, command)
        return Verdict(not nothing, said(nothing), caution=self._caution(command))

    def _reserved(self, refused: CommandRefused, command: c.Command | None) -> ReservationTarget | None:
        """What somebody else has reserved, if a command is refused for that; None: it is refused for something else."""
        if refused.code != "reserved" or command is None:
            return None
        return reserved_by_another(self._engine.scheduler, command)

    def _reason(self, reason: str, reserved: ReservationTarget | None) -> str:
        """The reason of a refusal; where a reservation is the reason, with the time of day at which that ends."""
        scheduler = self._engine.scheduler
        made = scheduler.fleet.reservations.get(reserved) if reserved is not None else None
        return said(reason) if reserved is None or made is None else refusal_words(reserved, made, scheduler.now)

    def possible_part(self, command: AnyCommand) -> AnyCommand:
        """The command for those of its tasks only whose status it may be given for; all or none of them: as it is."""
        return possible_part(self._engine.scheduler, command)

    def _caution(self, command: c.Command) -> str:
        """A warning that an attempt before may still run, or that a priority does not have a task start first."""
        if isinstance(command, c.SetPriority) and command.priority == HIGHEST and len(command.task_ids) == 1:
            return self._who_is_ahead(command)
        if not isinstance(command, c.RetryTasks | c.RerunFrom):
            return ""
        run = self._engine.scheduler.run(command.run_id)
        task_ids = command.task_ids if isinstance(command, c.RetryTasks) else (command.task_id,)
        for task_id in task_ids:
            number = run.number(task_id)
            device_id = None if number is None else may_still_run(run, number)
            if device_id is not None:
                text = translate("Actions", "The attempt before may still run on %1: the new one would run beside it.")
                return fill(text, device_id)
        return ""

    def _who_is_ahead(self, command: c.SetPriority) -> str:
        """A warning that other tasks still start before one of the highest priority; empty: none does."""
        scheduler = self._engine.scheduler
        number = scheduler.run(command.run_id).number(command.task_ids[0])
        count = 0 if number is None else still_ahead(scheduler, command.run_id, number, HIGHEST)
        text = translate("Actions", "Tasks that have waited for longer still start before it: %1.")
        return fill(text, amount(count)) if count else ""

    def _signed(self, command: c.Command) -> c.Command:
        """The command with its author; edits have their own."""
        origin = command.batch.origin if isinstance(command, c.EditConstellation) else self.origin
        return msgspec.structs.replace(command, origin=origin) if command.origin != origin else command

    # ---- asking for it

    def do(self, command: c.Command) -> int:
        """Send a command; edits are answered with their `EditReceipt`."""
        command = self._signed(command)
        return self._send(command_word(command), self._engine.command(command), command)

    def do_for_program(self, command: c.Command) -> int:
        """Send a command that the program itself needs, whoever has reserved what it is about."""
        command = msgspec.structs.replace(command, origin=_PROGRAM)
        return self._send(command_word(command), self._engine.command(command), command)

    def add_device(self, device: Device) -> int:
        """Add a device to the fleet, and connect to it."""
        return self._send(word_of("add_device"), self._engine.add_device(device, self.origin))

    def attach_agent(self, run_id: str, agent: Agent, asks: Collection[str] = (), terms: AgentTerms = NO_TERMS) -> int:
        """Attach an agent to a run on its terms; `asks` are the kinds of its edits that need approval."""
        return self._send(word_of("attach_agent"), self._engine.attach(run_id, agent, asks, terms))

    # ---- what is under way

    @property
    def in_flight(self) -> int:
        """The number of commands that were sent and not answered."""
        return len(self._sent)

    async def answered(self) -> None:
        """Return once all commands sent so far have been answered."""
        if self._sent:
            await asyncio.wait(list(self._sent.values()))

    def _send(self, what: str, asking: Coroutine[Any, Any, Any], command: c.Command | None = None) -> int:
        ticket = next(self._tickets)
        task = asyncio.get_running_loop().create_task(self._ask(ticket, what, asking, command), name=f"console: {what}")
        self._sent[ticket] = task
        task.add_done_callback(lambda _: self._sent.pop(ticket, None))
        return ticket

    async def _ask(self, ticket: int, what: str, asking: Coroutine[Any, Any, Any], command: c.Command | None) -> None:
        removed = command.device_id if isinstance(command, c.RemoveDevice) else ""
        device = self._engine.fleet_facts.devices.get(removed)
        try:
            answer = await asking
        except CommandRefused as refused:
            reserved, problems = self._reserved(refused, command), getattr(refused, "problems", ())
            self._refuse(ticket, what, refused.reason, refused.hint, refused.code, problems, reserved)
        except StarloomError as error:
            self._refuse(ticket, what, str(error))
        except Exception as error:  # noqa: BLE001 - the border to the engine: whoever asked is told
            _log.exception("%s was asked for and failed", what)
            self._refuse(ticket, what, f"It failed: {type(error).__name__}: {error}. This is a defect.")
        else:
            self.done.emit(Done(ticket=ticket, what=what, answer=answer, command=command, device=device))

    def _refuse(
        self,
        ticket: int,
        what: str,
        reason: str,
        hint: str = "",
        code: str = "",
        problems: tuple[Problem, ...] = (),
        reserved: ReservationTarget | None = None,
    ) -> None:
        why = {"reason": self._reason(reason, reserved), "hint": said(hint)}
        told = Refusal(
            ticket=ticket, who=self.origin, what=what, **why, code=code, problems=problems, reserved=reserved
        )
        self.refused.emit(told)

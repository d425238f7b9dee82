"""Views to engine: what is asked for, sent at once and answered by a signal; and whether asking makes sense now."""

from __future__ import annotations

import asyncio
import itertools
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal

from starloom.errors import CommandRefused, StarloomError
from starloom.model.status import TaskStatus
from starloom.scheduling import commands as c
from starloom.scheduling.codes import FAILED
from starloom.scheduling.questions import idle, refusal
from starloom_gui.gateway.verb_commands import command_for
from starloom_gui.gateway.verbs import (
    OF_AGENTS,
    OF_APPROVALS,
    OF_DEVICES,
    OF_GATES,
    OF_RUNS,
    OF_TASKS,
    Target,
    Verb,
    Verdict,
)
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
        missing = _missing(verb, target)
        if missing:
            return Verdict(False, missing)
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

    def start(self, run_id: str) -> int:
        """Start a run that was created without starting."""
        return self.do(Verb.START, Target(run_id))

    def pause(self, run_id: str, reason: str = "") -> int:
        """Start nothing more of a run; what runs goes on."""
        return self.do(Verb.PAUSE, Target(run_id), reason=reason)

    def resume(self, run_id: str) -> int:
        """Start a paused run's tasks again."""
        return self.do(Verb.RESUME, Target(run_id))

    def cancel_run(self, run_id: str, reason: str = "") -> int:
        """Cancel everything of a run that has not ended."""
        return self.do(Verb.CANCEL_RUN, Target(run_id), reason=reason)

    def hold_open(self, run_id: str, hold_open: bool) -> int:
        """Keep a run from ending when no task is left, or stop doing so."""
        return self.do(Verb.HOLD_OPEN, Target(run_id), hold_open=hold_open)

    def limit_run(self, run_id: str, most: int | None) -> int:
        """How many of a run's tasks may run at once; None: no limit of its own."""
        return self.do(Verb.LIMIT_RUN, Target(run_id), max_concurrency=most)

    def cancel(self, run_id: str, *task_ids: str, reason: str = "") -> int:
        """Cancel tasks; running ones are stopped."""
        return self.do(Verb.CANCEL, Target(run_id, task_ids), reason=reason)

    def hold(self, run_id: str, *task_ids: str) -> int:
        """Do not start these tasks until they are released."""
        return self.do(Verb.HOLD, Target(run_id, task_ids))

    def release(self, run_id: str, *task_ids: str) -> int:
        """Let held tasks start again."""
        return self.do(Verb.RELEASE, Target(run_id, task_ids))

    def retry(self, run_id: str, *task_ids: str, **fields: Any) -> int:
        """Run failed, cancelled or skipped tasks again, with these fields changed."""
        return self.do(Verb.RETRY, Target(run_id, task_ids), fields=fields)

    def retry_failed(self, run_id: str) -> int:
        """Run all failed tasks of a run again."""
        return self.retry(run_id, *self.failed_tasks(run_id))

    def skip(self, run_id: str, *task_ids: str, reason: str = "") -> int:
        """Do not run these tasks, nor what needs their success."""
        return self.do(Verb.SKIP, Target(run_id, task_ids), reason=reason)

    def mark(self, run_id: str, *task_ids: str, status: TaskStatus = TaskStatus.COMPLETED, value: Any = None) -> int:
        """Say how tasks ended without running them."""
        return self.do(Verb.MARK, Target(run_id, task_ids), status=status, value=value)

    def rerun_from(self, run_id: str, task_id: str, *, cancel_running: bool = False) -> int:
        """Run a task and everything behind it again."""
        return self.do(Verb.RERUN, Target(run_id, (task_id,)), cancel_running=cancel_running)

    def prioritise(self, run_id: str, *task_ids: str, priority: int | str) -> int:
        """Give tasks another base priority."""
        return self.do(Verb.PRIORITISE, Target(run_id, task_ids), priority=priority)

    def pin(self, run_id: str, *task_ids: str, device_id: str | None) -> int:
        """Run tasks on this device only; None lets them run wherever their fields allow."""
        return self.do(Verb.PIN, Target(run_id, task_ids), device_id=device_id)

    def drain(self, device_id: str) -> int:
        """Give a device no new tasks; what runs there goes on."""
        return self.do(Verb.DRAIN, Target(device_id=device_id))

    def undrain(self, device_id: str) -> int:
        """Give a drained device tasks again."""
        return self.do(Verb.UNDRAIN, Target(device_id=device_id))

    def enable(self, device_id: str) -> int:
        """Let a disabled device be used again."""
        return self.do(Verb.ENABLE, Target(device_id=device_id))

    def disable(self, device_id: str) -> int:
        """Switch a device off for new tasks."""
        return self.do(Verb.DISABLE, Target(device_id=device_id))

    def try_again(self, device_id: str) -> int:
        """Suspend a device no longer, and reach for it at once if it is not connected."""
        return self.do(Verb.TRY_AGAIN, Target(device_id=device_id))

    def set_slots(self, device_id: str, slots: int) -> int:
        """How many tasks a device runs at once."""
        return self.do(Verb.SET_SLOTS, Target(device_id=device_id), slots=slots)

    def remove_device(self, device_id: str) -> int:
        """Take an unused device out of the fleet."""
        return self.do(Verb.REMOVE_DEVICE, Target(device_id=device_id))

    def add_device(self, device: Device) -> int:
        """Put a device into the fleet and reach for it."""
        return self._send(verb_word("add_device"), self._engine.fleet.add(device))

    def can_attach(self, run_id: str, name: str, asks: Collection[str] = ()) -> Verdict:
        """Whether an agent of a name would be attached to a run now."""
        return self.would(c.AttachAgent(run_id=run_id, agent=name, asks=tuple(asks), origin=self.origin))

    def attach_agent(self, run_id: str, agent: Agent, asks: Collection[str] = ()) -> int:
        """Ask an agent from now on about what ends in a run; `asks` are the kinds of its edits a person approves of."""
        return self._send(verb_word("attach_agent"), self._engine.run(run_id).attach(agent, asks=asks))

    def set_limits(self, **limits: Any) -> int:
        """Change limits of the fleet; see `Orchestrator.set_limits`. What is not named stays."""
        return self.do(Verb.SET_LIMITS, Target(), **limits)

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


def _missing(verb: Verb, target: Target) -> str:
    """What has to be chosen before there is anything to ask about."""
    if verb in OF_DEVICES:
        return "" if target.device_id else "No device is selected."
    if verb in OF_TASKS | OF_RUNS | OF_AGENTS | OF_APPROVALS | OF_GATES:
        if not target.run_id:
            return "There is no run."
        if verb in OF_AGENTS and not target.agent:
            return "No agent is selected."
        if verb in OF_APPROVALS and not target.approval:
            return "No approval is selected."
        if verb in OF_TASKS | OF_GATES and not target.task_ids:
            return "No task is selected."
        if verb is Verb.RERUN and len(target.task_ids) > 1:
            return "Only one task at a time can be rerun."
    return ""

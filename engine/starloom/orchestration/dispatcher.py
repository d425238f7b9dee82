"""The dispatcher: runs each attempt on its device, as one asyncio task, and reports its end exactly once."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
import traceback
from asyncio import Task
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace as structs_replace

from starloom.devices.masking import SecretValues
from starloom.devices.secret_sources import SecretError
from starloom.journal.library import attempt_name
from starloom.journal.names import OUTPUT
from starloom.model.result import (
    DONE,
    ErrorCode,
    ErrorInfo,
    Outcome,
    OutcomeStatus,
    Result,
)
from starloom.model.templates import TemplateError, resolve_task
from starloom.orchestration.attempt_context import AttemptContext, with_secrets
from starloom.orchestration.attempt_questions import AttemptQuestions
from starloom.orchestration.earlier_attempts import EarlierAttempts
from starloom.orchestration.json_results import checked
from starloom.orchestration.kept_attempts import KeptAttempts, key_of
from starloom.orchestration.log_limit import LimitedLog, bounded
from starloom.scheduling.stimuli import (
    AttemptEnded,
    AttemptStuckNoticed,
    AttemptWarned,
    AttemptWorkEndNoticed,
    AttemptWorkNoticed,
)

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.devices.base import Device
    from starloom.orchestration.channel import Channel, Progress
    from starloom.orchestration.pump import Pump
    from starloom.scheduling.instructions import GiveAnswer, StartTask, StopTask

_log = logging.getLogger(__name__)
_STOPPED: Final = Outcome(OutcomeStatus.STOPPED)
_LOST: Final = Outcome(OutcomeStatus.LOST)
_CODE_OF: Final = {TemplateError: ErrorCode.UNRESOLVED_INPUT, SecretError: ErrorCode.SECRET_UNAVAILABLE}
_MOST_WARNINGS: Final = 100
"""Of one attempt; each is a row of the journal."""
_LONGEST_WARNING: Final = 2_000


Upstream = Callable[[str, str], Mapping[str, Result]]
"""Gives the results of a task's direct parents: (run, task) → results by id."""
Lookup = Callable[[str, str], Mapping[str, Any] | None]
"""Gives what a template may name of any task: (run, task) → {"value", "output", "exit_code", "status"}."""


class Dispatcher:
    """Runs attempts.

    Attributes:
        alive: how many attempts have not ended.
        devices: the devices by id; the owner puts them here.
        masks: what is masked in all that attempts print and leave behind: every secret that was looked up so far.
        questions: those that attempts ask persons.
        on_lost: called with the device whose attempt ended as lost, before that end is posted.
        kept: what attempts keep on disk.
        unreleased: those that have ended and left something behind until that is committed.
        earlier: takes over attempts of earlier programs.
        progress: how far running attempts have come by their own last report, by run and task; not of all.
        output_directory: where whole outputs go; None: to the run's folder, if it has one.
    """

    def __init__(
        self,
        pump: Pump,
        channel: Channel,
        upstream: Upstream,
        lookup: Lookup,
        output_directory: Path | None = None,
    ) -> None:
        self.alive = 0
        self.devices: dict[str, Device] = {}
        self.channel = channel
        self.upstream = upstream
        self.output_directory = output_directory
        self.masks = SecretValues()
        self.questions = AttemptQuestions(pump, self.masks, self._goes_on)
        self._errors = LimitedLog(_log)
        self.on_lost: Callable[[str], None] = lambda _device_id: None
        self.kept = KeptAttempts(lambda run_id: pump.journal.folder(run_id), self.devices)
        self.progress: dict[tuple[str, str], Progress] = {}
        self.unreleased: Collection[Any] = self.kept.unreleased
        self.earlier = EarlierAttempts(self, self.devices, self.kept)
        self._lookup = lookup
        self._pump = pump
        self._loop = asyncio.get_running_loop()
        self._attempts: dict[tuple[str, str], tuple[asyncio.Task[None], StartTask]] = {}
        self._lost: set[tuple[str, str]] = set()
        self._watches: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self._warnings: dict[tuple[str, str], int] = {}
        # The loop's own create_task costs as much again as the task; a loop with a task factory gets its way.
        self._is_plain_loop = self._loop.get_task_factory() is None

    @property
    def orders(self) -> list[StartTask]:
        """The orders of all attempts that have not ended."""
        return [order for _, order in self._attempts.values()]

    # ---- orders

    def start(self, instruction: StartTask) -> None:
        """Start an attempt; its end is posted to the pump."""
        self.alive += 1
        task_id = instruction.task_id
        if self._is_plain_loop:
            running = Task(self._attempt(instruction), loop=self._loop, name=task_id)
        else:
            running = self._loop.create_task(self._attempt(instruction), name=task_id)
        self._attempts[instruction.run_id, task_id] = (running, instruction)

    def stop(self, instruction: StopTask) -> None:
        """Stop an attempt; one that has just ended is left alone."""
        key = (instruction.run_id, instruction.task_id)
        if key in self._attempts and key not in self._watches:  # told twice, it would not clean up any more
            self._cancel(key)

    def give(self, instruction: GiveAnswer) -> None:
        """Give an attempt the answer to a question."""
        self.questions.give(instruction)

    def lose(self, device_id: str) -> None:
        """End all attempts on a device that no longer answers as lost."""
        for key, (_, order) in list(self._attempts.items()):
            if order.device_id == device_id:
                self._lost.add(key)
                if key not in self._watches:
                    self._cancel(key)

    async def ended_on(self, device_id: str) -> None:
        """Return when no attempt is left on a device, or those that are left count as stuck."""
        running = [task for task, order in self._attempts.values() if order.device_id == device_id]
        if running:
            await asyncio.wait(running, timeout=self.devices[device_id].stuck_after)

    @property
    def stuck(self) -> int:
        """The number of attempts that were told to stop and have not within the time of their device."""
        now = self._loop.time()
        return sum(watch.when() <= now for watch in self._watches.values())

    def kill(self) -> None:
        """Interrupt everything, clean-ups too: devices end at once what they are still ending."""
        for key in list(self._attempts):
            self._cancel(key)

    async def close(self) -> None:
        """Stop everything and return when all attempts have ended, or were found stuck."""
        for key in list(self._attempts):
            if key not in self._watches:  # what is being stopped already may clean up
                self._cancel(key)
        running = [task for task, _ in self._attempts.values()]
        if running:
            longest = max(device.stuck_after for device in self.devices.values())
            await asyncio.wait(running, timeout=longest)
        for watch in self._watches.values():
            watch.cancel()

    def _cancel(self, key: tuple[str, str]) -> None:
        running, order = self._attempts[key]
        if inspect.getcoroutinestate(running.get_coro()) != inspect.CORO_CREATED:  # type: ignore[arg-type]  # our coroutine
            running.cancel()
        elif key_of(order) in self.earlier.found:
            self._loop.call_soon(running.cancel)  # after its first step: the attempt of an earlier program is alive
        else:
            running.cancel()  # it would never take its first step, so nobody else would report its end
            self._report(order, _STOPPED)
            return
        self.questions.end(key_of(order))
        if key not in self._watches:
            after = self.devices[order.device_id].stuck_after
            self._watches[key] = self._loop.call_later(after, self._tell_stuck, order)

    def _tell_stuck(self, order: StartTask) -> None:
        self._pump.post(AttemptStuckNoticed(order.run_id, order.task_id, order.attempt))

    # ---- an attempt

    def note_work(self, order: StartTask, *, has_begun: bool, is_seen: bool = True, ago: float = 0.0) -> None:
        """Report to the scheduler that the work of an attempt waits for its way to the device, or begins there.

        Args:
            order: of the attempt.
            has_begun: whether the work begins; else it waits.
            is_seen: whether it is known when it began; else it may have at any time since the dispatch.
            ago: seconds since it began, by the clock of its machine.
        """
        self._pump.post(AttemptWorkNoticed(order.run_id, order.task_id, order.attempt, has_begun, is_seen, ago))

    def note_work_ended(self, order: StartTask, took: float | None) -> None:
        """Report to the scheduler that the work of an attempt has ended, and its files are being copied here.

        Args:
            order: of the attempt.
            took: seconds by the clock of its machine; None: nobody measured them.
        """
        self._pump.post(AttemptWorkEndNoticed(order.run_id, order.task_id, order.attempt, took))

    def warn(self, order: StartTask, message: str) -> None:
        """Report a warning of an attempt to the scheduler; from any thread."""
        text = self.masks.mask(str(message).encode("utf-8", "backslashreplace").decode())
        text = text if len(text) <= _LONGEST_WARNING else f"{text[: _LONGEST_WARNING - 1]}…"
        if asyncio._get_running_loop() is self._loop:
            self._warn(order, text)
        else:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and nobody listens
                self._loop.call_soon_threadsafe(self._warn, order, text)

    def note_progress(self, order: StartTask, progress: Progress) -> None:
        """Keep how far an attempt has come, and tell those who listen; of one that has ended nothing is kept."""
        if self._is_alive(order):
            self.progress[order.run_id, order.task_id] = progress
        if self.channel.is_listened_to:
            self.channel.send(progress)

    def _warn(self, order: StartTask, text: str) -> None:
        key = order.run_id, order.task_id
        if not self._is_alive(order):
            return
        count = self._warnings[key] = self._warnings.get(key, 0) + 1
        if count > _MOST_WARNINGS:
            if count > _MOST_WARNINGS + 1:
                return
            text = f"There are more than {_MOST_WARNINGS} warnings; the others are not kept."
        self._pump.post(AttemptWarned(order.run_id, order.task_id, order.attempt, text))

    def _is_alive(self, order: StartTask) -> bool:
        """Whether an attempt has not ended, which an earlier program may have started."""
        known = self._attempts.get((order.run_id, order.task_id))
        return known is not None and known[1].attempt == order.attempt

    def _goes_on(self, order: StartTask) -> bool:
        """Whether an attempt has not ended, and is not to stop."""
        return self._is_alive(order) and (order.run_id, order.task_id) not in self._watches

    async def _attempt(self, order: StartTask) -> None:  # noqa: C901 - a call costs what a branch does
        task, context = order.task, AttemptContext(self, order)
        try:
            if (earlier := self.earlier.found) and (found := earlier.pop(key_of(order), None)) is not None:
                go_on, context = found
                outcome = await go_on()
            else:
                if task.command is not None or task.inputs or task.env or task.prompt is not None:
                    task = resolve_task(task, partial(self._lookup, order.run_id))
                    if task.env:
                        task = await with_secrets(task, context, self.devices[order.device_id])
                outcome = await self.devices[order.device_id].run(task, context)
            if outcome is not DONE and outcome.result.value is not None:
                outcome = checked(outcome)
        except asyncio.CancelledError:
            outcome = _STOPPED
        except (TemplateError, SecretError) as error:
            outcome = _failed(_CODE_OF[type(error)], str(error))
        except GeneratorExit:
            raise  # the loop has ended, and nobody listens
        except (KeyboardInterrupt, SystemExit) as error:  # the program is to end; it would wait for this attempt
            self._report(order, self._device_failed(order, error))
            raise
        except BaseException as error:  # noqa: BLE001 - the border to adapters: a defect there fails the attempt
            outcome = self._device_failed(order, error)
        if not self.masks.is_empty:
            context.flush()
            outcome = self.masks.outcome(outcome)
        self._report(order, outcome)

    def _device_failed(self, order: StartTask, error: BaseException) -> Outcome:
        """The outcome of an attempt in which its device raised."""
        name = order.device_id
        told = bounded(self.masks.mask("".join(traceback.format_exception(error)).rstrip()))
        self._errors.error(name, f"device {name!r} failed while it ran {order.task_id!r}\n{told}")
        sentence = bounded(
            self.masks.mask(f"Device {name!r} failed: {type(error).__name__}: {error}"), _LONGEST_WARNING
        )
        return structs_replace(_failed(ErrorCode.EXCEPTION, sentence, told), device_failed=True)

    def _report(self, order: StartTask, outcome: Outcome) -> None:
        run_id, task_id = order.run_id, order.task_id
        if self._lost or self._watches:
            outcome = self._settle_stop((run_id, task_id), outcome)
        del self._attempts[run_id, task_id]
        self.alive -= 1
        if self._warnings:
            self._warnings.pop((run_id, task_id), None)
        if self.progress:
            self.progress.pop((run_id, task_id), None)
        if self.questions.open:
            self.questions.end((run_id, task_id, order.attempt))
        if self.kept.running:
            self.kept.note_end((run_id, task_id, order.attempt))
        if outcome is not DONE and outcome.status is OutcomeStatus.LOST:  # to look a member up costs as much as a call
            self.on_lost(order.device_id)
        self._pump.ended(AttemptEnded(run_id, task_id, order.attempt, outcome))

    def _settle_stop(self, key: tuple[str, str], outcome: Outcome) -> Outcome:
        """The attempt may be one that was stopped or whose device was lost: it is no longer watched."""
        watch = self._watches.pop(key, None)
        if watch is not None:
            watch.cancel()
        if key in self._lost:
            self._lost.discard(key)
            return outcome if outcome.status is OutcomeStatus.LOST else _LOST
        return outcome

    def output_path(self, order: StartTask) -> Path | None:
        """A file of its own for each attempt's whole output."""
        return self.output_file(order.run_id, order.task_id, order.attempt)

    def output_file(self, run_id: str, task_id: str, attempt: int) -> Path | None:
        """The file for the whole output of an attempt, which exists if it printed anything; None: it is not stored."""
        folder = self.folder_of_outputs(run_id)
        return None if folder is None else folder / f"{attempt_name(task_id, attempt)}.log"

    def folder_of_outputs(self, run_id: str) -> Path | None:
        """The folder for the whole outputs of a run's attempts; None: they are not stored."""
        if self.output_directory is not None:
            return self.output_directory / run_id
        folder = self._pump.journal.folder(run_id)
        return None if folder is None else folder / OUTPUT

    def kept_path(self, order: StartTask) -> Path | None:
        """The common prefix of the paths of the files with which an attempt outlives this program."""
        return self.kept.path(order)

    def release(self, ended: Sequence[Any]) -> None:
        """Release what attempts left behind whose ends are among these committed stimuli."""
        self.kept.release(ended)


def _failed(code: ErrorCode, message: str, detail: str = "") -> Outcome:
    return Outcome(OutcomeStatus.FAILED, Result(error=ErrorInfo(code=code, message=message, detail=detail)))

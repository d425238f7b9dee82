"""The dispatcher: runs each attempt on its device, as one asyncio task, and reports its end exactly once."""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import traceback
from asyncio import Task
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace as structs_replace
from typing_extensions import override

from starloom.devices.base import Device, TaskContext
from starloom.journal.library import OUTPUT, attempt_name
from starloom.model.json_values import MAX_NESTING, is_too_deep
from starloom.model.result import (
    DONE,
    MAX_VALUE_BYTES,
    ErrorCode,
    Outcome,
    OutcomeStatus,
    Result,
    TaskError,
)
from starloom.model.templates import TemplateError, resolve_task
from starloom.orchestration.channel import Channel, OutputChunk, Progress
from starloom.scheduling.stimuli import AttemptEnded, AttemptStuckNoticed

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.orchestration.pump import Pump
    from starloom.scheduling.instructions import StartTask, StopTask

_log = logging.getLogger(__name__)
_STOPPED: Final = Outcome(OutcomeStatus.STOPPED)
_LOST: Final = Outcome(OutcomeStatus.LOST)
_SHORT: Final = 10_000


Upstream = Callable[[str, str], Mapping[str, Result]]
"""Gives the results of a task's direct parents: (run, task) → results by id."""
Lookup = Callable[[str, str], Mapping[str, Any] | None]
"""Gives what a template may name of any task: (run, task) → {"value", "output", "exit_code", "status"}."""


class AttemptContext(TaskContext):
    """The context of an attempt in this engine: asks the dispatcher for what it is asked for."""

    __slots__ = ("_dispatcher", "_order")

    def __init__(self, dispatcher: Dispatcher, order: StartTask) -> None:
        # Most attempts ask for nothing: the order is looked into when they do.
        self._dispatcher = dispatcher
        self._order = order

    run_id = property(attrgetter("_order.run_id"))
    task_id = property(attrgetter("_order.task_id"))
    attempt = property(attrgetter("_order.attempt"))
    device_id = property(attrgetter("_order.device_id"))
    slot = property(attrgetter("_order.slot"))

    @property
    @override
    def output_path(self) -> Path | None:  # type: ignore[override]  # nobody writes to the base's attribute either
        """The file for its whole output."""
        return self._dispatcher.output_path(self._order)

    @property
    @override
    def kept(self) -> Path | None:  # type: ignore[override]  # as above
        """How the paths of the attempt's own files begin."""
        return self._dispatcher.kept_path(self._order)

    @property
    @override
    def upstream(self) -> Mapping[str, Result]:
        return self._dispatcher.upstream(self.run_id, self.task_id)

    @property
    @override
    def is_heard(self) -> bool:
        return self._dispatcher.channel.is_listened_to

    @override
    def emit(self, text: str, stream: str = "stdout") -> None:
        channel = self._dispatcher.channel
        if channel.is_listened_to:
            channel.send(OutputChunk(self.run_id, self.task_id, self.attempt, text, stream))

    @override
    def progress(self, share: float, note: str = "") -> None:
        channel = self._dispatcher.channel
        if channel.is_listened_to:
            bounded = min(1.0, max(0.0, share))
            channel.send(Progress(self.run_id, self.task_id, self.attempt, bounded, note))


class Dispatcher:
    """Runs attempts.

    Attributes:
        alive: how many attempts have not ended.
        devices: the devices by id; the owner puts them here.
        on_lost: called with the device whose attempt ended as lost, before that end is posted.
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
        self.on_lost: Callable[[str], None] = lambda _device_id: None
        self._lookup = lookup
        self._pump = pump
        self._loop = asyncio.get_running_loop()
        self._attempts: dict[tuple[str, str], tuple[asyncio.Task[None], StartTask]] = {}
        self._lost: set[tuple[str, str]] = set()
        self._kept: dict[tuple[str, str, int], tuple[str, Path]] = {}
        self._unreleased: dict[tuple[str, str, int], tuple[str, Path]] = {}
        self._watches: dict[tuple[str, str], asyncio.TimerHandle] = {}
        # The loop's own create_task costs as much again as the task; a loop with a task factory gets its way.
        self._is_plain_loop = self._loop.get_task_factory() is None

    # ---- orders

    def start(self, instruction: StartTask) -> None:
        """Begin an attempt; its end is posted to the pump."""
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

    def lose(self, device_id: str) -> None:
        """End all attempts on a device that does not answer any more as lost."""
        for key, (_, order) in list(self._attempts.items()):
            if order.device_id == device_id:
                self._lost.add(key)
                if key not in self._watches:
                    self._cancel(key)

    async def ended_on(self, device_id: str) -> None:
        """Return when no attempt is left on a device, or when those that are must be taken for stuck."""
        running = [task for task, order in self._attempts.values() if order.device_id == device_id]
        if running:
            await asyncio.wait(running, timeout=self.devices[device_id].stuck_after)

    @property
    def stuck(self) -> int:
        """How many attempts were told to stop, and have not in the time that their device gives them."""
        now = self._loop.time()
        return sum(watch.when() <= now for watch in self._watches.values())

    def kill(self) -> None:
        """Interrupt everything, clean-ups too: devices end at once what they were given time to end."""
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
        if inspect.getcoroutinestate(running.get_coro()) == inspect.CORO_CREATED:  # type: ignore[arg-type]  # our coroutine
            running.cancel()  # it would never take its first step, so nobody else would report its end
            self._report(order, _STOPPED)
            return
        running.cancel()
        if key not in self._watches:
            after = self.devices[order.device_id].stuck_after
            self._watches[key] = self._loop.call_later(after, self._tell_stuck, order)

    def _tell_stuck(self, order: StartTask) -> None:
        self._pump.post(AttemptStuckNoticed(order.run_id, order.task_id, order.attempt))

    # ---- an attempt

    async def _attempt(self, order: StartTask) -> None:
        task = order.task
        try:
            if task.command is not None or task.inputs or task.env or task.prompt is not None:
                task = resolve_task(task, partial(self._lookup, order.run_id))
            outcome = await self.devices[order.device_id].run(task, AttemptContext(self, order))
            if outcome is not DONE and outcome.result.value is not None:
                outcome = checked(outcome)
        except asyncio.CancelledError:
            outcome = _STOPPED
        except TemplateError as error:
            outcome = _failed(ErrorCode.UNRESOLVED_INPUT, str(error))
        except GeneratorExit:
            raise  # the loop has ended, and nobody listens
        except (KeyboardInterrupt, SystemExit) as error:  # the program is to end; it would wait for this attempt
            self._report(order, _device_failed(order, error))
            raise
        except BaseException as error:  # noqa: BLE001 - the border to adapters: a defect there fails the attempt
            outcome = _device_failed(order, error)
        self._report(order, outcome)

    def _report(self, order: StartTask, outcome: Outcome) -> None:
        run_id, task_id = order.run_id, order.task_id
        if self._lost or self._watches:
            outcome = self._settle_stop((run_id, task_id), outcome)
        del self._attempts[run_id, task_id]
        self.alive -= 1
        if self._kept:
            key = run_id, task_id, order.attempt
            if key in self._kept:
                self._unreleased[key] = self._kept.pop(key)
        if outcome.status is OutcomeStatus.LOST:
            self.on_lost(order.device_id)
        self._pump.ended(AttemptEnded(run_id, task_id, order.attempt, outcome))

    def _settle_stop(self, key: tuple[str, str], outcome: Outcome) -> Outcome:
        """The attempt may be one that was stopped or whose device was lost: it is no longer watched."""
        watch = self._watches.pop(key, None)
        if watch is not None:
            watch.cancel()
        if key in self._lost:
            self._lost.discard(key)
            return _LOST
        return outcome

    def output_path(self, order: StartTask) -> Path | None:
        """A file of its own for each attempt's whole output."""
        return self.output_file(order.run_id, order.task_id, order.attempt)

    def output_file(self, run_id: str, task_id: str, attempt: int) -> Path | None:
        """Where the whole output of an attempt goes, or went if it printed anything; None: nowhere."""
        folder = self.folder_of_outputs(run_id)
        return None if folder is None else folder / f"{attempt_name(task_id, attempt)}.log"

    def folder_of_outputs(self, run_id: str) -> Path | None:
        """Where the whole outputs of a run's attempts go; None: nowhere."""
        if self.output_directory is not None:
            return self.output_directory / run_id
        folder = self._pump.journal.folder(run_id)
        return None if folder is None else folder / OUTPUT

    def kept_path(self, order: StartTask) -> Path | None:
        """How the paths of an attempt's own files begin that are to outlive this program; they are its device's."""
        folder = self._pump.journal.folder(order.run_id)
        if folder is None:
            return None
        path = folder / "attempts" / attempt_name(order.task_id, order.attempt)
        self._kept[order.run_id, order.task_id, order.attempt] = (order.device_id, path)
        return path

    @property
    def unreleased(self) -> Collection[Any]:
        """The attempts that have ended and left something behind until that is committed."""
        return self._unreleased

    def release(self, ended: Sequence[Any]) -> None:
        """The ends among these stimuli are committed: what their attempts left behind may go."""
        for stimulus in ended:
            if type(stimulus) is not AttemptEnded:
                continue
            left = self._unreleased.pop((stimulus.run_id, stimulus.task_id, stimulus.attempt), None)
            if left is not None and left[0] in self.devices:
                self.devices[left[0]].release(left[1])

    async def recover(self, order: StartTask) -> Outcome | None:
        """What became of an attempt that an earlier program had started; None: it was interrupted.

        Raises:
            DeviceError: what is left of it cannot be ended.
        """
        context = AttemptContext(self, order)
        outcome = await self.devices[order.device_id].recover(order.task, context)
        left = self._kept.pop((order.run_id, order.task_id, order.attempt), None)
        if left is not None:
            self._unreleased[order.run_id, order.task_id, order.attempt] = left
        return None if outcome is None else checked(outcome)

    def release_recovered(self, orders: Iterable[StartTask]) -> None:
        """What became of these is committed."""
        self.release([AttemptEnded(order.run_id, order.task_id, order.attempt, _STOPPED) for order in orders])


def _device_failed(order: StartTask, error: BaseException) -> Outcome:
    _log.error("device %r failed while it ran %r", order.device_id, order.task_id, exc_info=error)
    sentence = f"Device {order.device_id!r} failed: {type(error).__name__}: {error}"
    outcome = _failed(ErrorCode.EXCEPTION, sentence, "".join(traceback.format_exception(error))[-8000:])
    return structs_replace(outcome, device_failed=True)


def _is_surely_json(value: object) -> bool:
    """Whether a look is enough; lone surrogates and numbers of thousands of digits are found by writing the value."""
    if isinstance(value, str):
        return type(value) is str and len(value) <= _SHORT and value.isascii()
    return type(value) is bool or (type(value) is int and value.bit_length() < 64)


def checked(outcome: Outcome) -> Outcome:
    """The outcome with its value as a reader of the journal will see it, or a failed one if it is not JSON.

    The value is copied: what the task does to its own objects later changes nothing.
    """
    value = outcome.result.value
    if _is_surely_json(value):
        return outcome
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False)
        size = len(text.encode())
    except (TypeError, ValueError, RecursionError) as error:
        return _bad_value(outcome, ErrorCode.RESULT_NOT_JSON, f"The result is not JSON: {error}.")
    if is_too_deep(value):
        sentence = f"The result is nested more than {MAX_NESTING} levels deep. Flatten it, or write it to a file."
        return _bad_value(outcome, ErrorCode.RESULT_NOT_JSON, sentence)
    if size > MAX_VALUE_BYTES:
        sentence = f"The result is {size:,} bytes of JSON; at most {MAX_VALUE_BYTES:,} are kept. Write it to a file."
        return _bad_value(outcome, ErrorCode.RESULT_TOO_LARGE, sentence)
    return structs_replace(outcome, result=structs_replace(outcome.result, value=json.loads(text)))


def _bad_value(outcome: Outcome, code: ErrorCode, message: str) -> Outcome:
    error = TaskError(code=code, message=message)
    return Outcome(OutcomeStatus.FAILED, structs_replace(outcome.result, value=None, error=error))


def _failed(code: ErrorCode, message: str, detail: str = "") -> Outcome:
    return Outcome(OutcomeStatus.FAILED, Result(error=TaskError(code=code, message=message, detail=detail)))

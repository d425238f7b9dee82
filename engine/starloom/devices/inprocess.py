"""The in-process device: runs `call` tasks as async functions that the host program registered.

Nothing a plan names runs in the host's process: a plan can ask for a handler by name, it cannot bring one.
"""

from __future__ import annotations

import asyncio
import inspect
import traceback
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final

from typing_extensions import override

from starloom.devices.base import Device, TaskContext
from starloom.errors import DeviceError, nearest
from starloom.model.frozen import EMPTY
from starloom.model.result import (
    DONE,
    ErrorCode,
    ErrorInfo,
    Outcome,
    OutcomeStatus,
    Result,
    TaskError,
    raised_severity,
)
from starloom.model.simulation import simulated_outcome
from starloom.model.task import Task

if TYPE_CHECKING:
    from starloom.model.device import DeviceSpec
    from starloom.model.status import Severity

Handler = Callable[[Task, TaskContext], Awaitable[Any]]
"""What a `call` task names: an async function that returns a JSON value or None."""

MAX_MESSAGE: Final = 2_000
MAX_TRACEBACK: Final = 8_000
"""Characters kept of the end of a traceback."""
_TRACEBACK_FRAMES: Final = 30
_NAMES_SHOWN: Final = 20


class InProcessDevice(Device):
    """Awaits the registered handler of each `call` task in the host's event loop; runs `simulate` tasks too.

    A handler shares the loop with everything else, so it must not block. It cannot be killed either: one that swallows
    its cancellation keeps its slot until it has really returned, and is reported as stuck after `grace`.
    """

    kind: ClassVar[str] = "inprocess"

    def __init__(
        self,
        id: str,
        *,
        slots: int | None = None,
        handlers: Mapping[str, Handler] = EMPTY,
        capabilities: frozenset[str] = frozenset(),
        speed: float = 1.0,
        grace: float = 10.0,
    ) -> None:
        super().__init__(id, slots=slots, capabilities=capabilities, speed=speed)
        self.stuck_after = grace
        self.actions = frozenset({"simulate"})
        self._handlers: dict[str, Handler] = {}
        for name, handler in handlers.items():
            self.register(name, handler)

    @override
    @classmethod
    def from_spec(cls, spec: DeviceSpec) -> InProcessDevice:
        """The device of a plan's or fleet file's entry, without handlers; the host program registers them.

        Raises:
            DeviceError: there are options.
        """
        if spec.options:
            names = ", ".join(repr(name) for name in spec.options)
            raise DeviceError(
                f"Device {spec.id!r} of kind {spec.kind} takes no options, but has {names}; remove them. "
                "Its handlers are registered by the host program."
            )
        return cls(spec.id, slots=spec.slots, capabilities=spec.capabilities, speed=spec.speed)

    @property
    def grace(self) -> float:
        """Seconds a cancelled handler may take before it is reported as stuck."""
        return self.stuck_after

    @property
    def handlers(self) -> frozenset[str]:
        """The names of its handlers."""
        return frozenset(self._handlers)

    def register(self, name: str, handler: Handler) -> None:
        """Register this async function for `call` tasks of this name; replaces an earlier one.

        Args:
            name: as tasks give it, without `call:`.
            handler: called with the task and the attempt's context.

        Raises:
            DeviceError: it is not an async function.
        """
        if not _is_async(handler):
            shown = getattr(handler, "__qualname__", None) or repr(handler)
            raise DeviceError(
                f"The handler {name!r} of device {self.id!r} ({shown}) is not an async function and would stop the "
                "event loop while it runs; write it with `async def`, and call blocking code by asyncio.to_thread."
            )
        self._handlers[name] = handler
        if self.actions is not None:
            self.actions |= {f"call:{name}"}
            self.on_actions()

    @override
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        """Await the task's handler; its return value is the result's value, an exception is a failed outcome."""
        handler = self._handlers.get(task.call) if task.call is not None else None
        if handler is None:
            return await self._run_without_handler(task, context)
        try:
            value = await handler(task, context)
        except asyncio.CancelledError as error:
            if _is_stopping():
                raise
            return _raised(error)
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise  # the program is to end, or the loop has ended
        except BaseException as error:  # noqa: BLE001 - the border to foreign code: whatever it raises is the outcome
            return _raised(error)
        return DONE if value is None else Outcome(result=Result(value))

    async def _run_without_handler(self, task: Task, context: TaskContext) -> Outcome:
        if task.simulate is not None:
            seconds, outcome = simulated_outcome(task, context.attempt, device_id=self.id, speed=self.speed)
            await asyncio.sleep(seconds)
            return outcome
        sentence = self._unsupported(task) if task.call is None else self._unknown(task.call)
        return _failed(ErrorCode.UNSUPPORTED, sentence)

    def _unsupported(self, task: Task) -> str:
        place = "an agent device" if task.prompt is not None else "a local device, or another one that starts programs,"
        return f"The in-process device {self.id!r} cannot do {task.action!r} tasks; {place} can."

    def _unknown(self, name: str) -> str:
        if not self._handlers:
            return f"Device {self.id!r} has no handler {name!r}; none is registered. The host program registers them."
        near = nearest(name, self._handlers)
        guess = f" Did you mean {near!r}?" if near else ""
        known = sorted(self._handlers)
        more = f" and {len(known) - _NAMES_SHOWN} more" if len(known) > _NAMES_SHOWN else ""
        return f"Device {self.id!r} has no handler {name!r}.{guess} It knows {', '.join(known[:_NAMES_SHOWN])}{more}."


def _is_async(handler: object) -> bool:
    return inspect.iscoroutinefunction(handler) or inspect.iscoroutinefunction(getattr(handler, "__call__", None))  # noqa: B004 - not whether it is callable, but how


def _is_stopping() -> bool:
    """Whether this attempt was told to stop; else a CancelledError comes from something the handler awaited."""
    current = asyncio.current_task()
    return current is None or current.cancelling() > 0


def _raised(error: BaseException) -> Outcome:
    name = type(error).__name__
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 - a broken __str__ of foreign code must not hide the error itself
        text = "(its text cannot be read)"
    # The first frame is this module's own.
    frames = error.__traceback__.tb_next if error.__traceback__ is not None else None
    lines = traceback.format_exception(type(error), error, frames, limit=-_TRACEBACK_FRAMES)
    message = text if text and isinstance(error, TaskError) else f"{name}: {text}" if text else name
    detail = "".join(lines)[-MAX_TRACEBACK:]
    return _failed(ErrorCode.EXCEPTION, message[:MAX_MESSAGE], detail, raised_severity(error))


def _failed(code: ErrorCode, message: str, detail: str = "", severity: Severity | None = None) -> Outcome:
    error = ErrorInfo(code=code, message=_encodable(message), detail=_encodable(detail), severity=severity)
    return Outcome(OutcomeStatus.FAILED, Result(error=error))


def _encodable(text: str) -> str:
    """The text with lone surrogates escaped: file names in messages have them, and the journal is UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode()

"""Submits work of a program: a task, an async function of its own, or the name of a registered handler.

An async function runs in the program's event loop, on an in-process device that joins the fleet with the first one.
What it raises is kept beside the engine, which keeps texts only, so that whoever awaits it is raised the error itself.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from functools import partial
from itertools import count
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from starloom.devices.inprocess import InProcessDevice
from starloom.errors import CommandRefused, nearest
from starloom.model.result import ErrorCode
from starloom.model.status import OnInterrupt, TaskStatus
from starloom.model.task import UPDATABLE_FIELDS, Task
from starloom.orchestration.ad_hoc_run import SubmissionFailed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.devices.base import Device, TaskContext
    from starloom.model.result import Result
    from starloom.orchestration.ad_hoc_run import AdHocRun
    from starloom.orchestration.fleet import Fleet

Function = Callable[..., Coroutine[Any, Any, Any]]
DEVICE_ID: Final = "this-program"
"""The in-process device on which submitted functions run."""


class Submissions:
    """Runs the submitted work of a program, in the ad-hoc run.

    Args:
        ad_hoc: the run that submitted tasks go to.
        fleet: of the engine.
        devices: those of the fleet, by id; as they are now, also later.
    """

    def __init__(self, ad_hoc: AdHocRun, fleet: Fleet, devices: Mapping[str, Device]) -> None:
        self._ad_hoc, self._fleet, self._devices = ad_hoc, fleet, devices
        self._device = InProcessDevice(DEVICE_ID)
        self._device.actions = None  # each submission brings its own handler
        self._functions: dict[str, Function] = {}
        self._errors: dict[str, Exception] = {}
        self._numbers = count(1)
        self._joining: asyncio.Task[None] | None = None
        self._handles: set[asyncio.Task[Any]] = set()

    def submit(self, what: Task | Function | str, origin: str, fields: Mapping[str, Any]) -> asyncio.Task[Any]:
        """Start a task; see `Orchestrator.submit`.

        Args:
            what: a task, an async function, or the name of a handler.
            origin: in whose name.
            fields: the fields of the task that is made of a function or a name.

        Raises:
            CommandRefused: it can be none of these, or the fields make no task.
        """
        if isinstance(what, Task):
            if fields:
                names = ", ".join(sorted(fields))
                raise CommandRefused("has_fields", f"{what.id!r} is a task already; it takes no {names}.", _TO_TASK)
            return self._begin(what.id, self._ad_hoc.submit(what, origin))
        if isinstance(what, str):
            task = self._made(what, {"call": what, **self._device_of(what, fields), **fields})
            return self._begin(task.id, self._value_of(task, origin))
        name = _name_of(what)
        kept = {"call": name, "device": DEVICE_ID, "on_interrupt": OnInterrupt.FAIL, **fields}
        task = self._made(name, kept)
        return self._begin(task.id, self._call(task, what, origin))

    async def close(self) -> None:
        """Fail the submissions that still wait; returns once all handles are done."""
        self._ad_hoc.close()
        if self._handles:
            await asyncio.wait(self._handles)

    def _begin(self, task_id: str, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        handle = asyncio.get_running_loop().create_task(work, name=task_id)
        self._handles.add(handle)
        handle.add_done_callback(self._handles.discard)
        return handle

    def _made(self, name: str, fields: Mapping[str, Any]) -> Task:
        """The task of a function or handler; its id is its name and a number, unless one is given."""
        try:
            return Task(**{"id": f"{name}#{next(self._numbers)}", **fields})
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            near = nearest(where, UPDATABLE_FIELDS) if first["type"] == "unexpected_keyword_argument" else None
            said = f"The task that is to run {name!r} cannot be made: {where}: {first['msg']}."
            raise CommandRefused("bad_fields", said, f"Did you mean {near!r}?" if near else "") from None

    def _device_of(self, name: str, fields: Mapping[str, Any]) -> dict[str, str]:
        """A device that has this handler, where others of the fleet have not.

        Raises:
            CommandRefused: none has it.
        """
        devices = [device for device in self._devices.values() if device is not self._device]
        inside = [device for device in devices if isinstance(device, InProcessDevice)]
        having = [device for device in inside if name in device.handlers]
        if not having:
            near = nearest(name, sorted({handler for device in inside for handler in device.handlers}))
            hint = f"Did you mean {near!r}?" if near else "Register it at an InProcessDevice of the fleet."
            raise CommandRefused("unknown_handler", f"No device has a handler {name!r}; it is no task either.", hint)
        if "device" in fields or len(having) == len(self._devices):
            return {}
        return {"device": having[next(self._numbers) % len(having)].id}

    async def _value_of(self, task: Task, origin: str) -> Any:
        result: Result = await self._ad_hoc.submit(task, origin)
        return result.value

    async def _call(self, task: Task, function: Function, origin: str) -> Any:
        """Run an async function as a task; returns what it returns and raises what it raised last."""
        if task.id in self._functions:
            raise CommandRefused("duplicate_task", f"{task.id!r} was submitted already.", "Give each its own id.")
        self._functions[task.id] = function
        try:
            if task.call not in self._device.handlers:
                self._device.register(str(task.call), self._run)
            await self._join()
            return await self._value_of(task, origin)
        except SubmissionFailed as failure:
            error = self._errors.get(task.id) if _raised(failure) else None
            if error is None:
                raise
        finally:
            del self._functions[task.id]
            self._errors.pop(task.id, None)
        raise error  # not while the other one is handled, which would become its context

    async def _join(self) -> None:
        """Ensure that the device is in the fleet; all who wait for it continue in the order in which they came."""
        joining = self._joining
        if joining is None or (joining.done() and not self._fleet.has(DEVICE_ID)):
            joining = asyncio.get_running_loop().create_task(self._fleet.add(self._device), name="starloom join")
            self._joining = joining
        await asyncio.shield(joining)

    async def _run(self, task: Task, _context: TaskContext) -> Any:
        """The handler of all submitted functions."""
        self._errors.pop(task.id, None)
        function = self._functions.get(task.id)
        if function is None:
            raise RuntimeError(f"nobody waits for the function of {task.id!r} any more, so it is not called again")
        try:
            return await function(**task.inputs)
        except Exception as error:
            self._errors[task.id] = error
            raise


_TO_TASK: Final = "Give them to the task itself, or submit a function or a handler's name with them."


def _raised(failure: SubmissionFailed) -> bool:
    """Whether the function itself raised, rather than being stopped by a timeout or a person."""
    error = failure.result.error if failure.result is not None else None
    return failure.status is TaskStatus.FAILED and error is not None and error.code == ErrorCode.EXCEPTION


def _name_of(what: object) -> str:
    """The name of an async function in the run.

    Raises:
        CommandRefused: it is none.
    """
    if inspect.iscoroutine(what):
        name = what.__qualname__
        what.close()  # else Python warns that it was never awaited
        hint = f"Submit {name} itself, with inputs=…: it is called when its turn has come."
        raise CommandRefused("not_a_task", f"The coroutine of {name} has begun to exist already.", hint)
    function = what.func if isinstance(what, partial) else what
    if inspect.iscoroutinefunction(what) or inspect.iscoroutinefunction(getattr(what, "__call__", None)):  # noqa: B004 - not whether it is callable, but how
        whole: str = getattr(function, "__qualname__", type(function).__name__)
        return whole.rpartition("<locals>.")[2]
    if callable(what):
        hint = "Write it with `async def`, and call blocking code by asyncio.to_thread."
        raise CommandRefused("not_async", f"{shortened(what)} is not an async function.", hint)
    hint = "Submit a Task, an async function, or the name of a handler."
    raise CommandRefused("not_a_task", f"{shortened(what)} is no task.", hint)

"""Event loops of simulated programs: many in one thread, each with its own queue, on the world's time and order.

A program's callbacks are called in the order in which they were registered, as asyncio promises. Which program goes
on, when what it waits for arrives, and how long the work of its threads takes is the world's to choose.
"""

from __future__ import annotations

import asyncio
from collections import deque
from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from typing_extensions import override

if TYPE_CHECKING:
    from asyncio import Handle, TimerHandle
    from collections.abc import Callable
    from contextvars import Context

_T = TypeVar("_T")


class Timing(Protocol):
    """The protocol of what a program's loop asks of the world."""

    moment: float

    def at(self, when: float, loop: ProgramLoop | None, call: Callable[[], object] | Handle) -> None:
        """Have something called at a moment: by a program, or by the world where that is None."""

    def some_delay(self) -> float:
        """Seconds that a thread takes for a piece of work."""

    def unhandled(self, loop: ProgramLoop, context: dict[str, Any]) -> None:
        """Take note of an exception that nobody handled."""


class ProgramLoop(asyncio.AbstractEventLoop):
    """The event loop of one program.

    Attributes:
        name: of the program.
        ready: what it does next.
        is_dead: whether the program was killed; nothing of it happens any more.
    """

    def __init__(self, world: Timing, name: str) -> None:
        self.name = name
        self.ready: deque[Handle] = deque()
        self.is_dead = False
        self._world = world

    def run_one(self) -> Handle:
        """Call what is next; returns what that was."""
        handle = self.ready.popleft()
        if not handle._cancelled:  # as asyncio's own loops do
            handle._run()
        return handle

    @override
    def time(self) -> float:
        return self._world.moment

    @override
    def call_soon(  # type: ignore[override]  # typeshed has type variables here
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Handle:
        handle = asyncio.Handle(callback, args, self, context)
        if not self.is_dead:
            self.ready.append(handle)
        return handle

    call_soon_threadsafe = call_soon  # type: ignore[assignment]  # there are no threads

    @override
    def call_at(  # type: ignore[override]  # as above
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        self._world.at(when, self, handle)
        return handle

    @override
    def call_later(  # type: ignore[override]  # as above
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> TimerHandle:
        return self.call_at(self._world.moment + delay, callback, *args, context=context)

    def _timer_handle_cancelled(self, handle: TimerHandle) -> None:
        """Nothing: the world passes over it when it is due."""

    @override
    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    @override
    def create_task(self, coro: Any, *, name: str | None = None, context: Context | None = None) -> asyncio.Task[Any]:
        return asyncio.Task(coro, loop=self, name=name, context=context)

    @override
    def run_in_executor(  # type: ignore[override]  # as above
        self, executor: Executor | None, func: Callable[..., _T], *args: Any
    ) -> asyncio.Future[_T]:
        work = SimulatedExecutor(self, self._world) if executor is None else executor
        return asyncio.wrap_future(work.submit(func, *args), loop=self)

    @override
    def get_task_factory(self) -> None:
        return None

    @override
    def get_debug(self) -> bool:
        return False

    @override
    def is_running(self) -> bool:
        return True

    @override
    def is_closed(self) -> bool:
        return False

    @override
    def call_exception_handler(self, context: dict[str, Any]) -> None:
        self._world.unhandled(self, context)


def new_loop(world: Timing, name: str) -> ProgramLoop:
    """The loop of a new program of this name."""
    return ProgramLoop(world, name)  # type: ignore[abstract]  # nothing else is asked of it


class SimulatedExecutor(Executor):
    """A thread of a program, which does one thing after the other, each at a later moment that the world chooses.

    Whoever blocks for a result has everything before it done at once.
    """

    def __init__(self, loop: ProgramLoop, world: Timing) -> None:
        self._loop, self._world = loop, world
        self._jobs: deque[_Job] = deque()
        self._free_at = 0.0

    @override
    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        job = _Job(self, lambda: fn(*args, **kwargs))
        self._jobs.append(job)
        self._free_at = max(self._free_at, self._world.moment) + self._world.some_delay()
        self._world.at(self._free_at, None, lambda: self.finish(job))
        return job

    def finish(self, last: _Job) -> None:
        """Do everything up to a piece of work, unless the program is dead."""
        while not self._loop.is_dead and not last.done():
            job = self._jobs.popleft()
            try:
                result = job.work()
            except BaseException as error:  # noqa: BLE001 - whoever waits is told
                job.set_exception(error)
            else:
                job.set_result(result)

    @override
    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if self._jobs:
            self.finish(self._jobs[-1])


class _Job(Future[Any]):
    def __init__(self, executor: SimulatedExecutor, work: Callable[[], Any]) -> None:
        super().__init__()
        self.work = work
        self._executor = executor

    @override
    def result(self, timeout: float | None = None) -> Any:
        self._executor.finish(self)
        return super().result(0)

"""The asyncio tasks of an object, which owns them until they end."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

_T = TypeVar("_T")


class BackgroundTasks:
    """The tasks of one owner; true while any of them runs. One that fails is reported as soon as it has.

    Args:
        name: of the tasks.
        on_error: is told what a task raises, and returns whether it has told the user; the loop's exception handler
            is told otherwise.
    """

    def __init__(self, name: str, on_error: Callable[[Exception], bool] | None = None) -> None:
        self._name = name
        self._on_error = on_error
        self._tasks: set[asyncio.Task[Any]] = set()

    def __bool__(self) -> bool:
        """Whether any task runs."""
        return bool(self._tasks)

    def begin(self, coroutine: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        """Start another task."""
        task = self.adopt(asyncio.get_running_loop().create_task(coroutine))
        task.add_done_callback(self._report)
        return task

    def adopt(self, task: asyncio.Task[_T]) -> asyncio.Task[_T]:
        """Own a task that was begun elsewhere and reports its errors itself."""
        task.set_name(self._name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def fail(self, error: Exception) -> None:
        """Report what a task has raised."""
        if self._on_error is not None and self._on_error(error):
            return
        context = {"message": f"A task failed: {self._name}", "exception": error}
        asyncio.get_running_loop().call_exception_handler(context)

    def cancel(self) -> None:
        """Ask all of them to end."""
        for task in tuple(self._tasks):
            task.cancel()

    async def settled(self) -> None:
        """Return once no task runs."""
        while self._tasks:
            await asyncio.wait(tuple(self._tasks))

    def _report(self, task: asyncio.Task[Any]) -> None:
        if task.cancelled():
            return
        error = task.exception()
        if isinstance(error, Exception):
            self.fail(error)

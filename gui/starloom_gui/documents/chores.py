"""What somebody has begun on the loop, and holds on to until it ends."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Coroutine


class Chores:
    """Tasks of one kind; true while any of them goes on. One that fails is told to the loop as soon as it has.

    Args:
        name: of the tasks.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._tasks: set[asyncio.Task[Any]] = set()

    def __bool__(self) -> bool:
        """Whether anything goes on."""
        return bool(self._tasks)

    def begin(self, doing: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Begin one more, at once."""
        task = asyncio.get_running_loop().create_task(doing, name=self._name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def cancel(self) -> None:
        """Ask all of them to end."""
        for task in tuple(self._tasks):
            task.cancel()

    async def settled(self) -> None:
        """Return once none goes on."""
        while self._tasks:
            await asyncio.wait(tuple(self._tasks))

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error

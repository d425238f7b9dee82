"""The standing run: single tasks submitted by a program, one by one, each answered with its result."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from starloom.constellation.edits import RemoveTask
from starloom.errors import CommandRefused, StarloomError
from starloom.events import (
    ConstellationModified,
    TaskCancelled,
    TaskCompleted,
    TaskFailed,
    TaskMarked,
    TaskSkipped,
)
from starloom.model.plan import Plan
from starloom.model.status import TaskStatus

if TYPE_CHECKING:
    from starloom.events import Event
    from starloom.model.result import Result
    from starloom.model.task import Task
    from starloom.orchestration.orchestrator import Orchestrator
    from starloom.orchestration.run import Run

_ENDS: Final = (TaskCompleted, TaskFailed, TaskCancelled, TaskSkipped, TaskMarked, ConstellationModified)
_NEVER_TOO_MANY: Final = sys.maxsize
"""An answer that was given up for a snapshot would never come."""


class SubmissionFailed(StarloomError):  # noqa: N818 - it says what happened
    """A submitted task did not complete.

    Attributes:
        status: how it ended.
        result: what its last attempt left behind, if there was one.
    """

    def __init__(self, task_id: str, status: TaskStatus, result: Result | None, reason: str) -> None:
        self.task_id = task_id
        self.status = status
        self.result = result
        super().__init__(f"{task_id!r} {status}: {reason}" if reason else f"{task_id!r} {status}.")


class StandingRun:
    """A run that is held open; made when the first task is submitted."""

    def __init__(self, orchestrator: Orchestrator) -> None:
        self._orchestrator = orchestrator
        self._opening: asyncio.Task[Run] | None = None
        self._waiting: dict[str, asyncio.Future[Result]] = {}

    async def submit(self, task: Task, origin: str) -> Result:
        """Run a task; returns its result.

        Raises:
            QueueFull: as many tasks wait as `max_queue` allows.
            CommandRefused: there was a task of this id before.
            SubmissionFailed: it did not complete.
        """
        run = await self._open()
        if task.id in self._waiting:
            raise CommandRefused(
                "duplicate_task", f"A task {task.id!r} was submitted already.", "Give each its own id."
            )
        answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting[task.id] = answer
        try:
            await run.submit(task, origin)
            return await answer
        except asyncio.CancelledError:
            await self._withdraw(run, task.id)
            raise
        finally:
            self._waiting.pop(task.id, None)

    async def _withdraw(self, run: Run, task_id: str) -> None:
        """Whoever submitted it no longer waits: stop it, wherever it is."""
        with suppress(CommandRefused):  # the submission itself may have been refused meanwhile
            await run.cancel_tasks(task_id, reason="its submitter gave up")

    async def _open(self) -> Run:
        if self._opening is None or _is_over(self._opening):
            self._opening = asyncio.get_running_loop().create_task(self._start(), name="starloom standing run")
        return await asyncio.shield(self._opening)

    async def _start(self) -> Run:
        run = await self._orchestrator.start(Plan(name="submitted tasks"), hold_open=True, origin="engine")
        self._orchestrator.events.subscribe(lambda event: self._note(run, event), *_ENDS, max_pending=_NEVER_TOO_MANY)
        return run

    def _note(self, run: Run, event: Event) -> None:
        if event.run_id != run.id:
            return
        if isinstance(event, ConstellationModified):
            for change in event.changes:
                if isinstance(change, RemoveTask):
                    self._refuse(change.task_id, TaskStatus.CANCELLED, None, "it was taken out of the run")
            return
        task_id: str = event.task_id  # type: ignore[attr-defined]  # only task events are subscribed to besides
        answer = self._waiting.get(task_id)
        if answer is None or answer.done():
            return
        reading = run.task(task_id)
        result = reading.result
        if reading.status is TaskStatus.COMPLETED and result is not None:
            answer.set_result(result)
            return
        reason = getattr(event, "reason", "")
        if result is not None and result.error is not None:
            reason = result.error.message
        self._refuse(task_id, reading.status, result, reason)

    def _refuse(self, task_id: str, status: TaskStatus, result: Result | None, reason: str) -> None:
        answer = self._waiting.get(task_id)
        if answer is not None and not answer.done():
            answer.set_exception(SubmissionFailed(task_id, status, result, reason))

    def close(self) -> None:
        """Tell everyone who still waits that nothing more will come."""
        for task_id in self._waiting:
            self._refuse(task_id, TaskStatus.CANCELLED, None, "the engine shut down before it had ended")


def _is_over(opening: asyncio.Task[Run]) -> bool:
    """Whether the run could not be made, or takes no more tasks."""
    if not opening.done():
        return False
    return opening.cancelled() or opening.exception() is not None or opening.result().facts.cancel_requested

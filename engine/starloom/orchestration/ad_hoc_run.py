"""The ad-hoc run: single tasks submitted by a program, one by one, each answered with its result."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

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
from starloom.model.status import RunState, TaskStatus
from starloom.scheduling.commands import HoldRunOpen

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from starloom.events import Event
    from starloom.model.result import Result
    from starloom.model.task import Task
    from starloom.orchestration.bus import EventBus
    from starloom.orchestration.pump import Pump
    from starloom.orchestration.run import Run
    from starloom.scheduling.state.run_facts import RunFacts

_ENDS: Final = (TaskCompleted, TaskFailed, TaskCancelled, TaskSkipped, TaskMarked, ConstellationModified)
KEPT: Final = 1_000
"""So many submissions that have ended, and those that follow go to a new run."""
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


class AdHocRun:
    """A run that is held open; made when the first task is submitted.

    When `KEPT` of its submissions have ended, another one takes its place, and the one before it is forgotten: of a
    program that submits tasks for months the last `KEPT` stay. One that is steered (paused, limited, watched by agents)
    goes on as it is, as what was said of it would not hold for another one.

    Args:
        start: runs a plan, as `Orchestrator.start` does.
        pump: of the engine.
        events: of the engine; they say how submissions end.
    """

    def __init__(self, start: Callable[..., Coroutine[Any, Any, Run]], pump: Pump, events: EventBus) -> None:
        self._begin = start
        self._pump = pump
        self._events = events
        self._opening: asyncio.Task[Run] | None = None
        self._waiting: dict[str, asyncio.Future[Result]] = {}
        self._runs: dict[str, Run] = {}

    async def submit(self, task: Task, origin: str) -> Result:
        """Run a task; returns its result.

        Args:
            task: its id must be new.
            origin: in whose name.

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
            if answer.done() and not answer.cancelled():
                answer.exception()  # looked at: a shutdown may have answered whoever was refused besides

    async def _withdraw(self, run: Run, task_id: str) -> None:
        """Stop a task, wherever it is, as its submitter no longer waits."""
        with suppress(CommandRefused):  # the submission itself may have been refused meanwhile
            await run.cancel_tasks(task_id, reason="its submitter gave up")

    async def _open(self) -> Run:
        if self._opening is None or _is_over(self._opening) or self._is_full(self._opening):
            self._opening = asyncio.get_running_loop().create_task(self._start(), name="starloom ad-hoc run")
        return await asyncio.shield(self._opening)

    def _is_full(self, opening: asyncio.Task[Run]) -> bool:
        """Whether another run is to take its place; if so, it ends when its last task has."""
        if not opening.done():
            return False
        run = opening.result()
        facts = run.facts
        if len(facts.status) - facts.open < KEPT or _is_steered(facts):
            return False
        self._pump.post(HoldRunOpen(run_id=run.id, hold_open=False, origin="engine"))
        ended = self._pump.ended_runs
        in_use = ended.in_use()
        for earlier in [one for one in self._runs.values() if one is not run]:
            if earlier.id not in in_use and earlier.state.has_ended:
                ended.forget(earlier.id)
                del self._runs[earlier.id]
        return True

    async def _start(self) -> Run:
        run = await self._begin(Plan(name="submitted tasks"), hold_open=True, origin="engine")
        if not self._runs:
            self._events.subscribe(self._note, *_ENDS, max_pending=_NEVER_TOO_MANY)
        self._runs[run.id] = run
        return run

    def _note(self, event: Event) -> None:
        run = self._runs.get(event.run_id)
        if run is None:
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
        """Fail the submissions that still wait: no result will come."""
        for task_id in self._waiting:
            self._refuse(task_id, TaskStatus.CANCELLED, None, "the engine shut down before it had ended")


def _is_steered(facts: RunFacts) -> bool:
    return (
        facts.state is not RunState.EXECUTING
        or facts.limit is not None
        or facts.cycles is not None
        or facts.steered
        or bool(facts.held or facts.pins)
    )


def _is_over(opening: asyncio.Task[Run]) -> bool:
    """Whether the run could not be made, or takes no more tasks."""
    if not opening.done():
        return False
    return opening.cancelled() or opening.exception() is not None or opening.result().facts.cancel_requested

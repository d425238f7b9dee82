"""Commands on single tasks of a run: hold, release, retry, skip and the like. A part of `Run`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starloom.model.status import TaskStatus
from starloom.scheduling import commands as c

if TYPE_CHECKING:
    from starloom.orchestration.pump import Pump


class RunTasks:
    """The tasks of one run. Commands raise `CommandRefused`, with code, reason and hint, and then change nothing.

    Each is carried out for all tasks that it names or, if one does not fit, for none.

    Args:
        run_id: the run's id.
        origin: in whose name commands are given.
        pump: of the engine.
    """

    def __init__(self, run_id: str, origin: str, pump: Pump) -> None:
        self._run_id = run_id
        self._origin = origin
        self._pump = pump

    async def cancel_tasks(self, *task_ids: str, reason: str = "") -> None:
        """Cancel tasks; running ones are stopped, ended ones stay as they are.

        Args:
            *task_ids: one at least.
            reason: why, for whoever reads of it.

        Raises:
            CommandRefused: no task was named, or one that is not there.
        """
        await self._pump.ask(c.CancelTasks(run_id=self._run_id, task_ids=task_ids, origin=self._origin, reason=reason))

    async def hold(self, *task_ids: str, reason: str = "") -> None:
        """Hold these tasks, so that they do not start until they are released.

        Args:
            *task_ids: one at least.
            reason: why, for whoever reads of it.

        Raises:
            CommandRefused: no task was named, one that is not there, or one that has started.
        """
        await self._pump.ask(c.HoldTasks(run_id=self._run_id, task_ids=task_ids, origin=self._origin, reason=reason))

    async def release(self, *task_ids: str, reason: str = "") -> None:
        """Release held tasks; a task that is not held is unchanged.

        Args:
            *task_ids: one at least.
            reason: why, for whoever reads of it.

        Raises:
            CommandRefused: no task was named, or one that is not there.
        """
        await self._pump.ask(c.ReleaseTasks(run_id=self._run_id, task_ids=task_ids, origin=self._origin, reason=reason))

    async def retry(self, /, *task_ids: str, **fields: Any) -> None:
        """Run failed, cancelled or skipped tasks again, with these fields changed; reopens an ended run.

        Args:
            *task_ids: one at least.
            **fields: of `Task`, with the values they get in each of the tasks, as in `UpdateTask`.

        Raises:
            EditRefused: a field does not fit; `problems` lists each.
            CommandRefused: no task was named, one that is not there, or one that waits, runs or completed; or the run
                is still being cancelled.
        """
        await self._pump.ask(c.RetryTasks(run_id=self._run_id, task_ids=task_ids, origin=self._origin, fields=fields))

    async def skip(self, *task_ids: str, reason: str = "") -> None:
        """Skip these tasks, and those that need their success.

        Args:
            *task_ids: one at least.
            reason: why, for whoever reads of it.

        Raises:
            CommandRefused: no task was named, one that is not there, or one that has started.
        """
        await self._pump.ask(c.SkipTasks(run_id=self._run_id, task_ids=task_ids, origin=self._origin, reason=reason))

    async def mark(self, *task_ids: str, status: TaskStatus = TaskStatus.COMPLETED, value: Any = None) -> None:
        """Set the outcomes of tasks without running them; reopens an ended run.

        Args:
            *task_ids: one at least.
            status: completed, failed or skipped.
            value: their result's, which JSON can express.

        Raises:
            CommandRefused: no task was named, one that is not there, or one that runs or completed; the status or the
                value is none that a task can have; or the run was cancelled.
        """
        command = c.MarkTasks(run_id=self._run_id, task_ids=task_ids, origin=self._origin, status=status, value=value)
        await self._pump.ask(command)

    async def rerun_from(self, task_id: str, cancel_running: bool = False) -> None:
        """Run a task and all its descendants again; reopens an ended run.

        Args:
            task_id: the first of them.
            cancel_running: whether what runs there is cancelled first.

        Raises:
            CommandRefused: there is no such task, something there runs and is not to be cancelled, or the run is still
                being cancelled.
        """
        command = c.RerunFrom(run_id=self._run_id, task_id=task_id, origin=self._origin, cancel_running=cancel_running)
        await self._pump.ask(command)

    async def set_priority(self, *task_ids: str, priority: int | str, reason: str = "") -> None:
        """Set the base priority of tasks.

        Args:
            *task_ids: one at least.
            priority: 0 to 100, or a name like `high`.
            reason: why, for whoever reads of it.

        Raises:
            CommandRefused: no task was named, one that is not there, or one that has started; or this is no priority.
        """
        command = c.SetPriority(
            run_id=self._run_id, task_ids=task_ids, origin=self._origin, priority=priority, reason=reason
        )
        await self._pump.ask(command)

    async def pin(self, *task_ids: str, device: str | None, reason: str = "") -> None:
        """Run tasks on one device only.

        Args:
            *task_ids: one at least.
            device: its id; None: wherever the tasks' fields allow.
            reason: why, for whoever reads of it.

        Raises:
            CommandRefused: no task was named, one that is not there, or one that has started; there is no such device;
                or it lacks what a task requires.
        """
        command = c.PinTasks(
            run_id=self._run_id, task_ids=task_ids, origin=self._origin, device_id=device, reason=reason
        )
        await self._pump.ask(command)

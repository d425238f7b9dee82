"""The files of attempts on a device without a link of its own: sent before, fetched after the attempt."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from starloom.devices.copying import FETCH_FAILED, Copying, TransferFailed, Turns, files_of
from starloom.devices.ended import failed, freeing, told_late
from starloom.devices.local_side import LocalSide
from starloom.model.result import ErrorCode, ErrorInfo, Outcome, OutcomeStatus

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starloom.devices.base import TaskContext
    from starloom.devices.copying import Side
    from starloom.model.task import Task


class Filing:
    """Copies the files of a device's attempts.

    Args:
        folder: in what they lie on this side; None: where this program runs.
    """

    def __init__(self, folder: str | None) -> None:
        self._here = LocalSide(Path(folder or ".").expanduser(), stays=True)
        self._turns = Turns()

    async def around(
        self, task: Task, context: TaskContext, there: Side, attempt: Callable[[], Awaitable[Outcome]]
    ) -> Outcome:
        """The outcome of an attempt whose files are sent before; cancelled meanwhile, it never starts."""
        try:
            files = files_of(task)
            for path in (*(copy.source for copy in files.send), *(copy.target for copy in files.fetch)):
                self._here.full(path)
            if files.send:
                context.waits()
                await _copied(Copying(files.send, "send", context.progress, self._turns), self._here, there)
                context.begins()
        except TransferFailed as error:
            return failed(ErrorCode.START_FAILED, str(error))
        return await self.after(task, context, there, await attempt())

    async def after(self, task: Task, context: TaskContext, there: Side, outcome: Outcome) -> Outcome:
        """The outcome of an attempt's work, once its files are fetched; cancelled meanwhile, it was stopped."""
        if outcome.status is not OutcomeStatus.COMPLETED:
            return outcome
        clock = asyncio.get_running_loop().time
        began = clock()
        fetched = await self._fetched(task, context, there, outcome)
        return told_late(fetched, outcome.ended_ago, clock() - began)

    async def _fetched(self, task: Task, context: TaskContext, there: Side, outcome: Outcome) -> Outcome:
        try:
            files = files_of(task)
            if files.fetch:
                fetching = Copying(files.fetch, "fetch", context.progress, self._turns)
                await freeing(_copied(fetching, there, self._here), context)
        except TransferFailed as error:
            told = ErrorInfo(code=FETCH_FAILED, message=str(error))
            return replace(outcome, status=OutcomeStatus.FAILED, result=replace(outcome.result, error=told))
        except asyncio.CancelledError:
            return replace(outcome, status=OutcomeStatus.STOPPED)
        return outcome


async def _copied(copying: Copying, source: Side, target: Side) -> None:
    try:
        await copying.go_on(source, target)
    except asyncio.CancelledError:
        await copying.clear(target)
        raise

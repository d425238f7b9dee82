"""The outcome of an attempt from what its process left."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any, Final, TypeVar

from msgspec.structs import replace

from starloom.devices.attempt_files import decode
from starloom.model.result import OUTPUT_LOST, ErrorCode, ErrorInfo, Outcome, OutcomeStatus, Result, signal_name

if TYPE_CHECKING:
    from collections.abc import Awaitable, Sequence

    from starloom.devices.attempt_files import AttemptFiles
    from starloom.devices.base import TaskContext
    from starloom.devices.marker import MeasuredEnd
    from starloom.devices.output import Output
    from starloom.model.task import Task

_MOMENT: Final = 0.25
"""Seconds in which what work has left comes without that being told."""
_T = TypeVar("_T")
_PROMPT: Final = 1.0
"""Seconds in which what work has left is mostly fetched."""


def ended(task: Task, code: int, output: Output, files: AttemptFiles, context: TaskContext) -> Outcome:
    """The outcome of a process that ended by itself. A failed one keeps a usable value, but needs none."""
    found, value, error = files.read_result()
    if code != 0:
        error = (files.read_error() if task.python is not None else None) or _exit_error(code)
    elif not found and task.python is None and output.last_line is not None:
        value = decode(output.last_line)[1]
    status = OutcomeStatus.COMPLETED if error is None else OutcomeStatus.FAILED
    return Outcome(status, result_of(value, code, output, error, context))


async def freeing(bringing: Awaitable[_T], context: TaskContext, took: float | None = None) -> _T:
    """The outcome of an attempt once its results are fetched; if that takes more than a moment, its slot is freed.

    Args:
        bringing: what it has left here.
        context: of the attempt.
        took: seconds that its work took, by the clock of its machine; None: nobody measured them.
    """
    telling = asyncio.get_running_loop().call_later(_MOMENT, context.fetches, took)
    try:
        return await bringing
    finally:
        telling.cancel()


def told_late(outcome: Outcome, ago: float | None, lag: float, took: float | None = None) -> Outcome:
    """The outcome of work that ended before that could be reported.

    Args:
        outcome: how it ended.
        ago: seconds between its end and when that was heard; None: nobody knows.
        lag: seconds since, in which what it has left was fetched; little of that changes nothing.
        took: seconds that it took, by the clock of its machine; None: as the outcome says.
    """
    outcome = outcome if took is None else replace(outcome, took=took)
    if ago == 0.0 and lag <= _PROMPT:
        return outcome
    return replace(outcome, ended_ago=None if ago is None else ago + lag)


def with_times(outcome: Outcome, measured: MeasuredEnd | None) -> Outcome:
    """The outcome with the times of its end that are known, however late our loop has heard of it."""
    if measured is None:
        return outcome
    ago = outcome.ended_ago if measured.ago is None else measured.ago
    return replace(outcome, ended_ago=ago, took=measured.took)


def result_of(value: Any, code: int | None, output: Output, error: ErrorInfo | None, context: TaskContext) -> Result:
    """The result of a process, however it ended; its output is closed before."""
    path = context.output_path
    return Result(
        value=value,
        exit_code=code,
        output=output.tail,
        output_length=output.length,
        output_file=path.name if path is not None and output.length else None,
        error=_with_trouble(error, output.trouble),
    )


def _with_trouble(error: ErrorInfo | None, trouble: str) -> ErrorInfo | None:
    """The error with the note that the output file is incomplete; that alone fails no task."""
    if not trouble:
        return error
    if error is None:
        return ErrorInfo(code=OUTPUT_LOST, message=trouble)
    return replace(error, detail=f"{error.detail}\n{trouble}".strip())


def not_stopped(survivors: Sequence[int]) -> ErrorInfo | None:
    """The error that processes could not be ended; None: there are none of these."""
    if not survivors:
        return None
    names = ", ".join(map(str, survivors))
    return ErrorInfo(code=ErrorCode.NOT_STOPPED, message=f"The system could not end the processes {names}.")


def _exit_error(code: int) -> ErrorInfo:
    if code > 0 or sys.platform == "win32":
        return ErrorInfo(code=ErrorCode.EXIT_CODE, message=f"exit code {code}")
    return ErrorInfo(code=ErrorCode.EXIT_CODE, message=f"killed by {signal_name(code)}")


def failed(code: ErrorCode, message: str, *, by_device: bool = False) -> Outcome:
    """The outcome of an attempt that never started; `by_device`: whatever its task is."""
    return Outcome(OutcomeStatus.FAILED, Result(error=ErrorInfo(code=code, message=message)), by_device)

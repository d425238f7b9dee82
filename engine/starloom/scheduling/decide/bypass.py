"""Bypassed tasks: each completes without running as soon as it could start, with a given value or its parents'."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from starloom.model.json_values import MAX_NESTING, is_too_deep
from starloom.model.result import EMPTY_RESULT, MAX_VALUE_BYTES, ErrorCode, ErrorInfo, Result
from starloom.model.status import TaskStatus
from starloom.model.task import BypassValue
from starloom.scheduling.decide import steering
from starloom.scheduling.state.codes import COMPLETED

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState

_ORIGIN: Final = "engine"
_REMEDY: Final = "Give it another one: bypass: {value: …}."


def complete(scheduler: SchedulerState, index: RunIndex, number: int) -> None:
    """Complete a ready task that is bypassed; it fails if the values of its parents are too large together."""
    result = result_of(index.run, number)
    status = TaskStatus.COMPLETED if result.error is None else TaskStatus.FAILED
    steering.mark_as(scheduler, index, [number], status, result, _ORIGIN, bypassed=True)
    if status is TaskStatus.FAILED:
        steering.abort_if_critical(scheduler, index, [number])
    scheduler.dirty[index.run.run_id] = index


def result_of(run: RunFacts, number: int) -> Result:
    """The result that a bypassed task has: the given value, its only parent's result, or all parents' values by id.

    A parent that has not completed has the value None, as for whoever depends on a failure that is a warning.
    """
    task = run.graph.tasks[number]
    assert task is not None
    if isinstance(task.bypass, BypassValue):
        return _checked(task.bypass.value)
    parents = sorted(run.graph.parents[number], key=run.graph.positions().__getitem__)
    if len(parents) == 1:
        there = run.results[parents[0]] or EMPTY_RESULT
        length = len(there.output.encode(errors="surrogatepass"))  # the rest stands in the parent's file
        return Result(_value(run, parents[0]), there.exit_code, there.output, length)
    return _checked({run.graph.ids[parent]: _value(run, parent) for parent in parents} or None)


def _value(run: RunFacts, number: int) -> Any:
    result = run.results[number]
    return result.value if result is not None and run.status[number] == COMPLETED else None


def _checked(value: Any) -> Result:
    """The result with a value, or with the error that it is none that can be kept."""
    if is_too_deep(value):
        message = f"It is bypassed with a value nested more than {MAX_NESTING} levels deep. {_REMEDY}"
        return Result(error=ErrorInfo(code=ErrorCode.RESULT_NOT_JSON, message=message))
    size = len(json.dumps(value, ensure_ascii=False).encode(errors="surrogatepass"))
    if size > MAX_VALUE_BYTES:
        message = f"It is bypassed with {size:,} bytes of JSON; at most {MAX_VALUE_BYTES:,} are kept. {_REMEDY}"
        return Result(error=ErrorInfo(code=ErrorCode.RESULT_TOO_LARGE, message=message))
    return Result(value=value)
